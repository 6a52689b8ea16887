// From a name to the places that it links to.
import { nearest } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import type { Clause } from '../generate/document.ts';
import type { Assumption, Entry, Packages } from './packages.ts';
import { citations, escaped, linesMatching, type Place } from './sources.ts';

/** A place with the reason why it is shown. */
export interface Found extends Place {
  /** `behavior`, `check`, `test` and so on. */
  readonly kind: string;
  readonly name?: string;
  readonly text?: string;
}

/** A name, explained in a line, with the places that it links to. */
export interface HttpResponse {
  readonly title: string;
  readonly text: string;
  readonly found: readonly Found[];
}

/** Takes a clause, a check, a rule, a mutant, a choice (C29) or an interpretation (R29). */
export function find(name: string, packages: Packages): HttpResponse {
  const clause = packages.clauses.find(({ id }) => id === name);
  if (clause) return findClause(clause, packages);
  const entries = packages.entries.filter((entry) => entry.name === name);
  if (entries.length > 0) return findEntries(entries, packages);
  const assumption = packages.assumptions.find(({ id }) => id === name.toUpperCase());
  if (assumption)
    return {
      title: `${assumption.id}  ${assumption.title}`,
      text: 'A choice of the mock.',
      found: placesOfAssumption(assumption, packages),
    };
  const interpretation = findInterpretation(name.toUpperCase(), packages);
  if (interpretation) return interpretation;
  const known = [...packages.clauses.map(({ id }) => id), ...packages.entries.map((entry) => entry.name)];
  const near = nearest(name, known);
  const below = packages.clauses.filter(({ id }) => id.startsWith(`${name}.`)).map(({ id }) => `  ${id}`);
  const hint = below.length > 0 ? ` Clauses below it:\n${below.join('\n')}` : near ? ` Did you mean "${near}"?` : '';
  throw new UsageError(`No clause, check, rule, mutant, choice or interpretation is called "${name}".${hint}`);
}

/** From the sentence to its schema, its code, its checks, its mutants, its tests and its assumptions. */
function findClause({ id, fact, basis, at, interpretations = [] }: Clause, packages: Packages): HttpResponse {
  const known = new Set(packages.clauses.map((clause) => clause.id));
  const entries = packages.entries.filter(({ about }) => about.includes(id));
  const judges = entries.filter(({ kind }) => kind === 'check' || kind === 'rule');
  const operations = packages.operations.filter(({ cites }) => cites.includes(id)).map((operation) => operation.id);
  const cited = citations(packages.code, id, known);
  const behaviour = [
    ...cited.filter(({ path }) => path.startsWith('src/') && !path.startsWith('src/mutants/')),
    ...operations.flatMap((operation) => handlerOf(operation, packages)),
  ];
  const proof = cited.filter(({ path }) => /^proof\/(?!independent)/.test(path));
  const named = entries.flatMap((entry) => placeOfEntry(entry, id));
  return {
    title: `${id}  (${basis}; ${at})`,
    text: fact,
    found: unique([
      ...inYaml(id, packages).map(as('contract')),
      ...behaviour.map(as('behaviour')),
      ...named,
      ...testsOf(
        { names: [id, ...judges.map(({ name }) => name)], beside: [...behaviour, ...named], operations },
        packages,
      ),
      ...proof.map(as('proof')),
      ...packages.assumptions
        .filter(({ about }) => about.includes(id))
        .flatMap((assumption) => headingOf(assumption, packages)),
      ...interpretations.flatMap((interpretation) => linesOfInterpretation(interpretation, packages)),
    ]),
  };
}

/** Both implementations may have a mutant of the same name. */
function findEntries(entries: readonly Entry[], packages: Packages): HttpResponse {
  const [first] = entries as [Entry];
  const about = [...new Set(entries.flatMap((entry) => entry.about))];
  const isMutant = first.kind.startsWith('mutant');
  const judges = packages.entries.filter(({ kind }) => kind === 'check' || kind === 'rule');
  const places = entries.flatMap((entry) => placeOfEntry(entry));
  const counterparts = isMutant
    ? judges.filter((judge) => about.some((clause) => judge.about.includes(clause)))
    : packages.entries.filter((entry) => entry.kind.startsWith('mutant') && about.includes(entry.about[0] ?? ''));
  return {
    title: `${first.name}  (${first.kind})`,
    text: first.text,
    found: unique([
      ...places,
      ...about.flatMap((clause) => clauseLine(clause, packages)),
      ...counterparts.flatMap((entry) => placeOfEntry(entry)),
      ...testsOf({ names: [first.name], beside: places, operations: [] }, packages),
    ]),
  };
}

function placesOfAssumption(assumption: Assumption, packages: Packages): Found[] {
  const mentions = new RegExp(`\\b${assumption.id}\\b`);
  return unique([
    ...headingOf(assumption, packages),
    ...linesOfInterpretation(assumption.id.replace('C', 'R'), packages),
    ...assumption.about.flatMap((clause) => clauseLine(clause, packages)),
    ...linesMatching(
      packages.yaml.filter(({ path }) => path.endsWith('.yaml')),
      mentions,
    ).map(as('contract')),
    ...linesMatching(
      packages.code.filter(({ path }) => path.startsWith('src/')),
      mentions,
    ).map(as('behaviour')),
    ...linesMatching(packages.tests, mentions).map(as('test')),
  ]);
}

/**
 * null when neither a clause nor interpretations.yaml knows it. A choice of the same number is about the same place of
 * the contract.
 */
function findInterpretation(id: string, packages: Packages): HttpResponse | null {
  const about = packages.clauses.filter(({ interpretations }) => interpretations?.includes(id));
  const own = linesOfInterpretation(id, packages);
  if (about.length === 0 && own.length === 0) return null;
  const mentions = new RegExp(`\\b${id}\\b`);
  const assumption = packages.assumptions.find((candidate) => candidate.id === id.replace('R', 'C'));
  return {
    title: id,
    text: own[0]?.text ?? 'An interpretation of an unspecified point of the contract.',
    found: unique([
      ...own.map(({ text: _text, ...place }) => place),
      ...(assumption ? headingOf(assumption, packages) : []),
      ...about.flatMap((clause) => clauseLine(clause.id, packages)),
      ...linesMatching(packages.code, mentions).map(as('mention')),
      ...linesMatching(packages.tests, mentions).map(as('test')),
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
function inYaml(clause: string, { yaml }: Packages): Place[] {
  const contract = yaml.filter(({ path }) => path.endsWith('.yaml') && path !== 'spec/interpretations.yaml');
  return linesMatching(contract, new RegExp(`(?<![\\w.])${escaped(clause)}(?![\\w.-])`));
}

function clauseLine(clause: string, { yaml, clauses }: Packages): Found[] {
  const [place] = linesMatching(
    yaml.filter(({ path }) => path === 'spec/clauses.yaml'),
    new RegExp(`id: ${escaped(clause)}$`, 'm'),
  );
  const { fact = '' } = clauses.find(({ id }) => id === clause) ?? {};
  return place ? [{ kind: 'clause', ...place, name: clause, text: fact }] : [];
}

function headingOf({ id, title }: Assumption, { yaml }: Packages): Found[] {
  return linesMatching(yaml, new RegExp(`^## ${id} `, 'm')).map((place) => ({
    kind: 'assumption',
    ...place,
    name: id,
    text: title,
  }));
}

function linesOfInterpretation(id: string, { yaml }: Packages): Found[] {
  const row = new RegExp(`^${id}: (.*)$`, 'm');
  return yaml.flatMap((file) =>
    linesMatching([file], row).map((place) => {
      const text = row.exec(file.text)?.[1]?.replace(/^"|"$/g, '') ?? '';
      return { kind: 'interpretation', ...place, name: id, text };
    }),
  );
}

/** Handlers are listed under the names of their operations. */
function handlerOf(operation: string, { code }: Packages): Place[] {
  const routes = code.filter(({ path }) => path === 'src/http/handlers.ts');
  return linesMatching(routes, new RegExp(`^ {2}${operation}: \\(`, 'm'));
}

/** Search terms for tests. */
interface Wanted {
  readonly names: readonly string[];
  readonly beside: readonly Place[];
  readonly operations: readonly string[];
}

/** Tests that use one of the names, are next to a file, or exercise an operation in the behavioral suite. */
function testsOf({ names, beside, operations }: Wanted, { tests }: Packages): Found[] {
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
