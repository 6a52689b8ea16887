import { describe, expect, test } from 'vitest';
import { type Bench, bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { complete } from './complete.ts';
import { insights } from './insights.ts';
import { insightsAgain, insightsOfOthers } from './ranges.ts';

const checks = [...insights, ...insightsAgain];

const dayMs = 86_400_000;
const today = Date.UTC(2026, 4, 1);

/** A range of that many days. */
function covering(days: number, endMs = today): Spoiled {
  const [startDate, endDate] = [days, 1].map((n) => new Date(endMs - (n - 1) * dayMs).toISOString().slice(0, 10));
  return { status: 200, body: { data: { range: { startDate, endDate }, metrics: [] }, summary: '' } };
}

const open = 'inconclusive(precondition)';
const invalidRange = rejection(400, 'invalid_input');

function faithful(range: string | null): Spoiled {
  const days: Readonly<Record<string, number>> = { '7d': 7, '28d': 28, '90d': 90 };
  const found = Object.hasOwn(days, range ?? '28d') ? days[range ?? '28d'] : undefined;
  return found === undefined ? invalidRange : covering(found);
}

/** Insights of every known account, by a function of the range and the number of the request. */
function benchRanges(response: (range: string | null, sent: number) => Spoiled | undefined, run = {}): Promise<Bench> {
  return bench({
    checks,
    run,
    spoil: () => {
      let sent = 0;
      return ({ path, query, status }) => {
        if (!path.endsWith('/insights') || status === 404) return undefined;
        sent += 1;
        return response(query.get('range'), sent);
      };
    },
  });
}

describe('the checks of insights', () => {
  test('all pass on a faithful server, with few requests', async () => {
    const { results, report } = await benchRanges(faithful);
    expect(Object.entries(results).filter(([, outcome]) => outcome !== 'pass')).toEqual([
      ['insights/range-case', 'skipped'],
      ['insights/near-ranges', 'skipped'],
    ]);
    expect(report.used.requests).toBe(9);
  });

  const always = (days: number) => (range: string | null) => (range === '30d' ? invalidRange : covering(days));
  const responding = (name: string, spoiled: Spoiled) => (range: string | null) =>
    range === name ? spoiled : faithful(range);
  const dayBegins = (range: string | null, sent: number) =>
    sent > 3 && (range ?? '28d') === '28d' ? covering(28, today + dayMs) : faithful(range);
  test.each<[string, Parameters<typeof benchRanges>[0], string, string]>([
    ['begins a day between 28d and the default', dayBegins, 'insights/default-range', 'inconclusive(interference)'],
    ['covers other dates by default', (range) => faithful(range ?? '90d'), 'insights/default-range', 'fail'],
    [
      'has other dates by default',
      (range) => (range ? faithful(range) : covering(30)),
      'insights/default-range',
      'warn',
    ],
    ['covers 28 days for any range', always(28), 'insights/range-span', 'note'],
    ['shows twenty days of each range', always(20), 'insights/ranges-differ', 'warn'],
    ['shows six days of each range', always(6), 'insights/default-range', 'inconclusive(vacuous)'],
    ['shows six days of each range, too', always(6), 'insights/ranges-differ', 'inconclusive(vacuous)'],
    ['shows at most six days', always(6), 'insights/range-span', 'pass'],
    ['does not offer 90d', responding('90d', rejection(400, 'not_supported')), 'insights/ranges', 'warn'],
    ['is not paid for', responding('30d', rejection(402, 'payment_required')), 'insights/bad-range', open],
  ])('take a server that %s for %s', async (_, response, id, outcome) => {
    expect((await benchRanges(response)).results[id]).toBe(outcome);
  });

  test('note a range of last year', () => {
    const range = { startDate: '2023-01-01', endDate: '2023-01-08' };
    const line: Line = ['good GET /connect/accounts/a/insights', { data: { range, metrics: [] } }];
    expect(judged(complete, historyOf([line])).findings.map((finding) => finding.split(' ')[0])).toEqual(['note']);
  });

  test.each([
    [404, 'not_found', 'fail'],
    [400, 'invalid_input', 'fail'],
    [400, 'not_supported', open],
  ])('take a %i %s of every listed account for %s', async (status, code, outcome) => {
    const { results } = await benchRanges(() => ({ status, body: { error: { code, message: '', issues: ['x'] } } }));
    expect(results['insights/listing']).toBe(outcome);
  });

  test.each<[string, number, string]>([
    ['fails where the id in the other case shows a week', 7, 'fail'],
    ['is inconclusive if that shows as many days', 12, 'inconclusive(vacuous)'],
  ])('insights/ranges-again %s', async (_, days, outcome) => {
    const { results } = await bench({
      checks,
      spoil:
        () =>
        ({ path, query, status }) => {
          if (!path.endsWith('/insights') || status === 404) return undefined;
          const isOther = /accounts\/[^/]*[A-F]/.test(path);
          return query.get('range') === '30d' ? invalidRange : covering(isOther ? days : 12);
        },
    });
    expect(results['insights/ranges-again']).toBe(outcome);
  });
});

const otherChecks = [...insights.filter(({ id }) => id === 'insights/listing'), ...insightsOfOthers];
const id = 'insights/other-accounts';

/** Changes insights of each account except the first. */
const onOthers = (spoiled: (one: Exchanged) => Spoiled) => () => {
  let first: string | undefined;
  return (one: Exchanged) => {
    if (!one.path.endsWith('/insights') || one.status !== 200) return undefined;
    first ??= one.path;
    return one.path === first ? undefined : spoiled(one);
  };
};

const tenfold = ({ body }: Exchanged): Spoiled => {
  const metrics = body.data.metrics.map((metric: { points: { value: number }[] }) => ({
    ...metric,
    points: metric.points.map((point) => ({ ...point, value: 10 * point.value + 1 })),
  }));
  return { body: { ...body, data: { ...body.data, metrics } } };
};

describe('insights of other accounts', () => {
  test.each<[string, (one: Exchanged) => Spoiled, string]>([
    ['with separate values', tenfold, 'pass'],
    ['that another account has, too', ({ body }) => ({ body }), 'pass'],
    ['that the platform rejects', () => rejection(403, 'provider_permission'), 'pass'],
    ['that a valid key does not open', () => rejection(401, 'unauthorized'), 'fail'],
    ['that break', () => rejection(418, 'teapot'), 'fail'],
  ])('%s', async (_, spoiled, result) => {
    const options = { checks: otherChecks, variant: { insightPoints: 'daily' }, run: { watch: true } } as const;
    expect((await bench({ ...options, spoil: onOthers(spoiled) })).results[id]).toBe(result);
  });
});
