import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { links } from './links.ts';
import { linksWritten } from './links-written.ts';

const checks = [...links, ...linksWritten];
const run = { allowWrites: ['links'], maxWrites: 40, watch: true } as const;
const error = (status: number, code: string): Spoiled => ({
  status,
  body: { error: { code, message: '', issues: ['x'], reason: 'card' } },
});
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
    ['asks for a payment first', () => error(402, 'payment_required'), 'links/odd-bytes', 'inconclusive(precondition)'],
    [
      'makes links that are over',
      ({ status, body }) =>
        status === 200 ? { body: { ...body, data: { ...body.data, expiresAt: '2020-01-01T00:00:00Z' } } } : undefined,
      'links/creates',
      'warn',
    ],
    ['lacks the platform', () => error(400, 'not_supported'), 'links/creates', 'inconclusive(precondition)'],
    ['may not make links', () => error(403, 'provider_permission'), 'links/creates', 'inconclusive(precondition)'],
    ['asks for a payment', () => error(402, 'payment_required'), 'links/creates', 'inconclusive(precondition)'],
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
        return isLink(one) && made > 1 ? error(402, 'payment_required') : undefined;
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
