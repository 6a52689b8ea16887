import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Independent } from '../../../proof/independent/index.ts';
import { articlePages } from '../articles/pages.ts';
import { calls } from '../calls/index.ts';
import { reviewPages } from '../reviews/pages.ts';
import { reviewLists } from '../reviews/reviews.ts';
import { isolation as lists } from './isolation.ts';
import { isolationMcp } from './isolation-mcp.ts';
import { isolationCursors, isolationTurns } from './isolation-turns.ts';

const isolation = [...lists, ...isolationCursors, ...isolationTurns, ...isolationMcp];

const checks = [...articlePages, ...reviewLists, ...reviewPages, ...calls, ...isolation];

describe('the checks of isolation', () => {
  test('ask for a site with articles, not for the first of the list', async () => {
    let empty: string | undefined;
    const spoil = () => (one: Exchanged) => {
      if (one.path === '/sites' && one.status === 200) empty ??= one.body.data[0].id;
      if (one.path !== '/articles' || one.status !== 200) return undefined;
      const data = one.body.data.filter(({ siteId }: { siteId: string }) => siteId !== empty);
      return { body: { ...one.body, data } };
    };
    const { results } = await bench({ checks, mutant: 'foreign-articles-by-site', spoil });
    expect(results['isolation/filters']).toBe('fail');
  });

  test('warn of two calls that both organizations have, because two may have a reason (R56)', async () => {
    const call = { id: 'b5d0b5f0-54c3-4f1e-9a55-0e4a7d2c9a10', startedAt: '2026-04-01T10:00:00.123Z' };
    const spoil = () => (one: Exchanged) =>
      one.path === '/connect/calls/log' && one.status === 200 && !one.query.has('since')
        ? { body: { data: { ...one.body.data, calls: [call, { ...call, id: '2' }, ...one.body.data.calls.slice(2)] } } }
        : undefined;
    expect((await bench({ checks, spoil })).failures.filter((failure) => failure.startsWith('isolation'))).toEqual([
      'isolation/calls warn',
    ]);
  });

  test('warn of an invite that both organizations see, and ignore invites with only equal numbers', async () => {
    let sent = 0;
    const withInvite =
      (make: (sent: number) => object) =>
      () =>
      (one: Exchanged): Spoiled | undefined => {
        if (one.path !== '/connect/accounts') return undefined;
        sent += 1;
        return { body: { ...one.body, data: { ...one.body.data, pendingInvites: [make(sent)] } } };
      };
    const usual = { id: '1', provider: 'tiktok', maxAccounts: 1, expiresAt: '2026-05-02T00:00:00Z' };
    const shared = await bench({ checks: isolation, spoil: withInvite(() => ({ ...usual, label: 'spring' })) });
    const alike = await bench({ checks: isolation, spoil: withInvite((n) => ({ ...usual, label: `client ${n}` })) });
    expect(shared.results['isolation/lists']).toBe('warn');
    expect(alike.results['isolation/lists']).toBe('pass');
  });

  test('warn of two organizations that share one record of each kind, and never fail (R56)', async () => {
    const shared = new Map<string, object>();
    const spoil = () => (one: Exchanged) => {
      const rows = one.body?.data?.accounts ?? one.body?.data;
      if (one.status !== 200 || !Array.isArray(rows) || !/^\/(sites|connect\/accounts)$/.test(one.path))
        return undefined;
      const all = [shared.get(one.path) ?? rows[0], ...rows.slice(1)];
      shared.set(one.path, rows[0]);
      return { body: { ...one.body, data: one.body.data.accounts ? { ...one.body.data, accounts: all } : all } };
    };
    const { failures } = await bench({ checks: isolation, spoil });
    expect(failures).toEqual(['isolation/lists warn', 'isolation/lists-again warn']);
  });

  test.each<[string, RegExp, string, boolean]>([
    ['one list', /^\/sites$/, 'pass', true],
    ['every list', /./, 'inconclusive(vacuous)', false],
  ])('prove nothing about %s that one key cannot read', async (_, closed, kind, isShown) => {
    const first = new Map<string, string>();
    const spoil = () => (one: Exchanged) => {
      if (one.status !== 200 || !/^\/(sites|articles|connect\/accounts)$/.test(one.path)) return undefined;
      const body = JSON.stringify(one.body);
      if (!first.has(one.path)) first.set(one.path, body);
      const isOpen = first.get(one.path) === body || !closed.test(one.path);
      return isOpen ? undefined : { status: 403, body: { error: { code: 'provider_permission', message: 'no' } } };
    };
    const { result, results } = await bench({ checks: isolation, spoil });
    const { shown = [] } = result('isolation/lists');
    expect([results['isolation/lists'], shown.includes('1.organization-scope')]).toEqual([kind, isShown]);
    expect(shown).not.toContain('4.sites.list');
  });

  test('are inconclusive about calls with too little data to distinguish them', async () => {
    const spoil = () => (one: Exchanged) =>
      one.path === '/connect/calls/log' && one.status === 200
        ? { body: { data: { ...one.body.data, calls: one.body.data.calls.map(() => ({ outcome: 'missed' })) } } }
        : undefined;
    expect((await bench({ checks, spoil })).results['isolation/calls']).toBe('inconclusive(vacuous)');
  });

  test('ask the second key for no account whose id is malformed by the pattern of inputs', async () => {
    const spoil = () => (one: Exchanged) => {
      if (one.path !== '/connect/accounts') return undefined;
      const accounts = one.body.data.accounts.map((row: object, index: number) => ({
        ...row,
        accountId: `acc_${index}`,
      }));
      return { body: { ...one.body, data: { ...one.body.data, accounts, pendingInvites: [] } } };
    };
    const { report } = await bench({ checks: isolation, spoil });
    expect(report.exchanges.filter(({ key, target }) => key === 'second' && /insights|reviews/.test(target))).toEqual(
      [],
    );
  });

  test('fail when both keys belong to one organization, and say so (R65)', async () => {
    const twoKeys = (more: object) => (server: Independent) => ({
      keys: { good: server.keys.good, second: server.keys.spare },
      ...more,
    });
    const { results, result } = await bench({ checks, run: twoKeys({}) });
    const { result: outcome, findings } = result('isolation/lists');
    expect([outcome.kind, findings[0]?.message]).toEqual([
      'fail',
      expect.stringContaining('belong to one organization'),
    ]);
    expect(results['isolation/calls']).toBe('inconclusive(precondition)');
    const alike = await bench({ checks: isolation, run: twoKeys({ seededAlike: true }) });
    expect(alike.results['isolation/lists']).toBe('warn');
    expect(alike.failures.filter((failure) => / (fail|error)/.test(failure))).toEqual([]);
  });
});
