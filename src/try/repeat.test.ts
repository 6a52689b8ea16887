import { describe, expect, it } from 'vitest';
import { control } from './cell.ts';
import type { Observation } from './cell-run.ts';
import { Doubts, repeatDoubtful, runSlower } from './repeat.ts';
import type { ClientReport } from './report.ts';

const reportOf = (found: Readonly<Record<string, readonly number[]>>) =>
  ({
    violations: Object.entries(found).map(([id, cells]) => ({ id, cells: cells.map(String) })),
  }) as unknown as ClientReport;
const to = (last: number) => Array.from({ length: last }, (_, i) => i + 1);

describe('the repeats', () => {
  it.each<[string, Record<string, number[]>, Record<string, number[]>, number[][]]>([
    ['all of three test cases', { a: to(3) }, { a: [2] }, [to(3), []]],
    ['none without a violation', {}, {}, [[], []]],
    ['a sample of nine test cases', { a: to(9) }, { a: to(9) }, [[1, 5, 9], []]],
    [
      'the others where the sample has another violation',
      { a: to(9) },
      { b: [1, 5, 9], a: [2, 3] },
      [
        [1, 5, 9],
        [2, 3, 4, 6, 7, 8],
      ],
    ],
    [
      'the others of one of two violations',
      { a: to(4), b: [2, 5, 6, 7, 8] },
      { a: [3], b: [5] },
      [
        [1, 2, 3, 6, 4, 8],
        [5, 7],
      ],
    ],
  ])('are %s', async (_what, before, after, expected) => {
    const asked: number[][] = [];
    await repeatDoubtful(reportOf(before), async (ids) => {
      asked.push([...ids].map(Number));
      return reportOf(after);
    });
    expect(asked).toEqual(expected);
  });
});

describe('a repeated test case', () => {
  const [one, two] = ['1', '2'].map((id) => ({ ...control, id })) as [typeof control, typeof control];
  const found = (rule: string) => ({ rule, severity: 'rule', clause: '4.json', message: '', correct: '' }) as const;
  const doubts = (rule: string) =>
    new Doubts({ violations: [{ id: 'a', rule, cells: ['1', '2'] }] } as unknown as ClientReport);

  it('can end when its violation shows again, in it or in another', () => {
    const open = doubts('early-retry');
    expect(open.areSettled(one, () => [])).toBe(false);
    expect(open.areSettled(one, () => [found('early-retry')])).toBe(true);
    open.confirm(one, [found('early-retry')]);
    expect(open.areSettled(two, () => [])).toBe(true);
  });

  it('runs to its end for a rule that the rest can take back', () => {
    expect(doubts('article-lost').areSettled(one, () => [found('article-lost')])).toBe(false);
  });

  it.each<[string, number, number[], number[]]>([
    ['at half the speed', 0, [0], [10]],
    ['at a quarter after late timers', 9_000, [0], [5]],
    ['again at a quarter if its timers are late', 0, [9_000, 0], [10, 5]],
  ])('runs %s', async (_, beforeMs, lateMs, speeds) => {
    const asked: unknown[] = [];
    const run = async ({ speed }: { speed: number | null }) =>
      ({ lateMs: lateMs[asked.push(speed) - 1] }) as unknown as Observation;
    await runSlower(run, { speed: 20, isShown: undefined, before: { lateMs: beforeMs } as Observation });
    expect(asked).toEqual(speeds);
  });
});
