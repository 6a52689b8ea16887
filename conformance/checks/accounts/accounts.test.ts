import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { again, errorOf, historyOf, inWords, judged, type Line, rejected } from '../../../fixtures/test-kit/history.ts';
import { makeHistory } from '../../exchange/history.ts';
import { accounts } from './accounts.ts';
import { links as checks } from './links.ts';

const open = 'inconclusive(precondition)';

const invite = { id: '1', label: 'x', provider: 'tiktok', maxAccounts: 2, expiresAt: '2099-05-09T00:00:00Z' };

const account = 'aaaaaaaa-1111-4111-8111-111111111111';
const row = (status: string, rest: object = {}) => ({ accountId: account, status, label: 'x', locked: false, ...rest });
const other = row('connected', { accountId: 'b' });
const listed = (accounts: readonly object[], ...pendingInvites: readonly object[]): Line => [
  'good GET /connect/accounts',
  { data: { accounts, pendingInvites } },
];
const [one, none, expired] = [listed([row('connected')]), listed([other]), listed([row('expired')])];
const reviews: Line = [`good GET /connect/accounts/${account}/reviews`, { data: { reviews: [] } }];
const gone = rejected(`/connect/accounts/${account}/reviews`, 'not_found');
const [twice, twoInvites] = [listed([row('connected'), row('expired')]), listed([], invite, invite)];
const budget = 'inconclusive(budget)';

describe('the checks of accounts', () => {
  const noted = 'pass note content x1';
  const says = (status: number, code: string) => rejected('/connect/accounts', code, { status });
  const state = (status: number, code: string) => [
    expired,
    rejected(`/connect/accounts/${account}/insights`, code, { status }),
  ];
  test.each<[string, string, string, readonly Line[]]>([
    ['a breakdown', 'list', 'fail endpoint x1', [says(500, 'internal')]],
    ['404', 'list', 'fail endpoint x1', [says(404, 'not_found')]],
    ['401 provider_auth', 'list', 'fail provider-auth x1', [says(401, 'provider_auth')]],
    ['a payment', 'list', open, [says(402, 'payment_required')]],
    ['a payment once', 'list', 'pass', [says(402, 'payment_required'), one]],
    ['one account twice', 'list', 'fail content x1 note content x1', [twice, again('x1', twice)]],
    ['one account twice, once', 'list', `${budget} note content x1`, [twice, again('x1', one)]],
    ['two rows that differ', 'list', noted, [listed([row('connected'), row('connected', { label: 'y' })])]],
    ['an invite twice', 'list', 'fail content x1', [twoInvites, again('x1', twoInvites)]],
    ['two invites', 'list', 'pass', [listed([], invite, { ...invite, id: '2' })]],
    ['21 accounts', 'list', 'warn max-accounts x1', [listed([], { ...invite, maxAccounts: 21 })]],
    ['no label', 'list', 'warn label x1', [listed([], { ...invite, label: '' })]],
    ['an old invite', 'list', 'pass note expires-at x1', [listed([], { ...invite, expiresAt: '2020-01-01' })]],
    ['the account of --account', 'complete', 'pass', [one, reviews]],
    ['another account', 'complete', 'fail content x1', [none, reviews, again('x1', none), again('x2', reviews)]],
    ['a new account', 'complete', budget, [none, reviews, again('x1', one), again('x2', reviews)]],
    ['a removed account', 'complete', budget, [none, reviews, again('x1', none), again('x2', gone)]],
    ['an account that cannot be read', 'complete', open, [none, gone]],
    ['a listed account that is denied', 'each', 'warn not-found x2', [expired, gone, again('x2', gone), expired]],
    ['a pending account that is denied', 'each', 'pass', [listed([row('pending')]), gone]],
    ['an account that is not listed', 'each', 'inconclusive(vacuous)', [none, gone]],
    ['a lost authorization', 'each', 'pass', state(401, 'provider_auth')],
    ['a code of another status', 'each', 'fail status-agrees x2', state(403, 'provider_auth')],
    ['an invalid key', 'each', 'fail provider-auth x2', state(401, 'unauthorized')],
    ['a status of another code', 'each', 'fail status-agrees x2', state(501, 'not_supported')],
    ['404 once', 'each', budget, state(404, 'not_found')],
    ['a rejected UUID', 'each', budget, state(400, 'invalid_input')],
    ['trouble of the platform', 'each', 'inconclusive(vacuous)', state(502, 'provider_error')],
    ['a recorded key that is invalid', 'recorded', 'inconclusive(vacuous)', [says(401, 'unauthorized')]],
    ['its reads', 'recorded each', 'inconclusive(vacuous)', [expired, ...state(401, 'unauthorized')]],
  ])('%s: %s %s', (_, id, expected, lines) => {
    const given = { ...makeHistory([]).given, account: id === 'complete' ? account.toUpperCase() : null };
    const history = historyOf(lines, { given, isRecorded: id.startsWith('recorded') });
    expect(inWords(accounts, `accounts/${id.split(' ').at(-1)?.replace('recorded', 'list')}`, history)).toBe(expected);
  });

  test('note an account of --account that the list lacks', () => {
    const given = { ...makeHistory([]).given, account };
    expect(inWords(accounts, 'accounts/list', historyOf([none], { given }))).toBe(noted);
  });
});

const { given: unnamed } = makeHistory([]);
const given = { ...unnamed, runId: 'test' };
const mark = 'casa-kit conformance test';
const made = (data: object) => ({ data: { provider: 'tiktok', label: mark, connectUrl: 'https://a', ...data } });

/** A link and its response. */
function link(label: string, response: unknown, sent: object = {}): Line {
  const text = JSON.stringify({ provider: 'tiktok', label: mark, ...sent });
  return ['good POST /connect/accounts', response, { label, requestBody: { text, bytes: text.length } }];
}

const list = (pendingInvites: readonly object[], label = '', key = 'good'): Line => [
  ...([`${key} GET /connect/accounts`, { data: { accounts: [], pendingInvites } }, { label }] as const),
];
const pending = { id: '1', label: mark, provider: 'tiktok', maxAccounts: 1 };
const first = (data: object) => [link('first link', made(data))];
const fails = (code: string) => [link('first link', errorOf(code))];
const invites = (rows: readonly object[]) => [
  ...[link('link with no label', errorOf('invalid_input')), list([], 'invites before invalid links')],
  list(rows, 'invites after invalid links'),
];
const [least, most] = [link('link of the least values', made({})), link('link of the most values', made({}))];

const [output, ofMax] = ['2.connect-account-output', '2.connect-account-input.max-accounts'];
const [unpaid, invalid] = [errorOf('payment_required'), '4.connect.create-link.invalid'];
const wide = { ...pending, maxAccounts: 20 };
const over = first({ expiresAt: '2020-01-01T00:00:00Z' });
const [creates, elsewhere, edges, rejects] = [
  'links/creates',
  'isolation/new-link',
  'links/edges',
  'links/refuses-wrong-bodies',
];

describe('the checks of connect links', () => {
  test.each<[title: string, id: string, lines: readonly Line[], result: string]>([
    ['odd bytes where a payment is first', 'links/broken-body', [link('link of odd bytes', unpaid)], open],
    ['a missing platform', creates, fails('not_supported'), open],
    ['a missing permission', creates, fails('provider_permission'), open],
    ['a payment', creates, fails('payment_required'), open],
    ['an authorization of no account', creates, fails('provider_auth'), 'fail 5.provider-auth'],
    ['a link that is over', creates, over, `warn ${output}.expires-at`],
    ['another provider', creates, first({ provider: 'google_ads' }), `fail ${output}.provider`],
    ['a label cut short', creates, first({ label: 'casa' }), `fail ${output}.label`],
    ['another label', creates, first({ label: 'a link' }), `warn ${output}.label`],
    ['an invite as requested', creates, [...first({}), list([pending])], 'pass'],
    ['an invite of more accounts', creates, [...first({}), list([wide])], `fail ${ofMax}-default`],
    ['an invite of another label', creates, [...first({}), list([{ ...wide, label: 'x' }])], 'pass'],
    ['an invite elsewhere', elsewhere, [...first({}), list([pending], '', 'second')], 'fail 1.organization-scope'],
    ['no invites elsewhere', elsewhere, [...first({}), list([], '', 'second')], 'inconclusive(vacuous)'],
    ['one URL for two links', edges, [least, most], 'warn 3.link.single-use'],
    ['no more free links', edges, [link('link of the least values', unpaid)], open],
    ['null as absent (R63)', edges, [link('link with a null maximum', made({}))], `inconclusive(vacuous) ${ofMax}`],
    ['links of others', rejects, invites([pending]), 'inconclusive(interference)'],
    ['an invite of a rejected link', rejects, invites([{ ...pending, label: 'casa-kit' }]), `fail ${invalid}`],
    ['no new invites', rejects, invites([]), 'pass'],
  ])('judge %s', (_, id, lines, result) => {
    const check = checks.find((one) => one.id === id) as (typeof checks)[number];
    const { result: kind, findings } = judged(check, historyOf(lines, { given }));
    expect([kind, ...findings.slice(0, 1).map((one) => one.split(' ')[1])].join(' ')).toBe(result);
  });

  test('send nothing that could make a link without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const posts = report.exchanges.filter(({ method }) => method === 'POST');
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.filter(({ requestBody }) => /"label":"[^"]/.test(requestBody.text ?? ''))).toEqual([]);
  });
});
