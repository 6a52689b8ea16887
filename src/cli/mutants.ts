// `casa mutants`: the list of the faults that `casa mock --mutant` can have, by section and clause of the contract.

import { type ClauseId, clauses } from '../contract/generated/clauses.ts';
import { sections } from '../contract/sections.ts';
import { mutants as allMutants, type Mutant, type Need } from '../mutants/index.ts';
import { row } from '../options/define-options.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { command } from './command.ts';

/** Exit code 2 also when nothing fits: a script that lists nothing has a mistake. */
export const mutants = command({
  name: 'mutants',
  usage: `casa mutants: list the deliberate contract violations for casa mock --mutant

Usage
  casa mutants [PATTERN ...] [flags]

Examples
  casa mutants 'calls-*'             Mutants whose name matches
  casa mutants 4.calls.exactly-once  Mutants that violate this clause
  casa mutants 4.calls 7             Mutants of the clauses 4.calls.* and of section 7
`,
  options: { json: row.toggle('Print a JSON array instead of text') },
  tail: `Fields of --json
  name     The mutant, for --mutant
  breaks   ID of the violated clause, with its text (fact) and its section
  shows    The violation as a sentence
  needs    Condition for a test to detect it, for example writes or second-key (default: nothing)
  world    Built-in data in which the violation shows, for --world

`,
  exits: { 0: 'Listed', 2: 'No match, or an invalid flag' },
  takesWords: true,
  run({ flags, words }, out) {
    const chosen = choose(words);
    out.write(flags.json ? `${JSON.stringify(chosen.map(describe), null, 2)}\n` : list(chosen));
  },
});

/** Each word has to fit something; together they are joined by "or". */
function choose(patterns: readonly string[]): readonly Mutant[] {
  const tests = patterns.map((pattern) => {
    const matches = matcherOf(pattern);
    if (allMutants.some(matches)) return matches;
    throw new UsageError(`no mutant's name or clause is "${pattern}".${hint(pattern)}`);
  });
  return tests.length === 0 ? allMutants : allMutants.filter((mutant) => tests.some((test) => test(mutant)));
}

/** A glob over names and clause ids; without a `*`, a name, a clause, or the first parts of one. */
function matcherOf(pattern: string): (mutant: Mutant) => boolean {
  const source = pattern
    .replaceAll(/[.+^${}()|[\]\\]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.');
  const whole = new RegExp(`^${source}$`, 'i');
  return ({ name, breaks }) => whole.test(name) || whole.test(breaks) || breaks.startsWith(`${pattern}.`);
}

/** A clause without a mutant is said to be one, before anything is guessed. */
function hint(pattern: string): string {
  if (Object.hasOwn(clauses, pattern)) return ' The contract has this clause, and no mutant breaks it.';
  return didYouMean(pattern, [
    ...allMutants.map(({ name }) => name),
    ...new Set(allMutants.map(({ breaks }) => breaks)),
  ]);
}

function describe({ name, breaks, shows, needs = 'nothing', world = 'default' }: Mutant) {
  return { name, breaks, fact: clauses[breaks].fact, section: breaks.split('.')[0], shows, needs, world };
}

const needWords: Readonly<Record<Need, string | null>> = {
  nothing: null,
  writes: 'to a client that writes',
  bursts: 'in a burst',
  addresses: 'from several addresses',
  'second-key': 'with keys of two organizations',
  'second-key and writes': 'to a client that writes, with keys of two organizations',
  'revoked-key': 'with a revoked key',
  watch: 'to a client that watches for minutes',
};

const clauseIds = Object.keys(clauses) as ClauseId[];

/** In the order of the contract, so related ones are adjacent. */
function list(chosen: readonly Mutant[]): string {
  const width = Math.max(...chosen.map(({ name }) => name.length));
  const lines = sections.flatMap(({ number, title }) => {
    const own = chosen.filter(({ breaks }) => breaks.startsWith(`${number}.`));
    const broken = clauseIds.filter((id) => own.some(({ breaks }) => breaks === id));
    const listed = broken.flatMap((clause) => [
      '',
      `  ${clause}: ${clauses[clause].fact}`,
      // Says with each mutant who can see it: many show to some clients only.
      ...own
        .filter(({ breaks }) => breaks === clause)
        .map(({ name, shows, needs = 'nothing', world }) => {
          const limits = [needWords[needs], world === undefined ? null : `in the world ${world}`].filter(Boolean);
          return `    ${name.padEnd(width)}  ${shows}${limits.length > 0 ? ` (${limits.join(', ')})` : ''}`;
        }),
    ]);
    return own.length === 0 ? [] : [`${number} ${title}`, ...listed, ''];
  });
  const noun = chosen.length === 1 ? 'mutant' : 'mutants';
  return `${lines.join('\n')}\n${chosen.length} ${noun}. Start one: npx casa mock --mutant ${chosen[0]?.name}\n`;
}
