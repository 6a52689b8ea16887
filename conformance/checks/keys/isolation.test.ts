import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { articlePages } from '../articles/pages.ts';
import { calls } from '../calls/index.ts';
import { reviewWalks } from '../reviews/pages.ts';
import { reviewListing } from '../reviews/reviews.ts';
import { isolation, isolationWritten } from './isolation.ts';
import { isolationHistory } from './isolation-history.ts';

const uuid = (mark: string) => `${mark.repeat(8)}-1111-4111-8111-111111111111`;
const coded = (code: string) => ({ error: { code, message: '' } });
const notFound = coded('not_found');
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
  test.each<[string, Line, string]>([
    ['not found', [`second GET /sites/${uuid('a')}`, notFound], 'pass'],
    ['not found for the first key', [`good GET /sites/${uuid('c')}`, notFound], 'pass'],
    ['returned', [`second GET /sites/${uuid('a')}`, { data: {} }], failed],
    ['forbidden', [`second GET /sites/${uuid('a')}`, coded('provider_permission')], failed],
    ['malformed', [`second GET /sites/${uuid('a')}`, coded('invalid_input')], failed],
    ['named in capitals', [`second GET /sites/${uuid('a').toUpperCase()}`, { data: {} }], failed],
    [
      'an account that must be connected again',
      [`second GET /connect/accounts/${uuid('e')}/reviews`, coded('provider_auth')],
      failed,
    ],
    [
      'an account without a payment',
      [`second GET /connect/accounts/${uuid('e')}/reviews`, coded('payment_required')],
      'inconclusive(precondition)',
    ],
    [
      'an account with a foreign cursor that is rejected',
      [`second GET /connect/accounts/${uuid('e')}/reviews?cursor=n`, coded('invalid_input')],
      'inconclusive(vacuous)',
    ],
    [
      'an account whose id has not the pattern of inputs',
      [`second GET /connect/accounts/${strange}/insights`, coded('invalid_input')],
      'inconclusive(vacuous)',
    ],
    ['a filter that shows nothing', [`second GET /articles?siteId=${uuid('a')}`, { data: [] }], 'pass'],
    ['a filter that is rejected', [`second GET /keywords?siteId=${uuid('a')}`, notFound], 'pass'],
    ['a filter that shows rows', [`second GET /keywords?siteId=${uuid('a')}`, { data: [{ id: '1' }] }], failed],
    ['a filter that is forbidden', [`second GET /articles?siteId=${uuid('a')}`, coded('unauthorized')], failed],
    ['unknown to both', [`second GET /sites/${uuid('9')}`, coded('invalid_input')], 'inconclusive(vacuous)'],
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
    ['posts', 'second', coded('provider_auth'), 'fail'],
    ['replies', 'second', coded('payment_required'), 'inconclusive(precondition)'],
    ['replies', 'good', { data: {} }, 'fail'],
    // The state of the account comes before the review.
    ['replies', 'good', coded('provider_auth'), 'inconclusive(precondition)'],
  ])('is rejected too if it would write: %s with the %s key', (kind, key, body, expected) => {
    const check = isolationWritten.find(({ id }) => id === `isolation/${kind}`);
    const line: Line = [
      `${key} POST /connect/accounts/x/posts`,
      body,
      { label: `${kind}: a record of another organization` },
    ];
    expect(judged(check as NonNullable<typeof check>, historyOf([line])).result).toBe(expected);
  });
});

describe('the scenarios of isolation', () => {
  const checks = [...articlePages, ...reviewListing, ...reviewWalks, ...calls, ...isolation, isolationHistory];

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
    const { report } = await bench({ checks: isolation, spoil });
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
    const alike = await bench({ checks: [...isolation, isolationHistory], run: twoKeys({ seededAlike: true }) });
    expect(alike.failures).toEqual(['isolation/all-responses warn']);
  });
});
