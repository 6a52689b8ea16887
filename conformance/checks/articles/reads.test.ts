import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, type ResultRow, testResults, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { type Check, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { articleEdges } from './edges.ts';
import { articles } from './list.ts';
import { articlePages } from './pages.ts';
import { articleReads, articleRecords } from './reads.ts';

const checks = [...articles, ...articlePages, ...articleEdges, ...articleReads];
const run = { watch: true } as const;

interface Row {
  readonly id: string;
  readonly siteId: string;
  readonly createdAt: string;
}

const isList = ({ path, status }: Exchanged) => path === '/articles' && status === 200;
const isOfSite = (one: Exchanged) => isList(one) && one.query.has('siteId');

describe('the checks of articles', () => {
  const coming = counted(isList, (one, count) =>
    count === 1 ? withRows(one, one.body.data.toSpliced(30, 1)) : undefined,
  );
  const pageAgain = () => {
    let page: object | null = null;
    let isShown = false;
    return (one: Exchanged) => {
      if (!isOfSite(one) || isShown) return undefined;
      if (!one.query.has('cursor')) page = one.body;
      else isShown = page !== null;
      return isShown ? { body: page } : undefined;
    };
  };
  testResults({ checks, run, variant: { articleCount: 57 } }, [
    ['leave an article open that comes meanwhile', 'articles/reads-agree', 'inconclusive(interference)', coming],
    ['fail where a page once has only articles of the page before it', 'articles/every-page', 'fail', pageAgain],
  ]);

  test('let a server sort as it likes', async () => {
    const { failures } = await bench({ checks, variant: { articleOrder: 'title' }, run });
    expect(failures).toEqual([]);
  });
});

const ofRecords = [...articles, ...articlePages, ...articleReads, ...articleRecords];
const isLater = ({ query }: Exchanged) => query.has('cursor');

const listing = (result: string, title: string, fieldsOf: (one: Exchanged, count: number) => object): ResultRow => [
  title,
  'articles/one-record',
  result,
  counted(isList, (one, count) => {
    const fields = fieldsOf(one, count);
    const rows = one.body.data.map((row: Row) => ({ ...row, ...fields }));
    return withRows(one, rows);
  }),
];

describe('articles/one-record', () => {
  const [old, edited] = [{ createdAt: '2020-01-01T00:00:00Z' }, { title: 'New', updatedAt: '2026-05-01T12:00:00Z' }];
  testResults({ checks: ofRecords }, [
    listing('pass', 'accepts the same everywhere', () => ({})),
    listing('fail', 'fails for another title after a cursor', (one) => (isLater(one) ? { title: 'Untitled' } : {})),
    listing('fail', 'fails for another createdAt with a siteId', (one) => (isOfSite(one) ? old : {})),
    listing('pass', 'accepts another title and updatedAt after a cursor', (one) => (isLater(one) ? edited : {})),
    listing('inconclusive(interference)', 'leaves edits meanwhile open', (_, at) => (at > 3 ? { title: 'New' } : {})),
  ]);
});

describe('articles/reads-agree', () => {
  /** Two articles are missing from the first page while `isGone` of the number of lists. */
  const vanishing = (title: string, result: string, isGone: (lists: number) => boolean, at = 7): ResultRow => [
    title,
    'articles/reads-agree',
    result,
    () => {
      let lists = 0;
      return (one) => {
        lists += Number(isList(one));
        if (/^\/articles\//.test(one.path) && isGone(lists)) return rejection(404, 'not_found');
        const isChanged = isList(one) && !isLater(one) && !isOfSite(one) && one.body.data.length > 10 && isGone(lists);
        return isChanged ? withRows(one, one.body.data.toSpliced(at, 2)) : undefined;
      };
    },
  ];
  const withoutWalk = checks.filter(({ id }) => !/page-walk|limit-of-one/.test(id));
  // Too few for a page without limit that begins at a cursor.
  testResults({ checks: withoutWalk, variant: { articleCount: 21 } }, [
    vanishing('fails for articles that vanish and come back', 'fail', (lists) => lists === 7),
    vanishing('fails for articles that vanish from the start and come back', 'fail', (lists) => lists === 7, 0),
  ]);
  const isAfterCursor = (one: Exchanged) => isList(one) && isLater(one) && !isOfSite(one) && one.body.data.length > 6;
  const lacking = () => (one: Exchanged) =>
    isAfterCursor(one) ? withRows(one, one.body.data.toSpliced(3, 1)) : undefined;
  const fromBefore = () => {
    let first: Row | undefined;
    return (one: Exchanged) => {
      if (isList(one) && !isLater(one) && !isOfSite(one)) first ??= one.body.data[0];
      return isAfterCursor(one) && first ? withRows(one, one.body.data.with(5, first)) : undefined;
    };
  };
  testResults({ checks: withoutWalk, variant: { articleOrder: 'title' } }, [
    ['fails where a page after a cursor lacks an article, in whatever order', 'articles/reads-agree', 'fail', lacking],
    ['fails where a page after a cursor shows an article from before it', 'articles/every-page', 'fail', fromBefore],
  ]);
  testResults({ checks }, [
    vanishing('lets articles vanish and stay away', 'inconclusive(interference)', (lists) => lists > 3),
  ]);

  const [twoPages] = defineChecks({ phase: 'read' }, [
    {
      ...{ id: 'articles/two-pages', title: 'Reads two pages', cites: ['4.articles.list.walk'], cost: { requests: 2 } },
      async run(probe: Probe) {
        const { json } = await probe.get('listArticles', { limit: 30 });
        const cursor = (json as { data: Row[] }).data[9]?.createdAt;
        await probe.get('listArticles', { limit: 10, cursor });
        probe.stop('vacuous', 'reads only');
      },
    },
  ]);
  type Page = (own: readonly Row[], first: readonly Row[], pages: number) => readonly Row[];
  const paged = (title: string, result: string, page: Page): ResultRow => [
    `checks a page after the tenth article that shows ${title}`,
    'articles/reads-agree',
    result,
    () => {
      let [first, pages]: [Row[], number] = [[], 0];
      return (one) => {
        if (!isList(one)) return undefined;
        if (!isLater(one)) first = one.body.data;
        else pages += 1;
        return isLater(one) ? withRows(one, page(one.body.data, first, pages)) : undefined;
      };
    },
  ];
  testResults({ checks: [twoPages as Check, ...articleReads] }, [
    paged('the first page in each read', 'fail', (_, first) => first),
    paged('the first page in one read', 'inconclusive(interference)', (own, first, pages) => (pages > 1 ? own : first)),
    paged('the next articles', 'inconclusive(vacuous)', (own) => own),
    paged('all but the eleventh', 'fail', (own) => own.slice(1)),
    paged('the tenth once more', 'fail', (own, first) => [...first.slice(9, 10), ...own]),
  ]);
});
