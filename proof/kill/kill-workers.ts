// Tests mutants in several processes, one for each processor: each run has separate servers and a separate clock.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { allMutants, type MutantRow } from '../test-kit/targets.ts';
import { type Kill, killOne } from './kill.ts';

const thisFile = fileURLToPath(import.meta.url);

/** How mutants are checked; `isWhole`: each by the whole kit. */
export interface KillOptions {
  readonly jobs: number;
  readonly isWhole?: boolean;
  readonly onKill: () => void;
}

/** One of this many mutants is checked by the whole suite, to find unrelated failures. */
const sampled = 10;

/** The kills in the order of the rows. A process that dies fails only its current mutant. */
export async function killAll(
  rows: readonly MutantRow[],
  { jobs, isWhole = false, onKill }: KillOptions,
): Promise<Kill[]> {
  const kills = new Map<MutantRow, Kill>();
  const queue = [...rows];
  const note = (row: MutantRow, kill: Kill) => {
    kills.set(row, kill);
    onKill();
  };
  const work = async (): Promise<void> => {
    let worker: ChildProcess | null = null;
    for (let row = queue.shift(); row !== undefined; row = queue.shift()) {
      worker ??= fork(thisFile, ['--worker']);
      const isSampled = rows.indexOf(row) % sampled === 0;
      const response: Kill | null = await ask(worker, row, isWhole || isSampled);
      note(
        row,
        response ?? { mutant: plain(row), killers: [], errors: ['the process that checked it died'], abort: null },
      );
      if (response === null) worker = null;
    }
    worker?.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(jobs, rows.length) }, work));
  return rows.map((row) => kills.get(row) as Kill);
}

/** Without `start`, which cannot be sent to another process. */
function plain({ name, of, breaks, shows, needs, result }: MutantRow): Kill['mutant'] {
  return { name, of, breaks, shows, needs, result };
}

/** null when the worker dies before it responds. */
function ask(worker: ChildProcess, { name, of }: MutantRow, isWhole: boolean): Promise<Kill | null> {
  return new Promise((resolve) => {
    const gone = () => resolve(null);
    worker.once('exit', gone);
    worker.once('message', (kill) => {
      worker.off('exit', gone);
      resolve(kill as Kill);
    });
    worker.send({ name, of, isWhole });
  });
}

if (process.argv[2] === '--worker') {
  const rows = allMutants();
  process.on('message', async (wish: Pick<MutantRow, 'name' | 'of'> & { readonly isWhole: boolean }) => {
    const row = rows.find(({ name, of }) => name === wish.name && of === wish.of);
    if (row) process.send?.(await killOne(row, wish));
  });
  // A mutant that leaves a server open must not keep the process.
  process.on('disconnect', () => process.exit(0));
}
