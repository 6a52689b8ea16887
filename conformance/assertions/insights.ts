// Dates without a promised format (interpretation R7). They support a note or a warning only.

import { dayMs, parseTimestampMs } from '../../src/contract/timestamps.ts';
import { canonical } from '../exchange/canonical.ts';
import { dataOf, type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import { serverNowMs } from '../exchange/stated-limits.ts';
import type { Probe } from '../probe/probe.ts';
import { type AccountRead, readUsable } from './accounts.ts';

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

// The ranges of insights and the dates that they show.

export const insightRanges = ['7d', '28d', '90d'] as const;
export type RangeName = (typeof insightRanges)[number];
export const usualRange = '28d';

export const wish = { operation: 'getInsights', params: { range: usualRange }, isRich: () => true } as const;

/** The account that every check here reads, so their responses can be compared. */
export async function measured(probe: Probe): Promise<AccountRead> {
  const { usable } = await readUsable(probe, wish);
  return usable ?? probe.stop('precondition', 'needs an account that returns its insights');
}

/** Through the record: one request per range in a run. */
export async function readRange(probe: Probe, range: RangeName): Promise<Exchange> {
  return probe.get('getInsights', { accountId: (await measured(probe)).accountId, range });
}

export interface Dates {
  readonly exchange: Exchange;
  readonly shown: { readonly startDate: unknown; readonly endDate: unknown };
}

/** The dates of a 200; null without comparable ones. */
export function datesOf(exchange: Exchange): Dates | null {
  const { range } = exchange.status === 200 ? dataOf(exchange) : {};
  const { startDate, endDate } = isObject(range) ? range : {};
  return startDate === undefined && endDate === undefined ? null : { exchange, shown: { startDate, endDate } };
}

/** A range can end at the current time: then only its dates are stable. */
function datesIn({ shown: { startDate, endDate } }: Dates): unknown {
  const dateOf = (value: unknown) => (typeof value === 'string' ? value.replace(/T.*$/i, '') : value);
  return { startDate: dateOf(startDate), endDate: dateOf(endDate) };
}

/** By day: an end at "now" differs from one request to the next. */
export function areEqual(left: Dates | null, right: Dates | null): boolean {
  return left !== null && right !== null && canonical(datesIn(left)) === canonical(datesIn(right));
}

/** Both ends may count, and a day may begin somewhere earlier than elsewhere. */
export const extraDaysMax = 2;

/** Returns the number of days between the dates of a range; null if it has none. */
export function daysIn(exchange: Exchange): number | null {
  const shown = datesOf(exchange)?.shown;
  const [start, end] = [dayOf(shown?.startDate), dayOf(shown?.endDate)];
  return start === null || end === null ? null : Math.round((end - start) / dayMs);
}

export const monthMs = 31 * dayMs;

export function pointDates(exchange: Exchange): unknown[] {
  const points = listOf(dataOf(exchange).metrics).flatMap(pointsOf);
  return points.map((point) => (isObject(point) ? point.date : undefined));
}

export function pointsOf(metric: unknown): readonly unknown[] {
  return isObject(metric) ? listOf(metric.points) : [];
}
