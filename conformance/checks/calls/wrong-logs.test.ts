import { describe, expect, test } from 'vitest';
import {
  benchLog,
  endedMs,
  type LogWrongness,
  modelFields,
  sortedBy,
  usualCalls,
} from '../../../proof/rigs/call-log-bench.ts';
import { faithful, type Held, type ModelCall, makeCall, writePlace } from '../../../proof/rigs/call-log-model.ts';
import { benchStartMs } from '../../../proof/rigs/check-bench.ts';
import { calls } from '../04-calls.ts';

const MINUTE = 60_000;
const start = benchStartMs;

function unnamed({ id, ...call }: ModelCall): object {
  return { ...call, to: `+1 555 ${id.slice('call-'.length)}`, from: '+1 555 0100' };
}

describe('the checks of the call log', () => {
  test.each<[string, LogWrongness, string[]]>([
    [
      'skips calls that share the instant of a page edge',
      { decisions: { isAfter: (place, since) => place / 1_000_000n > since / 1_000_000n } },
      ['calls/exactly-once fail'],
    ],
    [
      'delivers the last call again',
      { decisions: { isAfter: (place, since) => place >= since } },
      ['calls/chain-end fail', 'calls/exactly-once fail'],
    ],
    [
      'cuts its cursor to whole seconds',
      { decisions: { cursor: (page) => (page.length > 0 ? writePlace(page.at(-1)?.place ?? 0n, 0) : null) } },
      ['calls/chain-end fail', 'calls/exactly-once fail'],
    ],
    [
      'cuts its cursor to milliseconds',
      { decisions: { cursor: (page) => (page.length > 0 ? writePlace(page.at(-1)?.place ?? 0n, 3) : null) } },
      ['calls/chain-end fail', 'calls/exactly-once fail'],
    ],
    [
      'shows the newest first',
      { decisions: { settled: (held, now, polls) => faithful.settled(held, now, polls).toReversed() } },
      ['calls/exactly-once fail', 'calls/oldest-first fail'],
    ],
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
      'gives one call too many',
      { decisions: { limit: (asked) => faithful.limit(asked) + 1 } },
      ['calls/limit fail', 'calls/default-limit fail'],
    ],
    ['ignores the limit', { decisions: { limit: () => 50 } }, ['calls/limit fail']],
    [
      'gives 100 without limit',
      { decisions: { limit: (asked) => (asked === null ? 100 : faithful.limit(asked)) } },
      ['calls/default-limit fail'],
    ],
    [
      'gives 20 without limit',
      { decisions: { limit: (asked) => (asked === null ? 20 : faithful.limit(asked)) } },
      ['calls/default-limit warn'],
    ],
    [
      'gives 201 where 201 are asked for',
      { decisions: { limit: (asked) => (asked === '201' ? 201 : faithful.limit(asked)) }, held: usualCalls(260) },
      ['calls/bad-limit fail'],
    ],
    [
      'has a cursor on an empty page',
      { decisions: { cursor: (page, since) => faithful.cursor(page, since, { isFull: true }) ?? since } },
      ['calls/chain-end fail'],
    ],
    [
      'gives the first call of a page for a cursor',
      { decisions: { cursor: (page) => (page[0] ? writePlace(page[0].place) : null) } },
      ['calls/exactly-once fail'],
    ],
    [
      'gives the present time for a cursor',
      { decisions: { cursor: (page) => (page.length > 0 ? writePlace(BigInt(start) * 1_000_000n) : null) } },
      ['calls/exactly-once fail'],
    ],
    [
      'gives the old cursor back',
      { decisions: { cursor: (page, since) => (page.length > 0 ? since : null) } },
      ['calls/chain-end fail', 'calls/exactly-once fail'],
    ],
    [
      'has no cursor where the page was not full',
      {
        decisions: { cursor: (page, since, { isFull }) => (isFull ? faithful.cursor(page, since, { isFull }) : null) },
      },
      ['calls/next-cursor fail'],
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
      'changes a call that it has delivered',
      {
        decisions: {
          shape: (call, polls) => (call.id === 'call-30' && polls > 6 ? { ...call, outcome: 'busy' } : call),
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
      'tells another outcome when a call is read again, once',
      { decisions: { shape: (call, polls) => (polls === 1 ? { ...call, outcome: 'busy' } : call) } },
      ['calls/kept fail'],
    ],
    [
      'tells another outcome when a call without an id is read again, once',
      { decisions: { shape: (call, polls) => (polls === 1 ? unnamed({ ...call, outcome: 'busy' }) : unnamed(call)) } },
      ['calls/kept fail'],
    ],
    [
      'changes a call in one of its pages only',
      {
        decisions: {
          shape: (call, polls) => (polls === 6 && call.id === 'call-9' ? { ...call, outcome: 'busy' } : call),
        },
      },
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
    [
      'shows the snapshot oldest first',
      { decisions: { snapshot: (held) => held.toSorted((a, b) => a.startedMs - b.startedMs) } },
      ['calls/snapshot-order fail'],
    ],
    ['ignores the limit of a snapshot', { decisions: { snapshotLimit: () => 50 } }, ['calls/snapshot-limit fail']],
    [
      'has no limit for a snapshot without one',
      { decisions: { snapshotLimit: (asked) => (asked === null ? 1e9 : faithful.limit(asked)) } },
      ['calls/snapshot-limit fail'],
    ],
  ])('catch a log that %s', async (_, wrongness, expected) => {
    const spoiled = await benchLog(calls, wrongness);
    expect(spoiled.alarms).toEqual(expect.arrayContaining(expected));
  });

  test.each<[string, LogWrongness, string]>([
    [
      'gives everything for a limit that is not a number',
      { decisions: { limit: (asked) => (asked === 'abc' ? 1e9 : faithful.limit(asked)) }, held: usualCalls(260) },
      'calls/odd-limits fail',
    ],
    [
      'loses the call behind a full page of 200',
      {
        decisions: {
          cursor: (page, since) =>
            page.length === 200
              ? writePlace((page.at(-1)?.place ?? 0n) + 8n * 60_000_000_000n)
              : faithful.cursor(page, since, { isFull: true }),
        },
        held: usualCalls(300),
      },
      'calls/page-walk fail',
    ],
    [
      'delivers one call twice',
      {
        decisions: {
          settled: (held, now, polls) =>
            faithful.settled(held, now, polls).toSpliced(60, 0, ...faithful.settled(held, now, polls).slice(30, 31)),
        },
        run: modelFields,
      },
      'calls/exactly-once fail',
    ],
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
