import { describe, expect, it } from 'vitest';
import type { Check } from '../../conformance/index.ts';
import { idleCheck as check } from '../../fixtures/test-kit/sample-report.ts';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import { type Defect, orderOf } from './order.ts';

function defect(by: readonly string[], breaks = `of ${by}`): Defect {
  return { row: { breaks } as MutantRow, by: new Set(by) };
}

function order(some: readonly Check[], defects: readonly Defect[], sent: Readonly<Record<string, number>>) {
  return orderOf(some, { defects, requestsOf: (id) => sent[id] ?? 1 }).map(({ check, requests }) => [check, requests]);
}

describe('orderOf', () => {
  it('puts the check with the most defects per request first', () => {
    const defects = [defect(['many']), defect(['many']), defect(['few'])];
    expect(order([check('few'), check('many')], defects, {})).toEqual([
      ['many', 1],
      ['few', 1],
    ]);
    expect(order([check('few'), check('many')], defects, { many: 4 })).toEqual([
      ['few', 1],
      ['many', 4],
    ]);
  });

  it('places the checks that a check follows before it', () => {
    const defects = [defect(['second']), defect(['second'], 'other'), defect(['third'])];
    const checks = [check('second', { after: ['first'] }), check('first'), check('third')];
    expect(order(checks, defects, {}).map(([id]) => id)).toEqual(['first', 'second', 'third']);
  });

  it('counts each further defect of one clause less, but not those of access', () => {
    const sent = { two: 2 };
    const ofOne = (breaks: string) => [1, 2, 3, 4].map(() => defect(['two'], breaks)).concat(defect(['one'], breaks));
    expect(order([check('one'), check('two')], ofOne('2.article.id'), sent)[0]).toEqual(['one', 1]);
    expect(order([check('one'), check('two')], ofOne('5.missing-key'), sent)[0]).toEqual(['two', 2]);
  });

  it('returns every check once', () => {
    const checks = ['a', 'b', 'c'].map((id) => check(id, { level: 'should' }));
    expect(order(checks, [], {}).map(([id]) => id)).toEqual(['a', 'b', 'c']);
  });
});
