import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { type Spoil, testResults, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { articles } from './list.ts';
import { articlePages } from './pages.ts';
import { articleReads } from './reads.ts';

const isOfSite = ({ path, status, query }: Exchanged) => path === '/articles' && status === 200 && query.has('siteId');

/** Later pages of a site lack their first article. */
const lacking = (isDeleted: boolean) => (): Spoil => {
  let lost = '';
  return (one) => {
    const isList = one.path === '/articles' && one.status === 200;
    const isKept = ({ id }: { id: string }) => id !== lost;
    if (isList && isDeleted && lost !== '') return withRows(one, one.body.data.filter(isKept));
    if (!isOfSite(one) || !one.query.has('cursor')) return undefined;
    lost = one.body.data[0].id;
    return withRows(one, one.body.data.slice(1));
  };
};

describe('the checks of articles', () => {
  testResults({ checks: [...articles, ...articleReads], run: { watch: true } }, [
    ['fail for a filter that lacks an article that can be read', 'articles/site-filter', 'fail', lacking(false)],
    [
      'leave a filter open that lacks a deleted one',
      'articles/site-filter',
      'inconclusive(interference)',
      lacking(true),
    ],
  ]);
});

/** A first page of 99 articles, and 101 for each limit out of range. */
const overMax = (next: string | null) => () => (one: Exchanged) => {
  if (one.path !== '/articles' || !/^(100|101)$/.test(one.query.get('limit') ?? '')) return undefined;
  const [row] = one.body.data ?? [{}];
  const rows = Array.from({ length: one.query.get('limit') === '100' ? 99 : 101 }, () => row);
  return { status: 200, body: { data: rows, cursor: next } };
};

describe('limits out of range', () => {
  testResults({ checks: articles }, [
    ['fail above 100 where a short page has a cursor', 'articles/bad-query', 'fail', overMax('2026-01-01T00:00:00Z')],
    ['are not sent where a page has every article', 'articles/bad-query', 'pass', overMax(null)],
  ]);
});

const cursor = (one: Exchanged) => one.query.get('cursor');
const limit = (one: Exchanged) => one.query.get('limit');

const short = () => (one: Exchanged) => {
  const data = one.body.data.slice(0, 19);
  const isShort = !['100', '1'].includes(limit(one) ?? '') && cursor(one) === null;
  return isShort ? { body: { data, cursor: data.at(-1).createdAt } } : undefined;
};

/** The last article has a cursor too, with an empty page after it. */
const endingIn = (end: (one: Exchanged) => string | null) => () => (one: Exchanged) =>
  limit(one) === '100' && !isOfSite(one)
    ? { body: { ...one.body, cursor: one.body.data.at(-1)?.createdAt ?? end(one) } }
    : undefined;

const firstAgain = () => {
  let first: readonly { readonly createdAt: string }[] = [];
  return (one: Exchanged) => {
    if (limit(one) !== '100' || isOfSite(one)) return undefined;
    if (cursor(one) === null) first = one.body.data;
    return { body: { data: first, cursor: first.at(-1)?.createdAt } };
  };
};

describe('the list of articles', () => {
  const checks = [...articles, ...articleReads];
  testResults({ checks }, [
    ['fails where an empty page has the cursor before it', 'articles/every-page', 'fail', endingIn(cursor)],
    ['may end in an empty page', 'articles/every-page', 'pass', endingIn(() => null)],
    ['fails where the last cursor leads to the first page again', 'articles/every-page', 'fail', firstAgain],
  ]);
  const endless = () => (one: Exchanged) =>
    one.path === '/articles' && one.status === 200 && limit(one) === '100' && cursor(one) === null
      ? { ...one, body: { ...one.body, cursor: null } }
      : undefined;
  testResults({ checks, variant: { articleCount: 130 } }, [
    ['fails where a full page has no cursor although articles follow', 'articles/reads-agree', 'fail', endless],
  ]);
  testResults({ checks, variant: { articleCount: 100 } }, [
    ['may end with a full page', 'articles/reads-agree', 'pass', () => () => undefined],
  ]);
});

/** Pages that lack an article, while the first of a hundred changes. */
const changing = (change: (rows: readonly object[]) => readonly object[]) => () => {
  let whole = 0;
  return (one: Exchanged) => {
    if (limit(one) === '100' && cursor(one) === null) whole += 1;
    if (whole > 1) return withRows(one, change(one.body.data));
    return cursor(one) === null ? undefined : withRows(one, one.body.data.slice(1));
  };
};

/** The timestamp of one article has an offset, and the page after it lacks an article. */
const offset = (): Spoil => {
  let id: string;
  return (one) => {
    if (one.path !== '/articles' || one.status !== 200) return undefined;
    if (limit(one) === '100' && cursor(one) === null) id ??= one.body.data[45].id;
    const shown = (iso: string) => `${new Date(Date.parse(iso) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    const withOffset = (row: { id: string; createdAt: string }) =>
      row.id === id ? { ...row, createdAt: shown(row.createdAt) } : row;
    const data = one.body.data.map(withOffset);
    const next = one.body.cursor === null ? null : data.at(-1).createdAt;
    return { body: { data: cursor(one)?.endsWith('+02:00') ? data.slice(1) : data, cursor: next } };
  };
};

describe('the default limit', () => {
  const withoutWalk = [...articles, ...articlePages].filter(({ id }) => id !== 'articles/page-walk');
  const isLater = (one: Exchanged) => cursor(one) !== null && limit(one) === null;
  const longer = () => (one: Exchanged) =>
    isLater(one) ? withRows(one, [...one.body.data, one.body.data[0]]) : undefined;
  testResults({ checks: withoutWalk, variant: { articleCount: 130 }, run: { requests: 12 } }, [
    ['fails for a longer page after a cursor', 'articles/default-limit', 'fail', longer],
    ['passes for that page', 'articles/default-limit', 'pass', () => () => undefined],
  ]);
});

describe('the checks of article pages', () => {
  const coming = changing((rows) => [{ ...rows[0], id: 'new' }, ...rows]);
  const going = changing((rows) => rows.slice(-1));
  testResults({ checks: articlePages, variant: { articleCount: 130 } }, [
    ['follow a cursor with an offset', 'articles/page-walk', 'fail', () => offset()],
  ]);

  testResults({ checks: articlePages }, [
    ['accept pages that are short by any name', 'articles/default-limit', 'pass', short],
    ['fail where a walk loses an article while others come', 'articles/page-walk', 'fail', coming],
    ['leave a walk open while its articles go', 'articles/page-walk', 'inconclusive(interference)', going],
  ]);

  test('warn of articles that a tie at a page edge can lose', async () => {
    expect((await bench({ checks: articlePages, variant: 'tied' })).results['articles/page-walk']).toBe('warn');
  });

  test('note nothing of a cursor that links to an empty last page', async () => {
    const { failures } = await bench({ checks: articlePages, variant: { articleEnd: 'empty-page', articleCount: 40 } });
    expect(failures).toEqual([]);
  });
});
