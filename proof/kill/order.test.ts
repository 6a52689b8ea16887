import { describe, expect, it } from 'vitest';
import type { Check } from '../../conformance/index.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import { type Defect, orderOf, requestsOfRuns } from './order.ts';

function check(id: string, rest: Partial<Check> = {}): Check {
  return {
    id,
    title: id,
    cites: ['4.json'],
    level: 'must',
    phase: 'read',
    cost: { requests: 1 },
    run: async () => {},
    ...rest,
  };
}

function defect(by: readonly string[], breaks = `of ${by}`): Defect {
  return { row: { breaks } as MutantRow, by: new Set(by) };
}

function order(some: readonly Check[], defects: readonly Defect[], used: Readonly<Record<string, readonly string[]>>) {
  return orderOf(some, { defects, requests: requestsOfRuns(some, [used]) }).map(({ check, requests }) => [
    check,
    requests,
  ]);
}

describe('orderOf', () => {
  it('puts the check with the most defects per request first', () => {
    const defects = [defect(['many']), defect(['many']), defect(['few'])];
    expect(order([check('few'), check('many')], defects, { few: ['a'], many: ['b'] })).toEqual([
      ['many', 1],
      ['few', 1],
    ]);
    expect(order([check('few'), check('many')], defects, { few: ['a'], many: ['b', 'c', 'd', 'e'] })).toEqual([
      ['few', 1],
      ['many', 4],
    ]);
  });

  it('counts a shared request for the first check, so that the next one is free and follows', () => {
    const defects = [defect(['list']), defect(['list']), defect(['other'])];
    const used = { other: ['z'], end: ['a'], list: ['a'] };
    expect(order([check('other'), check('end'), check('list')], defects, used)).toEqual([
      ['end', 1],
      ['list', 0],
      ['other', 1],
    ]);
  });

  it('adds the requests of a check to those that use its responses', () => {
    const burst = check('burst', { cost: { requests: 2, gives: ['articles without limit'] } });
    const user = check('user', { cost: { requests: 0, uses: ['articles without limit'] } });
    const used = { burst: ['a', 'b'], third: ['c'] };
    expect(order([user, burst, check('third')], [defect(['user']), defect(['user', 'burst'])], used)).toEqual([
      ['user', 2],
      ['burst', 0],
      ['third', 1],
    ]);
  });

  it('places the checks that a check follows before it', () => {
    const defects = [defect(['second']), defect(['second'], 'other'), defect(['third'])];
    const checks = [check('second', { after: ['first'] }), check('first'), check('third')];
    expect(order(checks, defects, { first: ['a'], second: ['b'], third: ['c'] }).map(([id]) => id)).toEqual([
      'first',
      'second',
      'third',
    ]);
  });

  it('counts each further defect of one clause less, but not those of access', () => {
    const used = { one: ['a'], two: ['b', 'c'] };
    const ofOne = (breaks: string) => [1, 2, 3, 4].map(() => defect(['two'], breaks)).concat(defect(['one'], breaks));
    expect(order([check('one'), check('two')], ofOne('2.article.id'), used)[0]).toEqual(['one', 1]);
    expect(order([check('one'), check('two')], ofOne('5.missing-key'), used)[0]).toEqual(['two', 2]);
  });

  it('returns every check once', () => {
    const checks = ['a', 'b', 'c'].map((id) => check(id, { level: 'should' }));
    expect(order(checks, [], {}).map(([id]) => id)).toEqual(['a', 'b', 'c']);
  });
});
