import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { type Check, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { articleEdges } from './edges.ts';
import { articles } from './list.ts';
import { articlePages } from './pages.ts';
import { articleReads, articleRecords } from './reads.ts';

const checks = [...articles, ...articlePages, ...articleEdges, ...articleReads];

type Spoil = (one: Exchanged) => Spoiled | undefined;

const isList = ({ path, status }: Exchanged) => path === '/articles' && status === 200;
const isOfSite = (one: Exchanged) => isList(one) && one.query.has('siteId') && one.status === 200;
const withRows = ({ body }: Exchanged, data: readonly unknown[]): Spoiled => ({ body: { ...body, data } });

const benchReads = (spoil: () => Spoil, articleCount = 57) =>
  bench({ checks, spoil, variant: { articleCount }, run: { watch: true } });

describe('the checks of articles', () => {
  test('take an article that comes while pages are read for interference', async () => {
    const { results } = await benchReads(() => {
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
    expect(results['articles/reads-agree']).toBe('inconclusive(interference)');
  });

  test('take an article that moves to another site while pages are read for interference', async () => {
    const { results } = await benchReads(() => {
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
    expect(results['articles/reads-agree']).toBe('inconclusive(interference)');
  });

  test('take a page that repeats an article in one of two reads for interference', async () => {
    const { results } = await benchReads(() => {
      let pages = 0;
      return (one) => {
        if (!isOfSite(one)) return undefined;
        pages += 1;
        return pages === 1 ? withRows(one, one.body.data.with(1, one.body.data[0])) : undefined;
      };
    });
    expect(results['articles/every-page']).toBe('inconclusive(interference)');
  });

  test('let a server sort as it likes', async () => {
    const { failures } = await bench({ checks, variant: { articleOrder: 'title' }, run: { watch: true } });
    expect(failures).toEqual([]);
  });
});

type Row = { readonly id: string; readonly title: string };
type Change = (row: Row, one: Exchanged) => object;

const ofRecords = [...articles, ...articlePages, ...articleReads, ...articleRecords];
const isLater = ({ query }: Exchanged) => query.has('cursor');

const changing = (change: Change) => () => (one: Exchanged) =>
  isList(one) ? { body: { ...one.body, data: one.body.data.map((row: Row) => change(row, one)) } } : undefined;

async function resultOf(spoil: () => (one: Exchanged) => Spoiled | undefined, id = 'articles/one-record') {
  return (await bench({ checks: ofRecords, spoil })).results[id];
}

describe('articles/one-record', () => {
  test.each<[string, Change, string]>([
    ['the same everywhere', (row) => row, 'pass'],
    ['another title after a cursor', (row, one) => (isLater(one) ? { ...row, title: 'Untitled' } : row), 'fail'],
    [
      'another createdAt with a siteId',
      (row, one) => (one.query.has('siteId') ? { ...row, createdAt: '2020-01-01T00:00:00.000Z' } : row),
      'fail',
    ],
    [
      'another title and another updatedAt after a cursor',
      (row, one) => (isLater(one) ? { ...row, title: 'New', updatedAt: '2026-05-01T12:00:00.000Z' } : row),
      'pass',
    ],
  ])('checks lists that show %s', async (_, change, result) => {
    expect(await resultOf(changing(change))).toBe(result);
  });

  test('takes articles that are edited while pages are read for interference', async () => {
    let lists = 0;
    const spoil = changing((row) => (lists > 3 ? { ...row, title: 'Edited' } : row));
    const counted = () => (one: Exchanged) => {
      lists += isList(one) ? 1 : 0;
      return spoil()(one);
    };
    expect(await resultOf(counted)).toBe('inconclusive(interference)');
  });
});

const notFound = { error: { code: 'not_found', message: '' } };

describe('articles/reads-agree', () => {
  const lacking = (isGone: (lists: number) => boolean, at: number) => () => {
    let lists = 0;
    return (one: Exchanged) => {
      lists += isList(one) ? 1 : 0;
      if (/^\/articles\//.test(one.path) && isGone(lists)) return { status: 404, body: notFound };
      const rows = isList(one) ? one.body.data : [];
      const isChanged = isList(one) && !isLater(one) && !one.query.has('siteId') && rows.length > 10 && isGone(lists);
      return isChanged ? { body: { ...one.body, data: rows.toSpliced(at, 2) } } : undefined;
    };
  };

  test.each<[string, (lists: number) => boolean, string, number]>([
    ['come back', (lists) => lists === 4, 'fail', 7],
    ['come back at the start of the list', (lists) => lists === 4, 'fail', 0],
    ['stay away', (lists) => lists > 3, 'inconclusive(interference)', 7],
  ])('checks articles that vanish and %s', async (_, isGone, result, at) => {
    const own = checks.filter(({ id }) => id !== 'articles/page-walk' || result !== 'fail');
    expect((await bench({ checks: own, spoil: lacking(isGone, at) })).results['articles/reads-agree']).toBe(result);
  });

  const [twoPages] = defineChecks({ phase: 'read' }, [
    {
      ...{ id: 'articles/two-pages', title: 'Reads two pages', cites: ['4.articles.list.walk'], cost: { requests: 2 } },
      async run(probe: Probe) {
        const { json } = await probe.get('listArticles', { limit: 10 });
        await probe.get('listArticles', { limit: 10, cursor: (json as { cursor: string }).cursor });
        probe.stop('vacuous', 'reads only');
      },
    },
  ]);

  test.each<[string, (pages: number) => boolean, string]>([
    ['in each read', () => true, 'fail'],
    ['in one read', (pages) => pages === 1, 'inconclusive(interference)'],
    ['in no read', () => false, 'inconclusive(vacuous)'],
  ])('checks a page after a cursor that shows the first page %s', async (_, isTurned, result) => {
    const spoil = () => {
      let [first, pages]: [Row[], number] = [[], 0];
      return (one: Exchanged) => {
        if (!isList(one)) return undefined;
        if (!isLater(one)) first = one.body.data;
        else pages += 1;
        return isLater(one) && isTurned(pages) ? withRows(one, first) : undefined;
      };
    };
    const { results } = await bench({ checks: [twoPages as Check, ...articleReads], spoil });
    expect(results['articles/reads-agree']).toBe(result);
  });
});
