// When a call ended: in the field that the user names, else in one whose name can hardly mean anything else and whose
// values bear it out (interpretation R34, R39).
import { fieldOf, leavesOf, textOf, toMs } from './call-fields.ts';
import { type CallPage, labels, pageOf } from './call-log.ts';
import { readTimestamp, timestampFields } from './call-timestamps.ts';
import type { Exchange } from './exchange.ts';
import type { History } from './history.ts';
import { aheadByDate, both, readServiceClock, serverNowMs } from './stated-limits.ts';

/** Four minutes: the five of section 4 less a minute for clocks and rounding. */
const settledMsMin = 240_000;
/** Clocks of two machines may be so far apart, which matters where the field is only guessed. */
const marginMs = 20_000;
/** `Date` is cut to whole seconds. */
export const dateGrainMs = 999;

export interface EndField {
  readonly name: string;
  readonly isGuessed: boolean;
  /** Whether every call that was looked at holds a timestamp there. */
  readonly isInAll: boolean;
}

/** Milliseconds since the epoch; `running` without an end; null if ambiguous, for example without a zone. */
export function endOf(call: unknown, field: string): number | 'running' | null {
  const value = fieldOf(call, field);
  if (value === null) return 'running';
  if (typeof value === 'string' && !/(z|[+-]\d\d(:?\d\d)?)$/i.test(value)) return null;
  const timestamp = readTimestamp(value);
  return timestamp === null ? null : toMs(timestamp);
}

/** Rounded for the server: `Date` can lag its clock by almost a second. */
export function isSettled(end: number | 'running', nowMs: number): boolean {
  return end !== 'running' && nowMs + dateGrainMs - end >= settledMsMin;
}

/** Values of any field that mark a running call. */
const running = /^(in[ _-]?progress|ringing|running|ongoing)$/i;

/** Without an end, and with a word that leaves no doubt. */
function saysRunning(call: unknown): boolean {
  return [...leavesOf(call).values()].some((value) => typeof value === 'string' && running.test(value));
}

/** A call that was never taken may have no end. One that began, or rang, four minutes ago may be over by now. */
export function mayBeOver(call: unknown, end: number | 'running', nowMs: number): boolean {
  if (end !== 'running' || saysRunning(call)) return false;
  const timestamps = timestampFields([call]).map(({ timestamps: [timestamp] }) => toMs(timestamp ?? 0n));
  return nowMs - Math.max(0, ...timestamps) >= settledMsMin || timestamps.length === 0;
}

/**
 * A guessed field fails only for an end that is clearly in the past and less than four minutes old, by a `Date` that
 * agrees with the clock of the suite.
 */
export function isSure({ isGuessed, isInAll }: EndField, end: number | 'running', exchange: Exchange): boolean {
  if (!isGuessed) return true;
  const nowMs = serverNowMs(exchange);
  if (!isInAll || nowMs === null || end === 'running' || end > nowMs + dateGrainMs) return false;
  return nowMs - end < settledMsMin - marginMs && Math.abs(exchange.receivedAt - nowMs) <= marginMs;
}

/**
 * The latest time that the service's clock can show. A proxy can write `Date`: then our own clock and the `Reset`s of
 * the run decide (interpretation R43).
 */
export function latestOf({ exchanges }: Pick<History, 'exchanges'>, exchange: Exchange): number {
  const rest = exchanges.filter(({ mcpEndpoint }) => mcpEndpoint === undefined);
  const [date, clock] = [aheadByDate(exchange), readServiceClock(rest)];
  if (date !== null && clock !== null && both(date, clock) !== null) return exchange.receivedAt + date.atMost;
  return exchange.receivedAt + Math.max(0, date?.atMost ?? 0, clock?.atMost ?? 0);
}

/** Spellings that leave no doubt. */
const names = ['endedAt', 'ended_at', 'endTime', 'end_time'];
const callsMin = 5;
const shareMin = 0.8;

/** null unless there is exactly one such field that follows another timestamp of the call in nearly all calls. */
function guessEnd(calls: readonly unknown[]): EndField | null {
  const [name, ...others] = names.filter((each) => calls.some((call) => fieldOf(call, each) !== undefined));
  if (name === undefined || others.length > 0) return null;
  const ended = calls.filter((call) => typeof endOf(call, name) === 'number');
  const follows = ended.filter((call) => {
    const end = endOf(call, name) as number;
    return timestampFields([call]).some(({ timestamps: [timestamp] }) => toMs(timestamp ?? 0n) < end);
  });
  if (follows.length < callsMin || follows.length < calls.length * shareMin) return null;
  return { name, isGuessed: true, isInAll: ended.length === calls.length };
}

/** The field that the user names, else the one that delivered calls have; null without either. */
export function endFieldOf(calls: readonly unknown[], { given: { callEndedAtField } }: History): EndField | null {
  if (callEndedAtField !== null) return { name: callEndedAtField, isGuessed: false, isInAll: true };
  return guessEnd(calls);
}

// A watch of the call log: the calls that ended, and the polls that delivered them.

/** By then a call that has ended should have been delivered (interpretation R39). */
const deliveredMsMax = 360_000;

export interface Watch {
  /** When it began, by the clock of the server. */
  readonly startMs: number;
  /** The position of the next poll, once there was a poll. */
  readonly since: string | null;
  /** Whether a call has been followed from its end to its delivery, and none is awaited. */
  readonly isDone: boolean;
  readonly followed: number;
  readonly delivered: ReadonlyMap<string, string>;
  /** Delivered although an earlier poll had delivered it. */
  readonly repeated: readonly { readonly page: CallPage; readonly at: number; readonly id: string }[];
  /** Not delivered in time. */
  readonly overdue: readonly { readonly id: string; readonly ms: number; readonly wasEmpty: boolean }[];
  readonly polls: readonly CallPage[];
}

/** The text of its id, for maps and findings. */
export function idTextOf(call: unknown, { given }: History): string {
  return JSON.stringify(fieldOf(call, given.callIdField ?? '')) ?? 'nothing';
}

/** Null without a snapshot that has a `Date`. */
export function watchIn(history: History): Watch | null {
  const { given } = history;
  const of = (label: string) => (one: Exchange) => one.label === label && pageOf(one, given) !== null;
  const [isSnapshot, isPoll] = [of(labels.watchSnapshot), of(labels.watchPoll)];
  const reads = history.exchanges.filter((one) => isSnapshot(one) || isPoll(one));
  const startMs = reads.filter(isSnapshot).map(serverNowMs)[0] ?? null;
  if (startMs === null) return null;
  /** Seen over in a snapshot and not delivered yet: when it ended, or was first seen over if that came later. */
  const due = new Map<string, number>();
  const delivered = new Map<string, string>();
  const [repeated, overdue, polls]: [Watch['repeated'][number][], Watch['overdue'][number][], CallPage[]] = [
    [],
    [],
    [],
  ];
  let followed = 0;
  for (const exchange of reads) {
    const [page, nowMs] = [pageOf(exchange, given), serverNowMs(exchange)];
    if (page === null || nowMs === null) continue;
    if (isSnapshot(exchange)) {
      for (const [id, endMs] of endsOn(page, history)) {
        // A call that ended before the first `since` can be before that position, which is legal (R35).
        const isNew = endMs > startMs + dateGrainMs && endMs <= nowMs;
        if (isNew && !delivered.has(id) && !due.has(id)) due.set(id, Math.max(endMs, nowMs));
      }
      continue;
    }
    polls.push(page);
    for (const [at, call] of page.calls.entries()) {
      const id = idTextOf(call, history);
      if (delivered.has(id)) repeated.push({ page, at, id });
      delivered.set(id, textOf(call));
      if (due.delete(id)) followed += 1;
    }
    for (const [id, overMs] of due) {
      if (nowMs - overMs <= deliveredMsMax || isFull(page)) continue;
      due.delete(id);
      overdue.push({ id, ms: nowMs - overMs, wasEmpty: delivered.size === 0 });
    }
  }
  const since = polls.reduce<string | null>((last, page) => page.nextCursor ?? last ?? page.since, null);
  return { startMs, since, followed, delivered, repeated, overdue, polls, isDone: followed > 0 && due.size === 0 };
}

/** More calls may follow it. */
const isFull = ({ count, limit }: CallPage) => count >= (limit ?? Number.POSITIVE_INFINITY);

function endsOn({ calls }: CallPage, history: History): (readonly [string, number])[] {
  return calls.flatMap((call) => {
    const end = endOf(call, history.given.callEndedAtField ?? '');
    return typeof end === 'number' ? [[idTextOf(call, history), end] as const] : [];
  });
}
