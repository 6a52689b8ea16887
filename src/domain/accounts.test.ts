import { describe, expect, it } from 'vitest';
import type { ConnectedAccount, Provider } from '../contract/generated/types.ts';
import type { Account, Payment } from './accounts.ts';
import { type Action, admitAction, providerActions } from './actions.ts';
import { createLink, finishConsent, linkLifetimeMs, linkState, listAccounts, openInvites } from './links.ts';
import { createRandom } from './random.ts';
import { Reviews } from './reviews.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');
const accountId = '5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f745';

function account(more: Partial<Account> = {}): Account {
  return {
    accountId,
    provider: 'google_business',
    label: 'Harbor Bakery',
    name: 'Harbor Bakery',
    status: 'connected',
    locked: false,
    connectedAt: '2026-01-01T00:00:00.000Z',
    posts: [],
    reviews: new Reviews([]),
    metrics: [],
    trouble: null,
    ...more,
  };
}

function admit(more: Partial<Account>, { paid = true, payment = 'ok' as Payment, action = 'posts' as Action } = {}) {
  const outcome = admitAction(
    { accounts: new Map([[accountId, account(more)]]), payment },
    { accountId: accountId.toUpperCase(), action, paid },
  );
  if (outcome.ok) return 'ok';
  const { code, reason } = outcome.rejection;
  return reason === undefined ? code : `${code}: ${reason}`;
}

describe('an action', () => {
  it.each([
    ['payment_method_required', 'payment_required: payment_method_required'],
    ['renewal_pending', 'payment_required: renewal_pending'],
  ] as const)('that writes is stopped by %s, and one that reads is not', (payment, expected) => {
    expect(admit({}, { payment })).toBe(expected);
    expect(admit({}, { payment, paid: false, action: 'reviews' })).toBe('ok');
  });

  it.each(Object.entries(providerActions))('on %s is offered for %j only', (provider, actions) => {
    for (const action of ['posts', 'reviews', 'insights'] as const) {
      const expected = actions.includes(action) ? 'ok' : 'not_supported';
      expect(admit({ provider: provider as Provider }, { action })).toBe(expected);
    }
  });

  it('is rejected in the order existence, state, payment, support, platform', () => {
    const everything = { status: 'expired', locked: true, provider: 'google_ads', trouble: 'transient' } as const;
    const none = { accounts: new Map(), payment: 'renewal_pending' } as const;
    const missing = admitAction(none, { accountId, action: 'posts', paid: true });
    expect(missing).toMatchObject({ rejection: { code: 'not_found' } });
    expect(admit(everything)).toBe('provider_auth');
    expect(admit({ ...everything, status: 'connected' })).toBe('payment_required: payment_method_required');
    expect(admit({ ...everything, status: 'connected', locked: false })).toBe('not_supported');
    expect(admit({ ...everything, status: 'connected', locked: false, provider: 'tiktok' })).toBe('transient');
  });
});

describe('billing', () => {
  const billing = (statuses: readonly ConnectedAccount['status'][], payment: Payment) => {
    const accounts = new Map(statuses.map((status, i) => [String(i), account({ status })]));
    return listAccounts({ accounts, links: new Map(), payment }, startMs).billing;
  };

  it.each([
    [[], 'ok', { connected: 0, free: 0, billable: 0, needsPayment: false }],
    [['connected'], 'payment_method_required', { connected: 1, free: 1, billable: 0, needsPayment: true }],
    [['connected', 'connected', 'expired'], 'ok', { connected: 2, free: 1, billable: 1, needsPayment: false }],
    [['connected', 'connected'], 'renewal_pending', { connected: 2, free: 1, billable: 1, needsPayment: true }],
  ] as const)('of %j with payment %s is %j', (statuses, payment, expected) => {
    expect(billing(statuses, payment)).toEqual(expected);
  });

  it('needs payment while an account is locked because a payment is missing', () => {
    const accounts = new Map([['1', account({ locked: true })]]);
    expect(listAccounts({ accounts, links: new Map(), payment: 'ok' }, startMs).billing.needsPayment).toBe(true);
  });
});

describe('a connect link', () => {
  const make = (input: { maxAccounts?: number } = {}) => {
    const random = createRandom(1);
    const link = createLink({ provider: 'instagram', label: 'Feed', ...input }, { random, nowMs: startMs });
    return { links: new Map([[link.token, link]]), random, link };
  };

  it.each([
    [linkLifetimeMs - 1, 'open', 1],
    [linkLifetimeMs, 'expired', 0],
  ])('is after %i ms %s, with %i invites', (elapsedMs, state, invites) => {
    const { links, link } = make();
    const nowMs = startMs + elapsedMs;
    expect([linkState(link, nowMs), openInvites(links, nowMs).length]).toEqual([state, invites]);
  });

  it('connects up to its number of accounts once, and throws when it is used against the rules', () => {
    const { link, random } = make({ maxAccounts: 2 });
    const finish = (names: readonly string[], open = link) => finishConsent(open, { names, random, nowMs: startMs });
    expect(() => finish([])).toThrow(RangeError);
    expect(() => finish(['a', 'b', 'c'])).toThrow(RangeError);
    const { link: used, accounts } = finish(['a', 'b']);
    expect(accounts.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(() => finish(['a'], used)).toThrow(RangeError);
    expect([linkState(used, startMs), openInvites(new Map([[used.token, used]]), startMs)]).toEqual(['used', []]);
    expect(used.accountIds).toEqual(accounts.map(({ accountId }) => accountId));
  });
});
