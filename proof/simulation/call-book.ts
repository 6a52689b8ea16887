// The calls of one organization as the simulation knows them, and in which order pollers have to get them. It keeps
// plain sorted rows and counts; how the mock finds its pages is not its concern. Cites 4.calls.*, 3.call.final-outcome.
import { parseInstantMs } from '../../src/contract/instants.ts';
import type { CallData } from '../../src/domain/world-data.ts';
import { hold } from './exchange.ts';

/** Choice C39. */
const settleMs = 300_000;

/** A call with what the simulation itself decided about it. */
interface KnownCall {
  readonly id: string;
  readonly startedAtMs: number;
  endedAtMs: number;
  visibleAtMs: number;
  /** As it was first delivered; a delivered call is final. */
  delivered: string | null;
}

/**
 * Exactly-once is judged by counts and successions, not by a list of what each poller is owed: any two pollers, with
 * any limits, must see one order.
 */
export class CallBook {
  readonly #byId = new Map<string, KnownCall>();
  /** Never decreasing. */
  readonly #visibleAtMs: number[] = [];
  /** The call that follows another in the order of delivery, as the first poller got it. */
  readonly #successors = new Map<string, string>();

  constructor(calls: readonly CallData[]) {
    for (const { id, startedAt, endedAt, reportedAt } of calls) {
      const endedAtMs = parseInstantMs(endedAt) ?? 0;
      const reportedAtMs = reportedAt === undefined ? 0 : (parseInstantMs(reportedAt) ?? 0);
      this.#put({
        id,
        startedAtMs: parseInstantMs(startedAt) ?? 0,
        endedAtMs,
        visibleAtMs: Math.max(endedAtMs + settleMs, reportedAtMs),
        delivered: null,
      });
    }
  }

  get ids(): Iterable<string> {
    return this.#byId.keys();
  }

  has(id: string): boolean {
    return this.#byId.has(id);
  }

  startOf(id: string): number {
    return this.#byId.get(id)?.startedAtMs ?? Number.NaN;
  }

  /** A call that becomes known now; one that ended long ago is visible at once. */
  ring(id: string, { startedAtMs, endedAtMs }: { startedAtMs: number; endedAtMs: number }, nowMs: number): void {
    this.#put({ id, startedAtMs, endedAtMs, visibleAtMs: Math.max(endedAtMs + settleMs, nowMs), delivered: null });
  }

  /** Only for a call that still rings: its old place in the order was only planned. */
  hangUp(id: string, nowMs: number): void {
    const call = this.#byId.get(id);
    if (!call) return;
    this.#visibleAtMs.splice(this.#visibleAtMs.indexOf(call.visibleAtMs), 1);
    this.#put({ ...call, endedAtMs: nowMs, visibleAtMs: nowMs + settleMs });
  }

  /** How many calls became visible after one instant, up to and including another. */
  countVisible(afterMs: number, throughMs: number): number {
    return countThrough(this.#visibleAtMs, throughMs) - countThrough(this.#visibleAtMs, afterMs);
  }

  /** Calls that somebody could end by hand now. */
  running(nowMs: number): string[] {
    return [...this.#byId.values()]
      .filter(({ startedAtMs, endedAtMs }) => startedAtMs <= nowMs && endedAtMs > nowMs)
      .map(({ id }) => id);
  }

  /** Holds one delivered call against the book; `previous` is the one that this poller got before it. */
  deliver(record: { id: string }, { previous, nowMs }: { previous: string | null; nowMs: number }): void {
    const { id } = record;
    const call = this.#byId.get(id);
    hold('calls', call !== undefined, () => `a poller got the call ${id}, which does not exist`);
    if (!call) return;
    const over = () => `a poller got the call ${id} ${(nowMs - call.endedAtMs) / 1000} s after its end`;
    hold('calls', call.visibleAtMs <= nowMs, over);
    const text = JSON.stringify(sorted(record));
    call.delivered ??= text;
    hold('calls', call.delivered === text, () => `the delivered call ${id} has changed: ${call.delivered} to ${text}`);
    if (previous === null) return;
    const before = this.#byId.get(previous)?.visibleAtMs ?? 0;
    hold(
      'calls',
      before <= call.visibleAtMs,
      () => `the call ${id} came after ${previous}, which became visible later`,
    );
    const known = this.#successors.get(previous) ?? id;
    hold('calls', known === id, () => `after the call ${previous} one poller got ${known}, another ${id}`);
    this.#successors.set(previous, id);
  }

  #put(call: KnownCall): void {
    this.#byId.set(call.id, call);
    this.#visibleAtMs.splice(countThrough(this.#visibleAtMs, call.visibleAtMs), 0, call.visibleAtMs);
  }
}

// A greased mock writes the members in any order.
function sorted(value: unknown): unknown {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Instants up to and including `ms`, by halving: books of long runs hold thousands of calls. */
function countThrough(instants: readonly number[], ms: number): number {
  let low = 0;
  let high = instants.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((instants[middle] as number) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}
