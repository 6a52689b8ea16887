import { describe, expect, it } from 'vitest';
import type { Cell } from './cell.ts';
import { matrix } from './matrix.ts';
import type { ClientReport } from './report.ts';
import { noteOfMinutes, plannedMs, Work } from './schedule.ts';

describe('the time of a run', () => {
  const cell = (id: string) => matrix.find((one) => one.id === id) as Cell;
  const planned = (id: string, lengths: { endedMs?: number; extraMaxMs?: number } = {}) =>
    plannedMs(cell(id), new Set(['listSites']), { durationMs: 60_000, ...lengths }) / 1_000;

  it('has the additional time of a test case, with a limit in real time', () => {
    expect(planned('formats/plain-type')).toBe(60);
    expect(planned('limits/read-limiter_key-600')).toBe(960);
    expect(planned('limits/read-limiter_key-600', { extraMaxMs: 130_000 })).toBe(190);
  });

  it('is shorter for a client that ends by itself', () => {
    expect(planned('formats/plain-type', { endedMs: 2_000 })).toBe(2);
    expect(planned('limits/read-limiter_key-600', { endedMs: 2_000 })).toBe(602);
    expect(planned('slow/read-stalled', { endedMs: 2_000 })).toBe(660);
    expect(planned('limits/read-limiter_key-600', { endedMs: 2_000, extraMaxMs: 130_000 })).toBe(190);
  });

  it('is known from the start, for workers that take the longest test cases first', () => {
    const cells = ['formats/plain-type', 'errors/read-503-once', 'errors/read-503-twice'].map(cell);
    const [one, two, three] = cells as [Cell, Cell, Cell];
    let nowMs = 0;
    const work = new Work({ all: 10, skipped: 6 }, () => nowMs);
    expect(
      work.plan(
        new Map([
          [one, 10],
          [two, 30],
          [three, 20],
        ]),
        2,
      ),
    ).toEqual([two, three, one]);
    expect(work.progress()).toEqual({ all: 10, skipped: 6, done: 7, repeats: 0, leftMs: 30 });
    work.begin(two);
    work.begin(three);
    nowMs = 20;
    expect(work.end(three)).toMatchObject({ done: 8, leftMs: 10 });
    work.begin(one);
    nowMs = 45;
    // A third more than planned.
    expect(work.end(two)).toMatchObject({ done: 9, leftMs: 0 });
    expect(work.end(one)).toMatchObject({ done: 10, leftMs: 0 });
    work.plan(new Map([[two, 30]]), 2);
    expect(work.progress()).toMatchObject({ done: 10, repeats: 1, leftMs: 45 });
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
