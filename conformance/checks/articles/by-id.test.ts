import { describe } from 'vitest';
import { again, article, judges, page, siteId, uuid } from '../../../fixtures/test-kit/articles.ts';
import { type Spoil, testResults, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import type { Line } from '../../../fixtures/test-kit/history.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Judged } from '../../judge/judge.ts';
import { sites } from '../sites/sites.ts';
import { articleById } from './by-id.ts';
import { articles } from './list.ts';

const [unknownId, byId, inCapitals] = articleById as readonly [Judged, Judged, Judged];

const now = Date.UTC(2026, 4, 1);
const at = (ms: number): Partial<Exchange> => ({ sentAt: now + ms, receivedAt: now + ms + 10 });
const single = (fields: object, rest = at(0)): Line => [
  `good GET /articles/${uuid('9')}`,
  { data: article('9', { seoScore: 7, ...fields }) },
  rest,
];
const list: Line = ['good GET /articles', { data: [article('9', { seoScore: 7 })], cursor: null }];
const missing = (id: string, rest: Partial<Exchange> = {}): Line => [
  `good GET /articles/${id}`,
  { error: { code: 'not_found', message: '' } },
  rest,
];
const twice = (fields: object, witness: Line = list) => again([list, single(fields)], [1, 2], witness);
const same = '4.articles.get.same-id';
const readAt = (ms: number) => single({ updatedAt: new Date(now + ms).toISOString() }, at(ms));

judges(byId, [
  ['the article as listed', [list, single({})], 'pass'],
  ['another article', [list, single({ id: uuid('8') })], `fail ${same} x2`],
  ['an article that no page shows', [page('', '8'), single({})], 'inconclusive(vacuous)'],
  ['no article', again([list, missing(uuid('9'))], [2], list), 'fail 4.articles.get.endpoint x2'],
  [
    'no article, and then no listed one',
    again([list, missing(uuid('9'))], [2], page('', '8')),
    'inconclusive(interference)',
  ],
  [
    'a server error',
    [list, [`good GET /articles/${uuid('9')}`, { error: { code: 'internal', message: '' } }, { status: 500 }]],
    'fail 4.articles.get.endpoint x2',
  ],
  ['another title', twice({ title: 'Other' }), `fail ${same} x2`],
  ['another title, as later lists have it', twice({ title: 'Other' }, page('', '8')), 'inconclusive(interference)'],
  ['another createdAt', twice({ createdAt: '2001-01-01T00:00:00Z' }), `fail ${same} x2`],
  ['another siteId', twice({ siteId: uuid('d') }), `fail ${same} x2`],
  ['another updatedAt, both of them old', twice({ updatedAt: '2001-01-01T00:00:00Z' }), `fail ${same} x2`],
  ['no updatedAt', [list, single({ updatedAt: undefined })], 'pass'],
  ['another seoScore', [list, single({ seoScore: 1 })], 'pass'],
  ['no seoScore', twice({ seoScore: null }), `warn ${same} x2`],
  [
    'another title after an update that the list lacks',
    twice({ title: 'Other', updatedAt: '2026-04-30T23:59:59Z' }),
    `warn ${same} x2`,
    `warn ${same} x2`,
  ],
  ['the time of an update', again([list, readAt(0)], [1, 2], list), `warn ${same} x2`],
  ['the time of the read', again([list, readAt(0), readAt(1000), readAt(2000)], [1, 2], list), `fail ${same} x2`],
]);

const unknown = 'c0ffee00-dead-4bad-8bad-000000000000';
const label = 'article with an invalid id';

// biome-ignore format: one row a line
judges(unknownId, [
  ['404 for an unknown id', [missing(unknown)], 'pass'],
  ['an article for an unknown id', [[`good GET /articles/${unknown}`, { data: article('9') }]], 'fail 4.articles.get.not-found x1'],
  ['404 for a listed id', [missing(uuid('9'))], 'inconclusive(vacuous)'],
  [
    'an article for the end of an id',
    [[`good GET /articles/${uuid('9').slice(0, -12)}000000000000`, { data: article('9') }]],
    'fail 4.articles.get.not-found x1',
  ],
  ['404 for an invalid id', [missing('1', { label })], 'pass'],
  ['400 for an invalid id', [['good GET /articles/1', { error: { code: 'invalid_input', message: '' } }, { label }]], 'pass'],
  ['an article for a slug', [['good GET /articles/slug', { data: article('9') }, { label }]], 'fail 4.articles.get.id x1'],
]);

const [inIds, inSites] = [
  { label: 'article by an id in the other case' },
  { label: 'articles by a siteId in the other case' },
];
const [capitals, none] = [`/articles/${uuid('B')}`, page(`?siteId=${siteId.toUpperCase()}`, '', inSites)];
const ofId: Line = [`good GET /articles/${uuid('b')}`, { data: article('9', { id: uuid('b') }) }];

judges(inCapitals, [
  ['an id in capitals', [[`good GET ${capitals}`, ofId[1], inIds]], 'pass'],
  ['no article', again([ofId, missing(uuid('B'), inIds)], [2], ofId), 'warn 4.articles.get.id x2'],
  ['no article, which is gone', again([ofId, missing(uuid('B'), inIds)], [2]), 'inconclusive(interference)'],
  ['a siteId in capitals', [page('', '9'), page(`?siteId=${siteId.toUpperCase()}`, '9', inSites)], 'pass'],
  ['no articles', again([page('', '9'), none], [2], page('', '9')), 'warn 4.articles.list.site-id x2'],
]);

const isList = ({ path, status }: Exchanged) => path === '/articles' && status === 200;
const isFound = ({ path, status }: Exchanged) => path.startsWith('/articles/') && status === 200;

/** Only the articles of the first page can be read by their ids. */
const onlyFirst = (): Spoil => {
  let first: readonly string[] = [];
  return (one) => {
    if (isList(one) && first.length === 0) first = one.body.data.map(({ id }: { id: string }) => id);
    return isFound(one) && !first.includes(one.body.data.id) ? rejection(404, 'not_found') : undefined;
  };
};

/** Articles by their ids are of the first site. */
const ofFirstSite = (): Spoil => {
  let first: string | undefined;
  return (one) => {
    const all = one.path === '/sites' ? [...one.body.data.slice(1), one.body.data[0]] : [];
    if (all.length > 0) first = all[0].id;
    if (all.length > 0) return withRows(one, all);
    return isFound(one) && first ? withRows(one, { ...one.body.data, siteId: first }) : undefined;
  };
};

describe('the article that a run reads by its id', () => {
  const checks = [...articles, ...articleById, ...sites];
  testResults({ checks, variant: { articleCount: 130 }, run: { requests: 60 } }, [
    ['is one that only a page of its site has shown', 'articles/by-id', 'fail', onlyFirst],
    ['is not of the first site', 'articles/by-id', 'fail', ofFirstSite],
  ]);
});
