import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { accounts } from './accounts.ts';

const error = (status: number, code: string): Spoiled => ({
  status,
  body: { error: { code, message: '', reason: 'card' } },
});

function benchAccounts(path: RegExp, spoiled: Spoiled) {
  const spoil = () => (hasResponse: Exchanged) => (path.test(hasResponse.path) ? spoiled : undefined);
  return bench({ checks: accounts, spoil, run: { watch: true } });
}

describe('the checks of accounts', () => {
  test.each([
    [500, 'internal', 'fail'],
    [404, 'not_found', 'fail'],
    [401, 'provider_auth', 'fail'],
    [402, 'payment_required', 'inconclusive(precondition)'],
  ])('take a list that returns %i %s for %s', async (status, code, outcome) => {
    const { results } = await benchAccounts(/^\/connect\/accounts$/, error(status, code));
    expect(results['accounts/list']).toBe(outcome);
  });

  test.each([
    [404, 'not_found', 'warn'],
    [400, 'invalid_input', 'warn'],
    [401, 'provider_auth', 'pass'],
  ])('take %i %s of a listed account that is not connected for %s', async (status, code, outcome) => {
    const { results } = await bench({
      checks: accounts,
      spoil: () => (one) => (/reviews$/.test(one.path) && one.status !== 200 ? error(status, code) : undefined),
    });
    expect(results['accounts/refused-states']).toBe(outcome);
  });

  const invite = { id: '1', label: 'x', provider: 'tiktok', maxAccounts: 2, expiresAt: '2026-05-09T00:00:00Z' };

  test.each<[string, string, (data: { accounts: object[] }, sent: number) => object]>([
    ['an account twice', 'fail', ({ accounts }) => ({ accounts: [...accounts, accounts[0]] })],
    [
      'an account twice in one of two reads',
      'pass',
      ({ accounts }, sent) => ({ accounts: [...accounts, ...(sent === 1 ? accounts.slice(0, 1) : [])] }),
    ],
    [
      'two rows of one account that differ',
      'pass',
      ({ accounts }) => ({ accounts: [...accounts, { ...accounts[0], label: 'other' }] }),
    ],
    ['an invite twice', 'fail', () => ({ pendingInvites: [invite, invite] })],
    ['invites alike but for their ids', 'pass', () => ({ pendingInvites: [invite, { ...invite, id: '2' }] })],
    ['an invite for 21 accounts', 'warn', () => ({ pendingInvites: [{ ...invite, maxAccounts: 21 }] })],
    ['an invite without a label', 'warn', () => ({ pendingInvites: [{ ...invite, label: '' }] })],
  ])('check %s', async (_, outcome, change) => {
    const spoil = () => {
      let sent = 0;
      return (one: Exchanged) => {
        if (one.path !== '/connect/accounts' || one.status !== 200) return undefined;
        sent += 1;
        return { body: { ...one.body, data: { ...one.body.data, ...change(one.body.data, sent) } } };
      };
    };
    expect((await bench({ checks: accounts, spoil })).results['accounts/list']).toBe(outcome);
  });

  test('note an account of --account that the list lacks', async () => {
    const run = { account: '00000000-0000-4000-8000-000000000001' };
    const { result } = await bench({ checks: accounts, run });
    expect(result('accounts/list').findings.map(({ severity }) => severity)).toEqual(['note']);
  });

  test('know an account of --account in any letter case', async () => {
    const run = ({ accounts: { reviewable } }: Independent) => ({ account: reviewable.toUpperCase() });
    const { result } = await bench({ checks: accounts, run });
    expect(result('accounts/list').findings).toEqual([]);
  });

  test.each([
    ['comes and goes', (sent: number) => sent % 2, 'fail'],
    ['was removed', (sent: number) => (sent > 1 ? 0 : 1), 'inconclusive(interference)'],
    ['stays', () => 1, 'pass'],
  ])('check an account that %s, given the time', async (_, isShown, outcome) => {
    const { results } = await bench({
      checks: accounts,
      run: { watch: true },
      spoil: () => {
        let sent = 0;
        return ({ path, body }) => {
          if (path !== '/connect/accounts') return undefined;
          sent += 1;
          const shown = isShown(sent) ? body.data.accounts : body.data.accounts.slice(1);
          return { body: { ...body, data: { ...body.data, accounts: shown } } };
        };
      },
    });
    expect(results['accounts/steady']).toBe(outcome);
  });

  test.each([
    [403, 'provider_auth', 'fail'],
    [401, 'unauthorized', 'fail'],
    [501, 'not_supported', 'fail'],
    [401, 'provider_auth', 'pass'],
  ])('check a %i %s of accounts that cannot be used, given the time', async (status, code, outcome) => {
    const spoil = () => (hasResponse: Exchanged) =>
      /reviews$/.test(hasResponse.path) && hasResponse.status !== 200 ? error(status, code) : undefined;
    const { results } = await bench({ checks: accounts, run: { watch: true }, spoil });
    expect(results['accounts/refused-states']).toBe(outcome);
  });
});
