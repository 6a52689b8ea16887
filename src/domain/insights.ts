// Performance metrics over a range that ends today on the clock: one point a day, total = sum (assumption C32). A day's
// value follows from account, metric and date, so a longer range agrees with a shorter one and any day can be
// asked for. Cites 4.connect.insights.*, 2.get-insights-output.*.

import type { GetInsightsOutput } from '../contract/generated/types.ts';
import { dayMs } from '../contract/timestamps.ts';
import type { Account } from './accounts.ts';
import { hashToUnit } from './random.ts';
import type { WorldBehavior } from './world-behavior.ts';
import type { MetricData } from './world-data.ts';

const rangeDays = { '7d': 7, '28d': 28, '90d': 90 } as const;

/** Cites 4.connect.insights.range. */
export type InsightRange = keyof typeof rangeDays;

/** The timestamp of the request, and unspecified behavior. */
export interface InsightStyle {
  readonly nowMs: number;
  readonly points?: WorldBehavior['insightPoints'];
  /** The range ends so many days ago. */
  readonly lagDays?: number;
  readonly hasFractions?: boolean;
}

/** Both ends of the range are included: `7d` has seven points, the last of them of today (UTC). */
export function describeInsights(
  account: Account,
  range: InsightRange,
  { nowMs, points: pace = 'daily', lagDays = 0, hasFractions = false }: InsightStyle,
): GetInsightsOutput {
  const today = Math.floor(nowMs / dayMs) - lagDays;
  const days = Array.from({ length: rangeDays[range] }, (_, i) => today - rangeDays[range] + 1 + i);
  const metrics = account.metrics.map((metric) => {
    const part = hasFractions ? Math.round(100 * hashToUnit(`${account.accountId} ${metric.key}`)) / 100 || 0.5 : 0;
    const all = days.map((day) => ({ date: dateOf(day), value: valueOn(account.accountId, metric, day) + part }));
    const total = Math.round(100 * all.reduce((sum, { value }) => sum + value, 0)) / 100;
    const points = pace === 'none' ? [] : all.filter((_point, index) => pace === 'daily' || index % 7 === 0);
    return { key: metric.key, label: metric.label, total, points };
  });
  const shown = pace === 'no-metrics' ? [] : metrics;
  return { range: { startDate: dateOf(days[0] as number), endDate: dateOf(today) }, metrics: shown };
}

/** Days are counted from the epoch in UTC, so no time zone moves a point. */
function dateOf(day: number): string {
  return new Date(day * dayMs).toISOString().slice(0, 10);
}

// Half to one and a half times the mean, less at weekends.
function valueOn(accountId: string, metric: MetricData, day: number): number {
  const weekend = day % 7 === 2 || day % 7 === 3 ? 0.6 : 1;
  return Math.round(metric.dailyMean * weekend * (0.5 + hashToUnit(`${accountId} ${metric.key} ${day}`)));
}
