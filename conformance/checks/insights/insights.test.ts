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

/** A range of that many days, and optionally one metric with a point at the end and one before it. */
function covering(days: number, endMs = today, pointDays = 0): Spoiled {
  const [startDate, endDate, date] = [days, 1, pointDays].map((count) =>
    new Date(endMs - (count - 1) * dayMs).toISOString().slice(0, 10),
  );
  const points =
    pointDays === 0
      ? []
      : [
          { date, value: 1 },
          { date: endDate, value: 1 },
        ];
  const metrics = pointDays === 0 ? [] : [{ key: 'k', label: 'l', total: 2, points }];
  return { status: 200, body: { data: { range: { startDate, endDate }, metrics }, summary: '' } };
}

const invalidRange: Spoiled = {
  status: 400,
  body: { error: { code: 'invalid_input', message: 'range', issues: [{ path: 'range' }] } },
};

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

  test('let a day begin between 28d and the default', async () => {
    const { results } = await benchRanges((range, sent) =>
      sent > 3 && (range ?? '28d') === '28d' ? covering(28, today + dayMs) : faithful(range),
    );
    expect(results['insights/default-range']).toBe('pass');
  });

  test.each<[string, (range: string | null) => Spoiled | undefined, string, string]>([
    [
      'covers other dates by default',
      (range) => (range ? faithful(range) : covering(30)),
      'insights/default-range',
      'warn',
    ],
    [
      'covers 28 days for any range',
      (range) => (range === '30d' ? invalidRange : covering(28)),
      'insights/range-span',
      'note',
    ],
    [
      'shows twenty days of each range',
      (range) => (range === '30d' ? invalidRange : covering(20)),
      'insights/ranges-differ',
      'warn',
    ],
    [
      'says that the platform does not offer 90d',
      (range) =>
        range === '90d' ? { status: 400, body: { error: { code: 'not_supported', message: '' } } } : faithful(range),
      'insights/ranges',
      'warn',
    ],
  ])('catch a server that %s', async (_, response, id, outcome) => {
    const { results } = await benchRanges(response);
    expect(results[id]).toBe(outcome);
  });

  test('note a range of last year', () => {
    const range = { startDate: '2023-01-01', endDate: '2023-01-08' };
    const line: Line = ['good GET /connect/accounts/a/insights', { data: { range, metrics: [] } }];
    expect(judged(complete, historyOf([line])).findings.map((finding) => finding.split(' ')[0])).toEqual(['note']);
  });

  test.each([
    [404, 'not_found', 'fail'],
    [400, 'invalid_input', 'fail'],
    [400, 'not_supported', 'inconclusive(precondition)'],
  ])('take a %i %s of every listed account for %s', async (status, code, outcome) => {
    const { results } = await benchRanges(() => ({ status, body: { error: { code, message: '', issues: ['x'] } } }));
    expect(results['insights/listing']).toBe(outcome);
  });

  test('are inconclusive about the default if all ranges have the same dates', async () => {
    const { results } = await benchRanges((range) => (range === '30d' ? invalidRange : covering(6)));
    expect(results['insights/default-range']).toBe('inconclusive(vacuous)');
    expect(results['insights/range-span']).toBe('pass');
    expect(results['insights/ranges-differ']).toBe('inconclusive(vacuous)');
  });

  test('are inconclusive about an invalid range of an account that is not paid for', async () => {
    const unpaid = { status: 402, body: { error: { code: 'payment_required', message: '', reason: 'card' } } };
    const { results } = await benchRanges((range) => (range === '30d' ? unpaid : faithful(range)));
    expect(results['insights/bad-range']).toBe('inconclusive(precondition)');
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
const withTime = { watch: true } as const;
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
    expect(
      (
        await bench({
          checks: otherChecks,
          variant: { insightPoints: 'daily' },
          run: withTime,
          spoil: onOthers(spoiled),
        })
      ).results[id],
    ).toBe(result);
  });
});
