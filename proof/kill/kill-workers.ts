// Tests mutants in several processes, one for each processor: each run has separate servers and a separate clock.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { rules } from '../../conformance/checks/rules/index.ts';
import { allMutants, type MutantRow } from '../../fixtures/test-kit/targets.ts';
import { type AuditOutcome, type AuditWish, auditOf, judgeRecorded, type Noticed, record } from './histories.ts';
import { type Kill, killOne } from './kill.ts';

const thisFile = fileURLToPath(import.meta.url);

/** How mutants are checked; `isWhole`: each by the whole kit. */
export interface KillOptions {
  readonly jobs: number;
  readonly isWhole?: boolean;
  readonly onKill: () => void;
}

/**
 * One of this many mutants is checked by the whole suite, for errors and for the causes in reports. A defect of the
 * suite that one mutant in twenty shows is in such a sample of 63 with a probability of 96 %. `--whole` checks all.
 */
const sampled = 20;

export async function killAll(rows: readonly MutantRow[], options: KillOptions): Promise<Kill[]> {
  const { jobs, isWhole = false, onKill } = options;
  // The same mutant on the other implementation, and others of its clause or its rule, are mostly detected by the same
  // checks. A rule sends nothing, so only these can name a sender.
  const known = new Map<string, readonly string[]>();
  const onEnd = (kill: Kill | null) => {
    onKill();
    if (kill === null) return;
    const { name, breaks } = kill.mutant;
    known.set(name, kill.shownBy);
    for (const key of [breaks, ...rulesOf(breaks)])
      known.set(key, [...new Set([...(known.get(key) ?? []), ...kill.shownBy])]);
  };
  const results = await inWorkers<Kill>(rows, { jobs, onEnd }, (row) => ({
    isWhole: isWhole || rows.indexOf(row) % sampled === 0,
    hints: known.get(row.name) ?? known.get(row.breaks) ?? rulesOf(row.breaks).flatMap((id) => known.get(id) ?? []),
  }));
  const died = { killers: [], errors: ['the process that checked it died'], abort: null, shownBy: [] };
  return rows.map((row, index) => results[index] ?? { ...died, mutant: plain(row) });
}

function rulesOf(clause: string): string[] {
  return rules.filter(({ cites }) => cites.some((cited) => cited === clause)).map(({ id }) => id);
}

/** Plain audits of mutants, in the order of the rows; null where a process died. */
export function auditAll(rows: readonly MutantRow[], audit: AuditWish, jobs: number): Promise<(AuditOutcome | null)[]> {
  return inWorkers<AuditOutcome>(rows, { jobs }, () => ({ audit }));
}

/** Records the history of a whole audit of each. */
export async function recordAll(rows: readonly MutantRow[], jobs: number): Promise<void> {
  await inWorkers<true>(rows, { jobs }, () => ({ records: true }));
}

/** Judges the recorded histories again; null where a process died. */
export function judgeAllRecorded(
  rows: readonly MutantRow[],
  judges: readonly string[],
  jobs: number,
): Promise<(Noticed | null)[]> {
  return inWorkers<Noticed>(rows, { jobs }, () => ({ judges }));
}

type Wish = {
  readonly isWhole?: boolean;
  readonly hints?: readonly string[];
  readonly audit?: AuditWish;
  readonly records?: true;
  readonly judges?: readonly string[];
};

/** A process that dies fails only its current mutant: its result is null. */
async function inWorkers<Result>(
  rows: readonly MutantRow[],
  { jobs, onEnd }: { readonly jobs: number; readonly onEnd?: (result: Result | null) => void },
  wishFor: (row: MutantRow) => Wish,
): Promise<(Result | null)[]> {
  const results = new Map<MutantRow, Result | null>();
  const queue = [...rows];
  const work = async (): Promise<void> => {
    let worker: ChildProcess | null = null;
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      worker ??= fork(thisFile, ['--worker']);
      const response: Result | null = await ask(worker, row, wishFor(row));
      results.set(row, response);
      onEnd?.(response);
      if (response === null) worker = null;
    }
    worker?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, rows.length) }, work));
  return rows.map((row) => results.get(row) ?? null);
}

/** Without `start`, which cannot be sent to another process. */
function plain({ name, of, breaks, shows, needs, result }: MutantRow): Kill['mutant'] {
  return { name, of, breaks, shows, needs, result };
}

/** null when the worker dies before it responds. */
function ask<Result>(worker: ChildProcess, { name, of }: MutantRow, wish: Wish): Promise<Result | null> {
  return new Promise((resolve) => {
    const gone = () => resolve(null);
    worker.once('exit', gone);
    worker.once('message', (result) => {
      worker.off('exit', gone);
      resolve(result as Result);
    });
    worker.send({ name, of, ...wish });
  });
}

async function resultFor(row: MutantRow, { audit, records, judges, ...kill }: Wish) {
  if (audit !== undefined) return auditOf(row, audit);
  if (judges !== undefined) return judgeRecorded(row, judges);
  if (records) await record(row);
  return records ?? killOne(row, kill);
}

if (process.argv[2] === '--worker') {
  const rows = allMutants();
  process.on('message', async (wish: Pick<MutantRow, 'name' | 'of'> & Wish) => {
    const row = rows.find(({ name, of }) => name === wish.name && of === wish.of);
    if (row) process.send?.(await resultFor(row, wish));
  });
  // A mutant that leaves a server open must not keep the process.
  process.on('disconnect', () => process.exit(0));
}
