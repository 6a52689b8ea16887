import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/rigs/check-bench.ts';
import type { Answered, Spoiled } from '../../proof/rigs/rewriting-proxy.ts';
import { articlePages } from './04-article-pages.ts';
import { articleReads } from './04-article-reads.ts';
import { articles } from './04-articles.ts';

const checks = [...articles, ...articlePages, ...articleReads];

type Spoil = (one: Answered) => Spoiled | undefined;

const isList = ({ path, status }: Answered) => path === '/articles' && status === 200;
const isSecond = (one: Answered) => isList(one) && one.query.has('cursor') && !one.query.has('siteId');
const isOfSite = (one: Answered) => isList(one) && one.query.has('siteId') && one.status === 200;
const withCursor = ({ body }: Answered, cursor: unknown): Spoiled => ({ body: { ...body, cursor } });
const withRows = ({ body }: Answered, data: readonly unknown[]): Spoiled => ({ body: { ...body, data } });

const benchReads = (spoil: () => Spoil, articleCount = 57) =>
  bench({ checks, spoil, variant: { articleCount }, run: { watch: true } });

describe('the checks of every page of articles', () => {
  test.each(VARIANT_NAMES)('fail on no legal variant such as %s', async (variant) => {
    const { alarms } = await bench({ checks, variant, run: { watch: true } });
    expect(alarms.filter((alarm) => alarm !== 'articles/page-walk warn' || !/tied/.test(variant))).toEqual([]);
  });

  test.each<[string, Spoil, string]>([
    [
      'a second page that is too long',
      (one) =>
        isSecond(one) && !one.query.has('limit')
          ? withRows(one, [...one.body.data, { ...one.body.data[0], id: '00000000-0000-4000-8000-000000000001' }])
          : undefined,
      'articles/every-page',
    ],
    [
      'an article twice on a page of a site',
      (one) => (isOfSite(one) ? withRows(one, [...one.body.data.slice(0, 1), ...one.body.data]) : undefined),
      'articles/every-page',
    ],
    [
      'a cursor of the first article on a page of a site',
      (one) => (isOfSite(one) && one.body.cursor ? withCursor(one, one.body.data[0].createdAt) : undefined),
      'articles/every-page',
    ],
    ['an empty cursor at the end', (one) => (isSecond(one) ? withCursor(one, '') : undefined), 'articles/every-page'],
    [
      'no cursor after a page of one',
      (one) => (isList(one) && one.query.get('limit') === '1' ? withCursor(one, null) : undefined),
      'articles/reads-agree',
    ],
    [
      'a list without articles that its filter shows',
      (one) => {
        if (!isList(one) || isOfSite(one)) return undefined;
        const few = one.body.data.filter((_: unknown, index: number) => index === 0 || index % 5 > 0 || index > 50);
        return withRows(one, few);
      },
      'articles/page-walk',
    ],
  ])('catch %s', async (_, spoil, id) => {
    expect((await benchReads(() => spoil)).verdicts[id]).toBe('fail');
  });

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
