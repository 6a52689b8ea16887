// When a call ended: in the field that the user names, else in one whose name can hardly mean anything else and whose
// values bear it out (interpretation R34, R39).
import { fieldOf, leavesOf, toMs } from './call-fields.ts';
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
