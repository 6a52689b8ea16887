import { describe, expect, test } from 'vitest';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { checks } from '../checks/index.ts';
import type { Check } from '../probe/check.ts';
import { isBasic, isOfAudit, noPlan } from './plan.ts';
import { depthsOf, expectationOf, turnOfRun, usualOrder } from './priority.ts';

const check = (id: string, rest: Partial<Check> = {}) => idleCheck(id, { cost: { requests: 2 }, ...rest });

const basic = check('a/basic', { cost: { requests: 2, withTime: { requests: 9 } } });
const plain = check('a/plain');
const writes = check('a/writes', { needs: ['writes:posts'] });
const extended = ['b/one', 'b/two', 'b/three'].map((id) => check(id, { needs: ['extended'] }));
const all = [basic, plain, writes, ...extended];
const order = {
  basic: [],
  steps: [
    { check: 'b/two', requests: 10, share: 0.01 },
    { check: 'a/basic', requests: 10, share: 0.01 },
    { check: 'b/one', requests: 10, share: 0.01 },
    { check: 'b/three', requests: 10, share: 0.01 },
  ],
};

function chosen(requestsMax: number | null, turn = 0): string[] {
  const depths = depthsOf(all, { requestsMax, order, turn });
  return [...depths].filter(([, depth]) => depth === 'all').map(([id]) => id);
}

describe('the checks of a run', () => {
  test.each([
    ['everything without a limit', null, ['a/basic', 'a/plain', 'a/writes', 'b/one', 'b/two', 'b/three']],
    ['nothing beyond one minute', 60, ['a/writes']],
    ['no step that does not fit', 69, ['a/writes']],
    ['the step that fits', 70, ['a/writes', 'b/two']],
    ['two steps', 80, ['a/writes', 'b/two', 'a/basic']],
    ['everything, where all steps fit', 100, ['a/basic', 'a/plain', 'a/writes', 'b/two', 'b/one', 'b/three']],
  ])('have %s', (_, requestsMax, ids) => {
    expect(chosen(requestsMax).sort()).toEqual([...ids].sort());
  });

  test('send a sample of their inputs where nothing more fits', () => {
    expect(depthsOf(all, { requestsMax: 60, order, turn: 0 }).get('a/basic')).toBe('sample');
  });

  test('take turns with half of the requests, and reach every step', () => {
    const runs = [0, 1, 2].map((turn) => chosen(80, turn));
    expect(runs.every((ids) => ids.includes('b/two'))).toBe(true);
    expect(new Set(runs.flat()).size).toBe(5);
  });

  test('leave out a step without the one that it follows', () => {
    const follower = check('b/two', { needs: ['extended'], after: ['b/one'] });
    const some = [...all.filter(({ id }) => id !== 'b/two'), follower];
    expect(depthsOf(some, { requestsMax: 70, order, turn: 0 }).has('b/two')).toBe(false);
    expect(depthsOf(some, { requestsMax: 100, order, turn: 0 }).has('b/two')).toBe(true);
  });

  test('that are not in the order come last', () => {
    const depths = depthsOf([...all, check('c/new', { needs: ['extended'] })], { requestsMax: 102, order, turn: 0 });
    expect(depths.get('c/new')).toBe('all');
  });
});

describe('the turn of a run', () => {
  test('is another one each night, and for each seed of a day', () => {
    const nights = [0, 1, 2].map((day) => turnOfRun(29_000_000 + day * 1440));
    expect(nights.map((turn) => turn - (nights[0] ?? 0))).toEqual([0, 1, 2]);
    expect(turnOfRun(5)).toBe(5);
  });
});

describe('the generated order', () => {
  const further = checks.filter((one) => isOfAudit(one) && (!isBasic(one) || one.cost.withTime !== undefined));
  const lists = [
    [usualOrder.steps.map((step) => step.check), further.map(({ id }) => id)],
    [usualOrder.basic, checks.filter(isBasic).map(({ id }) => id)],
  ] as const;

  test.each(lists)('has each check once', (order, ids) => {
    expect(new Set(order).size).toBe(order.length);
    expect(order.filter((id) => !ids.includes(id))).toEqual([]);
  });

  test.each(lists)('misses few new checks: npm run priorities writes it', (order, ids) => {
    expect(ids.filter((id) => !order.includes(id)).length).toBeLessThan(5);
  });

  test('finds all known defects at most', () => {
    const everything = usualOrder.steps.map((step) => step.check);
    expect(expectationOf(noPlan(0), everything, 1000).defectsFound).toBe(1);
  });
});
