// Performance metrics: keys, number of points and the end of the range are the variant's (R32).
import { admit } from './admit.ts';
import { success } from './connect.ts';
import { type ApiRequest, type Context, extra, type HttpResponse } from './types.ts';
import type { Variant } from './variants.ts';

const dayMs = 86_400_000;
const ranges: Readonly<Record<string, number>> = { '7d': 7, '28d': 28, '90d': 90 };
const metrics = [
  { key: 'impressions', label: 'Seen' },
  { key: 'clicks/website', label: 'Clicks → website' },
];

/** Dates are plain strings (R7). */
function writeDay(day: number, variant: Variant): string {
  const date = new Date(day * dayMs).toISOString().slice(0, 10);
  if (variant.insightDates === 'compact') return date.replaceAll('-', '');
  return variant.insightDates === 'stamp' ? `${date}T00:00:00+09:00` : date;
}

/** The days that get a point: every one, each seventh, three in all, or none. */
function pointDays(first: number, last: number, variant: Variant): number[] {
  const all = Array.from({ length: last - first + 1 }, (_, index) => first + index);
  if (variant.insightPoints === 'weekly') return all.filter((_, index) => index % 7 === 0);
  if (variant.insightPoints === 'odd') return [first, first + Math.floor((last - first) / 2), last];
  return variant.insightPoints === 'no-points' ? [] : all;
}

/** The total is the sum in one variant only: the contract does not say that it is. */
function metric(days: readonly number[], index: number, context: Context): Record<string, unknown> {
  const { variant } = context;
  const name = metrics[index] ?? { key: 'other', label: '' };
  const share = variant.fractions ? 0.25 : 0;
  const points = days.map((day) => ({
    date: writeDay(day, variant),
    value: ((day * 7 + index * 3) % 50) + share,
    ...extra(context, 'deep'),
  }));
  const sum = points.reduce((total, point) => total + point.value, 0);
  return { ...name, total: variant.insightPoints === 'daily' ? sum : sum * 2 + 5, points, ...extra(context, 'deep') };
}

/** GET /connect/accounts/{accountId}/insights: the last 7, 28 or 90 days, 28 by default, as far as available. */
export function insights(context: Context, req: ApiRequest): HttpResponse {
  const { variant } = context;
  const range = req.query.get('range') ?? '28d';
  const length = Object.hasOwn(ranges, range) ? ranges[range] : undefined;
  const issues = length === undefined ? [{ path: 'range', message: 'must be 7d, 28d or 90d' }] : [];
  admit(context, req, { operation: 'insights', writes: false, issues });
  const last = Math.floor(req.at / dayMs) - variant.insightLagDays;
  const first = last - Math.min(length ?? 28, variant.insightDaysKept) + 1;
  const days = pointDays(first, last, variant);
  const data = {
    range: { startDate: writeDay(first, variant), endDate: writeDay(last, variant), ...extra(context, 'deep') },
    metrics: variant.insightPoints === 'no-metrics' ? [] : metrics.map((_, index) => metric(days, index, context)),
  };
  return success(context, data, `The last ${length ?? 28} days`);
}
