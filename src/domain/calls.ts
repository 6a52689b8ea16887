// The call log in virtual time. The log knows the start and the end of each call; the clock alone decides how much of
// it is visible. Pollers see a call after the settling time (assumption C39: 300 seconds for "about five minutes"), or
// when it was reported, if that was later. Cites 4.calls.*, 3.call.final-outcome, 3.call.snapshot-visibility.

import type { CallRecord } from '../contract/basis.ts';
import { timestampStepNs } from '../contract/forms.ts';
import { settledAfterMs } from '../contract/generated/limits.ts';
import { formatTimestamp, parseTimestampMs } from '../contract/timestamps.ts';
import {
  type Call,
  describeCall,
  formatVisibility,
  isBehind,
  type NewCall,
  ordinalMax,
  parsePosition,
  toCallData,
} from './call.ts';
import type { CallData } from './world-data.ts';

/** `nextCursor` is what to send as the next `since`; null when nothing new came. Cites 4.calls.next-cursor-null. */
export interface CallPage {
  readonly calls: CallRecord[];
  readonly nextCursor: string | null;
}

/**
 * Two orders of the same calls. The invariant of `#stream`: visible timestamp and ordinal only grow along it, and no
 * call is ever put in front of a place that a poller may have read. Exactly once follows from it, without any memory of
 * who has read what.
 */
export class Calls {
  /** How long a call must be over before it is final. Calls that are known already keep their timestamp. */
  readonly settleMs: number;
  /** In the order of visibility, future ones included. */
  readonly #stream: Call[];
  /** In the order of their start. */
  readonly #byStart: Call[];
  readonly #byId: Map<string, Call>;

  /** If above 0, cursors have no digits for calls of one timestamp: each call has a separate step. */
  readonly #stepMs: number;

  constructor(calls: readonly CallData[] = [], settleMs: number = settledAfterMs, stepMs = 0) {
    this.settleMs = settleMs;
    this.#stepMs = stepMs;
    const read = calls.map((call) => readCall(call, settleMs));
    // Sorting is stable: calls without an ordinal keep the order of the world.
    read.sort((a, b) => a.visibleAtMs - b.visibleAtMs || (a.ordinal || ordinalMax) - (b.ordinal || ordinalMax));
    let before: Call | undefined;
    this.#stream = read.map((call) => {
      const next = before?.visibleAtMs === call.visibleAtMs ? before.ordinal + 1 : 1;
      before = { ...call, ordinal: Math.max(call.ordinal, next) };
      return before;
    });
    if (stepMs > 0) this.#spread();
    this.#byStart = [...this.#stream].sort(compareStarts);
    this.#byId = new Map(this.#stream.map((call) => [call.id, call]));
  }

  /** No two calls become visible in one step, and none before its time. */
  #spread(): void {
    let lastMs = Number.NEGATIVE_INFINITY;
    for (const [index, call] of this.#stream.entries()) {
      lastMs = Math.max(Math.ceil(call.visibleAtMs / this.#stepMs) * this.#stepMs, lastMs + this.#stepMs);
      this.#stream[index] = { ...call, visibleAtMs: lastMs, ordinal: 1 };
    }
  }

  /** Calls of every state, future ones included. */
  get size(): number {
    return this.#stream.length;
  }

  /**
   * Settles the place of a call in the stream. It never becomes visible in the past: a poller that has read up to now
   * would miss it, so a call that is reported late is visible late.
   */
  place(call: NewCall, nowMs: number): Call {
    const visibleAtMs = this.#freeStep(
      Math.max(call.endedAtMs + this.settleMs, call.reportedAtMs ?? 0, nowMs),
      call.id,
    );
    let before = firstIndex(this.#stream, (other) => other.visibleAtMs > visibleAtMs) - 1;
    // An earlier record of the same call is about to go.
    if (this.#stream[before]?.id === call.id) before -= 1;
    const last = this.#stream[before];
    return { ...call, visibleAtMs, ordinal: last?.visibleAtMs === visibleAtMs ? last.ordinal + 1 : 1 };
  }

  /** Returns the timestamp, or the next free step. */
  #freeStep(atMs: number, id: string): number {
    if (this.#stepMs === 0) return atMs;
    let stepMs = Math.ceil(atMs / this.#stepMs) * this.#stepMs;
    while (this.#stream.some((call) => call.visibleAtMs === stepMs && call.id !== id)) stepMs += this.#stepMs;
    return stepMs;
  }

  /** Keeps a call whose place in the stream is settled, instead of an earlier record of it. */
  put(call: Call): void {
    this.remove(call.id);
    const { visibleAtMs, ordinal } = call;
    const end = firstIndex(this.#stream, (other) => isBehind(other, { atMs: visibleAtMs, ordinal }));
    this.#stream.splice(end, 0, call);
    const start = firstIndex(this.#byStart, (other) => compareStarts(other, call) > 0);
    this.#byStart.splice(start, 0, call);
    this.#byId.set(call.id, call);
  }

  get(id: string): Call | undefined {
    return this.#byId.get(id);
  }

  /** Returns a running call as ended now; null if it is unknown or over. */
  ended(id: string, nowMs: number, outcome?: string): Call | null {
    const running = this.#byId.get(id);
    if (!running || running.endedAtMs <= nowMs) return null;
    // No poller has seen it yet, so it may move in the stream.
    const { visibleAtMs, ordinal, ...call } = running;
    const startedAtMs = Math.min(call.startedAtMs, nowMs);
    return this.place({ ...call, startedAtMs, endedAtMs: nowMs, outcome: outcome ?? call.outcome }, nowMs);
  }

  /** Each visible call after the position, oldest first, exactly once along a chain of cursors. */
  since(cursor: string, { limit, nowMs }: { limit: number; nowMs: number }): CallPage {
    const from = parsePosition(cursor);
    const start = firstIndex(this.#stream, (call) => isBehind(call, from));
    const calls: CallRecord[] = [];
    let last: Call | undefined;
    for (let i = start; i < this.#stream.length && calls.length < limit; i += 1) {
      const call = this.#stream[i] as Call;
      if (call.visibleAtMs > nowMs) break;
      calls.push(describeCall(call, nowMs));
      last = call;
    }
    return { calls, nextCursor: last ? this.#cursorOf(last) : null };
  }

  /** Returns the position after the call. A whole step is before its calls, so this is the next step. */
  #cursorOf(call: Call): string {
    return this.#stepMs === 0 ? formatVisibility(call) : formatTimestamp(call.visibleAtMs + this.#stepMs);
  }

  /** Returns the position after everything that pollers can see now; null if the log is empty. */
  position(nowMs: number): string | null {
    const end = firstIndex(this.#stream, (call) => call.visibleAtMs > nowMs);
    const last = this.#stream[end - 1];
    return last ? this.#cursorOf(last) : null;
  }

  /** Returns the newest calls by their start. It leaves out unreported calls, and running ones unless `unsettled`. */
  snapshot({ limit, nowMs, unsettled }: { limit: number; nowMs: number; unsettled: boolean }): CallPage {
    const calls: CallRecord[] = [];
    const end = firstIndex(this.#byStart, (call) => call.startedAtMs > nowMs);
    for (let i = end - 1; i >= 0 && calls.length < limit; i -= 1) {
      const call = this.#byStart[i] as Call;
      if (call.visibleAtMs > nowMs && (!unsettled || (call.reportedAtMs ?? 0) > nowMs)) continue;
      calls.push(describeCall(call, nowMs));
    }
    return { calls, nextCursor: null };
  }

  /** In the order of visibility, with `visibleAt`: a log that is loaded again keeps every cursor that was given out. */
  toData(): CallData[] {
    return this.#stream.map(toCallData);
  }

  /** For `put`, and for a call that could not be kept. */
  remove(id: string): void {
    const known = this.#byId.get(id);
    if (!known) return;
    this.#byId.delete(id);
    this.#stream.splice(this.#stream.indexOf(known), 1);
    this.#byStart.splice(this.#byStart.indexOf(known), 1);
  }
}

/**
 * Returns the step of a cursor with fewer than the nine digits that distinguish calls of one millisecond; otherwise 0.
 */
export function cursorStepMs(form: string): number {
  const stepNs = timestampStepNs(form);
  return stepNs === 1n ? 0 : Math.max(1, Number(stepNs / 1_000_000n));
}

/** An ordinal of 0 is still unassigned. */
function readCall({ startedAt, endedAt, reportedAt, visibleAt, ...call }: CallData, settleMs: number): Call {
  const startedAtMs = parseTimestampMs(startedAt) ?? 0;
  const endedAtMs = parseTimestampMs(endedAt) ?? 0;
  const reportedAtMs = reportedAt === undefined ? null : parseTimestampMs(reportedAt);
  const { atMs, ordinal } =
    visibleAt === undefined
      ? { atMs: Math.max(endedAtMs + settleMs, reportedAtMs ?? 0), ordinal: 0 }
      : parsePosition(visibleAt);
  return { ...call, startedAtMs, endedAtMs, reportedAtMs, visibleAtMs: atMs, ordinal };
}

// A total order, so a restored log has it too.
function compareStarts(a: Call, b: Call): number {
  return a.startedAtMs - b.startedAtMs || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

/** The first index at which a condition holds that, once true, stays true to the end. */
function firstIndex(calls: readonly Call[], holds: (call: Call) => boolean): number {
  let low = 0;
  let high = calls.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(calls[middle] as Call)) high = middle;
    else low = middle + 1;
  }
  return low;
}
