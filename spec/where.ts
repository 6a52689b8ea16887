// `npm run where -- 8.post-text`: the files of a clause, as path:line. Takes an operation, a check, a rule, a mutant,
// an assumption (C29) and an interpretation (R29) as well.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { checks } from '../conformance/checks/index.ts';
import { rules } from '../conformance/checks/rules/index.ts';
import { operations } from '../src/contract/generated/operations.ts';
import { mutants } from '../src/mutants/index.ts';
import { didYouMean } from '../src/terminal/suggestion.ts';
import { UsageError } from '../src/terminal/usage-error.ts';
import type { Clause } from './generate/document.ts';
import { readSources, type SourceFile } from './source-files.ts';

interface Entry {
  readonly kind: 'operation' | 'check' | 'rule' | 'mutant' | 'assumption' | 'interpretation';
  readonly name: string;
  readonly about: readonly string[];
  readonly text: string;
}

const files = readSources(['{spec,src,conformance,proof}/**/*.{ts,yaml,md}']);
const clauses: readonly Clause[] = parse(readFileSync(new URL('./clauses.yaml', import.meta.url), 'utf8'));
const textOf = (file: string) => files.find(({ path }) => path === file)?.text ?? '';

const entries: readonly Entry[] = [
  ...Object.values(operations).map(
    ({ id, method, path }) => ({ kind: 'operation', name: id, about: [], text: `${method} ${path}` }) as const,
  ),
  ...checks.map(({ id, clauses: about, title }) => ({ kind: 'check', name: id, about, text: title }) as const),
  ...rules.map(({ id, cites, title }) => ({ kind: 'rule', name: id, about: cites, text: title }) as const),
  ...mutants.map(({ name, breaks, shows }) => ({ kind: 'mutant', name, about: [breaks], text: shows }) as const),
  ...[...textOf('spec/assumptions.md').matchAll(/^## (C\d+) (.*)([\s\S]*?)(?=^## |$(?![\s\S]))/gm)].map(
    ([, name = '', text = '', part = '']) => {
      const listed = /Clauses: (.*)/.exec(part)?.[1] ?? '';
      return {
        kind: 'assumption',
        name,
        text,
        about: [...listed.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string),
      } as const;
    },
  ),
  ...Object.entries<string>(parse(textOf('spec/interpretations.yaml'))).map(([name, text]) => {
    const about = clauses.filter(({ interpretations }) => interpretations?.includes(name)).map(({ id }) => id);
    return { kind: 'interpretation', name, text, about } as const;
  }),
];

const kinds: readonly (readonly [pattern: RegExp, kind: string])[] = [
  [/^spec\/assumptions/, 'assumption'],
  [/^spec\/interpretations/, 'interpretation'],
  [/^spec\/.*yaml$/, 'contract'],
  [/\.test\.ts$/, 'test'],
  [/^src\/mutants\//, 'mutant'],
  [/^src\//, 'behavior'],
  [/^conformance\//, 'check'],
  [/^proof\//, 'proof'],
];

/** The names that lead to a clause, and the clauses that a name is about. */
export function find(wanted: string): { readonly title: string; readonly rows: readonly string[] } {
  const name = /^[cr]\d+$/i.test(wanted) ? wanted.toUpperCase() : wanted;
  const clause = clauses.find(({ id }) => id === name);
  const own = entries.find((entry) => entry.name === name);
  if (!clause && !own) throw new UsageError(explainUnknown(name));
  const about = new Set(clause ? [clause.id] : own?.about);
  const kin = entries.filter((entry) => entry === own || entry.about.some((id) => about.has(id)));
  const counterparts = clause ? kin : kin.filter(({ kind }) => kind !== own?.kind);
  const terms = new Set([name, ...about, ...counterparts.map((entry) => entry.name)]);
  // Code cites interpretations of other clauses too.
  const inCode = new Set([...terms].filter((term) => term === name || !/^[CR]\d+$/.test(term)));
  const rows = kinds.flatMap(([pattern, kind], rank) => {
    const isOfKind = ({ path }: SourceFile) => kinds.findIndex(([other]) => other.test(path)) === rank;
    return files
      .filter((file) => pattern.test(file.path) && isOfKind(file))
      .flatMap((file) => rowsIn(file, kind, file.path.startsWith('spec/') ? terms : inCode));
  });
  return {
    title: clause ? `${name}  (${clause.basis}; ${clause.at})\n  ${clause.fact}` : `${name}  ${own?.text}`,
    rows,
  };
}

/**
 * One row for each term in a file: the first line that has it as a whole word. `4.calls.*` stands for all clauses below
 * it.
 */
function rowsIn({ path, text }: SourceFile, kind: string, terms: ReadonlySet<string>): string[] {
  const lines = text.split('\n');
  return [...terms].flatMap((term) => {
    const parents = term.split('.').map((_, i, parts) => `${parts.slice(0, i).join('.')}.*`);
    const spelt = /^\d/.test(term) ? [term, ...parents.slice(1)] : [term];
    if (!spelt.some((word) => text.includes(word))) return [];
    const words = spelt.map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
    const whole = new RegExp(`(?<![\\w./-])(?:${words})(?![\\w-]|\\.\\w)`);
    const at = lines.findIndex((line) => whole.test(line));
    return at === -1 ? [] : [`${kind.padEnd(14)}  ${path}:${at + 1}  ${term}`];
  });
}

function explainUnknown(name: string): string {
  const below = clauses.filter(({ id }) => id.startsWith(`${name}.`)).map(({ id }) => `  ${id}`);
  const known = [...clauses.map(({ id }) => id), ...entries.map((entry) => entry.name)];
  const hint = below.length > 0 ? ` Clauses below it:\n${below.join('\n')}` : didYouMean(name, known);
  return `No operation, clause, check, rule, mutant, assumption or interpretation is called "${name}".${hint}`;
}

if (process.argv[1]?.endsWith('where.ts')) {
  try {
    const names = process.argv.slice(2);
    if (names.length === 0) throw new UsageError('Name an operation, a clause, a check, a rule, a mutant, C29 or R29.');
    for (const { title, rows } of names.map(find)) console.log([title, '', ...rows, ''].join('\n'));
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    console.error(error.message);
    process.exitCode = 2;
  }
}
