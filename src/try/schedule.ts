// The order of the test cases, the time that they take, and those that are repeated.
import { pollIntervalMs } from '../contract/generated/limits.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { count } from '../terminal/count.ts';
import { type Cell, usualCalls } from './cell.ts';
import { disturbedOperations } from './cell-run.ts';
import type { ClientReport, ClientViolation } from './report.ts';

/** In real time, a cell with a longer wait is cut, so a run of a command ends. */
export const extraMaxMs = 130_000;

/** Returns the longest time of a cell, on the clock of the client. */
export function plannedMs(cell: Cell, used: ReadonlySet<OperationId>, durationMs: number, isReal: boolean): number {
  const extraMs = (cell.extraMs ?? 0) * disturbedOperations(cell, used).length;
  return durationMs + (isReal ? Math.min(extraMs, extraMaxMs) : extraMs);
}

/** The tested part of a run, for an estimate of the rest. */
export interface Progress {
  readonly done: number;
  readonly all: number;
  readonly skipped: number;
  /** How many test cases are repeated; 0 before the repeats. */
  readonly repeats: number;
  /** The part of the time that has passed, from 0 to 1. The repeats count once they are known. */
  readonly share: number;
}

/** Counts the time of planned and ended test cases. */
export class Work {
  readonly #counts: Pick<Progress, 'all' | 'skipped'>;
  #done: number;
  #repeats = 0;
  #ended = 0;
  #running = 0;
  #planned = 0;

  constructor(counts: Pick<Progress, 'all' | 'skipped'>) {
    this.#counts = counts;
    // The control cell.
    this.#done = counts.skipped + 1;
  }

  /** Adds cells. Returns the real time of one, to begin and end it with. */
  plan(cells: readonly Cell[], costOf: (cell: Cell) => number): (cell: Cell) => number {
    if (this.#planned > 0) this.#repeats += cells.length;
    for (const cell of cells) this.#planned += costOf(cell);
    return costOf;
  }

  begin(cost: number): void {
    this.#running += cost;
  }

  end(cost: number): Progress {
    if (this.#repeats === 0) this.#done += 1;
    this.#running -= cost;
    this.#ended += cost;
    return this.progress();
  }

  /** Half of a running test case counts as done. */
  progress(): Progress {
    const share = (this.#ended + this.#running / 2) / this.#planned;
    return { ...this.#counts, done: this.#done, repeats: this.#repeats, share };
  }
}

const doubtfulMax = 3;

/** Returns the cells of a violation that run again: all of a few, or a sample from start, middle and end. */
function sampleOf({ cells }: ClientViolation): readonly string[] {
  if (cells.length <= doubtfulMax) return cells;
  return [0, 0.5, 1].map((part) => cells[Math.round(part * (cells.length - 1))] ?? '');
}

/** A busy machine can disturb a client once, so a violation must show twice. `repeat` runs cells by their ids again. */
export async function repeatDoubtful(
  { violations }: ClientReport,
  repeat: (ids: ReadonlySet<string>) => Promise<ClientReport>,
): Promise<ClientReport> {
  const sample = new Set(violations.flatMap(sampleOf));
  const after = await repeat(sample);
  const isConfirmed = (violation: ClientViolation) => {
    const again = after.violations.find(({ id }) => id === violation.id)?.cells ?? [];
    return sampleOf(violation).some((cell) => again.includes(cell));
  };
  // Without a repetition in the sample, all others are doubtful too.
  const rest = violations.flatMap((violation) => (isConfirmed(violation) ? [] : violation.cells));
  return repeat(new Set(rest.filter((cell) => !sample.has(cell))));
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
