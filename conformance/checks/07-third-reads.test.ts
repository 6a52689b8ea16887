import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/test-kit/check-bench.ts';
import type { Answered } from '../../proof/test-kit/rewriting-proxy.ts';
import type { Check } from '../probe/check.ts';
import { keywords } from './04-keywords.ts';
import { sites } from './04-sites.ts';
import { thirdReadsOfAll } from './07-third-reads.ts';

const ofSite = keywords.filter(({ id }) => id === 'keywords/of-site');
const byId = sites.filter(({ id }) => id === 'sites/by-id');
const checks = [...ofSite, ...byId, ...thirdReadsOfAll];
const run = { watch: true } as const;
const id = 'lists/third-read';

/** Answers of keywords with other rows, by their number. */
const others = (rowsOf: (rows: readonly object[], count: number) => readonly object[]) => () => {
  const counts = new Map<string, number>();
  return (one: Answered) => {
    const name = `${one.path}?${one.query}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    if (one.path !== '/keywords' || one.status !== 200) return undefined;
    return { body: { ...one.body, data: rowsOf(one.body?.data as object[], counts.get(name) ?? 0) } };
  };
};
const empty = (isEmpty: (count: number) => boolean) => others((rows, count) => (isEmpty(count) ? [] : rows));
const oneMore = (rows: readonly object[], count: number) =>
  count === 3 ? [...rows, { ...rows[0], id: '4c1f0f0e-64a5-4a51-9a6c-2f9f5c1f6b31' }] : rows;

describe('what is read three times', () => {
  test.each(VARIANT_NAMES)('raises no alarm on the legal variant %s', async (variant) => {
    expect((await bench({ checks, variant, run })).alarms).toEqual([]);
  });

  test('in another order each time, as no list of the contract but articles and calls has one', async () => {
    let count = 0;
    const turned = () => (one: Answered) => {
      count += 1;
      const rows =
        one.status === 200 && Array.isArray(one.body?.data) && one.path !== '/articles' ? one.body.data : null;
      return rows && count % 2 === 0 ? { body: { ...one.body, data: [...rows].reverse() } } : undefined;
    };
    expect((await bench({ checks, run, spoil: turned })).verdicts[id]).toBe('pass');
  });

  test.each([
    ['is gone the third time and back the fourth', (count: number) => count === 3, 'fail'],
    ['is gone the second time and back the third', (count: number) => count === 2, 'fail'],
    ['is gone for good from the third time on', (count: number) => count >= 3, 'inconclusive(interference)'],
    ['stays', () => false, 'pass'],
  ] as const)('and %s', async (_, isEmpty, verdict) => {
    expect((await bench({ checks, run, spoil: empty(isEmpty) })).verdicts[id]).toBe(verdict);
  });

  test.each([1, 2, 3])('and is cut off in transit, as response %i (R60)', async (cutAt) => {
    let count = 0;
    const cut = () => (one: Answered) => {
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
    const { verdicts, alarms } = await bench({ checks: [...ofSite, reader, ...thirdReadsOfAll], run, spoil: cut });
    expect([verdicts[id], alarms]).toEqual(['pass', []]);
  });

  test('while a row is added the third time and deleted again', async () => {
    expect((await bench({ checks, run, spoil: others(oneMore) })).verdicts[id]).toBe('pass');
  });
});
