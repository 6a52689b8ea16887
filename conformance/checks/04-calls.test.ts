import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Decisions,
  faithful,
  type Held,
  makeCall,
  makeCallLog,
  visibleBy,
  writePlace,
} from '../selftest/call-log-model.ts';
import { type Bench, bench, benchStartMs } from '../selftest/check-bench.ts';
import { VARIANT_NAMES } from '../selftest/independent/index.ts';
import { calls } from './04-calls.ts';

const MINUTE = 60_000;
const start = benchStartMs;
const fields = { callIdField: 'id', callEndedAtField: 'endedAt' };

/** Settled calls seven minutes apart with a tie of three, then two that settle and two that run. */
function usualCalls(count = 70): Held[] {
  const endedMs = (index: number) => start - (count - (index > 4 && index < 7 ? 4 : index) + 2) * 7 * MINUTE + 333;
  const settled = Array.from({ length: count }, (_, index) => makeCall(index, endedMs(index)));
  const open = [start - 30_000, start - 100_000].map((ended, index) => makeCall(count + index, ended));
  return [...settled, ...open, makeCall(count + 2, null), makeCall(count + 3, null)];
}

interface Wrongness {
  readonly decisions?: Partial<Decisions>;
  readonly held?: readonly Held[];
  readonly run?: Parameters<typeof bench>[0]['run'];
}

function benchLog({ decisions = {}, held = usualCalls(), run = {} }: Wrongness): Promise<Bench> {
  return bench({
    checks: calls,
    run,
    spoil: (_, clock) => {
      const log = makeCallLog(clock.now, decisions);
      log.calls.push(...held);
      return log.spoil;
    },
  });
}

function sortedBy(instant: (held: Held) => number): Decisions['settled'] {
  return (held, nowMs) => held.filter(visibleBy(nowMs)).toSorted((a, b) => instant(a) - instant(b));
}

const endedMs = ({ call }: Held) => Date.parse(call.endedAt ?? '');

describe('the checks of the call log', () => {
  test.each(VARIANT_NAMES)('raise no alarm on the legal variant %s', async (variant) => {
    const named = await bench({
      checks: calls,
      variant,
      run: ({ callFields: { id, endedAt } }) => ({
        watch: true,
        ...(id === undefined ? {} : { callIdField: id }),
        ...(endedAt === undefined ? {} : { callEndedAtField: endedAt }),
      }),
    });
    const opaque = await bench({ checks: calls, variant });
    const expected = variant === 'consuming' ? ['calls/re-read warn'] : [];
    expect(named.alarms).toEqual(expected);
    expect(opaque.alarms).toEqual(expected);
    const { used, plan } = opaque.report;
    expect(used.requests).toBeLessThanOrEqual(plan.requests.ceiling);
  });

  test('all pass on a faithful log with ties, open calls and named members', async () => {
    const { verdicts, report } = await benchLog({ run: fields });
    const others = Object.entries(verdicts).filter(([, verdict]) => verdict !== 'pass');
    expect(others.map(([id]) => id)).toEqual(['calls/page-walk', 'calls/watch']);
    expect(report.used.requests).toBeLessThanOrEqual(14);
  });

  test('read nothing but one row twice and the snapshot of an empty log', async () => {
    const { verdicts, report } = await benchLog({ held: [] });
    expect(verdicts['calls/chain-end']).toBe('pass');
    expect(verdicts['calls/exactly-once']).toBe('inconclusive(vacuous)');
    expect(report.exchanges.filter(({ target }) => target.includes('limit=200'))).toEqual([]);
  });

  test('find no fault with faithful logs of any shape, while calls settle between requests', async () => {
    const offsets = fc.array(fc.integer({ min: -900, max: 60 }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(offsets, fc.boolean(), async (seconds, isLate) => {
        const held = seconds.map((at, index) => {
          const visibleMs = start + Math.trunc(at / 3) * 3_000;
          const late = isLate && index % 5 === 0 ? 20 * MINUTE : 0;
          return makeCall(index, visibleMs - 300_000 - late, visibleMs);
        });
        expect((await benchLog({ held, run: fields })).alarms).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });

  test.each<[string, Wrongness, string[]]>([
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
      'gives everything for a limit that is no number',
      { decisions: { limit: (asked) => (asked === 'abc' ? 1e9 : faithful.limit(asked)) }, held: usualCalls(260) },
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
      'has a cursor that is no date-time',
      { decisions: { cursor: (page) => (page.length > 0 ? `after:${page.length}` : null) } },
      ['calls/next-cursor fail'],
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
      'orders calls of one instant anew each time',
      {
        decisions: {
          settled: (held, now, polls) => {
            const settled = faithful.settled(held, now, polls);
            const swap = (list: Held[], left: number) =>
              list.toSpliced(left, 2, ...list.slice(left, left + 2).toReversed());
            return polls % 2 === 0 ? swap([...settled], 5) : settled;
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
        run: fields,
      },
      ['calls/final fail'],
    ],
    [
      'puts a late call before a cursor that it has given out',
      {
        decisions: { settled: sortedBy(endedMs), placeMs: endedMs },
        held: [...usualCalls(), makeCall(99, start - 60 * MINUTE, start + 12_000)],
      },
      ['calls/final fail'],
    ],
    [
      'delivers calls at their end',
      {
        held: usualCalls().map((each) => ({ ...each, visibleMs: each.visibleMs && each.visibleMs - 290_000 })),
        run: fields,
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
    const spoiled = await benchLog(wrongness);
    expect(spoiled.alarms).toEqual(expect.arrayContaining(expected));
  });

  test.each<[string, Wrongness, string]>([
    [
      'loses the call behind a full page of 200',
      {
        decisions: {
          cursor: (page, since) =>
            page.length === 200
              ? writePlace((page.at(-1)?.place ?? 0n) + 7n * 60_000_000_000n)
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
        run: fields,
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
    expect((await benchLog({ ...others, run: { ...run, watch: true } })).alarms).toContain(expected);
  });

  test.each([
    [(since: string) => since.includes('+'), 'calls/since-forms', 'warn'],
    [(_: string, limit: string) => limit === '200', 'calls/limit', 'fail'],
  ])('catch a log that refuses what is in order (%#)', async (isRefused, id, verdict) => {
    const { verdicts, alarms } = await bench({
      checks: calls,
      spoil:
        () =>
        ({ path, query }) =>
          path.endsWith('/log') && isRefused(query.get('since') ?? '', query.get('limit') ?? '')
            ? { status: 400, body: { error: { code: 'invalid_input', message: '', issues: ['x'] } } }
            : undefined,
    });
    expect(verdicts[id]).toBe(verdict);
    expect(alarms).toEqual([`${id} ${verdict}`]);
  });

  test.each([
    ['limit=abc', 'calls/bad-limit'],
    ['limit=-1', 'calls/bad-limit'],
    ['since=yesterday', 'calls/bad-since'],
  ])('catch a log that breaks down at %s', async (query, id) => {
    const breakdown = { status: 500, body: { error: { code: 'internal', message: 'oops' } } };
    const { verdicts } = await bench({
      checks: calls,
      spoil: () => (answered) => (answered.query.toString().includes(query) ? breakdown : undefined),
    });
    expect(verdicts[id]).toBe('fail');
  });

  test.each([
    [404, 'not_found', 'fail'],
    [500, 'internal', 'fail'],
    [402, 'payment_required', 'inconclusive(precondition)'],
  ])('take a log that answers %i %s for %s, with one finding', async (status, code, verdict) => {
    const { verdicts, report } = await bench({
      checks: calls,
      spoil:
        () =>
        ({ path }) =>
          path.endsWith('/log') ? { status, body: { error: { code, message: 'no', reason: 'unpaid' } } } : undefined,
    });
    expect(verdicts['calls/listing']).toBe(verdict);
    expect(Object.values(verdicts).filter((each) => each === 'fail')).toHaveLength(verdict === 'fail' ? 1 : 0);
    expect(report.used.requests).toBe(2);
  });

  test('judge the chain where the snapshot breaks down', async () => {
    const { verdicts } = await bench({
      checks: calls,
      spoil:
        () =>
        ({ path, query }) => {
          const isSnapshot = path.endsWith('/log') && !query.has('since');
          return isSnapshot ? { status: 500, body: { error: { code: 'internal', message: '' } } } : undefined;
        },
    });
    expect(verdicts).toMatchObject({
      'calls/snapshot-order': 'fail',
      'calls/exactly-once': 'pass',
      'calls/final': 'pass',
    });
  });

  test('do not read on where the gate has shown that reading uses calls up', async () => {
    const { report } = await bench({ checks: calls, variant: 'consuming' });
    expect(report.exchanges.filter(({ target }) => target.includes('/log')).map(({ target }) => target)).toEqual([
      '/connect/calls/log?since=2000-01-01T00%3A00%3A00.000Z&limit=1',
      '/connect/calls/log?since=2000-01-01T00%3A00%3A00.000Z&limit=1',
    ]);
  });

  test('read the newest part of a long log in place of all of it', async () => {
    const { verdicts, report, result } = await benchLog({ held: usualCalls(1_000), run: fields });
    expect(verdicts['calls/chain-end']).toBe('pass');
    expect(verdicts['calls/settled']).toBe('pass');
    expect(verdicts['calls/final']).toBe('pass');
    expect(result('calls/chain-end').exchanges.length).toBeLessThanOrEqual(6);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
  });

  test('leave a chain of too many pages undecided', async () => {
    const { verdicts } = await bench({ checks: calls, variant: { callsPageCap: 8 } });
    expect(verdicts['calls/chain-end']).toBe('inconclusive(budget)');
  });
});

describe('calls/watch', () => {
  const only = calls.filter(({ id }) => id === 'calls/watch');

  function watch(settleSeconds: number, endsAfterMs: number | null, run = {}): Promise<Bench> {
    return bench({
      checks: only,
      variant: { settleSeconds, timeFormat: 'millis' },
      run: { watch: true, ...fields, ...run },
      spoil: (server) => {
        if (endsAfterMs !== null) server.addCall({ startedAt: start - MINUTE, endedAt: start + endsAfterMs });
        return () => undefined;
      },
    });
  }

  test('passes once a call has been followed from its end to its delivery', async () => {
    const { verdicts, report } = await watch(300, 30_000);
    expect(verdicts['calls/watch']).toBe('pass');
    expect(report.used.seconds).toBeLessThan(10 * 60);
  });

  test.each([
    ['fails', 'soon', 60, 'fail'],
    ['warns', 'late', 600, 'warn'],
  ])('%s when a call is delivered too %s', async (_, __, settleSeconds, verdict) => {
    expect((await watch(settleSeconds, 30_000)).verdicts['calls/watch']).toBe(verdict);
  });

  test('tells nothing where no call ends, and ends in bounded time', async () => {
    const { verdicts, report } = await watch(300, null);
    expect(verdicts['calls/watch']).toBe('inconclusive(vacuous)');
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.seconds).toBeLessThanOrEqual(report.plan.seconds.ceiling);
  });

  test('fails when a call is delivered twice', async () => {
    const { verdicts } = await bench({
      checks: only,
      run: { watch: true, ...fields },
      spoil: (_, clock) => {
        const log = makeCallLog(clock.now, { isAfter: (place, since) => place >= since });
        log.calls.push(...usualCalls(), makeCall(200, start + 30_000), makeCall(201, start + 150_000));
        return log.spoil;
      },
    });
    expect(verdicts['calls/watch']).toBe('fail');
  });

  test('fails when a call changes after it was delivered', async () => {
    const { verdicts } = await bench({
      checks: only,
      run: { watch: true, ...fields },
      spoil: (_, clock) => {
        const isFresh = (id: string) => id === 'call-200' && clock.now() < start + 8 * MINUTE;
        const log = makeCallLog(clock.now, {
          shape: (call) => (isFresh(call.id) ? { ...call, outcome: 'unknown' } : call),
        });
        log.calls.push(...usualCalls(), makeCall(200, start + 30_000));
        return log.spoil;
      },
    });
    expect(verdicts['calls/watch']).toBe('fail');
  });

  test('needs the names of two members', async () => {
    const { verdicts } = await bench({ checks: only, run: { watch: true, callIdField: 'id' } });
    expect(verdicts['calls/watch']).toBe('inconclusive(precondition)');
  });
});
