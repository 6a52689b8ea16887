import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { makeHistory } from '../../exchange/history.ts';
import { links, linksWritten } from './links.ts';

const checks = [...links, ...linksWritten];
const { given: unnamed } = makeHistory([]);
const given = { ...unnamed, runId: 'test' };
const mark = 'casa-kit conformance test';
const error = (code: string) => ({ error: { code, message: '' } });
const made = (data: object) => ({ data: { provider: 'tiktok', label: mark, connectUrl: 'https://a', ...data } });

/** A link and its response. */
function link(label: string, response: unknown, sent: object = {}): Line {
  const text = JSON.stringify({ provider: 'tiktok', label: mark, ...sent });
  return ['good POST /connect/accounts', response, { label, requestBody: { text, bytes: text.length } }];
}

const list = (pendingInvites: readonly object[], label = '', key = 'good'): Line => [
  ...([`${key} GET /connect/accounts`, { data: { accounts: [], pendingInvites } }, { label }] as const),
];
const invite = { id: '1', label: mark, provider: 'tiktok', maxAccounts: 1 };
const first = (data: object) => [link('first link', made(data))];
const fails = (code: string) => [link('first link', error(code))];
const invites = (rows: readonly object[]) => [
  ...[link('link with no label', error('invalid_input')), list([], 'invites before invalid links')],
  list(rows, 'invites after invalid links'),
];
const [least, most] = [link('link of the least values', made({})), link('link of the most values', made({}))];

const [output, ofMax] = ['2.connect-account-output', '2.connect-account-input.max-accounts'];
const [unpaid, invalid] = [error('payment_required'), '4.connect.create-link.invalid'];
const wide = { ...invite, maxAccounts: 20 };
const over = first({ expiresAt: '2020-01-01T00:00:00Z' });
const open = 'inconclusive(precondition)';
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
    ['an invite as requested', creates, [...first({}), list([invite])], 'pass'],
    ['an invite of more accounts', creates, [...first({}), list([wide])], `fail ${ofMax}-default`],
    ['an invite of another label', creates, [...first({}), list([{ ...wide, label: 'x' }])], 'pass'],
    ['an invite elsewhere', elsewhere, [...first({}), list([invite], '', 'second')], 'fail 1.organization-scope'],
    ['no invites elsewhere', elsewhere, [...first({}), list([], '', 'second')], 'inconclusive(vacuous)'],
    ['one URL for two links', edges, [least, most], 'warn 3.link.single-use'],
    ['no more free links', edges, [link('link of the least values', unpaid)], open],
    ['null as absent (R63)', edges, [link('link with a null maximum', made({}))], `inconclusive(vacuous) ${ofMax}`],
    ['links of others', rejects, invites([invite]), 'inconclusive(interference)'],
    ['an invite of a rejected link', rejects, invites([{ ...invite, label: 'casa-kit' }]), `fail ${invalid}`],
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
