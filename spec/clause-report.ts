// Lists every clause with what cites it: spec, code, checks and tests. `npm run clauses` prints the table; `--open`
// prints only the stated and implied clauses that nothing outside the ledger cites yet.
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { rules } from '../conformance/rules/index.ts';
import type { Clause } from './generate/document.ts';
import { citedClauses, readSources } from './source-files.ts';

/** A clause and everybody who cites it. */
export interface ClauseRow {
  readonly clause: Clause;
  /** Files that cite the clause, tests left out. */
  readonly citedBy: readonly string[];
}

/** In the order of clauses.yaml. */
export function reportClauses(): ClauseRow[] {
  const clauses: Clause[] = parse(readFileSync(new URL('clauses.yaml', import.meta.url), 'utf8'));
  const known = new Set(clauses.map(({ id }) => id));
  const citedBy = new Map<string, string[]>(clauses.map(({ id }) => [id, []]));
  const sources = readSources(['src/**/*.ts', 'conformance/**/*.ts']).filter(({ path }) => !path.endsWith('.test.ts'));
  for (const file of sources) for (const id of citedClauses(file, known).cited) citedBy.get(id)?.push(file.path);
  for (const name of ['openapi.yaml', 'assumptions.md']) {
    const text = readFileSync(new URL(name, import.meta.url), 'utf8');
    for (const [id] of text.matchAll(/\b[1-9]\.[a-z][a-z0-9.-]*[a-z0-9]/g))
      if (known.has(id)) citedBy.get(id)?.push(`spec/${name}`);
  }
  // The rules of shapes take their clauses from the schemas, not from their text.
  for (const { cites } of rules.filter(({ id }) => id.endsWith('-shape')))
    for (const id of cites) citedBy.get(id)?.push('conformance/rules/shapes.ts');
  return clauses.map((clause) => ({ clause, citedBy: [...new Set(citedBy.get(clause.id))].sort() }));
}

/** Stated and implied clauses that a server can show and that no check cites. */
export function openClauses(rows: readonly ClauseRow[]): ClauseRow[] {
  return rows.filter(({ clause, citedBy }) => {
    if (clause.seenBy !== 'server' || !['stated', 'implied'].includes(clause.standing)) return false;
    return !citedBy.some((path) => /^conformance\/(checks|rules)\//.test(path));
  });
}

function main(): void {
  const rows = reportClauses();
  const open = openClauses(rows);
  for (const { clause, citedBy } of process.argv.includes('--open') ? open : rows) {
    console.log(
      `${clause.id.padEnd(44)} ${clause.standing.padEnd(11)} ${clause.seenBy.padEnd(6)} ${citedBy.join(' ') || '-'}`,
    );
  }
  const uncited = rows.filter(({ citedBy }) => citedBy.length === 0);
  console.log(
    `\n${rows.length} clauses, ${rows.length - uncited.length} cited; without a check so far: ${open.length} that a server can show.`,
  );
}

if (process.argv[1]?.endsWith('clause-report.ts')) main();
