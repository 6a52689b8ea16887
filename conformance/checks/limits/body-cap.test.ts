import { expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { invalidLinkLabel } from '../../exchange/request.ts';
import { bodyCap } from './body-cap.ts';

const [within, over] = bodyCap;
const cap = 2_500_000;
const rejected = (code: string, issues?: unknown) => ({ error: { code, message: '', issues } });
const tooLarge = rejected('payload_too_large');
const none = { status: 0, problem: 'reset' } as const;
const toPosts = 'good POST /connect/accounts/1/posts';

const atCap = (body: unknown, rest: Partial<Exchange> = {}): Line => {
  const usual = { label: invalidLinkLabel, requestBody: { text: null, bytes: cap } };
  return ['good POST /connect/accounts', body, { ...usual, ...rest }];
};
const whole = (body: unknown, rest: Partial<Exchange> = {}): Line =>
  atCap(body, { label: 'body over the cap', requestBody: { text: null, bytes: cap + 1 }, ...rest });
const chunks = (body: unknown, rest: Partial<Exchange> = {}): Line =>
  whole(body, { requestHeaders: { 'transfer-encoding': 'chunked' }, ...rest });
const elsewhere = (body: unknown): Line => [toPosts, body, whole(null)[2] ?? {}];
const small = (body: unknown): Line => [toPosts, body, { label: 'small body in chunks' }];
const next = (body: unknown): Line => ['good GET /sites', body, { label: 'after a body over the cap' }];

test.each<[string, Line[], string]>([
  ['names each field', [atCap(rejected('invalid_input', ['provider', 'label', 'maxAccounts']))], 'pass'],
  [
    'names two of three',
    [atCap(rejected('invalid_input', ['provider', 'label']))],
    'warn 2.connect-account-input.max-accounts',
  ],
  ['comes after a payment', [atCap(rejected('payment_required'))], 'inconclusive(precondition)'],
  ['creates a link', [atCap({ data: {} })], 'fail 4.connect.create-link.invalid'],
  ['is too small', [atCap(tooLarge)], 'fail 8.body-rest'],
  ['gets no response', [atCap('', none)], 'inconclusive(unreachable)'],
  ['gets a page', [atCap('', { status: 403, problem: 'not-json', bodyText: '<p>' })], 'inconclusive(precondition)'],
  ['gets trouble', [atCap('', { status: 503 })], 'inconclusive(platform)'],
  ['gets a limiter', [atCap({ error: 'slow' }, { status: 429 })], 'inconclusive(interference)'],
])('limits/body-at-cap checks a cap that %s', (_, lines, result) => {
  expect(outcome(within, lines)).toContain(result);
});

const unread = chunks(rejected('invalid_input'));
test.each<[string, Line[], string]>([
  [
    'is at its byte',
    [atCap(rejected('invalid_input')), chunks(tooLarge), whole(tooLarge), elsewhere(tooLarge)],
    'pass',
  ],
  ['is smaller', [atCap(tooLarge), whole(tooLarge)], 'inconclusive(precondition)'],
  ['looks at Content-Length only', [unread, whole(tooLarge), small(rejected('not_found'))], 'fail 8.body-rest'],
  ['reads no chunks at all', [unread, whole(tooLarge), small(rejected('invalid_input'))], 'pass'],
  ['wants to know the length', [chunks('', { status: 411 }), whole(tooLarge)], 'pass'],
  ['is not there', [unread, whole(rejected('invalid_input'))], 'fail 8.body-rest'],
  ['has no code', [whole('', { status: 413 })], 'fail 8.body-rest'],
  ['comes after a payment', [unread, whole(rejected('payment_required'))], 'inconclusive(precondition)'],
  ['closes at once', [whole('', none), whole(tooLarge)], 'pass'],
  ['is lost twice', [whole('', none), whole('', none)], 'inconclusive(unreachable)'],
  ['closes always', [whole('', none), whole('', none), whole('', none)], 'fail 8.body-rest'],
  ['posts do not have', [whole(tooLarge), elsewhere({ data: {} })], 'fail 8.body-rest'],
  ['comes after the account', [whole(tooLarge), elsewhere(rejected('not_found'))], 'pass'],
  ['spoils the key', [whole(tooLarge), next(rejected('unauthorized'))], 'fail 7.code.unauthorized'],
])('limits/body-over-cap checks a cap that %s', (_, lines, result) => {
  expect(outcome(over, lines)).toContain(result);
});

function outcome(check: (typeof bodyCap)[number] | undefined, lines: readonly Line[]): string {
  if (check === undefined) throw new Error('no check');
  const { result, findings } = judged(check, historyOf(lines));
  return [result, ...findings.map((finding) => finding.split(' ')[1])].join(' ');
}

test('a run sends bodies of exactly the cap and one byte more, with and without chunks', async () => {
  const { report, failures } = await bench({ checks: bodyCap, run: { watch: true } });
  const sent = report.exchanges.filter(({ requestBody }) => requestBody.bytes >= cap);
  expect(new Set(sent.map(({ requestBody }) => requestBody.bytes))).toEqual(new Set([cap, cap + 1]));
  expect(new Set(sent.map(({ requestHeaders }) => requestHeaders['transfer-encoding']))).toContain('chunked');
  expect(failures).toEqual([]);
});
