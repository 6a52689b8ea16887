import { describe, expect, test } from 'vitest';
import { again, article, articles, cursorIn, judges, page, siteId, uuid } from '../../../fixtures/test-kit/articles.ts';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { type Spoil, testResults } from '../../../fixtures/test-kit/check-tests.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { type Judged, nextToConfirm } from '../../judge/judge.ts';
import { articleById } from './by-id.ts';
import { articlePages, articles as lists } from './list.ts';

const [list, invalidQuery, filter] = lists as readonly [Judged, Judged, Judged];
const open = (reason: string) => `inconclusive(${reason})`;

const error = (query: string, code: string, rest: Partial<Exchange> = {}): Line => [
  `good GET /articles${cursorIn(query)}`,
  { error: { code, message: '' } },
  rest,
];
const broken = { status: 500 };
type Many = { readonly cursor?: string | null; readonly from?: number } & Partial<Exchange>;
/** So many articles of one day, with ids from a number on. */
const many = (query: string, length: number, { cursor = null, from = 100, ...rest }: Many = {}): Line => {
  const id = (at: number) => `${uuid('c').slice(0, -3)}${from + at}`;
  return articles(
    query,
    Array.from({ length }, (_, at) => article('7', { id: id(at) })),
    cursor,
    rest,
  );
};
const cursor = article('7').createdAt;
const short = many('', 19, { cursor });

judges(list, [
  ['a limit of 100', [page('?limit=100', '98')], 'pass'],
  ['a rejected limit', [error('?limit=1', 'invalid_input')], 'fail 4.articles.list.limit x1'],
  [
    'a rejected cursor',
    [page('?limit=1', '9>'), error('?cursor=<9', 'invalid_input')],
    'fail 4.articles.list.cursor x2',
  ],
  ['a server error', [page('', '9>'), error('?cursor=<9', 'internal', broken)], 'fail 4.articles.list.statuses x2'],
  ['an invalid limit', [error('?limit=101', 'invalid_input')], open('vacuous')],
  ['a platform in trouble', [error('?limit=1', 'transient')], open('vacuous')],
  ['a rejection in a burst', [error('', 'not_found', { burst: true })], open('vacuous')],
  ['a smaller maximum', [many('?limit=100', 50, { cursor }), page('?cursor=<7', '6')], 'warn 4.articles.list.limit x1'],
  ['a short page', [many('?limit=100', 51, { cursor }), page('?cursor=<7', '6')], 'pass'],
  ['a last page with a cursor', [many('?limit=100', 50, { cursor }), page('?cursor=<7', '')], 'pass'],
  [
    '19 articles by default, and 20 by name',
    again([many('?limit=100', 20), short, many('?limit=20', 20, { cursor })], [2], many('?limit=20', 20)),
    'fail 4.articles.list.limit x2',
  ],
  ['19 articles in any case', [short, many('?limit=20', 19, { cursor })], 'pass', 'note 4.articles.list.limit x1'],
  ['19 articles, one of which is new', again([many('?limit=20', 20, { from: 101 }), short], [2]), open('interference')],
]);

const label = 'articles with an invalid query';
const unexpected = (query: string, length: number) => many(query, length, { label });
const isLong = many('?limit=100', 100, { cursor });
const few = page('?limit=100', '98');

judges(invalidQuery, [
  ['a rejection', [error('?limit=0', 'invalid_input', { label })], 'pass'],
  ['a server error', [error('?limit=0', 'internal', { ...broken, label })], 'fail 4.articles.list.statuses x1'],
  ['more than 100 articles', [isLong, unexpected('?limit=101', 101)], 'fail 4.articles.list.limit-ceiling x2'],
  ['the first 100', [isLong, unexpected('?limit=101', 100)], 'pass'],
  ['a limit of 0 that is ignored', [few, unexpected('?limit=0', 21)], 'warn 4.articles.list.limit x2'],
  ['a limit of 0 that means the default', [few, unexpected('?limit=0', 20)], 'pass'],
  ['no list', [['good GET /articles?limit=0', { data: null }, { label }]], open('precondition')],
  [
    'a limiter',
    [['good GET /articles?limit=0', { error: 'rate_limited' }, { label, status: 429 }]],
    open('interference'),
  ],
]);

const unknownId = 'c0ffee00-dead-4bad-8bad-000000000000';
const ofSite = `?siteId=${siteId}`;
const sites = (...ids: readonly string[]): Line => ['good GET /sites', { data: ids.map((id) => ({ id })) }];
const whole = page('?limit=100', '98');
const gone = error(ofSite, 'not_found');
const one: Line = [`good GET /sites/${siteId}`, { data: { id: siteId } }];

// biome-ignore format: one row a line
judges(filter, [
  ['articles of the site', [whole, page(ofSite, '97')], 'pass'],
  ['articles of one site', [page('', '97'), page(ofSite, '97')], open('vacuous')],
  ['articles of another site', [whole, page(ofSite, '98')], 'fail 4.articles.list.site-id x2'],
  ['a page of another site', [whole, page(`${ofSite}&limit=1`, '9>'), page(`${ofSite}&cursor=<9`, '8')], 'fail 4.articles.list.site-id x3'],
  ['all articles for the id in capitals', [whole, page(ofSite.toUpperCase().replace('SITEID', 'siteId'), '98')], 'fail 4.articles.list.site-id x2'],
  ['none for the id in capitals', [whole, error(ofSite.toUpperCase().replace('SITEID', 'siteId'), 'not_found')], open('vacuous')],
  ['a listed site that is not found', again([sites(siteId), whole, gone], [3], one), 'fail 4.articles.list.site-id x3'],
  ['a site that is deleted', again([sites(siteId), whole, gone], [3]), open('interference')],
  ['a site that is rejected', [whole, error(ofSite, 'invalid_input')], 'fail 4.articles.list.site-id x2'],
  ['a site of others', [whole, error(`?siteId=${uuid('d')}`, 'not_found')], open('vacuous')],
  ['an unknown site', [whole, error(`?siteId=${unknownId}`, 'not_found')], 'pass'],
  ['an unknown site without articles', [whole, page(`?siteId=${unknownId}`, '')], 'pass'],
  ['all articles for an unknown site', [whole, page(`?siteId=${unknownId}`, '98')], 'fail 4.articles.list.site-id x2'],
  ['a server error for an unknown site', [whole, error(`?siteId=${unknownId}`, 'internal', broken)], 'fail 1.organization-scope x2'],
]);

test('the articles of a recording can be of a key that is invalid', () => {
  const rejected = historyOf([error('?limit=100', 'unauthorized'), whole, gone], { isRecorded: true });
  for (const check of [list, filter]) expect(judged(check, rejected).findings).toEqual([]);
});

test('the witness of a finding is sent although another check has repeated its requests', () => {
  const lines = again([sites(siteId), whole, gone], [3]);
  const witness = { operation: 'getSite', params: { id: siteId } };
  expect(nextToConfirm(filter, historyOf(lines))?.witness).toEqual(witness);
  expect(nextToConfirm(filter, historyOf([...lines, [one[0], one[1], { confirms: 'witness' }]]))).toBe(null);
});

describe('the scenarios of article lists', () => {
  const checks = [...lists, ...articlePages, ...articleById];
  const run = { watch: true } as const;
  test.each([
    { articleOrder: 'title' },
    { articleEnd: 'empty-page', articleCount: 40 },
    { articleCount: 100 },
    { articleCount: 1 },
  ] as const)('find nothing where %o', async (variant) => {
    expect((await bench({ checks, variant, run })).failures).toEqual([]);
  });

  test('warn of articles that a tie at a page edge can lose', async () => {
    expect((await bench({ checks, variant: 'tied' })).results['articles/page-walk']).toBe('warn');
  });

  /** The timestamp of one article has an offset, and the page after it lacks an article. */
  const offset = (): Spoil => {
    let id: string;
    return ({ path, status, query, body }) => {
      if (path !== '/articles' || status !== 200) return undefined;
      if (query.get('limit') === '100' && !query.has('cursor')) id ??= body.data[45].id;
      const shown = (iso: string) => `${new Date(Date.parse(iso) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
      const withOffset = (row: { id: string; createdAt: string }) =>
        row.id === id ? { ...row, createdAt: shown(row.createdAt) } : row;
      const data = body.data.map(withOffset);
      const next = body.cursor === null ? null : data.at(-1).createdAt;
      return { body: { data: query.get('cursor')?.endsWith('+02:00') ? data.slice(1) : data, cursor: next } };
    };
  };
  testResults({ checks, variant: { articleCount: 130 } }, [
    ['follow a cursor with an offset', 'articles/page-walk', 'fail', offset],
  ]);
});
