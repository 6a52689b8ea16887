import { describe, expect, test } from 'vitest';
import {
  benchLog,
  endedMs,
  type LogWrongness,
  modelFields,
  sortedBy,
  usualCalls,
} from '../../../proof/test-kit/call-log-bench.ts';
import { faithful, type Held, type ModelCall, makeCall, writePlace } from '../../../proof/test-kit/call-log-model.ts';
import { benchStartMs } from '../../../proof/test-kit/check-bench.ts';
import { calls } from '../04-calls.ts';

const MINUTE = 60_000;
const start = benchStartMs;

function unnamed({ id, ...call }: ModelCall): object {
  return { ...call, to: `+1 555 ${id.slice('call-'.length)}`, from: '+1 555 0100' };
}

describe('the checks of the call log', () => {
  test.each<[string, LogWrongness, string[]]>([
    [
      'shows the newest first, some of them reported late',
      {
        decisions: { settled: (held, now, polls) => faithful.settled(held, now, polls).toReversed() },
        held: usualCalls().map((each, index) =>
          index % 12 === 3 ? makeCall(index, endedMs(each) - 90 * MINUTE, each.visibleMs ?? 0) : each,
        ),
      },
      ['calls/oldest-first fail'],
    ],
    [
      'says the same instant in other words in each cursor, and delivers the last call again',
      {
        decisions: {
          isAfter: (place, since) => place >= since,
          cursor: (page, since) => {
            const place = page.at(-1)?.place;
            if (place === undefined) return null;
            return since.includes('T') ? writePlace(place).replace('T', 't') : writePlace(place);
          },
        },
      },
      ['calls/chain-end fail', 'calls/exactly-once fail'],
    ],
    [
      'gives 20 without limit',
      { decisions: { limit: (asked) => (asked === null ? 20 : faithful.limit(asked)) } },
      ['calls/default-limit warn'],
    ],
    [
      'has a cursor that is not a date-time',
      { decisions: { cursor: (page) => (page.length > 0 ? `after:${page.length}` : null) } },
      ['calls/next-cursor warn', 'calls/exactly-once fail'],
    ],
    [
      'remembers what it delivered',
      {
        decisions: {
          settled: (held, now, polls) => faithful.settled(held, now, polls).slice(polls - 1),
        },
      },
      ['calls/re-read warn'],
    ],
    [
      'mixes up neighbours at times',
      {
        decisions: {
          settled: (held, now, polls) => {
            const settled = faithful.settled(held, now, polls);
            const swap = (list: Held[], left: number) =>
              list.toSpliced(left, 2, ...list.slice(left, left + 2).toReversed());
            return polls % 6 === 0 ? swap([...settled], 6) : settled;
          },
          placeMs: ({ visibleMs }) => visibleMs ?? 0,
        },
      },
      ['calls/exactly-once fail'],
    ],
    [
      'orders calls of one instant anew once they have been delivered',
      {
        decisions: {
          settled: (held, now, polls) => {
            const settled = faithful.settled(held, now, polls);
            const swap = (list: Held[], left: number) =>
              list.toSpliced(left, 2, ...list.slice(left, left + 2).toReversed());
            return polls > 6 ? swap([...settled], 5) : settled;
          },
          placeMs: ({ visibleMs }) => visibleMs ?? 0,
        },
      },
      ['calls/final fail'],
    ],
    [
      'changes a call that it has delivered, and ids are named',
      {
        decisions: {
          shape: (call, polls) => (call.id === 'call-30' && polls > 6 ? { ...call, outcome: 'busy' } : call),
        },
        run: modelFields,
      },
      ['calls/final fail'],
    ],
    [
      'tells another outcome when a call without an id is read again, once',
      { decisions: { shape: (call, polls) => (polls === 1 ? unnamed({ ...call, outcome: 'busy' }) : unnamed(call)) } },
      ['calls/kept fail'],
    ],
    [
      'ignores since while its log changes',
      {
        decisions: {
          readSince: () => '2000-01-01T00:00:00.000Z',
          settled: (held, now, polls) => faithful.settled(held, now, polls).toSpliced(50, polls > 3 ? polls % 3 : 0),
        },
      },
      ['calls/exactly-once fail'],
    ],
    [
      'puts a late call before a cursor that it has given out',
      {
        decisions: { settled: sortedBy(endedMs), placeMs: endedMs },
        held: [...usualCalls(), makeCall(99, start - 60 * MINUTE, start + 9_000)],
      },
      ['calls/final fail'],
    ],
    [
      'delivers calls at their end',
      {
        held: usualCalls().map((each) => ({ ...each, visibleMs: each.visibleMs && each.visibleMs - 290_000 })),
        run: modelFields,
      },
      ['calls/settled fail'],
    ],
  ])('catch a log that %s', async (_, wrongness, expected) => {
    const spoiled = await benchLog(calls, wrongness);
    expect(spoiled.alarms).toEqual(expect.arrayContaining(expected));
  });

  test.each<[string, LogWrongness, string]>([
    [
      'shows the oldest calls for a snapshot, in an order that its instants do not tell',
      {
        held: usualCalls().map((each, index) => ({
          ...each,
          call: { ...each.call, startedAt: '', endedAt: `${(index * 7) % 9}` },
        })),
        decisions: { snapshot: (held, now) => faithful.settled(held, now, 0) },
      },
      'calls/snapshot-order fail',
    ],
  ])('catch a log that %s, given the time', async (_, wrongness, expected) => {
    const { run = {}, ...others } = wrongness;
    expect((await benchLog(calls, { ...others, run: { ...run, watch: true } })).alarms).toContain(expected);
  });
});
