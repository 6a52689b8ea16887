import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/test-kit/check-bench.ts';
import type { Answered, Spoiled } from '../../proof/test-kit/rewriting-proxy.ts';
import { articlePages } from './04-article-pages.ts';
import { articleReads } from './04-article-reads.ts';
import { articleRecords } from './04-article-records.ts';
import { articles } from './04-articles.ts';

type Row = { readonly id: string; readonly title: string };
type Change = (row: Row, one: Answered) => object;

const checks = [...articles, ...articlePages, ...articleReads, ...articleRecords];
const isList = ({ path, status }: Answered) => path === '/articles' && status === 200;
const isLater = ({ query }: Answered) => query.has('cursor');

const changing = (change: Change) => () => (one: Answered) =>
  isList(one) ? { body: { ...one.body, data: one.body.data.map((row: Row) => change(row, one)) } } : undefined;

async function verdictOf(spoil: () => (one: Answered) => Spoiled | undefined, id = 'articles/one-record') {
  return (await bench({ checks, spoil })).verdicts[id];
}

describe('articles/one-record', () => {
  test.each(VARIANT_NAMES)('raises no alarm on the legal variant %s', async (variant) => {
    const { alarms } = await bench({ checks: [...articles, ...articleRecords], variant });
    expect(alarms.filter((alarm) => alarm.startsWith('articles/one-record'))).toEqual([]);
  });

  test.each<[string, Change, string]>([
    ['the same everywhere', (row) => row, 'pass'],
    ['another title behind a cursor', (row, one) => (isLater(one) ? { ...row, title: 'Untitled' } : row), 'fail'],
    [
      'another createdAt with a siteId',
      (row, one) => (one.query.has('siteId') ? { ...row, createdAt: '2020-01-01T00:00:00.000Z' } : row),
      'fail',
    ],
    [
      'another title and another updatedAt behind a cursor',
      (row, one) => (isLater(one) ? { ...row, title: 'New', updatedAt: '2026-05-01T12:00:00.000Z' } : row),
      'pass',
    ],
  ])('judges lists that show %s', async (_, change, verdict) => {
    expect(await verdictOf(changing(change))).toBe(verdict);
  });

  test('takes articles that are edited while pages are read for interference', async () => {
    let lists = 0;
    const spoil = changing((row) => (lists > 3 ? { ...row, title: 'Edited' } : row));
    const counted = () => (one: Answered) => {
      lists += isList(one) ? 1 : 0;
      return spoil()(one);
    };
    expect(await verdictOf(counted)).toBe('inconclusive(interference)');
  });
});

const notFound = { error: { code: 'not_found', message: '' } };

describe('articles/reads-agree', () => {
  const lacking = (isGone: (lists: number) => boolean) => () => {
    let lists = 0;
    return (one: Answered) => {
      lists += isList(one) ? 1 : 0;
      if (/^\/articles\//.test(one.path) && isGone(lists)) return { status: 404, body: notFound };
      const rows = isList(one) ? one.body.data : [];
      const isTold = isList(one) && !isLater(one) && !one.query.has('siteId') && rows.length > 10 && isGone(lists);
      return isTold ? { body: { ...one.body, data: rows.toSpliced(7, 2) } } : undefined;
    };
  };

  test.each<[string, (lists: number) => boolean, string]>([
    ['come back', (lists) => lists === 4, 'fail'],
    ['stay away', (lists) => lists > 3, 'inconclusive(interference)'],
  ])('judges articles that vanish and %s', async (_, isGone, verdict) => {
    const own = checks.filter(({ id }) => id !== 'articles/page-walk' || verdict !== 'fail');
    expect((await bench({ checks: own, spoil: lacking(isGone) })).verdicts['articles/reads-agree']).toBe(verdict);
  });
});
