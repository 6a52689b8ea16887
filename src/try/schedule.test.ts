import { describe, expect, it } from 'vitest';
import { matrix } from './matrix.ts';
import type { ClientReport } from './report.ts';
import { noteOfMinutes, plannedMs, repeatDoubtful, Work } from './schedule.ts';

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
        [1, 3, 4, 2, 6, 8],
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

describe('the time of a run', () => {
  const cell = (id: string) => matrix.find((one) => one.id === id) ?? matrix[0];
  const planned = (id: string, isReal = false) =>
    plannedMs(cell(id) as NonNullable<ReturnType<typeof cell>>, new Set(['listSites']), 60_000, isReal) / 1_000;

  it('has the additional time of a test case, with a limit in real time', () => {
    expect(planned('formats/indented')).toBe(60);
    expect(planned('limits/read-limiter_key-600')).toBe(960);
    expect(planned('limits/read-limiter_key-600', true)).toBe(190);
  });

  it('is known in parts, to which repeats add', () => {
    const [one, two] = [cell('formats/indented'), cell('errors/read-503-once')].flatMap((each) => each ?? []);
    if (!one || !two) throw new Error('no test case');
    const work = new Work({ all: 10, skipped: 7 });
    const costOf = work.plan([one, two], (each) => (each === one ? 30 : 10));
    work.begin(costOf(one));
    work.begin(costOf(two));
    expect(work.progress()).toEqual({ all: 10, skipped: 7, done: 8, repeats: 0, share: 0.5 });
    expect(work.end(costOf(one))).toMatchObject({ done: 9, share: 0.875 });
    expect(work.end(costOf(two))).toMatchObject({ done: 10, share: 1 });
    work.plan([two], () => 40);
    expect(work.progress()).toMatchObject({ done: 10, repeats: 1, share: 0.5 });
    work.begin(40);
    expect(work.end(40)).toMatchObject({ done: 10, repeats: 1, share: 1 });
  });
});

describe('the note of the minutes', () => {
  it.each<[string, Parameters<typeof noteOfMinutes>[1], 'real' | 'virtual', [id: string, needs: string][], boolean]>([
    ['a poller without writes', 4, 'virtual', [['errors/write-503-once', 'write']], true],
    ['a poller without a page of calls', 4, 'virtual', [['calls/ties', 'response']], true],
    ['a poller in real time', undefined, 'real', [['calls/ties', 'response']], true],
    ['a poller with enough time', 9, 'virtual', [['calls/ties', 'response']], false],
    ['a poller in virtual time', undefined, 'virtual', [['calls/ties', 'response']], false],
    [
      'a client that does not poll',
      4,
      'virtual',
      [
        ['errors/write-503-once', 'write'],
        ['calls/ties', 'poll'],
      ],
      false,
    ],
    ['a client without a second page of reviews', 4, 'virtual', [['pages/reviews-short', 'response']], false],
  ])('for %s', (_what, minutes, mode, rows, isShown) => {
    const cells = rows.map(([id, needs]) => ({ id, needs }));
    const note = noteOfMinutes({ cells, time: { mode } } as unknown as ClientReport, minutes);
    const text = `After ${minutes ?? 2} minutes, later calls are missing, and so are writes that follow them. Use --minutes 9.\n`;
    expect(note).toBe(isShown ? text : '');
  });
});
