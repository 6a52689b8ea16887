import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench, testKills } from '../../proof/test-kit/check-bench.ts';
import type { Answered, Spoiled } from '../../proof/test-kit/rewriting-proxy.ts';
import { articleEdges } from './04-article-edges.ts';
import { articlePages } from './04-article-pages.ts';
import { articleReads } from './04-article-reads.ts';
import { articles } from './04-articles.ts';

const checks = [...articles, ...articlePages, ...articleEdges, ...articleReads];

type Spoil = (one: Answered) => Spoiled | undefined;

const isList = ({ path, status }: Answered) => path === '/articles' && status === 200;
const isOfSite = (one: Answered) => isList(one) && one.query.has('siteId') && one.status === 200;
const withRows = ({ body }: Answered, data: readonly unknown[]): Spoiled => ({ body: { ...body, data } });

const benchReads = (spoil: () => Spoil, articleCount = 57) =>
  bench({ checks, spoil, variant: { articleCount }, run: { watch: true } });

describe('the checks of every page of articles', () => {
  test.each(VARIANT_NAMES)('fail on no legal variant such as %s', async (variant) => {
    const { alarms } = await bench({ checks, variant, run: { watch: true } });
    expect(alarms.filter((alarm) => alarm !== 'articles/page-walk warn' || !/tied/.test(variant))).toEqual([]);
  });

  testKills(
    { checks, run: { watch: true } },
    {
      'articles-limit-ignored': 'articles/every-page',
      'articles-hundred-are-the-end': 'articles/reads-agree',
    },
  );

  test('take an article that comes while pages are read for interference', async () => {
    const { verdicts } = await benchReads(() => {
      let pages = 0;
      return (one) => {
        if (!isList(one)) return undefined;
        pages += 1;
        return pages === 1
          ? withRows(
              one,
              one.body.data.filter((_: unknown, index: number) => index !== 30),
            )
          : undefined;
      };
    });
    expect(verdicts['articles/reads-agree']).toBe('inconclusive(interference)');
  });

  test('take an article that moves to another site while pages are read for interference', async () => {
    const { verdicts } = await benchReads(() => {
      let whole: { id: string; siteId: string }[] = [];
      const siteId = '00000000-0000-4000-8000-000000000001';
      return (one) => {
        if (isList(one) && !isOfSite(one) && whole.length === 0) whole = one.body.data;
        const moved = whole[6]?.id;
        const move = (row: { id: string }) => (row.id === moved ? { ...row, siteId } : row);
        if (one.path === `/articles/${moved}`) return { body: { data: move(one.body.data) } };
        if (!isList(one) || one.query.get('siteId') !== whole[6]?.siteId) return undefined;
        return withRows(
          one,
          one.body.data.filter(({ id }: { id: string }) => id !== moved),
        );
      };
    });
    expect(verdicts['articles/reads-agree']).toBe('inconclusive(interference)');
  });

  test('take a page that repeats an article in one of two reads for interference', async () => {
    const { verdicts } = await benchReads(() => {
      let pages = 0;
      return (one) => {
        if (!isOfSite(one)) return undefined;
        pages += 1;
        return pages === 1 ? withRows(one, one.body.data.with(1, one.body.data[0])) : undefined;
      };
    });
    expect(verdicts['articles/every-page']).toBe('inconclusive(interference)');
  });

  test('let a server sort as it likes', async () => {
    const { alarms } = await bench({ checks, variant: { articleOrder: 'title' }, run: { watch: true } });
    expect(alarms).toEqual([]);
  });
});
