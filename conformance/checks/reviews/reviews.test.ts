import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, type Line, outcomeOf } from '../../../fixtures/test-kit/history.ts';
import { type Exchanged, rejection } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Judged } from '../../judge/judge.ts';
import { reviews, reviewWalks } from './reviews.ts';

const [listing, unknownAccount, otherAccounts, invalidCursor] = reviews as [Judged, Judged, Judged, Judged];
const [walk] = reviewWalks as [Judged];

const [a, b, c] = ['a', 'b', 'c'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [
  string,
  string,
  string,
];
const at = (id: string, query = '') => `good GET /connect/accounts/${id}/reviews${query}`;
const account = (accountId: string, provider = 'google_business', status = 'connected') => ({
  ...{ accountId, provider, status, name: accountId },
});
const accounts = (...all: object[]): Line => ['good GET /connect/accounts', { data: { accounts: all } }];
const both = accounts(account(a), account(b, 'facebook_page'), account(c));
const row = (id: string, date = `2026-01-0${id}T12:00:00.123Z`) => ({ reviewId: id, author: 'Ada', text: '', date });

/** A page of the account `a`: the cursor that was sent, its reviews, its cursor and the number of all. */
const page = (from: string | null, ids: string, next: unknown = null, reviewCount?: number, id = a): Line => [
  at(id, from === null ? '' : `?cursor=${from}`),
  {
    data: {
      reviews: [...ids].map((digit) => row(digit)),
      nextCursor: next,
      ...(reviewCount === undefined ? {} : { aggregate: { ratingValue: 4, reviewCount } }),
    },
  },
];
const rejected = (code: string) => ({ error: { code, message: '', issues: ['x'] } });
const walked = [page(null, '98', 'x'), page('x', '76', 'y'), page('y', '5')];
/** Three pages of which each edge lost one review, and the first page again. */
const lossy = (id: string, count: number): Line[] => [
  page(null, '98', 'x', count, id),
  page('x', '7', 'y', count, id),
  page('y', '5', null, count, id),
];

type Row = readonly [title: string, lines: readonly Line[], outcome: string];
const judgesAll = (check: Judged, rows: readonly Row[]) =>
  test.each(rows)('judges %s', (_, lines, outcome) => {
    expect(outcomeOf(check, historyOf(lines))).toBe(outcome);
  });

describe('reviews/walk', () => {
  const rule = '4.rules.reviews-walk';
  const first = page(null, '98', 'x');
  const empty = Array.from({ length: 8 }, (_, index) => page(`e${index}`, '', `e${index + 1}`));
  // biome-ignore format: one row a line
  judgesAll(walk, [
    ['three pages', walked, 'pass'],
    ['one page', [page(null, '98')], 'inconclusive(vacuous)'],
    ['more pages than are read', walked.slice(0, 2), 'pass'],
    ['pages of two accounts', [walked[0] as Line, page(null, '98', 'x', 0, b), ...walked.slice(1)], 'pass'],
    ['an empty string that is a further page', [page(null, '98', ''), page('', '76')], 'pass'],
    ['an empty string that is the first page', [page(null, '98', ''), page('', '98', '')], 'fail 2.list-reviews-output.next-cursor x1'],
    ['a circle', [...walked.slice(0, 2), page('y', '5', 'x'), page('x', '76', 'y')], `fail ${rule} x3`],
    ['a circle that is seen once', [...walked.slice(0, 2), page('y', '5', 'x')], 'inconclusive(budget)'],
    ['a cursor that moves on', [page(null, '9', 'x'), page('x', '8', 'x'), page('x', '7', 'x')], 'inconclusive(budget)'],
    ['eight empty pages', [page(null, '9', 'e0'), ...empty], `fail ${rule} x9`],
    ['seven empty pages', [page(null, '9', 'e0'), ...empty.slice(1)], 'inconclusive(vacuous)'],
    ['a cursor that is rejected', [first, [at(a, '?cursor=x'), rejected('invalid_input')]], 'fail 4.connect.list-reviews.cursor x2'],
    ['a payment that is due', [first, [at(a, '?cursor=x'), rejected('payment_required')]], 'inconclusive(platform)'],
    ['the page before it again', [page(null, '987', 'x'), page('x', '987')], `fail ${rule} x2`],
    ['a review on two pages of an unchanged list', [first, page('x', '87'), first], `fail ${rule} x2`],
    ['a review that moved down', [first, page('x', '87'), page(null, '09', 'x')], 'inconclusive(interference)'],
    ['a review that moved down before the walk', [first, page(null, '09', 'x'), page('x', '87')], 'pass'],
    ['a review twice on the first page', [page(null, '99', 'x'), page('x', '7')], `fail ${rule} x1`],
    ['a cursor that is a number', [page(null, '98', 7)], 'inconclusive(precondition)'],
    ['a count that shows a loss at each edge of all accounts', [both, ...lossy(a, 6), ...lossy(b, 6), page(null, '98', 'x', 6)], `fail ${rule} x2`],
    ['a count that shows a loss in one account', [both, ...lossy(a, 6), ...lossy(b, 4), page(null, '98', 'x', 6)], `warn ${rule} x2`],
    ['a count that changes', [...lossy(a, 6), page(null, '98', 'x', 4)], 'pass'],
    ['a count without a second look', lossy(a, 6), 'pass'],
    ['a count of something else', lossy(a, 1000), 'note 2.list-reviews-output.aggregate.review-count x1'],
  ]);

  test('leaves a page open that a client of a recording read later', () => {
    const lines = [page(null, '987', 'x'), page('x', '987')];
    expect(outcomeOf(walk, historyOf(lines, { isRecorded: true }))).toBe('inconclusive(interference)');
  });
});

describe('reviews/listing', () => {
  const endpoint = '4.connect.list-reviews.endpoint';
  const oldest: Line = [at(a), { data: { reviews: [row('1'), row('2')] } }];
  const all = (code: string): Line[] => [both, [at(a), rejected(code)], [at(b), rejected(code)]];
  // biome-ignore format: one row a line
  judgesAll(listing, [
    ['reviews of an account', [both, page(null, '98')], 'pass'],
    ['the oldest first', [both, oldest], 'note 4.connect.list-reviews.order x2'],
    ['an account that breaks down', [both, [at(a), rejected('internal'), { status: 500 }]], `fail ${endpoint} x2`],
    ['a valid input that is invalid', [both, [at(a), rejected('invalid_input')]], `fail ${endpoint} x2`],
    ['a valid key that is invalid', [both, [at(a), rejected('unauthorized')]], 'fail 5.provider-auth x2'],
    ['a code with another status', [both, [at(a), rejected('provider_error'), { status: 404 }]], `fail ${endpoint} x2`],
    ['accounts without permission', all('provider_permission'), 'inconclusive(vacuous)'],
    ['one account of two that is unknown', [...all('not_found').slice(0, 2), page(null, '9', null, 0, b)], 'pass'],
    ['unknown accounts', [...all('not_found'), [at(b), rejected('not_found'), { confirms: 'x3' }], both], 'fail 1.connect-operations x3'],
    ['an account that is not connected', [accounts(account(a, '', 'revoked')), [at(a), rejected('invalid_input')]], 'inconclusive(vacuous)'],
  ]);

  test('claims nothing about the errors of a recording', () => {
    const lines: Line[] = [both, [at(a), rejected('unauthorized')]];
    expect(outcomeOf(listing, historyOf(lines, { isRecorded: true }))).toBe('inconclusive(vacuous)');
  });
});

describe('reviews/other-accounts', () => {
  const endpoint = '4.connect.list-reviews.endpoint';
  const [own, same, other] = [page(null, '987', 'x'), page(null, '987', null, 9, b), page(null, '654', null, 9, b)];
  const cursor = (ids: string) => page('x', ids, null, 9, b);
  judgesAll(otherAccounts, [
    ['reviews of two accounts', [both, own, other], 'pass'],
    ['the same reviews on another platform', [both, own, same], `fail ${endpoint} x3`],
    ['few of the same reviews', [both, page(null, '98'), page(null, '98', null, 9, b)], `warn ${endpoint} x3`],
    ['the same reviews on the same platform', [both, own, page(null, '987', null, 9, c)], `warn ${endpoint} x3`],
    ['the same, and others', [both, own, other, page(null, '987', null, 9, c)], `note ${endpoint} x4`],
    ['one account', [both, own], 'inconclusive(vacuous)'],
    [
      'a cursor that opens the list of its account',
      [both, own, page('x', '321'), cursor('321')],
      `fail ${endpoint} x4`,
    ],
    ['a cursor that is ignored', [both, own, page('x', '321'), other, cursor('654')], 'pass'],
    ['accounts that were seeded alike', [both, own, page(null, '9876', null, 9, b), cursor('9876')], 'pass'],
    ['a cursor that both have', [both, own, page('x', '321'), page(null, '654', 'x', 9, b), cursor('321')], 'pass'],
  ]);
});

describe('rejected reviews', () => {
  const labelled =
    (label: string) =>
    (body: unknown, rest: object = {}) =>
      [at(a), body, { label, ...rest }] as const satisfies Line;
  const unknown = labelled('reviews of an unknown account');
  const malformed = labelled('reviews of a malformed id');
  const ofCursor = labelled('reviews with an invalid cursor');
  const down = unknown(rejected('provider_error'));
  judgesAll(unknownAccount, [
    ['an unknown account', [unknown(rejected('not_found'))], 'pass'],
    ['an unknown account with reviews', [unknown({ data: {} })], 'fail 4.connect.unknown-account x1'],
    ['a payment that comes first', [unknown(rejected('payment_required'))], 'inconclusive(precondition)'],
    ['a platform in trouble', [down, down], 'inconclusive(platform)'],
    ['a platform without an account', [down, page(null, '9'), down], 'fail 4.connect.unknown-account x3'],
    ['a malformed id', [malformed(rejected('invalid_input'))], 'pass'],
    ['a malformed id with reviews', [malformed({ data: {} })], 'fail 4.connect.account-id x1'],
    ['a malformed id that needs a payment', [malformed(rejected('payment_required'))], 'inconclusive(precondition)'],
  ]);
  judgesAll(invalidCursor, [
    ['a cursor that is rejected', [ofCursor(rejected('invalid_input'))], 'pass'],
    ['a cursor that is ignored', [ofCursor({ data: {} })], 'pass'],
    ['a crash', [ofCursor(rejected('internal'), { status: 500 })], 'fail 4.connect.statuses x1'],
  ]);

  test.each(['00000000-0000-0000-0000-000000000000', '10000000-0000-0000-0000-000000000007', 'acc_7'])(
    'ask for no near miss of the account %s, which would be malformed',
    async (accountId) => {
      const spoil = () => (one: Exchanged) =>
        one.path === '/connect/accounts' ? { body: { data: { accounts: [account(accountId)] } } } : undefined;
      const { report } = await bench({ checks: [unknownAccount], spoil });
      expect(report.exchanges.map(({ target }) => target)).toContainEqual(expect.stringMatching(/c0ffee.*\/reviews$/));
    },
  );
});

describe('the scenarios of reviews', () => {
  test.each([
    ['three accounts at most, and the named one first', () => rejection(404, 'not_found'), 3],
    [
      'the next account if a platform fails',
      (isFirst: boolean) => (isFirst ? rejection(502, 'provider_error') : undefined),
      2,
    ],
  ])('read %s', async (_, respond, accountsRead) => {
    const accountId = '00000000-0000-4000-8000-000000000001';
    const spoil = () => (one: Exchanged) =>
      one.path.endsWith('/reviews') ? respond(one.path.includes(accountId)) : undefined;
    const { report } = await bench({ checks: [listing], run: { account: accountId }, spoil });
    const targets = report.exchanges.flatMap(({ target }) => /^.*\/reviews/.exec(target)?.[0] ?? []);
    expect(targets[0]).toContain(accountId);
    expect(new Set(targets).size).toBe(accountsRead);
  });

  test.each<[string, (from: number) => { ids: number[]; next: number | null }, string]>([
    ['never ends', (from) => ({ ids: [from], next: 1 }), '?cursor=1 ?cursor=1'],
    ['repeats reviews', (from) => ({ ids: [from, from + 1], next: from > 0 ? null : 1 }), '?cursor=1 '],
    ['lacks reviews', (from) => ({ ids: [from], next: from > 0 ? null : 1 }), '?cursor=1 '],
  ])('look again at a list that %s', async (_, of, last) => {
    const spoil = () => (one: Exchanged) => {
      if (!one.path.endsWith('/reviews')) return undefined;
      const { ids, next } = of(Number(one.query.get('cursor') ?? 0));
      const aggregate = { ratingValue: 4, reviewCount: 3 };
      const nextCursor = next === null ? null : `${next}`;
      const data = { reviews: ids.map((id) => row(`${id}`, `2026-01-0${9 - id}T12:00:00Z`)), nextCursor, aggregate };
      return { status: 200, body: { data, summary: '' } };
    };
    const { report, result } = await bench({ checks: [listing], spoil });
    const own = result('reviews/listing').exchanges.slice(-2);
    const targets = own.map((id) => report.exchanges.find((one) => one.id === id)?.target);
    expect(targets.map((target) => target?.replace(/^.*reviews/, '')).join(' ')).toBe(last);
  });
});
