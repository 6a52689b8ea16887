import { describe, expect, test } from 'vitest';
import {
  benchLog,
  endedMs,
  type LogChanges,
  modelFields,
  sortedBy,
  usualCalls,
} from '../../../fixtures/test-kit/call-log-bench.ts';
import {
  faithful,
  type Held,
  type ModelCall,
  makeCall,
  visibleBy,
  writePlace,
} from '../../../fixtures/test-kit/call-log-model.ts';
import { benchStartMs } from '../../../fixtures/test-kit/check-bench.ts';
import { calls } from './index.ts';

const minute = 60_000;
const start = benchStartMs;

const isDelivered = ({ visibleMs }: Held) => visibleMs !== null && visibleMs <= start;

const onSnapshot = (change: (calls: readonly Held[]) => readonly Held[]): LogChanges => ({
  decisions: { snapshot: (held, now) => change(faithful.snapshot(held, now)) },
});
const onSettled = (change: (calls: readonly Held[], polls: number) => readonly Held[]): LogChanges => ({
  decisions: { settled: (held, now, polls) => change(faithful.settled(held, now, polls), polls) },
});

async function failuresOf(changes: LogChanges): Promise<readonly string[]> {
  return (await benchLog(calls, changes)).failures;
}

describe('the snapshot next to the log', () => {
  const dealt = usualCalls().map((one) => ({ ...one, call: { ...one.call, deal: { outcome: 'open' } } as ModelCall }));
  const won = { shape: (call: ModelCall) => ({ ...call, deal: { outcome: 'won' } }) };
  const twiceAt8 = (one: Held, index: number) => (index === 8 ? [one, one] : [one]);
  test.each<[string, LogChanges, string]>([
    [
      'a snapshot without missed calls',
      onSnapshot((all) => all.filter(({ call }) => call.outcome !== 'missed')),
      'calls/snapshot-whole fail',
    ],
    ['a call twice in the snapshot', onSnapshot((all) => all.flatMap(twiceAt8)), 'calls/snapshot-order warn'],
    [
      'a call that the log lacks',
      onSettled((all) => all.filter(({ call }) => call.id !== 'call-50')),
      'calls/snapshot-delivered warn',
    ],
    ['another outcome of a deal', { decisions: won, held: dealt }, 'calls/snapshot-delivered warn'],
  ])('shows %s', async (_, changes, failure) => {
    expect(await failuresOf(changes)).toContain(failure);
  });

  const long = (one: Held): Held => {
    const startedMs = one.startedMs - 300 * minute;
    return { ...one, startedMs, call: { ...one.call, startedAt: new Date(startedMs).toISOString() } };
  };
  test.each<[string, LogChanges]>([
    ['pages of at most twenty', { decisions: { snapshotLimit: (sent) => Math.min(20, faithful.limit(sent)) } }],
    ['a call reported late', { held: [...usualCalls(), makeCall(99, start - 40 * minute, start - 2 * minute)] }],
    ['a long call that began before many others', { held: usualCalls().map((one, i) => (i === 40 ? long(one) : one)) }],
    ['calls deleted while they are read', onSettled((all, polls) => (polls > 6 ? all.slice(20) : all))],
  ])('accepts %s', async (_, changes) => {
    expect(await failuresOf(changes)).toEqual([]);
  });
});

describe('fields that move', () => {
  let reads = 0;
  test.each<[string, (id: string) => string]>([
    ['signed again', (id) => `${id}?signature=${++reads}`],
    ['with another token in their path', (id) => `${++reads}/${id}`],
  ])('addresses %s keep nothing from being checked', async (_, pathOf) => {
    const shape = (call: ModelCall) => ({ ...call, recording: `https://files.example/${pathOf(call.id)}` });
    const { results, failures } = await benchLog(calls, { decisions: { shape } });
    expect(failures).toEqual([]);
    expect(results).toMatchObject({ 'calls/re-read': 'pass', 'calls/exactly-once': 'pass', 'calls/final': 'pass' });
  });

  test('a log without ids that uses its calls up is not taken for one that changes them', async () => {
    const { results } = await benchLog(calls, {
      decisions: {
        settled: (held, now, polls) => faithful.settled(held, now, polls).slice(polls - 1),
        shape: ({ id: _id, ...call }) => ({ ...call, to: '+1 555 0101', from: '+1 555 0100' }),
      },
    });
    expect(results['calls/kept']).not.toBe('fail');
    expect(results['calls/re-read']).toBe('warn');
  });

  test('a change is named', async () => {
    const { result } = await benchLog(calls, {
      decisions: { shape: (call, polls) => (call.id === 'call-30' && polls > 6 ? { ...call, outcome: 'busy' } : call) },
    });
    expect(result('calls/final').findings[0]?.actual).toBe('call 31 with a changed /outcome');
  });

  test('an id that changes with each read closes the gate, and is named', async () => {
    const { results, result } = await benchLog(calls, {
      decisions: { shape: (call, polls) => ({ ...call, id: `${call.id}-${polls}` }) },
    });
    expect(results['calls/re-read']).toBe('warn');
    expect(result('calls/re-read').findings[0]?.actual).toBe('a call with another /id');
  });
});

describe('the end of a call, taken by its name', () => {
  const hurried = (ms: number) =>
    usualCalls().map((one) => ({ ...one, visibleMs: one.visibleMs && one.visibleMs - ms }));

  test.each([
    [true, 'fail'],
    [false, 'warn'],
  ] as const)('where a watch is %s, calls that are delivered at once give %s', async (watch, outcome) => {
    const { results } = await benchLog(
      calls.filter(({ id }) => id !== 'calls/watch'),
      { held: hurried(290_000), run: { watch } },
    );
    expect(results['calls/settled']).toBe(outcome);
  });

  test('warns of a call that is delivered a little too early', async () => {
    const held = [...usualCalls(), makeCall(99, start - 225_000, start - 1_000)];
    expect((await benchLog(calls, { held })).results['calls/settled']).toBe('warn');
  });
});

describe('flags and rejections', () => {
  test('a field that no call has costs no failure', async () => {
    const shape = () => ({ outcome: 'missed' });
    const { results, report } = await benchLog(calls, { decisions: { shape }, run: { callIdField: 'ref' } });
    expect(results['calls/exactly-once']).toBe('inconclusive(precondition)');
    expect(report.checks.find(({ id }) => id === 'calls/exactly-once')?.result.message).toMatch(
      /--call-id-field ref is in no call record/,
    );
  });

  test.each([
    ['minutes', usualCalls()],
    ['hours', Array.from({ length: 20 }, (_, index) => makeCall(index, start - (20 - index) * 500 * minute))],
  ])('a log that drops the offset of a position is noticed, with calls %s apart', async (_, held) => {
    const dropped = (place: bigint, since: bigint) => place > since;
    const { results } = await benchLog(calls, {
      held,
      decisions: { isAfter: dropped, readSince: (text) => text.replace(/[+-]\d\d:\d\d$/, 'Z') },
      run: modelFields,
    });
    expect(results['calls/since-forms']).toBe('fail');
    expect(results['calls/exactly-once']).toBe('pass');
  });

  test.each([-2, 2])('a position with an offset that is read %i hours later is noticed', async (hours) => {
    const later = (text: string) => new Date(Date.parse(text) + hours * 60 * minute).toISOString();
    const readSince = (text: string) => (/[+-]\d\d:\d\d$/.test(text) && !text.endsWith('+00:00') ? later(text) : text);
    const { results } = await benchLog(calls, { decisions: { readSince } });
    expect(results['calls/since-forms']).toBe('fail');
  });

  test.each([90, 1])('a log that goes back %i days only is read from there', async (days) => {
    const oldest = start - days * 24 * 60 * minute;
    const { results, failures } = await benchLog(calls, { decisions: { isRejected: (sinceMs) => sinceMs < oldest } });
    expect(failures).toEqual([]);
    expect(results['calls/exactly-once']).toBe('pass');
  });

  test('calls of one timestamp are cut after the second of the largest group', async () => {
    const isTied = ({ visibleMs }: Held, all: readonly Held[]) =>
      all.filter((each) => each.visibleMs === visibleMs).length > 2;
    const lossy: LogChanges = {
      decisions: {
        page: (rest, since) => {
          const settled = usualCalls().filter(visibleBy(start)).filter(isDelivered);
          const first = rest[0];
          const isInside =
            first !== undefined && isTied(first, settled) && since / 1_000_000n === BigInt(first.visibleMs ?? 0);
          return isInside && endedMs(first) === endedMs(settled[6] as Held) ? rest.slice(1) : rest;
        },
      },
    };
    expect(await failuresOf(lossy)).toContain('calls/exactly-once fail');
  });
});

describe('the checks of the call log', () => {
  test.each<[string, LogChanges, string[]]>([
    [
      'shows the newest first, some of them reported late',
      {
        ...onSettled((all) => all.toReversed()),
        held: usualCalls().map((each, index) =>
          index % 12 === 3 ? makeCall(index, endedMs(each) - 90 * minute, each.visibleMs ?? 0) : each,
        ),
      },
      ['calls/oldest-first fail'],
    ],
    [
      'says the same time in other words in each cursor, and delivers the last call again',
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
      'orders calls of one timestamp again once they have been delivered',
      {
        decisions: {
          ...onSettled((all, polls) => (polls > 6 ? all.toSpliced(5, 2, ...all.slice(5, 7).toReversed()) : all))
            .decisions,
          placeMs: ({ visibleMs }) => visibleMs ?? 0,
        },
      },
      ['calls/final fail'],
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
        held: [...usualCalls(), makeCall(99, start - 60 * minute, start + 9_000)],
      },
      ['calls/final fail'],
    ],
  ])('catch a log that %s', async (_, changes, expected) => {
    const spoiled = await benchLog(calls, changes);
    expect(spoiled.failures).toEqual(expect.arrayContaining(expected));
  });

  test('catch the oldest calls for a snapshot, in an order that its timestamps do not show', async () => {
    const untimed = ({ call, ...each }: Held, index: number): Held => ({
      ...each,
      call: { ...call, startedAt: '', endedAt: `${(index * 7) % 9}` },
    });
    const changes = { held: usualCalls().map(untimed), run: { watch: true } } as const;
    const decisions = { snapshot: (held: readonly Held[], now: number) => faithful.settled(held, now, 0) };
    expect(await failuresOf({ ...changes, decisions })).toContain('calls/snapshot-order fail');
  });
});
