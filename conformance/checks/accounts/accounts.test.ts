import { describe, expect, test } from 'vitest';
import { again, historyOf, inWords, type Line, rejected } from '../../../fixtures/test-kit/history.ts';
import { makeHistory } from '../../exchange/history.ts';
import { accounts } from './accounts.ts';

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
