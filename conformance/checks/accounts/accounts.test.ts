import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { accounts } from './accounts.ts';
import { links } from './links.ts';
import { linksWritten } from './links-written.ts';

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
    const { results } = await benchAccounts(/^\/connect\/accounts$/, rejection(status, code));
    expect(results['accounts/list']).toBe(outcome);
  });

  test.each([
    [404, 'not_found', 'warn'],
    [400, 'invalid_input', 'warn'],
    [401, 'provider_auth', 'pass'],
  ])('take %i %s of a listed account that is not connected for %s', async (status, code, outcome) => {
    const { results } = await bench({
      checks: accounts,
      spoil: () => (one) => (/reviews$/.test(one.path) && one.status !== 200 ? rejection(status, code) : undefined),
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
      /reviews$/.test(hasResponse.path) && hasResponse.status !== 200 ? rejection(status, code) : undefined;
    const { results } = await bench({ checks: accounts, run: { watch: true }, spoil });
    expect(results['accounts/refused-states']).toBe(outcome);
  });
});

const checks = [...links, ...linksWritten];
const run = { allowWrites: ['links'], maxWrites: 40, watch: true } as const;
const isLink = ({ method, path }: Exchanged) => method === 'POST' && path === '/connect/accounts';

describe('the checks of connect links', () => {
  test.each(['absent', 'reject'] as const)('note null as maxAccounts: %s (R63)', async (nullOptional) => {
    const { result, failures } = await bench({ checks, variant: { nullOptional }, run });
    const actual = nullOptional === 'absent' ? '200' : '400 invalid_input';
    expect(result('links/null-max-accounts').findings.map((one) => [one.severity, one.actual])).toEqual([
      ['note', actual],
    ]);
    expect(failures).toEqual([]);
  });

  test('send nothing that could make a link without permission', async () => {
    const { report } = await bench({ checks, run: { watch: true } });
    const posts = report.exchanges.filter(({ method }) => method === 'POST');
    expect(posts.length).toBeGreaterThan(0);
    expect(posts.filter(({ requestBody }) => /"label":"[^"]/.test(requestBody.text ?? ''))).toEqual([]);
  });

  test.each<[string, (hasResponse: Exchanged) => Spoiled | undefined, string, string]>([
    [
      'asks for a payment first',
      () => rejection(402, 'payment_required'),
      'links/odd-bytes',
      'inconclusive(precondition)',
    ],
    [
      'makes links that are over',
      ({ status, body }) =>
        status === 200 ? { body: { ...body, data: { ...body.data, expiresAt: '2020-01-01T00:00:00Z' } } } : undefined,
      'links/creates',
      'warn',
    ],
    ['lacks the platform', () => rejection(400, 'not_supported'), 'links/creates', 'inconclusive(precondition)'],
    ['may not make links', () => rejection(403, 'provider_permission'), 'links/creates', 'inconclusive(precondition)'],
    ['asks for a payment', () => rejection(402, 'payment_required'), 'links/creates', 'inconclusive(precondition)'],
  ])('check a server that %s', async (_, spoil, id, outcome) => {
    const { results } = await bench({ checks, run, spoil: () => (one) => (isLink(one) ? spoil(one) : undefined) });
    expect(results[id]).toBe(outcome);
  });

  test('warn of an invite with another number than requested', async () => {
    const spoil = () => (one: Exchanged) =>
      one.method === 'GET' && one.path === '/connect/accounts'
        ? { body: JSON.parse(JSON.stringify(one.body).replaceAll('"maxAccounts":20', '"maxAccounts":1')) }
        : undefined;
    expect((await bench({ checks, run, spoil })).results['links/edges']).toBe('warn');
  });

  test.each([
    ['links/edges', 'inconclusive(precondition)'],
    ['links/refuses-wrong-bodies', 'inconclusive(precondition)'],
  ])('leave %s open once the first link has used up what is free', async (id, outcome) => {
    let made = 0;
    const { results } = await bench({
      checks: linksWritten,
      run,
      spoil: () => (one) => {
        if (isLink(one)) made += 1;
        return isLink(one) && made > 1 ? rejection(402, 'payment_required') : undefined;
      },
    });
    expect(results[id]).toBe(outcome);
  });

  test.each([
    ['another provider', { provider: 'google_ads' }, 'fail'],
    ['a label cut short', { label: 'casa' }, 'warn'],
  ])('check links that come back with %s', async (_, changed, outcome) => {
    const spoil = () => (one: Exchanged) =>
      isLink(one) && one.status === 200 ? { body: { ...one.body, data: { ...one.body.data, ...changed } } } : undefined;
    expect((await bench({ checks, run, spoil })).results['links/creates']).toBe(outcome);
  });

  test('warn of one address for the links of two labels', async () => {
    const spoil = () => (one: Exchanged) =>
      isLink(one) && one.status === 200
        ? { body: { ...one.body, data: { ...one.body.data, connectUrl: 'https://casa.example/connect' } } }
        : undefined;
    expect((await bench({ checks, run, spoil })).results['links/edges']).toBe('warn');
  });

  test('take the links that others make meanwhile for theirs', async () => {
    let sent = 0;
    const spoil = () => (one: Exchanged) => {
      if (one.method !== 'GET' || one.path !== '/connect/accounts') return undefined;
      sent += 1;
      const invite = { id: `other-${sent}`, label: 'another', provider: 'tiktok', maxAccounts: 1, expiresAt: 'soon' };
      const pendingInvites = [...one.body.data.pendingInvites, invite];
      return { body: { ...one.body, data: { ...one.body.data, pendingInvites } } };
    };
    const { results } = await bench({ checks, run, spoil });
    expect(results['links/refuses-wrong-bodies']).toBe('inconclusive(interference)');
  });
});
