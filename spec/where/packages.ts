// Everything that can refer to a clause, read once: checks and rules, mutants, assumptions, interpretations, sources.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { checks } from '../../conformance/checks/index.ts';
import { rules } from '../../conformance/rules/index.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { mutants } from '../../src/mutants/index.ts';
import type { Clause } from '../generate/document.ts';
import { readSources, type SourceFile } from '../source-files.ts';
import { type Locate, locator } from './sources.ts';

/** A check, a rule or a mutant, with the clauses that it is about. */
export interface Entry {
  readonly kind: 'check' | 'rule' | 'mutant';
  readonly name: string;
  readonly about: readonly string[];
  readonly text: string;
  readonly locate: Locate;
}

/** A heading of assumptions.md, and the clauses that it names. */
export interface Assumption {
  readonly id: string;
  readonly title: string;
  readonly about: readonly string[];
}

/** Everything that is searched. */
export interface Packages {
  readonly clauses: readonly Clause[];
  readonly entries: readonly Entry[];
  readonly assumptions: readonly Assumption[];
  readonly operations: readonly { readonly id: string; readonly cites: readonly string[] }[];
  readonly yaml: readonly SourceFile[];
  readonly code: readonly SourceFile[];
  readonly tests: readonly SourceFile[];
}

export async function readPackages(): Promise<Packages> {
  const sources = readSources(['src/**/*.ts', 'conformance/**/*.ts', 'proof/**/*.ts']);
  const yaml = readSources(['spec/*.yaml', 'spec/*.md']);
  const textOf = (path: string) => yaml.find((file) => file.path === path)?.text ?? '';
  return {
    clauses: parse(textOf('spec/clauses.yaml')),
    entries: await readEntries(),
    assumptions: readAssumptions(textOf('spec/assumptions.md')),
    operations: readOperations(),
    yaml,
    code: sources.filter(({ path }) => !path.endsWith('.test.ts')),
    tests: sources.filter(({ path }) => path.endsWith('.test.ts')),
  };
}

async function readEntries(): Promise<Entry[]> {
  const [check, rule, mutant] = await Promise.all(
    ['conformance/checks/**/*.ts', 'conformance/rules/*.ts', 'src/mutants/**/*.ts'].map(locator),
  );
  const entriesOf = (kind: 'check' | 'rule', rows: readonly CheckRow[], locate: Locate = nowhere): Entry[] =>
    rows.map(({ id, cites, title }) => ({ kind, name: id, about: cites, text: title, locate }));
  const mutantEntries = (kind: Entry['kind'], rows: readonly MutantRow[], locate: Locate = nowhere): Entry[] =>
    rows.map(({ name, breaks, shows }) => ({ kind, name, about: [breaks], text: shows, locate }));
  return [
    ...entriesOf('check', checks, check),
    ...entriesOf('rule', rules, rule),
    ...mutantEntries('mutant', mutants, mutant),
  ];
}

interface CheckRow {
  readonly id: string;
  readonly title: string;
  readonly cites: readonly string[];
}

interface MutantRow {
  readonly name: string;
  readonly breaks: string;
  readonly shows: string;
}

const nowhere: Locate = () => null;

/** By its headings and their lines `Clauses:`. */
function readAssumptions(text: string): Assumption[] {
  return text
    .split(/^(?=## C\d)/m)
    .slice(1)
    .map((part) => {
      const [, id = '', title = ''] = /^## (C\d+) (.*)/.exec(part) ?? [];
      const listed = /Clauses: (.*)/.exec(part)?.[1] ?? '';
      return { id, title, about: [...listed.matchAll(/`([^`]+)`/g)].map((match) => match[1] as string) };
    });
}

/** An operation with the clauses that it cites itself and those of the schemas of its body and response. */
function readOperations(): Packages['operations'] {
  const { components } = parse(readFileSync(new URL('../openapi.yaml', import.meta.url), 'utf8'));
  const schemaCites = (name: string | null): string[] => components.schemas[name ?? '']?.['x-cites'] ?? [];
  return Object.values(operations).map(({ id, cites, body, output }) => ({
    id,
    cites: [...cites, ...schemaCites(body), ...schemaCites(output)],
  }));
}
