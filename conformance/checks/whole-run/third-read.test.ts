import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import type { Check } from '../../probe/check.ts';
import { keywords } from '../sites/keywords.ts';
import { sites } from '../sites/sites.ts';
import { thirdReadsOfAll } from './third-read.ts';

const ofSite = keywords.filter(({ id }) => id === 'keywords/of-site');
const byId = sites.filter(({ id }) => id === 'sites/by-id');
const thirdChecks = [...ofSite, ...byId, ...thirdReadsOfAll];
const atEase = { watch: true } as const;
const thirdId = 'lists/third-read';

/** Responses of keywords with other rows, by their number. */
const others = (rowsOf: (rows: readonly object[], count: number) => readonly object[]) => () => {
  const counts = new Map<string, number>();
  return (one: Exchanged) => {
    const name = `${one.path}?${one.query}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (one.path !== '/keywords' || one.status !== 200) return undefined;
    return { body: { ...one.body, data: rowsOf(one.body?.data as object[], counts.get(name) ?? 0) } };
  };
};
const empty = (isEmpty: (count: number) => boolean) => others((rows, count) => (isEmpty(count) ? [] : rows));
const oneMore = (rows: readonly object[], count: number) =>
  count === 3 ? [...rows, { ...rows[0], id: '4c1f0f0e-64a5-4a51-9a6c-2f9f5c1f6b31' }] : rows;

describe('data that is read three times', () => {
  test('in another order each time, as no list of the contract but articles and calls has one', async () => {
    let count = 0;
    const turned = () => (one: Exchanged) => {
      count += 1;
      const rows =
        one.status === 200 && Array.isArray(one.body?.data) && one.path !== '/articles' ? one.body.data : null;
      return rows && count % 2 === 0 ? { body: { ...one.body, data: [...rows].reverse() } } : undefined;
    };
    expect((await bench({ checks: thirdChecks, run: atEase, spoil: turned })).results[thirdId]).toBe('pass');
  });

  test.each([
    ['is gone the third time and back the fourth', (count: number) => count === 3, 'fail'],
    ['is gone the second time and back the third', (count: number) => count === 2, 'fail'],
    ['is gone for good from the third time on', (count: number) => count >= 3, 'inconclusive(interference)'],
    ['stays', () => false, 'pass'],
  ] as const)('and %s', async (_, isEmpty, result) => {
    expect((await bench({ checks: thirdChecks, run: atEase, spoil: empty(isEmpty) })).results[thirdId]).toBe(result);
  });

  test.each([1, 2, 3])('and is cut off in transit, as response %i (R60)', async (cutAt) => {
    let count = 0;
    const cut = () => (one: Exchanged) => {
      if (one.path === '/keywords' && one.status === 200) count += 1;
      return one.path === '/keywords' && count === cutAt ? { body: one.body, isCut: true } : undefined;
    };
    // The lost response of another check stays in the record.
    const reader: Check = {
      ...(ofSite[0] as Check),
      id: 'keywords/again',
      run: async (probe) => {
        const { id: siteId } = await probe.facts.site();
        for (let times = 0; times < 3; times += 1) await probe.send({ operation: 'listKeywords', params: { siteId } });
      },
      cost: { requests: 3 },
    };
    const { results, failures } = await bench({
      checks: [...ofSite, reader, ...thirdReadsOfAll],
      run: atEase,
      spoil: cut,
    });
    expect([results[thirdId], failures]).toEqual(['pass', []]);
  });

  test.each([
    ['with a cursor', '2026-01-01T00:00:00Z', 'pass'],
    ['without one', null, 'fail'],
  ])('while a page of articles is shorter, %s', async (_, cursor, result) => {
    let count = 0;
    const shorter = () => (one: Exchanged) => {
      const rows = one.path === '/articles' && one.status === 200 ? one.body?.data : null;
      if (!Array.isArray(rows)) return undefined;
      count += 1;
      return count === 2 ? { body: { ...one.body, data: rows.slice(0, 5), cursor } } : undefined;
    };
    const reader: Check = {
      ...(ofSite[0] as Check),
      id: 'articles/once',
      run: async (probe) => void (await probe.get('listArticles')),
    };
    const { results } = await bench({ checks: [reader, ...thirdReadsOfAll], run: atEase, spoil: shorter });
    expect(results[thirdId]).toBe(result);
  });

  test('while a row is added the third time and deleted again', async () => {
    expect((await bench({ checks: thirdChecks, run: atEase, spoil: others(oneMore) })).results[thirdId]).toBe('pass');
  });
});
