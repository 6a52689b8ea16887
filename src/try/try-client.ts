// The test of a client: the control cell first, then every cell of the matrix that the client can meet.
import type { WorldData } from '../domain/world-data.ts';
import type { PartialWorld } from '../worlds/fill.ts';
import { builtInWorld, readWorld, type WorldName } from '../worlds/load.ts';
import { rebase } from '../worlds/rebase.ts';
import { type Cell, control, usualWorld } from './cell.ts';
import { type CellOptions, isOfPolls, type Observation } from './cell-run.ts';
import { judge } from './judge.ts';
import { longestWaitMs } from './judge-patterns.ts';
import { matrix } from './matrix.ts';
import { absenceOf, type CellResult, type ClientReport, operationsOf, reportOf, type TimeReport } from './report.ts';
import { runInProcess, type Scenario } from './run-in-process.ts';
import { type Progress, plannedMs, repeatDoubtful, Work } from './schedule.ts';
import { replaceTime } from './virtual-time.ts';

/** The client cannot be tested: it sends no request, or fails by itself. */
export class UntestableClient extends Error {
  override readonly name = 'UntestableClient';
}

/** Options of `tryClient`. */
export interface TryOptions {
  /** How long the client runs in each test case, in minutes of virtual time; default 10. A scenario can end earlier. */
  readonly minutes?: number | undefined;
  /** Runs only the test cases whose id starts with one of these texts, such as `limits/`. */
  readonly cells?: readonly string[] | undefined;
  /** The data of the mock; a small world without failing accounts when absent. */
  readonly world?: WorldName | WorldData | PartialWorld | undefined;
  /** The number of test cases that run at the same time; default 8. */
  readonly parallel?: number | undefined;
  /** Stops the run. The report then has only the test cases that had ended. */
  readonly signal?: AbortSignal | undefined;
}

const virtual: TimeReport = { mode: 'virtual', speed: null };

/** Runs one cell. */
export type RunCell = (cell: Cell, options: CellOptions) => Promise<Observation>;

/**
 * Runs a client of this process against what the contract lets the service do, and returns a report of
 * its mistakes. Timers and clock of the client are virtual, so an ordinary client takes some seconds. Import the client
 * inside the scenario: a module that is loaded earlier can hold on to the real timers.
 *
 * Rejects with an `UntestableClient` if the scenario fails without a disturbance or sends nothing, and with a
 * `RangeError` for an invalid option.
 *
 * @example
 * const report = await tryClient(async (casa) => {
 *   const api = createClient({ baseUrl: casa.baseUrl, key: casa.apiKey });
 *   for await (const call of api.calls({ signal: casa.signal })) casa.saw(call.id);
 * });
 * expect(report.violations).toEqual([]);
 */
export async function tryClient(scenario: Scenario, options: TryOptions = {}): Promise<ClientReport> {
  const restore = replaceTime();
  try {
    return await tryCells((cell, shared) => runInProcess(cell, shared, scenario), { ...options, time: virtual });
  } finally {
    restore();
  }
}

/** Called after each test case. */
export type OnCell = (progress: Progress) => void;

/** Options of a run in any mode. */
export interface RunOptions extends TryOptions {
  readonly time: TimeReport;
  readonly onCell?: OnCell | undefined;
  /** Whether the client can be stopped and started again. */
  readonly restarts?: boolean;
}

/** Runs the control cell, then each cell of the matrix that the client can meet. */
export async function tryCells(run: RunCell, options: RunOptions): Promise<ClientReport> {
  const { minutes = 10, parallel = 8, time, signal, onCell } = options;
  const chosen = chooseCells({ minutes, parallel, cells: options.cells ?? [] });
  const world = await worldOf(options.world);
  const [isVirtual, durationMs] = [time.mode === 'virtual', minutes * 60_000];
  const shared: CellOptions = {
    world: isVirtual ? world : rebase(world, Date.now()),
    ...{ speed: time.speed, used: null, durationMs, signal },
  };
  // A busy machine can disturb a client, so a problem must show twice, and in scaled time also at a lower speed.
  const again = time.speed === null ? shared : { ...shared, speed: Math.max(1, time.speed / slowdown) };
  const runControl = async (everyS?: number) => {
    const undisturbed = await run(control, { ...shared, everyS });
    const isUsual = everyS === undefined ? undisturbed.ending !== 'failed' : undisturbed.ending === 'returned';
    if (isVirtual || (isUsual && undisturbed.violations.length === 0)) return undisturbed;
    const other = await run(control, { ...again, everyS });
    return !isUsual || other.violations.length < undisturbed.violations.length ? other : undisturbed;
  };
  const usual = await runControl();
  const longMs = options.minutes === undefined && isVirtual ? pollsMin * longestWaitMs(usual) : 0;
  const first = longMs > durationMs ? await run(control, { ...shared, durationMs: longMs }) : usual;
  if (signal?.aborted) throw new UntestableClient('The run was stopped before the first test case ended.');
  const isBroken = first.ending === 'failed' || first.ending === 'endless';
  // The mistake that makes a client fail is its report.
  if (isBroken && judge(first, null).length > 0) return reportOf({ first }, [], time);
  if (isBroken) {
    throw new UntestableClient(
      `The client fails without a disturbance: ${first.error ?? 'it never stops sending requests'}. ${fixOf(time)}`,
    );
  }
  const used = operationsOf(first);
  if (used.size === 0)
    throw new UntestableClient('The client sent no request to CASA_BASE_URL. Pass the base URL and the key to it.');
  const isPossible = (cell: Cell) => cell.restart === undefined || (options.restarts && keepsFiles(first));
  const absences = new Map(chosen.map((cell) => [cell, isPossible(cell) ? absenceOf(cell, used) : 'files'] as const));
  const met = chosen.filter((cell) => absences.get(cell) === null);
  const isJob = options.restarts && first.ending === 'returned' && keepsFiles(first);
  const repeated = isJob && met.some((cell) => isOfPolls(cell, used)) ? await runControl(jobEveryS) : null;
  const everyS = (cell: Cell) => (repeated?.ending === 'returned' && isOfPolls(cell, used) ? jobEveryS : undefined);
  const [found, ownMs] = [new Map<Cell, Observation>(), Math.max(durationMs, longMs)];
  const work = new Work({ all: chosen.length + 1, skipped: chosen.length - met.length });
  const runAll = async (queue: Cell[], atOnce: number, settings = shared) => {
    const costOf = work.plan(
      queue,
      (cell) => plannedMs(cell, used, ownMs, time.mode === 'real') / (settings.speed ?? 1) / atOnce,
    );
    if (found.size > 0 && queue.length > 0) onCell?.(work.progress());
    const worker = async () => {
      for (let cell = queue.shift(); cell; cell = queue.shift()) {
        work.begin(costOf(cell));
        const observation = await run(cell, { ...settings, used, durationMs: ownMs, everyS: everyS(cell) });
        if (signal?.aborted) return;
        found.set(cell, observation);
        onCell?.(work.end(costOf(cell)));
      }
    };
    await Promise.all(Array.from({ length: Math.min(atOnce, queue.length) }, worker));
    return reportOf(
      { first, repeated },
      chosen.map((cell): CellResult => [cell, found.get(cell) ?? absences.get(cell) ?? 'stopped']),
      time,
    );
  };
  const report = await runAll([...met], parallel);
  if (isVirtual || signal?.aborted) return report;
  return repeatDoubtful(report, (ids) => {
    const queue = signal?.aborted ? [] : met.filter(({ id }) => ids.has(id));
    return runAll(queue, Math.ceil(parallel / 4), again);
  });
}

/** Returns the cells that the options name. */
function chooseCells({ minutes, parallel, cells }: { minutes: number; parallel: number; cells: readonly string[] }) {
  if (!(minutes > 0 && minutes <= 1_440)) throw new RangeError(`minutes is a number from 0 to 1440, not ${minutes}.`);
  if (!(Number.isInteger(parallel) && parallel > 0))
    throw new RangeError(`parallel is a whole number above 0, not ${parallel}.`);
  const unknown = cells.find((start) => !matrix.some(({ id }) => id.startsWith(start)));
  if (unknown !== undefined) {
    const groups = new Set(matrix.map(({ id }) => id.slice(0, id.indexOf('/') + 1)));
    throw new RangeError(`There is no test case "${unknown}". IDs begin with ${[...groups].join(', ')}.`);
  }
  const named = matrix.filter(({ id }) => cells.length === 0 || cells.some((start) => id.startsWith(start)));
  // It shows whether a client repeats its writes on purpose.
  const again = matrix.filter(({ about }) => about === 'second-run' && named.some(isWriteOverRuns));
  return [...new Set([...named, ...again])];
}

const isWriteOverRuns = ({ restart, target }: Cell) => restart !== undefined && target === 'write';

const slowdown = 4;
/** The shortest wait between two polls. */
const jobEveryS = 60;

const fixOf = ({ mode }: TimeReport) =>
  mode === 'scaled' ? 'Fix this first. For a timeout, try a smaller --speed.' : 'Fix this first.';

/** For a client that polls slowly: calls need two polls to be delivered. */
const pollsMin = 5;

const keepsFiles = ({ files }: Observation) => Object.keys(files).length > 0;

async function worldOf(world: TryOptions['world']): Promise<WorldData> {
  if (world === undefined) return usualWorld();
  if (typeof world === 'string') return builtInWorld(world);
  const read = await readWorld(world);
  if (read.ok) return read.data;
  throw new RangeError(`The world cannot be used: ${read.problems[0]}.`);
}
