import { describe, expect, it, test } from 'vitest';
import type { Shape } from '../../src/contract/shape.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { lookAt, rowsSeenMax } from '../exchange/look.ts';
import { connectObservers } from './connect.ts';
import { inputObservers, snapshotRunning } from './lists.ts';
import { observeOne } from './observe.ts';
import { responseObservers } from './responses.ts';

const accountId = '5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f745';
const response = (operation: string, target: string, status: number, json: unknown, headers = {}) =>
  ({
    id: target,
    operation,
    target,
    url: `http://x${target}`,
    status,
    key: 'good',
    problem: 'none',
    json,
    headers,
  }) as unknown as Exchange;
const accounts = response('listAccounts', '/connect/accounts', 200, {
  data: {
    accounts: [{ accountId, provider: 'google_business', status: 'connected', locked: false }],
    pendingInvites: [],
  },
});
const reviews = (query: string, status: number) =>
  response('listReviews', `/connect/accounts/${accountId}/reviews${query}`, status, {
    ...(status === 200
      ? { data: { reviews: [], nextCursor: null } }
      : { error: { code: 'invalid_input', message: '' } }),
  });

test('only the page of a given cursor shows whether the last page is empty', () => {
  const page = (query: string, shown: readonly object[], nextCursor: string | null) =>
    response('listReviews', `/connect/accounts/${accountId}/reviews${query}`, 200, {
      data: { reviews: shown, nextCursor },
    });
  const seen = (...exchanges: Exchange[]) =>
    connectObservers.reviewLastPage(lookAt([accounts, ...exchanges], null)).map(({ value }) => value);
  expect(seen(page('', [], null), page('?cursor=nope', [], null))).toEqual([]);
  expect(seen(page('', [{ reviewId: '1' }], 'c1'), page('?cursor=c1', [], null))).toEqual(['empty']);
});

test.each([
  ['an invalid cursor that is rejected', [reviews('?cursor=nope', 400)], ['reject']],
  ['an invalid cursor that is ignored', [reviews('?cursor=nope', 200)], ['ignore']],
  ['an empty cursor, which counts as absent', [reviews('?cursor=', 200), reviews('?cursor=nope', 400)], ['reject']],
  ['no cursor', [reviews('', 200)], []],
] as const)('%s', (_name, exchanges, values) => {
  const seen = inputObservers.badReviewCursor(lookAt([accounts, ...exchanges], null));
  expect(seen.map(({ value }) => value)).toEqual(values);
});

const over = { id: 1, startedAt: '2026-03-01T11:00:00Z', endedAt: '2026-03-01T11:05:00Z' };
const open = { ...over, endedAt: null };
const page = (calls: readonly object[], query: string) =>
  ({
    id: `x${query}`,
    operation: 'listCalls',
    status: 200,
    key: 'good',
    problem: 'none',
    url: `http://x/api/v1/connect/calls/log${query}`,
    target: `/connect/calls/log${query}`,
    json: { data: { calls, nextCursor: null }, summary: '' },
  }) as unknown as Exchange;
const polled = (...calls: object[]) => page(calls, '?since=2026-01-01T00:00:00Z');
const snapshot = (...calls: object[]) => page(calls, '');

test.each([
  ['a call without an end, next to settled ones', [polled(over), snapshot(open, over)], ['show']],
  ['an end that is left out', [polled(over), snapshot({ id: 2, startedAt: over.startedAt })], ['show']],
  ['an end deeper in the record', [polled({ timing: over }), snapshot({ timing: open })], ['show']],
  ['settled calls only', [polled(over), snapshot(over)], []],
  ['no settled call that shows the end', [snapshot(open)], []],
  ['a field that settled calls lack too', [polled(over, open), snapshot(open)], []],
  ['no field that says when a call ended', [polled({ id: 1 }), snapshot({ id: 2 })], []],
] as const)('%s', (_name, exchanges, values) => {
  expect(snapshotRunning(lookAt([...exchanges], null)).map(({ value }) => value)).toEqual(values);
});

let id = 0;
function articles(query: string, status: number, rows = 0): Exchange {
  id += 1;
  const data = Array.from({ length: rows }, () => ({}));
  const json = status === 200 ? { data, cursor: 'next' } : { error: { code: 'invalid_input', message: '' } };
  const target = `/articles?${query}`;
  return {
    id: `x${id}`,
    operation: 'listArticles',
    key: 'good',
    target,
    status,
    json,
    receivedAt: 0,
  } as unknown as Exchange;
}

const seen = (name: Parameters<typeof observeOne>[0], exchanges: Exchange[]) =>
  observeOne(name, { exchanges, results: [], keyPrefix: null });

it.each([
  ['articleLimitBelow', 'limit=0', 'clamp', 1],
  ['articleLimitNegative', 'limit=-1', 'ignore', 20],
  ['articleLimitFraction', 'limit=1.5', 'truncate', 1],
  ['articleLimitEmpty', 'limit=', 'ignore', 20],
  ['articleLimitAbove', 'limit=101', 'clamp', 40],
  ['articleLimitAbove', 'limit=101', 'ignore', 20],
  ['emptyArticleSite', 'siteId=', 'ignore', 20],
] as const)('reads %s from a success of %s as %s', (name, query, value, rows) => {
  expect(seen(name, [articles(query, 200, rows)])).toMatchObject({ state: 'known', value });
  expect(seen(name, [articles(query, 400)])).toMatchObject({ state: 'known', value: 'reject' });
  expect(seen(name, [articles('limit=5', 400), articles(`${query}&cursor=x`, 400)]).state).toBe('unknown');
});

it('calls one request with two responses a mixture, and two requests with two responses a dependence on the input', () => {
  const one = [articles('limit=101', 400), articles('limit=101', 200, 40)];
  expect(seen('articleLimitAbove', one)).toMatchObject({ state: 'mixed' });
  const two = [articles('limit=999999', 400), articles('limit=101', 200, 40)];
  expect(seen('articleLimitAbove', two)).toMatchObject({ state: 'known', value: 'clamp', varies: true });
});

const exchange = (operation: string, json: object) =>
  ({
    id: operation,
    operation,
    key: 'good',
    target: `/${operation}`,
    status: 200,
    json,
    headers: {},
  }) as unknown as Exchange;

it('learns formats and shares of each field, by the state of a record, and no value', () => {
  const article = (n: number, status: string, publishedAt: string | null) => ({
    id: `${n}`,
    status,
    publishedAt,
    title: `Ada ${n}`,
  });
  const data = [article(1, 'draft', null), article(2, 'published', '2026-01-01T00:00:00Z'), article(3, 'draft', null)];
  const page = exchange('listArticles', { data: [...data, article(3, 'draft', null)], cursor: null });
  const accounts = exchange('listAccounts', { data: { accounts: [], pendingInvites: [] }, summary: '' });
  const state = observeOne('records', { exchanges: [page, accounts], results: [], keyPrefix: null });
  expect(state).toMatchObject({
    state: 'known',
    value: {
      fields: {
        article: {
          fields: {
            publishedAt: { form: 'YYYY-MM-DDThh:mm:ssZ', nullable: true, nulls: { draft: 1, published: 0 } },
            title: { type: 'string', form: 'text' },
          },
        },
        envelope: { fields: { summary: { blanks: 1 } } },
      },
    },
  });
  expect(JSON.stringify(state)).not.toContain('Ada');
});

it.each([
  ['is left out', {}, 'null'],
  ['is there', { aggregate: { ratingValue: 0, reviewCount: 0 } }, 'object'],
])('learns whether the aggregate of an account without ratings %s', (_what, aggregate, type) => {
  const pages = [
    exchange('listReviews', { data: { reviews: [], nextCursor: null, ...aggregate } }),
    exchange('listReviews', { data: { reviews: [{ rating: 5 }], aggregate: { ratingValue: 5, reviewCount: 1 } } }),
  ];
  const state = observeOne('records', { exchanges: pages, results: [], keyPrefix: null });
  const { unratedPage } = (state.state === 'unknown' ? null : (state.value as Shape))?.fields ?? {};
  expect([unratedPage?.type, unratedPage?.fields?.aggregate?.type]).toEqual(['object', type]);
});

const listing = (json: unknown) => response('listSites', '/sites', 200, json);
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `s${index}` }));
const lookedAt = (json: unknown) => lookAt([listing(json)], null).exchanges[0]?.json;

describe('what observers look at', () => {
  test.each<[string, (list: object[]) => unknown]>([
    ['a list', (data) => ({ data, cursor: null })],
    ['a list within data', (calls) => ({ data: { calls, nextCursor: null } })],
  ])('is the beginning of %s that has very many rows, and all of another', (_, jsonOf) => {
    const all = jsonOf(rows(rowsSeenMax));
    expect(lookedAt(all)).toBe(all);
    expect(lookedAt(jsonOf(rows(rowsSeenMax + 1)))).toEqual(all);
  });

  test.each([[null], ['text'], [{ data: null }], [{ error: {} }]])('is %j as it came', (json) => {
    expect(lookedAt(json)).toBe(json);
  });

  test('knows every site all the same', () => {
    expect(lookAt([listing({ data: rows(rowsSeenMax + 5) })], null).siteIds?.size).toBe(rowsSeenMax + 5);
  });
});

const articlesOf = (status: number, json: object, headers = {}) =>
  response('listArticles', '/articles', status, json, headers);
const challenges = (id: 'challengeForm', exchange: Exchange) =>
  responseObservers[id](lookAt([exchange], null)).map(({ value }) => value);

describe('the challenge', () => {
  const rejection = { error: { code: 'unauthorized', message: '' } };

  test.each([
    ['Bearer', ['Bearer']],
    ['Bearer realm="Customer 17, Inc."', ['Bearer realm']],
    [
      'bearer  realm=api,error="invalid_token" , error_description="a, \'b\'"',
      ['bearer realm, error, error_description'],
    ],
    ['Bearer realm="a", Basic realm="b"', []],
    ['Negotiate abc==', []],
    ['Bearer realm="unended', []],
    ['', []],
    [`Bearer ${'x'.repeat(5000)}="1"`, []],
    [`Bearer ${Array.from({ length: 9 }, (_, i) => `a${'b'.repeat(i)}=1`).join(', ')}`, []],
  ])('%s is read without its values', (header, values) => {
    expect(challenges('challengeForm', articlesOf(401, rejection, { 'www-authenticate': header }))).toEqual(values);
  });

  test('of a 401 for a connected account is inconclusive', () => {
    const json = { error: { code: 'provider_auth', message: '' } };
    expect(challenges('challengeForm', articlesOf(401, json, { 'www-authenticate': 'Basic' }))).toEqual([]);
  });
});

test('additional fields that only some operations have are learnt for each of them', () => {
  const page = { data: [{ id: '1', beta: true }], cursor: null, links: {} };
  const one = response('getArticle', '/articles/1', 200, { data: { id: '1' } });
  const [{ value } = { value: null }] = responseObservers.extraFields(lookAt([articlesOf(200, page), one], null));
  const [links, beta, optional] = [{ type: 'object', fields: {} }, { type: 'boolean' }, true];
  expect(value?.fields).toMatchObject({
    article: { fields: { beta: { ...beta, optional } } },
    'listArticles.article': { fields: { beta } },
    'getArticle.article': { fields: {} },
    envelope: { fields: { links: { ...links, optional } } },
    'listArticles.envelope': { fields: { links } },
    'getArticle.envelope': { fields: {} },
  });
  expect(Object.keys(value?.fields?.['getArticle.envelope']?.fields ?? {})).toEqual([]);
});

test('an empty path has the form of the other paths', () => {
  const rejected = (path: string) => articlesOf(400, { error: { code: '', message: '', issues: [{ path }] } });
  const formOf = (...paths: string[]) =>
    paths
      .flatMap((path) => responseObservers.issues(lookAt([rejected(path)], null)))
      .map(({ value }) => JSON.stringify(value).includes('pointer'));
  expect(formOf('', 'a.b', '/a')).toEqual([false, false, true]);
});
