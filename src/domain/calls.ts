// The call log: a process in virtual time. The log knows the start and the end of each call; the clock alone decides
// what a client may see of it. Pollers see a call when it has been over for the settling time (choice C39: 300 seconds
// for "about five minutes"), or when it was reported, if that was later. Cites 4.calls.*, 3.call.final-outcome,
// 3.call.snapshot-visibility.
import { settledAfterMs } from '../contract/generated/limits.ts';
import { parseInstantMs } from '../contract/instants.ts';
import {
  type Call,
  type CallRecord,
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
 * Two orders of the same calls. The invariant of `#stream`: visible instant and ordinal only grow along it, and no call
 * is ever put in front of a place that a poller may have read. Exactly once follows from it, without any memory of who
 * has read what.
 */
export class Calls {
  /** How long a call has to be over before it is final. Calls that are known already keep their instant. */
  readonly settleMs: number;
  /** In the order of visibility, future ones included. */
  readonly #stream: Call[];
  /** In the order of their start. */
  readonly #byStart: Call[];
  readonly #byId: Map<string, Call>;

  constructor(calls: readonly CallData[] = [], settleMs: number = settledAfterMs) {
    this.settleMs = settleMs;
    const read = calls.map((call) => readCall(call, settleMs));
    // Sorting is stable: of calls without a place of their own the order of the world decides.
    read.sort((a, b) => a.visibleAtMs - b.visibleAtMs || (a.ordinal || ordinalMax) - (b.ordinal || ordinalMax));
    let before: Call | undefined;
    this.#stream = read.map((call) => {
      const next = before?.visibleAtMs === call.visibleAtMs ? before.ordinal + 1 : 1;
      before = { ...call, ordinal: Math.max(call.ordinal, next) };
      return before;
    });
    this.#byStart = [...this.#stream].sort(compareStarts);
    this.#byId = new Map(this.#stream.map((call) => [call.id, call]));
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
    const visibleAtMs = Math.max(call.endedAtMs + this.settleMs, call.reportedAtMs ?? 0, nowMs);
    let before = firstIndex(this.#stream, (other) => other.visibleAtMs > visibleAtMs) - 1;
    // An earlier record of the same call is about to go.
    if (this.#stream[before]?.id === call.id) before -= 1;
    const last = this.#stream[before];
    return { ...call, visibleAtMs, ordinal: last?.visibleAtMs === visibleAtMs ? last.ordinal + 1 : 1 };
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

  /** A running call as it is when it ends now. Null when there is no such call, or it is over. */
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
    return { calls, nextCursor: last ? formatVisibility(last) : null };
  }

  /**
   * The newest calls by their start, running ones included if asked for, those that nobody has told of yet left out.
   */
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

/** An ordinal of 0 stands for none yet. */
function readCall({ startedAt, endedAt, reportedAt, visibleAt, ...call }: CallData, settleMs: number): Call {
  const startedAtMs = parseInstantMs(startedAt) ?? 0;
  const endedAtMs = parseInstantMs(endedAt) ?? 0;
  const reportedAtMs = reportedAt === undefined ? null : parseInstantMs(reportedAt);
  const { atMs, ordinal } =
    visibleAt === undefined
      ? { atMs: Math.max(endedAtMs + settleMs, reportedAtMs ?? 0), ordinal: 0 }
      : parsePosition(visibleAt);
  return { ...call, startedAtMs, endedAtMs, reportedAtMs, visibleAtMs: atMs, ordinal };
}

// A total order, so that a restored log has it too.
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
