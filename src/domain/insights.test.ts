import { describe, expect, it } from 'vitest';
import { describeInsights, type InsightRange, metricsOf } from './insights.ts';

const account = { accountId: '5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f745', metrics: metricsOf('google_business') };
const insightsAt = (range: InsightRange, now: string) => describeInsights(account, range, { nowMs: Date.parse(now) });

describe('insights', () => {
  it.each([
    ['7d', '2026-03-02T09:00:00Z', '2026-02-24', '2026-03-02', 7],
    ['28d', '2026-03-02T09:00:00Z', '2026-02-03', '2026-03-02', 28],
    ['90d', '2026-03-02T09:00:00Z', '2025-12-03', '2026-03-02', 90],
    ['7d', '2026-03-02T00:00:00.000Z', '2026-02-24', '2026-03-02', 7],
    ['7d', '2026-03-01T23:59:59.999Z', '2026-02-23', '2026-03-01', 7],
    ['7d', '2028-03-01T12:00:00Z', '2028-02-24', '2028-03-01', 7],
  ] as const)('for %s at %s go from %s to %s, one point a day', (range, now, startDate, endDate, days) => {
    const insights = insightsAt(range, now);
    expect(insights.range).toEqual({ startDate, endDate });
    for (const { points = [] } of insights.metrics) {
      expect([points.length, points[0]?.date, points.at(-1)?.date]).toEqual([days, startDate, endDate]);
      expect(new Set(points.map(({ date }) => date)).size).toBe(days);
    }
  });

  it('total what their points say, in whole numbers', () => {
    for (const { total, points = [] } of insightsAt('28d', '2026-03-02T09:00:00Z').metrics) {
      expect(total).toBe(points.reduce((sum, { value = Number.NaN }) => sum + value, 0));
      expect(points.every(({ value = -1 }) => Number.isInteger(value) && value >= 0)).toBe(true);
    }
  });

  it('of a shorter range are the tail of a longer one', () => {
    const points = (range: InsightRange) =>
      insightsAt(range, '2026-03-02T09:00:00Z').metrics.map((metric) => metric.points);
    expect(points('7d')).toEqual(points('28d').map((list) => list?.slice(-7)));
    expect(points('28d')).toEqual(points('90d').map((list) => list?.slice(-28)));
  });

  it('keep the value of a day as the days go by, and differ between days', () => {
    const points = (now: string) => insightsAt('28d', now).metrics[0]?.points ?? [];
    expect(points('2026-03-03T09:00:00Z').slice(0, -1)).toEqual(points('2026-03-02T09:00:00Z').slice(1));
    expect(new Set(points('2026-03-02T09:00:00Z').map(({ value }) => value)).size).toBeGreaterThan(10);
  });
});
