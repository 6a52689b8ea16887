// What the proofs leave behind: each writes its result as JSON, with the command and the commit that made it, and the
// evidence page reads what is there. Nothing is filled in for a proof that was not run.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ValueRow, VariantRow } from '../identify/identify.ts';
import type { Gate } from '../kill/kill-gate.ts';
import type { Matrix } from '../kill/kill-matrix.ts';

/** A tool from outside, and what it held against the mock. */
export interface Hearing {
  readonly tool: string;
  readonly tests: number;
  readonly complaints: number;
  readonly unexplained: number;
  /** Why complaints are not about the mock, with their number. */
  readonly reasons: readonly { readonly count: number; readonly reason: string }[];
}

/** One question to the MCP door by a tool from outside; what does not apply says why. */
export interface Asked {
  readonly question: string;
  readonly verdict: 'pass' | 'fail' | 'not applicable';
  readonly why?: string;
}

/** A runtime, and the parts of the package that were tried on it. */
export interface Tried {
  readonly runtime: string;
  readonly parts: readonly { readonly part: string; readonly verdict: string }[];
}

/** One comparison of servers; ratios are of bare `node:http`. */
export interface Race {
  readonly title: string;
  readonly rows: readonly {
    readonly server: string;
    readonly perSecond: number;
    readonly byRequests: number;
    readonly byCpu: number;
    readonly p50Ms: number;
    readonly p99Ms: number;
  }[];
}

/** What each proof gives. */
export interface Results {
  readonly kill: Matrix & { readonly gate: Gate };
  readonly identify: { readonly values: readonly ValueRow[]; readonly variants: readonly VariantRow[] };
  readonly oracles: readonly Hearing[];
  readonly mcp: readonly Asked[];
  readonly runtimes: readonly Tried[];
  readonly bench: { readonly load: number; readonly isQuick: boolean; readonly races: readonly Race[] };
}

export type ProofName = keyof Results;

/** The command that makes each anew. */
export const commands: Readonly<Record<ProofName, string>> = {
  kill: 'npm run mutants',
  identify: 'npm run identify',
  oracles: 'npm run oracles',
  mcp: 'npm run mcp:outside',
  runtimes: 'npm run runtimes',
  bench: 'npm run bench',
};

/** Raised when a result changes its form: what an older command left is not read. */
const forms: Readonly<Record<ProofName, number>> = { kill: 1, identify: 2, oracles: 1, mcp: 1, runtimes: 1, bench: 1 };

/** A result with its origin. */
export interface Kept<Name extends ProofName = ProofName> {
  readonly proof: Name;
  readonly form: number;
  readonly command: string;
  readonly at: string;
  readonly commit: string | null;
  readonly node: string;
  /** False where only a part was asked for. */
  readonly isWhole: boolean;
  readonly result: Results[Name];
}

export const proofsFolder = '.tmp/proofs';

/** A part never takes the place of the whole. */
export function keepProof<Name extends ProofName>(
  proof: Name,
  result: Results[Name],
  { isWhole, folder = proofsFolder }: { readonly isWhole: boolean; readonly folder?: string },
): void {
  if (!isWhole && isKeptWhole(folder, proof)) return;
  mkdirSync(folder, { recursive: true });
  const origin = {
    proof,
    form: forms[proof],
    command: commands[proof],
    at: new Date().toISOString(),
    commit: commitNow(),
  };
  const kept: Kept<Name> = { ...origin, node: process.version, isWhole, result };
  writeFileSync(join(folder, `${proof}.json`), `${JSON.stringify(kept)}\n`);
}

/** What cannot be read may be written over. */
function isKeptWhole(folder: string, proof: ProofName): boolean {
  try {
    return readProof(folder, proof)?.isWhole ?? false;
  } catch {
    return false;
  }
}

/** Null for a proof that was not run. Throws a sentence for a file that is none. */
export function readProof<Name extends ProofName>(folder: string, proof: Name): Kept<Name> | null {
  const file = join(folder, `${proof}.json`);
  if (!existsSync(file)) return null;
  const again = `run ${commands[proof]} again, or remove the file`;
  let kept: Kept<Name>;
  try {
    kept = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new Error(`${file} is not JSON: ${again}.`);
  }
  if (kept?.proof !== proof || kept.result === undefined) throw new Error(`${file} is not of ${proof}: ${again}.`);
  if (kept.form !== forms[proof]) throw new Error(`${file} is of another version of casa-kit: ${again}.`);
  return kept;
}

/** Null outside of a repository. */
export function commitNow(): string | null {
  const { status, stdout } = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
