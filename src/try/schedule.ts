// The order of the test cases, the time that they take, and those that are repeated.
import { pollIntervalMs } from '../contract/generated/limits.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { count } from '../terminal/count.ts';
import { type Cell, usualCalls } from './cell.ts';
import { disturbedOperations } from './cell-run.ts';
import type { ClientReport } from './report.ts';
import { realNowMs } from './virtual-time.ts';

/** How long clients run in the control cell and in others, on their clock. */
interface Lengths {
  readonly durationMs: number;
  /** Of a client that ends by itself. */
  readonly endedMs?: number | undefined;
  readonly extraMaxMs?: number;
}

/** Returns the longest time of a cell, or the time of a client that ends by itself and waits as it should. */
export function plannedMs(cell: Cell, used: ReadonlySet<OperationId>, lengths: Lengths): number {
  const { durationMs, endedMs, extraMaxMs = Number.POSITIVE_INFINITY } = lengths;
  const times = disturbedOperations(cell, used).length;
  const mostMs = durationMs + Math.min((cell.extraMs ?? 0) * times, extraMaxMs);
  const { retryAfterS, resetS, latencyMs = 0 } = cell.fault ?? {};
  const waitMs = Math.max(latencyMs, cell.slowBodyMs ?? 0, 1_000 * (retryAfterS ?? resetS ?? 0));
  return endedMs === undefined ? mostMs : Math.min(mostMs, endedMs + times * waitMs);
}

/** The tested part of a run, for an estimate of the rest. */
export interface Progress {
  readonly done: number;
  readonly all: number;
  readonly skipped: number;
  /** How many test cases are repeated; 0 before the repeats. */
  readonly repeats: number;
  /** The rest of the time, in real milliseconds. The repeats count once they are known. */
  readonly leftMs: number;
}

interface Running {
  readonly cost: number;
  readonly sinceMs: number;
}

/** Counts the time of planned and ended test cases. */
export class Work {
  readonly #counts: Pick<Progress, 'all' | 'skipped'>;
  readonly #nowMs: () => number;
  readonly #running = new Map<Cell, Running>();
  #waiting = new Map<Cell, number>();
  #atOnce = 1;
  #done: number;
  #repeats = 0;
  /** Of the test cases that ended, as planned and as measured. */
  #ended = { planned: 0, real: 0 };

  constructor(counts: Pick<Progress, 'all' | 'skipped'>, nowMs: () => number = realNowMs) {
    this.#counts = counts;
    this.#nowMs = nowMs;
    // The control cell.
    this.#done = counts.skipped + 1;
  }

  /** Adds cells with their real times. Returns them, the longest first, so all end at about the same time. */
  plan(costs: ReadonlyMap<Cell, number>, atOnce: number): Cell[] {
    if (this.#ended.planned > 0) this.#repeats += costs.size;
    this.#waiting = new Map([...costs].sort(([, a], [, b]) => b - a));
    this.#atOnce = atOnce;
    return [...this.#waiting.keys()];
  }

  begin(cell: Cell): void {
    this.#running.set(cell, { cost: this.#waiting.get(cell) ?? 0, sinceMs: this.#nowMs() });
    this.#waiting.delete(cell);
  }

  end(cell: Cell): Progress {
    const { cost, sinceMs } = this.#running.get(cell) ?? { cost: 0, sinceMs: 0 };
    this.#running.delete(cell);
    if (this.#repeats === 0) this.#done += 1;
    this.#ended.planned += cost;
    this.#ended.real += this.#nowMs() - sinceMs;
    return this.progress();
  }

  /** Lets workers take the waiting cells in their order. */
  progress(): Progress {
    const running = [...this.#running.values()].map(({ cost, sinceMs }) => ({ cost, realMs: this.#nowMs() - sinceMs }));
    let { planned, real } = this.#ended;
    // The first to end are those that fail early, so test cases that are running count too.
    for (const { cost, realMs } of running) [planned, real] = [planned + cost, real + Math.max(cost, realMs)];
    const rate = planned > 0 ? real / planned : 1;
    const free = running.map(({ cost, realMs }) => Math.max(0, rate * cost - realMs));
    while (free.length < this.#atOnce) free.push(0);
    for (const cost of this.#waiting.values()) {
      const first = free.indexOf(Math.min(...free));
      free[first] = (free[first] ?? 0) + rate * cost;
    }
    return { ...this.#counts, done: this.#done, repeats: this.#repeats, leftMs: Math.max(...free) };
  }
}

const lastCallS = Math.max(...usualCalls.map(({ visibleS }) => visibleS));
/** The poll after the last call. */
const callsMinutes = Math.ceil((lastCallS + pollIntervalMs / 1_000) / 60);

/** Returns a note if test cases can be missing because calls arrive too late for the client; else an empty text. */
export function noteOfMinutes({ cells, time }: ClientReport, minutes = time.mode === 'real' ? 2 : 10): string {
  const isPoller = cells.every(({ needs }) => needs !== 'poll');
  const isHidden = cells.some(
    ({ id, needs }) => needs === 'write' || (needs === 'response' && id.startsWith('calls/')),
  );
  if (minutes >= callsMinutes || !isPoller || !isHidden) return '';
  return `After ${count(minutes, 'minute')}, later calls are missing, and so are writes that follow them. Use --minutes ${callsMinutes}.\n`;
}
