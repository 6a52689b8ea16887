import { describe, expect, it } from 'vitest';
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';
import { type Defect, orderOf } from './order.ts';

function defect(by: readonly string[], breaks = `of ${by}`): Defect {
  return { row: { breaks } as MutantRow, by: new Set(by) };
}

const order = (ids: readonly string[], defects: readonly Defect[], sent: Readonly<Record<string, number>> = {}) =>
  orderOf(ids, { defects, requestsOf: (id) => sent[id] ?? 1 });

describe('orderOf', () => {
  it('puts the scenario with the most defects per request first', () => {
    const defects = [defect(['many']), defect(['many']), defect(['few'])];
    expect(order(['few', 'many'], defects)).toEqual(['many', 'few']);
    expect(order(['few', 'many'], defects, { many: 4 })).toEqual(['few', 'many']);
  });

  it('counts each further defect of one clause less, but not those of access', () => {
    const ofOne = (breaks: string) => [1, 2, 3, 4].map(() => defect(['two'], breaks)).concat(defect(['one'], breaks));
    expect(order(['one', 'two'], ofOne('2.article.id'), { two: 2 })[0]).toBe('one');
    expect(order(['one', 'two'], ofOne('5.missing-key'), { two: 2 })[0]).toBe('two');
  });

  it('counts a defect for the first scenario that shows it', () => {
    expect(order(['a', 'b', 'c'], [defect(['a', 'b']), defect(['a', 'b']), defect(['c'])])).toEqual(['a', 'c', 'b']);
  });
});
