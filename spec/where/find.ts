// From a name to the places that it leads to.
import { nearest } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Clause } from '../generate/document.ts';
import type { Choice, Entry, Houses } from './houses.ts';
import { citations, escaped, linesMatching, type Place } from './sources.ts';

/** A place with the reason why it is shown. */
export interface Found extends Place {
  /** What is there: `behaviour`, `check`, `test` and so on. */
  readonly kind: string;
  readonly name?: string;
  readonly text?: string;
}

/** A name, explained in a line, with the places that it leads to. */
export interface Answer {
  readonly title: string;
  readonly text: string;
  readonly found: readonly Found[];
}

/** Takes a clause, a check, a rule, a mutant, a choice (C29) or a ruling (R29). */
export function find(name: string, houses: Houses): Answer {
  const clause = houses.clauses.find(({ id }) => id === name);
  if (clause) return findClause(clause, houses);
  const entries = houses.entries.filter((entry) => entry.name === name);
  if (entries.length > 0) return findEntries(entries, houses);
  const choice = houses.choices.find(({ id }) => id === name.toUpperCase());
  if (choice)
    return {
      title: `${choice.id}  ${choice.title}`,
      text: 'A choice of the mock.',
      found: placesOfChoice(choice, houses),
    };
  const ruling = findRuling(name.toUpperCase(), houses);
  if (ruling) return ruling;
  const known = [...houses.clauses.map(({ id }) => id), ...houses.entries.map((entry) => entry.name)];
  const near = nearest(name, known);
  const below = houses.clauses.filter(({ id }) => id.startsWith(`${name}.`)).map(({ id }) => `  ${id}`);
  const hint = below.length > 0 ? ` Clauses below it:\n${below.join('\n')}` : near ? ` Did you mean "${near}"?` : '';
  throw new UsageError(`No clause, check, rule, mutant, choice or ruling is called "${name}".${hint}`);
}

/** From the sentence to its schema, its code, its checks, its mutants, its tests and its assumptions. */
function findClause({ id, fact, standing, at, rulings = [] }: Clause, houses: Houses): Answer {
  const known = new Set(houses.clauses.map((clause) => clause.id));
  const entries = houses.entries.filter(({ about }) => about.includes(id));
  const judges = entries.filter(({ kind }) => kind === 'check' || kind === 'rule');
  const operations = houses.operations.filter(({ cites }) => cites.includes(id)).map((operation) => operation.id);
  const cited = citations(houses.code, id, known);
  const behaviour = [
    ...cited.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/mutants/')),
    ...operations.flatMap((operation) => handlerOf(operation, houses)),
  ];
  const proof = cited.filter(({ path }) => /^proof\/(?!independent)/.test(path));
  const named = entries.flatMap((entry) => placeOfEntry(entry, id));
  return {
    title: `${id}  (${standing}; ${at})`,
    text: fact,
    found: unique([
      ...inYaml(id, houses).map(as('contract')),
      ...behaviour.map(as('behaviour')),
      ...named,
      ...testsOf(
        { names: [id, ...judges.map(({ name }) => name)], beside: [...behaviour, ...named], operations },
        houses,
      ),
      ...proof.map(as('proof')),
      ...houses.choices.filter(({ about }) => about.includes(id)).flatMap((choice) => headingOf(choice, houses)),
      ...rulings.flatMap((ruling) => linesOfRuling(ruling, houses)),
    ]),
  };
}

/** Both implementations may have a mutant of the same name. */
function findEntries(entries: readonly Entry[], houses: Houses): Answer {
  const [first] = entries as [Entry];
  const about = [...new Set(entries.flatMap((entry) => entry.about))];
  const isMutant = first.kind.startsWith('mutant');
  const judges = houses.entries.filter(({ kind }) => kind === 'check' || kind === 'rule');
  const places = entries.flatMap((entry) => placeOfEntry(entry));
  const counterparts = isMutant
    ? judges.filter((judge) => about.some((clause) => judge.about.includes(clause)))
    : houses.entries.filter((entry) => entry.kind.startsWith('mutant') && about.includes(entry.about[0] ?? ''));
  return {
    title: `${first.name}  (${first.kind})`,
    text: first.text,
    found: unique([
      ...places,
      ...about.flatMap((clause) => clauseLine(clause, houses)),
      ...counterparts.flatMap((entry) => placeOfEntry(entry)),
      ...testsOf({ names: [first.name], beside: places, operations: [] }, houses),
    ]),
  };
}

function placesOfChoice(choice: Choice, houses: Houses): Found[] {
  const mentions = new RegExp(`\\b${choice.id}\\b`);
  return unique([
    ...headingOf(choice, houses),
    ...linesOfRuling(choice.id.replace('C', 'R'), houses),
    ...choice.about.flatMap((clause) => clauseLine(clause, houses)),
    ...linesMatching(
      houses.yaml.filter(({ path }) => path.endsWith('.yaml')),
      mentions,
    ).map(as('contract')),
    ...linesMatching(
      houses.code.filter(({ path }) => path.startsWith('src/')),
      mentions,
    ).map(as('behaviour')),
    ...linesMatching(houses.tests, mentions).map(as('test')),
  ]);
}

/**
 * null when neither a clause nor rulings.yaml knows it. A choice of the same number is about the same place of the
 * contract.
 */
function findRuling(id: string, houses: Houses): Answer | null {
  const about = houses.clauses.filter(({ rulings }) => rulings?.includes(id));
  const own = linesOfRuling(id, houses);
  if (about.length === 0 && own.length === 0) return null;
  const mentions = new RegExp(`\\b${id}\\b`);
  const choice = houses.choices.find((candidate) => candidate.id === id.replace('R', 'C'));
  return {
    title: id,
    text: own[0]?.text ?? 'A ruling: where the contract leaves room.',
    found: unique([
      ...own.map(({ text: _text, ...place }) => place),
      ...(choice ? headingOf(choice, houses) : []),
      ...about.flatMap((clause) => clauseLine(clause.id, houses)),
      ...linesMatching(houses.code, mentions).map(as('mention')),
      ...linesMatching(houses.tests, mentions).map(as('test')),
    ]),
  };
}

const as =
  (kind: string) =>
  (place: Place): Found => ({ kind, ...place });

/** None where the source does not show the name. */
function placeOfEntry({ kind, name, about, text, locate }: Entry, clause = about[0]): Found[] {
  const place = locate(name, clause);
  return place ? [{ kind, ...place, name, text }] : [];
}

/** The id as a whole: `4.calls.since` is not found in `4.calls.since-forms`. */
function inYaml(clause: string, { yaml }: Houses): Place[] {
  const contract = yaml.filter(({ path }) => path.endsWith('.yaml') && path !== 'spec/rulings.yaml');
  return linesMatching(contract, new RegExp(`(?<![\\w.])${escaped(clause)}(?![\\w.-])`));
}

function clauseLine(clause: string, { yaml, clauses }: Houses): Found[] {
  const [place] = linesMatching(
    yaml.filter(({ path }) => path === 'spec/clauses.yaml'),
    new RegExp(`id: ${escaped(clause)}$`, 'm'),
  );
  const { fact = '' } = clauses.find(({ id }) => id === clause) ?? {};
  return place ? [{ kind: 'clause', ...place, name: clause, text: fact }] : [];
}

function headingOf({ id, title }: Choice, { yaml }: Houses): Found[] {
  return linesMatching(yaml, new RegExp(`^## ${id} `, 'm')).map((place) => ({
    kind: 'choice',
    ...place,
    name: id,
    text: title,
  }));
}

function linesOfRuling(id: string, { yaml }: Houses): Found[] {
  const row = new RegExp(`^${id}: (.*)$`, 'm');
  return yaml.flatMap((file) =>
    linesMatching([file], row).map((place) => {
      const text = row.exec(file.text)?.[1]?.replace(/^"|"$/g, '') ?? '';
      return { kind: 'ruling', ...place, name: id, text };
    }),
  );
}

/** Handlers are listed under the names of their operations. */
function handlerOf(operation: string, { code }: Houses): Place[] {
  const routes = code.filter(({ path }) => path === 'src/http/handlers.ts');
  return linesMatching(routes, new RegExp(`^ {2}${operation}: \\(`, 'm'));
}

/** What tests are looked for by. */
interface Wanted {
  readonly names: readonly string[];
  readonly beside: readonly Place[];
  readonly operations: readonly string[];
}

/** Tests that name one of the names, stand beside a file, or exercise an operation in the behavioural suite. */
function testsOf({ names, beside, operations }: Wanted, { tests }: Houses): Found[] {
  const quoted = (words: readonly string[]) => new RegExp(`'(?:${words.map(escaped).join('|')})'`);
  const siblings = new Set(beside.map(({ path }) => path.replace(/\.ts$/, '.test.ts')));
  const behavioural = tests.filter(({ path }) => path.startsWith('proof/behavior/'));
  return [
    ...linesMatching(tests, quoted(names)),
    ...tests.filter(({ path }) => siblings.has(path)).map(({ path }) => ({ path, line: 1 })),
    ...(operations.length === 0 ? [] : linesMatching(behavioural, quoted(operations))),
  ].map(as('test'));
}

/** One row for a kind, a path and a name. */
function unique(found: readonly Found[]): Found[] {
  const rows = new Map<string, Found>();
  for (const row of found) {
    const key = `${row.kind} ${row.path} ${row.name ?? ''}`;
    if (!rows.has(key)) rows.set(key, row);
  }
  return [...rows.values()];
}
