// The test of a client: the control cell first, then every cell of the matrix that the client can meet.
import type { WorldData } from '../domain/world-data.ts';
import { visibleLines } from '../terminal/visible.ts';
import type { PartialWorld } from '../worlds/fill.ts';
import { builtInWorld, readWorld, type WorldName } from '../worlds/load.ts';
import { rebase } from '../worlds/rebase.ts';
import { type Cell, control, usualWorld } from './cell.ts';
import { type CellOptions, isOfPolls, type Observation } from './cell-run.ts';
import { judge } from './judge.ts';
import { longestWaitMs } from './judge-patterns.ts';
import { matrix } from './matrix.ts';
import {
  absenceOf,
  type CellResult,
  type ClientReport,
  controlOf,
  operationsOf,
  reportOf,
  type TimeReport,
} from './report.ts';
import { runInProcess, type Scenario } from './run-in-process.ts';
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

/** The tested part of a run. */
interface Progress {
  readonly done: number;
  readonly all: number;
  readonly skipped: number;
  /** How many test cases are repeated; 0 before the repeats. */
  readonly repeats: number;
}

/** Called after each test case. */
export type OnCell = (progress: Progress) => void;

/** Options of a run in any mode. */
export interface RunOptions extends TryOptions {
  readonly time: TimeReport;
  readonly onCell?: OnCell | undefined;
  /** How long a client that polls runs in the test cases that disturb only polls; `minutes` when absent or shorter. */
  readonly pollMinutes?: number;
  /** Whether the client can be stopped and started again. */
  readonly restarts?: boolean;
}

/** Runs the control cell, then each cell of the matrix that the client can meet. */
export async function tryCells(run: RunCell, options: RunOptions): Promise<ClientReport> {
  const { minutes = 10, parallel = 8, time, signal } = options;
  const chosen = chooseCells({ minutes, parallel, cells: options.cells ?? [] });
  const world = await worldOf(options.world);
  const [isVirtual, durationMs] = [time.mode === 'virtual', minutes * 60_000];
  const shared: CellOptions = {
    world: isVirtual ? world : rebase(world, Date.now()),
    ...{ speed: time.speed, used: null, durationMs, signal },
  };
  const runControl = async (more: Partial<CellOptions> = {}) => {
    const given = { ...shared, ...more };
    const before = await run(control, given);
    const isUsual = given.everyS === undefined ? before.ending !== 'failed' : before.ending === 'returned';
    if (isVirtual || (isUsual && before.violations.length === 0)) return before;
    const again = await run(control, { ...given, speed: slower(time) });
    return !isUsual || again.violations.length < before.violations.length ? again : before;
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
      `The client fails without a disturbance: ${first.error ?? 'it never stops sending requests'}. ${fixOf(time)}${
        first.notStarted ? ` Its last output:\n${visibleLines(first.notStarted)}` : ''
      }`,
    );
  }
  if (operationsOf(first).size === 0)
    throw new UntestableClient('The client sent no request to CASA_BASE_URL. Pass the base URL and the key to it.');
  const lengths = { ...shared, durationMs: Math.max(durationMs, longMs) };
  return tryOthers({ run, runControl, first, chosen, shared: lengths }, options);
}

interface Trial {
  readonly run: RunCell;
  readonly runControl: (more: Partial<CellOptions>) => Promise<Observation>;
  readonly first: Observation;
  readonly chosen: readonly Cell[];
  readonly shared: CellOptions;
}

/** Runs all cells but the control, then those with a violation again. */
async function tryOthers(trial: Trial, options: RunOptions): Promise<ClientReport> {
  const { run, runControl, first, chosen, shared } = trial;
  const { parallel = 8, time, signal, onCell } = options;
  const [used, durationMs] = [operationsOf(first), shared.durationMs];
  const pollMs = Math.max(durationMs, (options.pollMinutes ?? 0) * 60_000);
  const isPossible = (cell: Cell) => cell.restart === undefined || (options.restarts && keepsFiles(first));
  const absences = new Map(chosen.map((cell) => [cell, isPossible(cell) ? absenceOf(cell, used) : 'files'] as const));
  // The longest first, so all end at about the same time.
  const met = chosen.filter((cell) => absences.get(cell) === null).sort((a, b) => (b.extraMs ?? 0) - (a.extraMs ?? 0));
  const isJob = options.restarts && first.ending === 'returned' && keepsFiles(first);
  const isLonger = first.ending === 'running' && pollMs > durationMs;
  const ofPolls = met.some((cell) => isOfPolls(cell, used)) && (isJob || isLonger);
  const running = ofPolls ? runControl({ everyS: isJob ? jobEveryS : undefined, durationMs: pollMs }) : null;
  const isRepeated = isJob && (await running)?.ending === 'returned';
  const settingsOf = (cell: Cell) => {
    const isOfLog = isOfPolls(cell, used);
    const most = time.mode === 'real' ? { extraMaxMs: isOfLog && pollMs > durationMs ? 0 : extraMaxMs } : {};
    return isOfLog ? { durationMs: pollMs, ...most, ...(isRepeated && { everyS: jobEveryS }) } : most;
  };
  const found = new Map<Cell, Observation>();
  const skipped = chosen.length - met.length;
  let done = skipped + 1;
  const runAll = async (cells: readonly Cell[], repeats = 0) => {
    const queue = [...cells];
    const worker = async () => {
      for (let cell = queue.shift(); cell; cell = queue.shift()) {
        const observation = await (repeats ? runAgain(cell) : runOnce(cell, time.speed));
        if (signal?.aborted) return;
        if (observation) found.set(cell, observation);
        if (!repeats) done += 1;
        onCell?.({ done, all: chosen.length + 1, skipped, repeats });
      }
    };
    await Promise.all(Array.from({ length: repeats ? Math.min(parallel, repeatsMax) : parallel }, worker));
    return reportOf(
      { first, repeated: await running },
      chosen.map((cell): CellResult => [cell, found.get(cell) ?? absences.get(cell) ?? 'stopped']),
      time,
    );
  };
  const runOnce = (cell: Cell, speed: number | null) => run(cell, { ...shared, used, ...settingsOf(cell), speed });
  const report = await runAll(met);
  const { violations } = report;
  if (time.mode === 'virtual' || violations.length === 0 || signal?.aborted) return report;
  // A busy machine can disturb a client once, so a violation of a command must show twice.
  const confirmed = new Set<string>();
  const controls = { first, repeated: await running };
  const runAgain = async (cell: Cell) => {
    const open = () => violations.filter(({ id, cells }) => cells.includes(cell.id) && !confirmed.has(id));
    if (open().length === 0) return null;
    const again = await runOnce(cell, slower(time));
    const rules = judge(again, controlOf(again, controls)).map(({ rule }) => rule);
    for (const { id, rule } of open()) if (rules.includes(rule)) confirmed.add(id);
    // The first run is complete.
    return open().length === 0 ? null : again;
  };
  // A sample from start, middle and end of each violation. The first often confirms it, so the others need not run.
  const sampled = [0, 0.5, 1].flatMap((part) =>
    violations.map(({ cells }) => cells[Math.round(part * (cells.length - 1))]),
  );
  const sample = [...new Set(sampled)].flatMap((id) => met.find((cell) => cell.id === id) ?? []);
  await runAll(sample, sample.length);
  const doubtful = violations.flatMap(({ id, cells }) => (confirmed.has(id) ? [] : cells));
  const rest = signal?.aborted ? [] : met.filter((cell) => doubtful.includes(cell.id) && !sample.includes(cell));
  const after = await runAll(rest, sample.length + rest.length);
  return signal?.aborted ? { ...after, time: { ...after.time, isStopped: true } } : after;
}

/** A quarter of the speed is enough for timers of a busy machine. */
const slower = ({ speed }: TimeReport) => speed && Math.max(1, speed / 4);

/** Returns the cells that the options name. */
function chooseCells({ minutes, parallel, cells }: { minutes: number; parallel: number; cells: readonly string[] }) {
  if (!(minutes > 0 && minutes <= 1_440)) throw new RangeError(`minutes is a number from 0 to 1440, not ${minutes}.`);
  if (!(Number.isInteger(parallel) && parallel > 0))
    throw new RangeError(`parallel is a whole number above 0, not ${parallel}.`);
  const unknown = cells.find((start) => ![control, ...matrix].some(({ id }) => id.startsWith(start)));
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

/** Repeats that run at the same time. */
const repeatsMax = 8;
/** In real time, a cell with a longer wait is cut, so a run of a command ends. */
const extraMaxMs = 130_000;
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
