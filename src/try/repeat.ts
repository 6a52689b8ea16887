// A busy machine can disturb a client once, so a violation of a command must show twice.
import type { Cell, CellFinding } from './cell.ts';
import type { CellOptions, Observation } from './cell-run.ts';
import type { ClientReport, ClientViolation } from './report.ts';

/** Rules that the rest of a run cannot take back: a call that a client lacks after a later poll stays lost. */
const lasting = /^(\w+-(retry|poll|since|repeated)|since-\w+|cursor-changed|without-key|no-back-off|call-lost)$/;

/** Time in which a client handles a page of calls and reports them, on its clock. */
const settledMs = 30_000;

/** The observation at an earlier moment, of which the client has reported everything. */
export function withoutLatest(observation: Observation, nowMs: number): Observation {
  const exchanges = observation.exchanges.filter(({ endsMs }) => endsMs < nowMs - settledMs);
  return { ...observation, exchanges };
}

/** How much slower than the first run: twice is enough for timers that are on time. */
const [slowdown, slowdownMost] = [2, 4];
/** Half of the shortest usual timeout, on the clock of the client. */
const lateMaxMs = 2_500;

const isLate = ({ lateMs = 0 }: Observation) => lateMs > lateMaxMs;

/** Runs a cell at the highest speed at which its timers are on time, or at the lowest. */
export async function runSlower(
  run: (options: Pick<CellOptions, 'speed' | 'isShown'>) => Promise<Observation>,
  { before, speed, isShown }: Pick<CellOptions, 'speed' | 'isShown'> & { readonly before: Observation },
): Promise<Observation> {
  const observation = isLate(before) ? null : await run({ speed: slowerSpeed(speed), isShown });
  if (observation && (!isLate(observation) || speed === 1)) return observation;
  return run({ speed: slowerSpeed(speed, slowdownMost), isShown });
}

export function slowerSpeed(speed: number | null, times = slowdown): number | null {
  return speed === null ? null : Math.max(1, speed / times);
}

/** The violations of the first run that have not shown again. */
export class Doubts {
  readonly #violations: readonly ClientViolation[];
  readonly #confirmed = new Set<string>();

  constructor({ violations }: ClientReport) {
    this.#violations = violations;
  }

  #of(cell: Cell): readonly ClientViolation[] {
    return this.#violations.filter(({ id, cells }) => cells.includes(cell.id) && !this.#confirmed.has(id));
  }

  /** Whether a cell can end, because its violations have shown again in it or in others. */
  areSettled(cell: Cell, find: () => readonly CellFinding[]): boolean {
    const open = this.#of(cell);
    if (open.length === 0) return true;
    if (!open.every(({ rule }) => lasting.test(rule))) return false;
    const rules = find().map(({ rule }) => rule);
    return open.every(({ rule }) => rules.includes(rule));
  }

  confirm(cell: Cell, findings: readonly CellFinding[]): void {
    for (const { id, rule } of this.#of(cell)) if (findings.some((one) => one.rule === rule)) this.#confirmed.add(id);
  }
}

const doubtfulMax = 3;

/** Returns the cells of a violation that run again: all of a few, or a sample from start, middle and end. */
function sampleOf({ cells }: ClientViolation): readonly string[] {
  if (cells.length <= doubtfulMax) return cells;
  return [0, 0.5, 1].map((part) => cells[Math.round(part * (cells.length - 1))] ?? '');
}

/** Repeats violations. `repeat` runs cells by their ids again. */
export async function repeatDoubtful(
  { violations }: ClientReport,
  repeat: (ids: ReadonlySet<string>) => Promise<ClientReport>,
): Promise<ClientReport> {
  // The first of each violation first: often it confirms the violation, so the others need not run.
  const samples = violations.map(sampleOf);
  const sample = new Set([0, 1, 2].flatMap((nth) => samples.flatMap((ids) => ids[nth] ?? [])));
  const after = await repeat(sample);
  const isConfirmed = (violation: ClientViolation) => {
    const again = after.violations.find(({ id }) => id === violation.id)?.cells ?? [];
    return sampleOf(violation).some((cell) => again.includes(cell));
  };
  // Without a repetition in the sample, all others are doubtful too.
  const rest = violations.flatMap((violation) => (isConfirmed(violation) ? [] : violation.cells));
  return repeat(new Set(rest.filter((cell) => !sample.has(cell))));
}
