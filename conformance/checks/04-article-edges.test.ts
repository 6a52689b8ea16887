import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/rigs/check-bench.ts';
import type { Answered, Spoiled } from '../../proof/rigs/rewriting-proxy.ts';
import { articleEdges } from './04-article-edges.ts';
import { articlePages } from './04-article-pages.ts';
import { articles } from './04-articles.ts';

const checks = [...articles, ...articlePages, ...articleEdges];
const run = { watch: true } as const;
const error = (status: number): Spoiled => ({ status, body: { error: { code: 'x', message: '' } } });

function benchEdges(spoil: (one: Answered) => Spoiled | undefined) {
  return bench({ checks, run, spoil: () => spoil });
}

describe('the checks of article edges', () => {
  test.each(VARIANT_NAMES)('fail on no legal variant such as %s', async (variant) => {
    const { alarms } = await bench({ checks, variant, run });
    expect(alarms.filter((alarm) => alarm !== 'articles/page-walk warn' || !/tied/.test(variant))).toEqual([]);
  });

  test.each([
    ['refuse', 'missing', 'missing'],
    ['clamp', 'ignore', 'empty'],
    ['ignore', 'refuse', 'missing'],
    ['missing', 'refuse', 'empty'],
  ] as const)(
    'take a bad limit to %s, a bad site to %s, an unknown one to %s',
    async (badLimit, badSiteId, unknown) => {
      const variant = { badLimit, badSiteId, unknownSite: unknown, articleCount: 130 };
      expect((await bench({ checks, variant, run })).alarms).toEqual([]);
    },
  );

  test.each([
    ['articles-cursor-read-to-milliseconds', 'consuming', 'articles/near-neighbours'],
    ['articles-empty-page-echoes-cursor', { articleEnd: 'empty-page', articleCount: 200 }, 'articles/to-the-end'],
    ['articles-limit-dropped-later', 'plain', 'articles/later-limit'],
    ['articles-row-lost-in-small-pages', 'plain', 'articles/later-limit'],
    ['articles-filtered-after-paging', 'plain', 'articles/later-limit'],
    ['articles-limit-without-ceiling', { articleCount: 130 }, 'articles/odd-limits'],
  ] as const)('catch the server with %s', async (mutate, variant, id) => {
    expect((await bench({ checks, mutate, variant, run })).verdicts[id]).toBe('fail');
  });

  test.each<[string, (one: Answered) => Spoiled | undefined, string]>([
    ['over a limit of 0', ({ query }) => (query.get('limit') === '0' ? error(500) : undefined), 'articles/odd-limits'],
    [
      'over a limit of 1.5',
      ({ query }) => (query.get('limit') === '1.5' ? error(500) : undefined),
      'articles/odd-limits',
    ],
    [
      'over a siteId that is not a UUID',
      ({ query }) => (query.get('siteId') === 'no-uuid' ? error(500) : undefined),
      'articles/malformed-site-id',
    ],
    [
      'over a siteId that nobody has',
      ({ query }) => (query.get('siteId')?.startsWith('c0ffee') ? error(400) : undefined),
      'articles/unknown-site',
    ],
  ])('catch a server that breaks %s', async (_, spoil, id) => {
    expect((await benchEdges(spoil)).verdicts[id]).toBe('fail');
  });

  test.each<[string, (one: Answered, siteIds: string[]) => Spoiled | undefined, string]>([
    [
      'reads the first siteId only',
      ({ path, query, body }, siteIds) =>
        path === '/articles' && query.get('siteId') === siteIds[1]
          ? { body: { ...body, data: body.data.map((row: object) => ({ ...row, siteId: siteIds[0] })) } }
          : undefined,
      'articles/each-site',
    ],
    [
      'breaks over a siteId without limit',
      ({ path, query }) =>
        path === '/articles' && query.has('siteId') && !query.has('limit') ? error(500) : undefined,
      'articles/each-site',
    ],
    [
      'loses what was created within the hour of a cursor',
      ({ query, body }) => {
        const hour = query.get('cursor')?.slice(0, 13);
        if (hour === undefined || query.has('siteId') || query.get('limit') !== '100') return undefined;
        const data = body.data.filter(({ createdAt }: { createdAt: string }) => createdAt.slice(0, 13) !== hour);
        return { body: { ...body, data } };
      },
      'articles/near-neighbours',
    ],
  ])('catch a server that %s', async (_, spoil, id) => {
    const siteIds: string[] = [];
    const { verdicts } = await bench({
      checks,
      run,
      variant: { articleCount: 130 },
      spoil: () => (one) => {
        if (one.path === '/sites') siteIds.push(...one.body.data.map(({ id }: { id: string }) => id));
        return spoil(one, siteIds);
      },
    });
    expect(verdicts[id]).toBe('fail');
  });

  test('catch a server that has one article out of its order', async () => {
    let all: { createdAt: string }[] = [];
    const { verdicts } = await benchEdges(({ path, query, status, body }) => {
      if (path !== '/articles' || status !== 200 || query.has('siteId')) return undefined;
      if (all.length === 0) {
        all = [...body.data];
        all.splice(30, 1, ...all.splice(34, 1, all[30] as { createdAt: string }));
      }
      const cursor = query.get('cursor');
      const rest = all.filter(({ createdAt }) => cursor === null || createdAt > cursor);
      const data = rest.slice(0, Number(query.get('limit') ?? 20));
      return { body: { data, cursor: data.length < rest.length ? data.at(-1)?.createdAt : null } };
    });
    expect(verdicts['articles/near-neighbours']).toBe('fail');
  });

  test('catch a server that shows all articles for a site that nobody has', async () => {
    let all: unknown;
    const { verdicts } = await benchEdges(({ path, query, body }) => {
      if (path === '/articles' && !query.has('siteId')) all ??= body;
      return query.get('siteId')?.startsWith('c0ffee') ? { status: 200, body: all } : undefined;
    });
    expect(verdicts['articles/unknown-site']).toBe('fail');
  });
});
