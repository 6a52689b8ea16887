import { describe, expect, test } from 'vitest';
import { bench, firstDraws } from '../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../fixtures/test-kit/rewriting-proxy.ts';
import { drawn, turnOf } from '../assertions/invalid-inputs.ts';
import * as odd from '../scenarios/inputs.ts';
import { articleById } from './articles/by-id.ts';
import { articles } from './articles/list.ts';
import { calls } from './calls/index.ts';
import { insights } from './insights/insights.ts';
import { reviewLists, reviews } from './reviews/reviews.ts';
import { keywords } from './sites/keywords.ts';
import { sites } from './sites/sites.ts';

const pools = Object.entries(odd).filter(([, pool]) => Array.isArray(pool)) as [string, readonly unknown[]][];

describe('the pools of unexpected inputs', () => {
  test.each([...pools, ['wrongTexts', odd.invalidTexts(80)] as const])(
    '%s has a size that no span of time fits',
    (name, pool) => {
      if (!/^(rare|plain)/.test(name)) expect([7, 11, 13]).toContain(pool.length);
      expect(new Set(pool.map((one) => JSON.stringify(one))).size).toBe(pool.length);
    },
  );

  test('are drawn one after the other, so consecutive audits differ', () => {
    const drawnBy = (seed: number) => drawn({ settings: { seed } } as never, odd.invalidRanges);
    const draws = odd.invalidRanges.map((_, index) => drawnBy(firstDraws + index));
    expect(draws).toEqual(odd.invalidRanges);
  });
});

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
    const checks = [...articles, ...calls, ...insights, ...reviewLists, ...reviews];
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

  test.each<[string, RegExp, Spoiled, string]>([
    ['reviews that break down', /no-uuid.*\/reviews$/, rejection(500, 'internal'), 'fail'],
    ['insights that are shown', /no-uuid.*\/insights$/, { status: 200, body: { data: {}, summary: '' } }, 'fail'],
    [
      'reviews that need a payment',
      /no-uuid.*\/reviews$/,
      rejection(402, 'payment_required'),
      'inconclusive(precondition)',
    ],
    ['insights that say 400', /no-uuid.*\/insights$/, rejection(400, 'invalid_input'), 'pass'],
  ])('that is the id of an account: %s', async (_, path, spoiled, result) => {
    const spoil = () => (one: Exchanged) => (path.test(one.path) ? spoiled : undefined);
    const { results } = await bench({ checks: [...insights, ...reviewLists], spoil, run: { watch: true } });
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

  test.each([
    ['hour', 60],
    ['day', 1_440],
    ['week', 10_080],
    ['minute', 1],
  ])('lets audits of every %s take all turns', (_, minutes) => {
    const turns = Array.from({ length: 11 }, (__, audit) => 29_000_000 + audit * minutes);
    for (const ways of [2, 4]) expect(new Set(turns.map((seed) => turnOf(seed, ways))).size).toBe(ways);
  });

  test.each([firstDraws, firstDraws + 1])('follows a well-formed unknown id, by seed %i', async (seed) => {
    const checks = [...articleById, ...sites, ...reviewLists, ...insights];
    const { report } = await bench({ checks, run: { seed } });
    for (const { id, exchanges } of report.checks.filter((one) => /unknown-(id|account)/.test(one.id))) {
      const sent = report.exchanges.filter((one) => exchanges.includes(one.id));
      const [first] = sent.flatMap(
        ({ target }) => /^\/(?:articles|sites|connect\/accounts)\/([^/]+)/.exec(target)?.[1] ?? [],
      );
      expect(`${id} ${first}`).toMatch(/ [\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i);
    }
  });

  test('draws another input by another seed', async () => {
    const requestsOf = async (seed: number) => {
      const { report } = await bench({ checks: keywords, run: { seed } });
      return report.exchanges.filter(({ status }) => status === 400).map(({ target }) => target);
    };
    expect(await requestsOf(firstDraws)).not.toEqual(await requestsOf(firstDraws + 1));
    expect(await requestsOf(firstDraws)).toEqual(await requestsOf(firstDraws));
  });
});
