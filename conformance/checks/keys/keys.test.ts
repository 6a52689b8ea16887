import { describe, expect, test } from 'vitest';
import { uuid } from '../../../fixtures/test-kit/articles.ts';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { errorOf, historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { type Independent, variantNames } from '../../../proof/independent/index.ts';
import { articlePages } from '../articles/list.ts';
import { calls } from '../index.ts';
import { addressBurst, afterBurst } from '../limits/address-burst.ts';
import { reviews, reviewWalks } from '../reviews/reviews.ts';
import { isolationHistory } from './isolation-history.ts';
import { authentication, isolation } from './keys.ts';

const notFound = errorOf('not_found');
const sites = (...marks: string[]) => ({ data: marks.map((mark) => ({ id: uuid(mark) })) });
const accounts = (...ids: string[]) => ({ data: { accounts: ids.map((accountId) => ({ accountId, provider: 'x' })) } });
const strange = 'account-with-a-long-name';
const lists: Line[] = [
  ['good GET /sites', sites('a', 'b')],
  ['good GET /connect/accounts', accounts(uuid('e'), strange)],
  ['second GET /sites', sites('c', 'd')],
];
const [records] = isolation;

function outcome(lines: Line[]): string {
  const { result, findings } = judged(records as NonNullable<typeof records>, historyOf([...lists, ...lines]));
  return [result, ...findings.map((finding) => finding.replace(/ x\d+$/, ''))].join(', ');
}

describe('a request for a record of the other organization', () => {
  const failed = 'fail, fail 1.foreign-record';
  // biome-ignore format: one row a line
  test.each<[string, Line, string]>([
    ['not found', [`second GET /sites/${uuid('a')}`, notFound], 'pass'],
    ['not found for the first key', [`good GET /sites/${uuid('c')}`, notFound], 'pass'],
    ['returned', [`second GET /sites/${uuid('a')}`, { data: {} }], failed],
    ['forbidden', [`second GET /sites/${uuid('a')}`, errorOf('provider_permission')], failed],
    ['malformed', [`second GET /sites/${uuid('a')}`, errorOf('invalid_input')], failed],
    ['named in capitals', [`second GET /sites/${uuid('a').toUpperCase()}`, { data: {} }], failed],
    ['an account that must be connected again', [`second GET /connect/accounts/${uuid('e')}/reviews`, errorOf('provider_auth')], failed],
    ['an account without a payment', [`second GET /connect/accounts/${uuid('e')}/reviews`, errorOf('payment_required')], 'inconclusive(precondition)'],
    [
      'an account with a foreign cursor that is rejected',
      [`second GET /connect/accounts/${uuid('e')}/reviews?cursor=n`, errorOf('invalid_input')],
      'inconclusive(vacuous)',
    ],
    [
      'an account whose id has not the pattern of inputs',
      [`second GET /connect/accounts/${strange}/insights`, errorOf('invalid_input')],
      'inconclusive(vacuous)',
    ],
    ['a filter that shows nothing', [`second GET /articles?siteId=${uuid('a')}`, { data: [] }], 'pass'],
    ['a filter that is rejected', [`second GET /keywords?siteId=${uuid('a')}`, notFound], 'pass'],
    ['a filter that shows rows', [`second GET /keywords?siteId=${uuid('a')}`, { data: [{ id: '1' }] }], failed],
    ['a filter that is forbidden', [`second GET /articles?siteId=${uuid('a')}`, errorOf('unauthorized')], failed],
    ['unknown to both', [`second GET /sites/${uuid('9')}`, errorOf('invalid_input')], 'inconclusive(vacuous)'],
  ])('is judged: %s', (_, line, expected) => expect(outcome([line])).toBe(expected));

  test('can lose its own response to a cache, and not to a deletion (R59)', () => {
    const own: Line[] = [
      [`good GET /sites/${uuid('c')}`, notFound],
      [`second GET /sites/${uuid('c')}`, notFound],
      [`second GET /sites/${uuid('c')}`, notFound, { confirms: 'x5' }],
    ];
    const list = (...marks: string[]): Line => ['second GET /sites', sites(...marks), { confirms: 'x3' }];
    expect(outcome([...own, list('c', 'd')])).toBe('fail, fail 5.key-organization');
    expect(outcome([...own, list('d')])).toBe('inconclusive(interference)');
  });

  test('is nothing of this check if both keys belong to one organization, or are those of a client', () => {
    const line: Line = [`second GET /connect/accounts/${uuid('e')}/reviews`, { data: {} }];
    const alike: Line[] = [...lists.slice(0, 2), ['second GET /sites', sites('a', 'b')], line];
    const results = [historyOf([...lists, line]), historyOf(alike), historyOf([...lists, line], { isRecorded: true })];
    const vacuous = 'inconclusive(vacuous)';
    expect(results.map((one) => judged(records as NonNullable<typeof records>, one).result)).toEqual([
      'fail',
      vacuous,
      vacuous,
    ]);
  });

  test.each([
    ['posts', 'second', notFound, 'pass'],
    ['posts', 'second', { data: {} }, 'fail'],
    ['posts', 'second', errorOf('provider_auth'), 'fail'],
    ['replies', 'second', errorOf('payment_required'), 'inconclusive(precondition)'],
    ['replies', 'good', { data: {} }, 'fail'],
    // The state of the account comes before the review.
    ['replies', 'good', errorOf('provider_auth'), 'inconclusive(precondition)'],
  ])('is rejected too if it would write: %s with the %s key', (kind, key, body, expected) => {
    const check = isolation.find(({ id }) => id === `isolation/${kind}`);
    const line: Line = [
      `${key} POST /connect/accounts/x/posts`,
      body,
      { label: `${kind}: a record of another organization` },
    ];
    expect(judged(check as NonNullable<typeof check>, historyOf([line])).result).toBe(expected);
  });
});

describe('the scenarios of isolation', () => {
  const checks = [
    ...articlePages,
    ...reviews.slice(0, 1),
    ...reviewWalks,
    ...calls,
    ...isolation.slice(0, 1),
    isolationHistory,
  ];

  test('ask for a site with articles, not for the first of the list', async () => {
    let empty: string | undefined;
    const spoil = () => (one: Exchanged) => {
      if (one.path === '/sites' && one.status === 200) empty ??= one.body.data[0].id;
      if (one.path !== '/articles' || one.status !== 200) return undefined;
      const data = one.body.data.filter(({ siteId }: { siteId: string }) => siteId !== empty);
      return { body: { ...one.body, data } };
    };
    const { results } = await bench({ checks, mutant: 'foreign-articles-by-site', spoil });
    expect(results['isolation/records']).toBe('fail');
  });

  test('ask the second key for no account whose id is malformed by the pattern of inputs', async () => {
    const spoil = () => (one: Exchanged) => {
      if (one.path !== '/connect/accounts') return undefined;
      const ids = one.body.data.accounts.map((row: object, index: number) => ({ ...row, accountId: `acc_${index}` }));
      return { body: { ...one.body, data: { ...one.body.data, accounts: ids, pendingInvites: [] } } };
    };
    const { report } = await bench({ checks: isolation.slice(0, 1), spoil });
    const paths = report.exchanges.filter(({ key }) => key === 'second').map(({ target }) => target);
    expect(paths.filter((path) => path.includes('insights'))).toEqual([]);
  });

  test('fail when both keys belong to one organization, and say so (R65)', async () => {
    const twoKeys = (more: object) => (server: Independent) => ({
      keys: { good: server.keys.good, second: server.keys.spare },
      ...more,
    });
    const { result } = await bench({ checks, run: twoKeys({}) });
    const { result: outcome, findings } = result('isolation/all-responses');
    expect(outcome.kind).toBe('fail');
    expect(findings[0]?.message).toContain('belong to one organization');
    const alike = await bench({
      checks: [...isolation.slice(0, 1), isolationHistory],
      run: twoKeys({ seededAlike: true }),
    });
    expect(alike.failures).toEqual(['isolation/all-responses warn']);
  });
});

const unauthorized = errorOf('unauthorized');
const as = (authorization: string) => ({ requestHeaders: { authorization } });
const nobody = 'c0ffee00-dead-4bad-8bad-000000000000';

/** The result and the findings of each check that has something to say. */
function outcomes(lines: Line[], isRecorded = false): Record<string, string> {
  const rows = authentication.map((check) => [check.id, judged(check, historyOf(lines, { isRecorded }))] as const);
  const said = rows.filter(([, { result }]) => !result.startsWith('inconclusive'));
  return Object.fromEntries(said.map(([id, { result, findings }]) => [id, [result, ...findings].join(', ')]));
}

describe('a request without a valid key', () => {
  // biome-ignore format: one row a line
  test.each<[string, Line, Record<string, string>]>([
    ['is rejected', ['none GET /sites', unauthorized], { 'auth/missing-key': 'pass' }],
    ['is accepted', ['none GET /sites', { data: [] }], { 'auth/missing-key': 'fail, fail 4.bearer x1' }],
    ['is rejected in another way', ['none GET /sites', unauthorized, { status: 403 }], { 'auth/missing-key': 'fail, fail 5.missing-key x1' }],
    ['has a scheme alone', ['wrong GET /connect/accounts', errorOf('not_found'), as('Bearer')], { 'auth/missing-key': 'fail, fail 4.bearer x1' }],
    ['has an unknown key', ['wrong GET /sites', { data: [] }], { 'auth/wrong-key': 'fail, fail 5.invalid-key x1' }],
    ['learns whether there is a record', [`wrong GET /articles/${nobody}`, errorOf('not_found')], { 'auth/wrong-key': 'fail, fail 5.invalid-key x1' }],
    ['must reconnect an account', ['wrong GET /connect/accounts', errorOf('provider_auth')], { 'auth/wrong-key': 'fail, fail 5.provider-auth x1' }],
    [
      'reads the call log',
      ['revoked GET /connect/calls/log', unauthorized, { status: 403 }],
      { 'auth/revoked-key': 'fail, fail 5.revoked-key x1, fail 4.calls.statuses x1' },
    ],
    ['has a revoked key', ['revoked GET /sites', unauthorized], { 'auth/revoked-key': 'pass' }],
    [
      'has the valid key under another scheme',
      ['wrong GET /sites', { data: [] }, as('Basic $CONFORMANCE_API_KEY')],
      { 'auth/other-schemes': 'fail, fail 4.bearer x1' },
    ],
    [
      'has the valid key without a scheme',
      ['wrong GET /sites', { data: [] }, as('$CONFORMANCE_API_KEY')],
      { 'auth/other-schemes': 'warn, warn 5.bearer-header x1' },
    ],
  ])('is judged if it %s', (_, line, expected) => expect(outcomes([line])).toEqual(expected));

  test('may have its digits in another letter case (R61)', () => {
    const sent = (body: unknown): Line => ['wrong GET /sites', body, { label: 'key in another letter case' }];
    const rejected: Line = ['wrong GET /sites', unauthorized];
    const noted = { 'auth/wrong-key': 'pass, note 5.invalid-key x2' };
    expect(outcomes([rejected, sent({ data: [] })])).toEqual(noted);
    expect(outcomes([rejected, sent(unauthorized)])).toEqual({ 'auth/wrong-key': 'pass' });
  });

  test.each<[string, Line[], boolean]>([
    ['a rate limit', [['none GET /sites', { error: 'Too many requests' }, { status: 429 }]], false],
    ['a platform in trouble', [['wrong GET /connect/accounts', errorOf('upstream'), { status: 503 }]], false],
    [
      'a network that rejects its own header',
      [['none GET /sites', null, { status: 403, requestHeaders: { 'cf-connecting-ip': '198.51.100.7' } }]],
      false,
    ],
    ['a path outside the contract', [['none GET /health', {}]], false],
    ['the MCP endpoint', [['none mcp', {}]], false],
    ['a recording, whose keys are unknown to us', [['wrong GET /sites', { data: [] }]], true],
  ])('says nothing about the service: %s', (_, lines, isRecorded) => {
    expect(outcomes(lines, isRecorded)).toEqual({});
  });
});

describe('the scenarios of keys', () => {
  const checks = [...addressBurst, ...afterBurst, ...authentication];

  // The kill matrix runs them in a burst on all variants.
  test.each(variantNames)('cause no finding on the legal variant %s one by one', async (variant) => {
    expect((await bench({ checks, variant, run: { gentle: true, watch: true } })).failures).toEqual([]);
  });

  test.each([true, false])('ask every operation without a key, without the burst: %s', async (gentle) => {
    const { report } = await bench({ checks, run: { watch: true, gentle } });
    const rejected = report.exchanges.filter(({ key, status }) => key === 'none' && status === 401);
    expect(new Set(rejected.map(({ operation }) => operation)).size).toBe(12);
  });

  test('send each operation no key or another one in one minute, and one of them another scheme', async () => {
    const { report } = await bench({ checks, run: { minutes: 1 } });
    const sent = report.exchanges.filter(({ key, status }) => key !== 'good' && status === 401);
    expect(new Set(sent.map(({ operation }) => operation)).size).toBe(12);
    const headers = sent.map(({ requestHeaders }) => requestHeaders.authorization);
    expect(headers).toContain('Basic $CONFORMANCE_API_KEY');
  });

  test.each(['/sites', '/connect/accounts'])('detect that %s is open to everybody after a valid key', async (path) => {
    const known = new Map<string, Spoiled>();
    const spoil = (one: Exchanged) => {
      if (one.status === 200 && one.path === '/sites') known.set(path, { status: 200, body: one.body });
      return one.status === 401 ? known.get(one.path) : undefined;
    };
    const { results } = await bench({ checks, run: { minutes: 1, gentle: true }, spoil: () => spoil });
    expect(Object.values(results)).toContain('fail');
  });
});
