// One telephone call, and the part of it that a client can see at a time. Cites 3.call.final-outcome.
import type { CallRecord } from '../contract/basis.ts';
import { formatTimestamp, parseTimestamp } from '../contract/timestamps.ts';
import type { CallData } from './world-data.ts';

/**
 * A telephone call. Its course, including end and outcome, is fixed at the start; the clock decides how much of it a
 * client sees.
 */
export interface Call {
  readonly id: string;
  readonly direction: 'inbound' | 'outbound';
  readonly from: string;
  readonly to: string;
  readonly agent: string;
  readonly startedAtMs: number;
  /** If it is in the future, the call is running. */
  readonly endedAtMs: number;
  /** When the platform reported the call, if that was after its end. */
  readonly reportedAtMs: number | null;
  /** The outcome as it looks while the call settles, and the final one. */
  readonly provisional: string;
  readonly outcome: string;
  /** When pollers may first see it. */
  readonly visibleAtMs: number;
  /** Tells calls of one visible millisecond apart, from 1 on, in the order in which that millisecond was settled. */
  readonly ordinal: number;
}

/** A call whose visibility follows from the rules. */
export type NewCall = Omit<Call, 'visibleAtMs' | 'ordinal'>;

/** Returns the record at `nowMs`: a running call has no end yet, and the outcome of a settling one may change. */
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
    startedAt: formatTimestamp(call.startedAtMs),
    endedAt: over ? formatTimestamp(call.endedAtMs) : null,
    durationS: over ? Math.round((call.endedAtMs - call.startedAtMs) / 1000) : null,
    // An outcome is final only when the call is visible to pollers; until then it may change (assumption C41).
    outcome: final ? call.outcome : over ? call.provisional : null,
  };
}

/**
 * The place of a call in the stream of visible calls, as a cursor: its visible millisecond with the ordinal in the six
 * digits below, so `…T10:00:00.123` + `000042` + `Z`. It stays an ISO 8601 date-time, and calls that became visible in
 * one millisecond are distinguished (assumption C35).
 */
export function formatVisibility({ visibleAtMs, ordinal }: Pick<Call, 'visibleAtMs' | 'ordinal'>): string {
  return `${formatTimestamp(visibleAtMs).slice(0, -1)}${String(ordinal).padStart(6, '0')}Z`;
}

/** More calls than this cannot become visible in one millisecond: their ordinals would not fit the cursor. */
export const ordinalMax = 999_999;

/** A position in the stream: after every call that became visible at or before it. */
export interface Position {
  readonly atMs: number;
  readonly ordinal: number;
}

/**
 * Reads a cursor, or any other ISO 8601 date-time: a whole millisecond is before the calls that became visible in it.
 */
export function parsePosition(text: string): Position {
  const timestamp = parseTimestamp(text) ?? 0n;
  const ordinal = ((timestamp % nsPerMs) + nsPerMs) % nsPerMs;
  return { atMs: Number((timestamp - ordinal) / nsPerMs), ordinal: Number(ordinal) };
}

const nsPerMs = 1_000_000n;

/**
 * Whether a poller that has read up to a position has not seen the call. The same millisecond needs the ordinal:
 * without it a cursor inside a tie would lose or repeat calls.
 */
export function isBehind({ visibleAtMs, ordinal }: Call, { atMs, ordinal: read }: Position): boolean {
  return visibleAtMs > atMs || (visibleAtMs === atMs && ordinal > read);
}

export function toCallData(call: Call): CallData {
  const { startedAtMs, endedAtMs, reportedAtMs, visibleAtMs, ordinal, ...rest } = call;
  return {
    ...rest,
    startedAt: formatTimestamp(startedAtMs),
    endedAt: formatTimestamp(endedAtMs),
    ...(reportedAtMs === null ? {} : { reportedAt: formatTimestamp(reportedAtMs) }),
    visibleAt: formatVisibility({ visibleAtMs, ordinal }),
  };
}
