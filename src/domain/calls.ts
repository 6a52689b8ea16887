// The call log: a process in virtual time. Each call is known with its start and end; what a client may see of it follows
// from the clock alone. A call becomes visible to pollers when it has been over for the settling time (choice C39), or when
// it was reported, if that was later. Cites 4.calls.*, 3.call.final-outcome, 3.call.snapshot-visibility.
import { formatInstant, parseInstant } from '../contract/instants.ts';

/** "About five minutes": 300 seconds on the mock's clock. Choice C39. */
export const settlingMs = 300_000;

export interface Call {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number;
  readonly reportedAtMs: number | null;
  /** The outcome as it looks while the call settles, and the final one. */
  readonly provisional: string;
  readonly outcome: string;
  /** When pollers may first see it. */
  readonly visibleAtMs: number;
  /** Tells calls of one visible instant apart; given out in the order in which visibility was settled. */
  readonly ordinal: number;
}

/** What a client sees of a call. The members are our assumption (choice C34). */
export interface CallRecord extends Record<string, unknown> {
  readonly id: string;
  readonly status: 'in_progress' | 'settling' | 'final';
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  readonly startedAt: string;
  readonly endedAt: string | null;
  readonly durationS: number | null;
  readonly outcome: string | null;
}

export interface CallPage {
  readonly calls: CallRecord[];
  readonly nextCursor: string | null;
}

export type NewCall = Omit<Call, 'visibleAtMs' | 'ordinal'>;

/** A place in the stream of visible calls: after every call that became visible before it. */
interface Position {
  readonly atMs: number;
  readonly ordinal: number;
}

export class Calls {
  /** In the order of visibility, future ones included. */
  readonly #stream: Call[] = [];
  /** In the order of their start. */
  readonly #byStart: Call[] = [];
  #nextOrdinal = 1;

  constructor(calls: readonly NewCall[] = [], settleMs: number = settlingMs) {
    for (const call of calls) {
      const visibleAtMs = Math.max(call.endedAtMs + settleMs, call.reportedAtMs ?? 0);
      this.#stream.push({ ...call, visibleAtMs, ordinal: this.#nextOrdinal });
      this.#nextOrdinal += 1;
    }
    this.#byStart.push(...this.#stream);
    this.#stream.sort((a, b) => a.visibleAtMs - b.visibleAtMs || a.ordinal - b.ordinal);
    this.#byStart.sort((a, b) => a.startedAtMs - b.startedAtMs || a.ordinal - b.ordinal);
  }

  get size(): number {
    return this.#stream.length;
  }

  /**
   * Adds a call. It never becomes visible in the past: a poller that has read up to now would miss it, so a call that is
   * reported late is visible late.
   */
  add(call: NewCall, { nowMs, settleMs = settlingMs }: { nowMs: number; settleMs?: number }): Call {
    const visibleAtMs = Math.max(call.endedAtMs + settleMs, call.reportedAtMs ?? 0, nowMs);
    const added: Call = { ...call, visibleAtMs, ordinal: this.#nextOrdinal };
    this.#nextOrdinal += 1;
    insert(this.#stream, added, (other) => other.visibleAtMs <= visibleAtMs);
    insert(this.#byStart, added, (other) => other.startedAtMs <= added.startedAtMs);
    return added;
  }

  /** Each visible call after the position, oldest first, exactly once along a chain of cursors. */
  since(cursor: string, { limit, nowMs }: { limit: number; nowMs: number }): CallPage {
    const from = readCursor(cursor);
    const start = firstIndex(this.#stream, (call) => isAfter(call, from));
    const calls: Call[] = [];
    for (let i = start; i < this.#stream.length && calls.length < limit; i += 1) {
      const call = this.#stream[i] as Call;
      if (call.visibleAtMs > nowMs) break;
      calls.push(call);
    }
    const last = calls.at(-1);
    return { calls: calls.map((call) => describeCall(call, nowMs)), nextCursor: last ? writeCursor(last) : null };
  }

  /** The newest calls by their start, running ones included. */
  snapshot({ limit, nowMs, running }: { limit: number; nowMs: number; running: boolean }): CallPage {
    const calls: CallRecord[] = [];
    const end = firstIndex(this.#byStart, (call) => call.startedAtMs > nowMs);
    for (let i = end - 1; i >= 0 && calls.length < limit; i -= 1) {
      const call = this.#byStart[i] as Call;
      if (!running && call.endedAtMs > nowMs) continue;
      calls.push(describeCall(call, nowMs));
    }
    return { calls, nextCursor: null };
  }

  toData(): readonly Call[] {
    return this.#stream;
  }
}

export function describeCall(call: Call, nowMs: number): CallRecord {
  const over = call.endedAtMs <= nowMs;
  const final = call.visibleAtMs <= nowMs;
  return {
    id: call.id,
    status: final ? 'final' : over ? 'settling' : 'in_progress',
    direction: call.direction,
    from: call.from,
    to: call.to,
    agent: call.agent,
    startedAt: formatInstant(call.startedAtMs),
    endedAt: over ? formatInstant(call.endedAtMs) : null,
    durationS: over ? Math.round((call.endedAtMs - call.startedAtMs) / 1000) : null,
    // 3.call.final-outcome: an outcome is final only when the call is visible to pollers; until then it may change.
    outcome: final ? call.outcome : over ? call.provisional : null,
  };
}

// A cursor is the visible instant with the ordinal in further fraction digits: `…T10:00:00.123` + `000000042` + `Z`.
// It stays an ISO 8601 date-time, and calls that became visible in one millisecond are still told apart (choice C35).
const ordinalDigits = 9;

function writeCursor({ visibleAtMs, ordinal }: Call): string {
  return `${formatInstant(visibleAtMs).slice(0, -1)}${String(ordinal).padStart(ordinalDigits, '0')}Z`;
}

function readCursor(cursor: string): Position {
  const instant = parseInstant(cursor) ?? 0n;
  const ms = instant >= 0n ? instant / 1_000_000n : (instant - 999_999n) / 1_000_000n;
  const fraction = /[.,](\d+)/.exec(cursor)?.[1] ?? '';
  const ordinal = Number(fraction.slice(3, 3 + ordinalDigits).padEnd(ordinalDigits, '0'));
  return { atMs: Number(ms), ordinal };
}

function isAfter(call: Call, { atMs, ordinal }: Position): boolean {
  return call.visibleAtMs > atMs || (call.visibleAtMs === atMs && call.ordinal > ordinal);
}

function insert(calls: Call[], call: Call, isBefore: (other: Call) => boolean): void {
  calls.splice(
    firstIndex(calls, (other) => !isBefore(other)),
    0,
    call,
  );
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
