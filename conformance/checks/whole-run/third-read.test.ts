import { expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { idleCheck } from '../../../fixtures/test-kit/sample-report.ts';
import { thirdReadsOfAll } from './third-read.ts';

const reader = idleCheck('articles/once', {
  phase: 'read',
  run: async (probe) => void (await probe.get('listArticles')),
});

test.each<[string, (count: number) => boolean, string | null, string]>([
  ['stays', () => false, null, 'pass'],
  ['is shorter with a cursor', (count) => count === 2, '2026-01-01T00:00:00Z', 'pass'],
  ['is shorter without a cursor', (count) => count === 2, null, 'fail'],
  ['is shorter for good', (count) => count > 2, null, 'inconclusive(interference)'],
])('lists/third-read checks a page of articles that %s', async (_, isShort, cursor, result) => {
  let count = 0;
  const spoil = () => (one: Exchanged) => {
    const rows = one.path === '/articles' && one.status === 200 ? one.body?.data : null;
    if (!Array.isArray(rows)) return undefined;
    count += 1;
    // In another order each time, as the contract does not state one.
    const data = isShort(count) ? rows.slice(0, 5) : count % 2 ? rows : [...rows].reverse();
    return { body: { ...one.body, data, ...(isShort(count) ? { cursor } : {}) } };
  };
  const { results } = await bench({ checks: [reader, ...thirdReadsOfAll], run: { watch: true }, spoil });
  expect(results['lists/third-read']).toBe(result);
});

test('lists/third-read reads whole lists again, which lists/no-return compares', async () => {
  const sites = idleCheck('sites/once', { phase: 'read', run: async (probe) => void (await probe.facts.sites()) });
  const { report } = await bench({ checks: [sites, ...thirdReadsOfAll], run: { watch: true } });
  expect(report.exchanges.filter(({ target }) => target === '/sites').length).toBeGreaterThan(3);
});
