import { describe, expect, test } from 'vitest';
import { bench } from '../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../fixtures/test-kit/rewriting-proxy.ts';
import { articles } from './articles/list.ts';
import { calls } from './index.ts';
import { insights } from './insights/insights.ts';
import { reviews } from './reviews/reviews.ts';

describe('an unexpected request', () => {
  test.each([
    ['a breakdown that hangs on the input', 503, 'transient', 'fail'],
    ['a breakdown of another status', 500, 'internal', 'fail'],
  ])('fails for %s', async (_, status, code, result) => {
    const { results } = await bench({
      checks: calls,
      spoil:
        () =>
        ({ query }) =>
          query.get('since') === 'yesterday' ? { status, body: { error: { code, message: '' } } } : undefined,
    });
    expect(results['calls/bad-since']).toBe(result);
  });

  describe('with a URL that is not valid (R64)', () => {
    const checks = [...articles, ...calls, ...insights, ...reviews];
    const isInvalid = ({ query }: Exchanged) => [...query.values()].some((value) => /%|\uFFFD/.test(value));
    const benchUrls = (spoiled: Spoiled) =>
      bench({ checks, run: { watch: true }, spoil: () => (one) => (isInvalid(one) ? spoiled : undefined) });

    test.each([
      [400, 'Bad Request'],
      [404, { error: 'rate_limit_exceeded', code: 7 }],
      [414, ''],
    ])('may get a %i in any body on every endpoint', async (status, body) => {
      expect((await benchUrls({ status, body })).failures).toEqual([]);
    });

    test('is warned of where it breaks the service, and does not fail', async () => {
      const { report } = await benchUrls({ status: 503, body: { error: { code: 'transient', message: '' } } });
      const grave = report.checks.flatMap(({ findings }) => findings).filter(({ severity }) => severity !== 'note');
      expect(new Set(grave.map(({ severity }) => severity))).toEqual(new Set(['warn']));
      expect(grave.map(({ clause }) => clause)).toContain('4.articles.list.statuses');
    });
  });

  // biome-ignore format: one row a line
  test.each<[string, RegExp, Spoiled, string]>([
    ['reviews that break down', /no-uuid.*\/reviews$/, rejection(500, 'internal'), 'fail'],
    ['insights that are shown', /no-uuid.*\/insights$/, { status: 200, body: { data: {}, summary: '' } }, 'fail'],
    ['reviews that need a payment', /no-uuid.*\/reviews$/, rejection(402, 'payment_required'), 'inconclusive(precondition)'],
    ['insights that say 400', /no-uuid.*\/insights$/, rejection(400, 'invalid_input'), 'pass'],
  ])('that is the id of an account: %s', async (_, path, spoiled, result) => {
    const spoil = () => (one: Exchanged) => (path.test(one.path) ? spoiled : undefined);
    const { results } = await bench({ checks: [...insights, ...reviews.slice(0, 2)], spoil, run: { watch: true } });
    expect(results[`${path.source.includes('insights') ? 'insights' : 'reviews'}/unknown-account`]).toBe(result);
  });

  test('is left open where a limiter keeps rejecting it', async () => {
    const { results } = await bench({
      checks: calls,
      spoil:
        () =>
        ({ query }) =>
          query.get('since') === 'yesterday' ? { status: 429, body: { error: 'rate_limit_exceeded' } } : undefined,
    });
    expect(results['calls/bad-since']).toBe('inconclusive(interference)');
  });
});
