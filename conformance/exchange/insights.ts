// The dates of insights, which have no promised format (interpretation R7). They support a note or a warning only.
import { dayMs, parseTimestampMs } from '../../src/contract/timestamps.ts';
import { type AccountRead, readsOf } from './accounts.ts';
import { canonical } from './canonical.ts';
import { dataOf, type Exchange, isObject, listOf } from './exchange.ts';
import type { History } from './history.ts';
import { serverNowMs } from './stated-limits.ts';

/** `2026-02-03`, `20260203`, or a date-time; milliseconds since the epoch, null for anything else. */
export function dayOf(date: unknown): number | null {
  if (typeof date !== 'string') return null;
  return parseTimestampMs(
    /^\d{4}(-?)\d\d\1\d\d$/.test(date) ? `${date}T00${date.includes('-') ? ':00' : '00'}Z` : date,
  );
}

/** Whether a date was over by that many days at the time of the response, in any time zone. */
export function isOver({ exchange, date, days = 1 }: { exchange: Exchange; date: unknown; days?: number }): boolean {
  const ms = dayOf(date);
  return ms !== null && ms < (serverNowMs(exchange) ?? exchange.receivedAt) - days * dayMs;
}

/** The account whose responses are compared: the first one that shows its insights. */
export function measuredIn(history: History): string | null {
  const read = readsOf(history, 'getInsights').find(
    ({ range, exchange }) => range === '28d' && exchange.status === 200,
  );
  return read?.accountId ?? null;
}

export interface Dates {
  readonly exchange: Exchange;
  readonly shown: { readonly startDate: unknown; readonly endDate: unknown };
  /** From the first to the last; null where they cannot be read. */
  readonly days: number | null;
}

/** The dates of a 200; null without comparable ones. */
export function datesOf(exchange: Exchange): Dates | null {
  const { range } = exchange.status === 200 ? dataOf(exchange) : {};
  const { startDate, endDate } = isObject(range) ? range : {};
  if (startDate === undefined && endDate === undefined) return null;
  const [start, end] = [dayOf(startDate), dayOf(endDate)];
  const days = start === null || end === null ? null : Math.round((end - start) / dayMs);
  return { exchange, shown: { startDate, endDate }, days };
}

/** Of each range of an account, or of the default, that shows dates. */
export function rangesIn(reads: readonly AccountRead[], range: string | null): readonly Dates[] {
  return reads.filter((one) => one.range === range).flatMap(({ exchange }) => datesOf(exchange) ?? []);
}

/** A range can end at the current time: then only its dates are stable. */
function datesIn({ shown: { startDate, endDate } }: Dates): unknown {
  const dateOf = (value: unknown) => (typeof value === 'string' ? value.replace(/T.*$/i, '') : value);
  return { startDate: dateOf(startDate), endDate: dateOf(endDate) };
}

/** By day: an end at "now" differs from one request to the next. */
export function areEqual(left: Dates, right: Dates): boolean {
  return canonical(datesIn(left)) === canonical(datesIn(right));
}

/** Both ends may count, and a day may begin somewhere earlier than elsewhere. */
export const extraDaysMax = 2;

export const monthMs = 31 * dayMs;

/** A field of every point of every metric. */
export function pointFields(exchange: Exchange, name: 'date' | 'value'): unknown[] {
  const points = listOf(dataOf(exchange).metrics).flatMap((metric) => (isObject(metric) ? listOf(metric.points) : []));
  return points.map((point) => (isObject(point) ? point[name] : undefined));
}
