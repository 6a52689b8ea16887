// Performance metrics over a range that ends today on the clock: one point a day, total = sum (assumption C32). A day's
// value follows from account, metric and date, so a longer range agrees with a shorter one and any day can be
// asked for. Cites 4.connect.insights.*, 2.get-insights-output.*.

import type { GetInsightsOutput, Provider } from '../contract/generated/types.ts';
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
  account: Pick<Account, 'accountId' | 'metrics'>,
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

/** The mean is the order of magnitude of a day; `insights.ts` varies it. */
type MetricRow = readonly [key: string, label: string, dailyMean: number];

const providerMetrics: Readonly<Record<Provider, readonly MetricRow[]>> = {
  google_business: [
    ['views_search', 'Views on Search', 180],
    ['views_maps', 'Views on Maps', 95],
    ['website_clicks', 'Website clicks', 22],
    ['calls', 'Calls', 6],
    ['direction_requests', 'Direction requests', 11],
  ],
  facebook_page: [
    ['impressions', 'Impressions', 640],
    ['reach', 'Reach', 410],
    ['engagements', 'Engagements', 38],
  ],
  tiktok: [
    ['video_views', 'Video views', 1250],
    ['likes', 'Likes', 84],
    ['shares', 'Shares', 9],
  ],
  instagram: [
    ['impressions', 'Impressions', 820],
    ['reach', 'Reach', 530],
    ['profile_views', 'Profile views', 27],
  ],
  google_analytics: [
    ['sessions', 'Sessions', 310],
    ['users', 'Users', 240],
    ['page_views', 'Page views', 760],
  ],
  google_search_console: [
    ['clicks', 'Clicks', 120],
    ['impressions', 'Impressions', 4100],
  ],
  google_ads: [
    ['impressions', 'Impressions', 2300],
    ['clicks', 'Clicks', 64],
    ['conversions', 'Conversions', 3],
  ],
  google_calendar: [],
  google_contacts: [],
};

/** Those of a new account; the accounts of a world file bring their own. */
export function metricsOf(provider: Provider): MetricData[] {
  return providerMetrics[provider].map(([key, label, dailyMean]) => ({ key, label, dailyMean }));
}
