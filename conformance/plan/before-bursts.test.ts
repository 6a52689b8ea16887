import { describe, expect, test } from 'vitest';
import type { Check, Cost } from '../probe/check.ts';
import { drawForward } from './before-bursts.ts';

function check(id: string, cost: Cost, mayComeEarlier = false): Check {
  const shown = { title: id, cites: ['4.sites.list'], level: 'must', phase: 'after bursts' } as const;
  return { id, ...shown, mayComeEarlier, cost, run: async () => {} };
}

const burst = check('burst', { requests: 11, ownPace: true });
const opener = check('opener', { requests: 2, ownPace: true, opensWindow: true });
const fixed = (requests: number) => check('fixed', { requests });
const two = check('two', { requests: 2 }, true);
const one = check('one', { requests: 1 }, true);
const another = check('another', { requests: 1 }, true);
const sum = (checks: readonly Check[]) => checks.reduce((total, { cost }) => total + cost.requests, 0);
const idsOf = (rest: readonly Check[]) => drawForward(rest, sum).map(({ id }) => id);

describe('before the bursts', () => {
  test.each<[string, number, readonly string[]]>([
    ['nothing that the window behind them has room for', 4, []],
    ['the smallest that is enough', 5, ['one']],
    ['another when one is not enough', 6, ['one', 'another']],
    ['as many as may come earlier', 8, ['one', 'another', 'two']],
    ['no more than those', 30, ['one', 'another', 'two']],
  ])('goes %s', (_, size, ids) => {
    expect(idsOf([burst, opener, two, one, another, fixed(size)])).toEqual(ids);
  });

  test.each<[string, readonly Check[]]>([
    ['before another check', [fixed(1), burst, opener, one, fixed(30)]],
    ['where no burst is waited for', [burst, one, fixed(30)]],
    ['at the end', []],
  ])('goes nothing %s', (_, rest) => {
    expect(idsOf(rest)).toEqual([]);
  });
});
