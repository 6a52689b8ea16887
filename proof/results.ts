// Results of the proofs: each command stores its result as JSON with its origin, and `npm run evidence` reads them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The command that produces each result. */
export const commands = {
  kill: 'npm run mutants',
  identify: 'npm run identify',
  oracles: 'npm run oracles',
  mcp: 'npm run mcp:outside',
  runtimes: 'npm run runtimes',
  bench: 'npm run bench',
} as const;

export type ProofName = keyof typeof commands;

/** A result with its origin; `isWhole` is false where only a part was run. */
export interface Stored<Result> {
  readonly proof: ProofName;
  readonly at: string;
  readonly commit: string | null;
  readonly isWhole: boolean;
  readonly result: Result;
}

export const resultsFolder = '.tmp/proofs';

/** Stores a result. A part never replaces the whole. */
export function storeResult(proof: ProofName, result: unknown, isWhole: boolean, folder = resultsFolder): void {
  if (!isWhole && readResult(proof, folder)?.isWhole) return;
  mkdirSync(folder, { recursive: true });
  const stored: Stored<unknown> = { proof, at: new Date().toISOString(), commit: commitNow(), isWhole, result };
  writeFileSync(join(folder, `${proof}.json`), `${JSON.stringify(stored)}\n`);
}

/** Returns null where the proof was not run, or where its file cannot be read. */
export function readResult<Result>(proof: ProofName, folder = resultsFolder): Stored<Result> | null {
  const file = join(folder, `${proof}.json`);
  if (!existsSync(file)) return null;
  try {
    const stored: Stored<Result> = JSON.parse(readFileSync(file, 'utf8'));
    return stored?.proof === proof && stored.result !== undefined ? stored : null;
  } catch {
    return null;
  }
}

function commitNow(): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

export function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, i) => Math.max(title.length, ...rows.map((row) => (row[i] ?? '').length)));
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => (i === 0 ? '-'.repeat(width + 2) : `${'-'.repeat(width + 1)}:`)).join('|')}|`;
  return `${[line(header), rule, ...rows.map(line)].join('\n')}\n`;
}

export function number(value: number, digits = 0): string {
  return value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}
