// The scenarios and checks of the call log, against servers and a model of a log.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  benchLog,
  endedMs,
  type LogChanges,
  modelFields,
  sortedBy,
  usualCalls,
} from '../../fixtures/test-kit/call-log-bench.ts';
import {
  type Decisions,
  faithful,
  type Held,
  type ModelCall,
  makeCall,
} from '../../fixtures/test-kit/call-log-model.ts';
import { bench, benchStartMs as start } from '../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection } from '../../fixtures/test-kit/rewriting-proxy.ts';
import { variantNames } from '../../proof/independent/index.ts';
import { checks } from '../checks/index.ts';
import { causesOf } from '../report/diagnosis/causes.ts';

const calls = checks.filter(({ id }) => id.startsWith('calls/'));
const watch = calls.filter(({ id }) => id === 'calls/watch');
const minute = 60_000;
const isLog = ({ path }: Exchanged) => path.endsWith('/log');

describe('the call log', () => {
  test.each(variantNames)('of the legal variant %s is accepted without fields, as planned', async (variant) => {
    const { failures, report } = await bench({ checks: calls, variant });
    // Legal, and warned of: R36 and R67.
    const warned: Record<string, string[]> = { consuming: ['calls/re-read warn'], strict: ['calls/since-forms warn'] };
    expect(failures).toEqual(warned[variant] ?? []);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
  });

  test('passes every check where it is faithful, with ties, open calls and named fields', async () => {
    const { results } = await benchLog(calls, { run: modelFields });
    expect(Object.entries(results).filter(([, outcome]) => outcome !== 'pass')).toEqual([['calls/watch', 'skipped']]);
  });

  test('is faithful in any shape, while calls settle between requests', async () => {
    const offsets = fc.array(fc.integer({ min: -900, max: 60 }), { maxLength: 80 });
    await fc.assert(
      fc.asyncProperty(offsets, fc.boolean(), async (seconds, isLate) => {
        const held = seconds.map((at, index) => {
          const visibleMs = start + Math.trunc(at / 3) * 3_000;
          const late = isLate && index % 5 === 0 ? 20 * minute : 0;
          return makeCall(index, visibleMs - 300_000 - late, visibleMs);
        });
        expect((await benchLog(calls, { held, run: { ...modelFields, pace: 'off' } })).failures).toEqual([]);
        expect((await benchLog(calls, { held })).failures).toEqual([]);
      }),
      { numRuns: 8 },
    );
  });

  const tied = Array.from({ length: 70 }, (_, index) =>
    makeCall(index, start - (70 - Math.trunc(index / 4) * 4) * 10 * minute),
  );
  test.each<[string, Decisions['page'], string]>([
    [
      'a call that is lost at a tie',
      (rest, since) => (since > 0n && rest.length < 67 ? rest.slice(1) : rest),
      'call 39 ("call-38") left out between x6 and x7: calls 38 and 39 share a timestamp',
    ],
    [
      'a cursor after which there is no call',
      (rest, since) => (since > 0n ? [] : rest),
      'call 2 ("call-1") and all later calls left out: no call after the cursor of call 1',
    ],
  ])('is described with %s', async (_, page, sentence) => {
    const { report } = await benchLog(calls, { held: tied, decisions: { page } });
    expect(causesOf(report)[0]?.finding.actual).toBe(sentence);
  });

  test('is not read beyond its first call where that is missing, or reads consume calls', async () => {
    const targetsOf = async (run: ReturnType<typeof bench>) =>
      (await run).report.exchanges.map(({ target }) => target).filter((target) => target.includes('since=1970'));
    const one = '/connect/calls/log?since=1970-01-01T00%3A00%3A00.000Z&limit=1';
    expect(await targetsOf(bench({ checks: calls, variant: 'consuming' }))).toEqual([one, one]);
    const empty = await targetsOf(benchLog(calls, { held: [] }));
    expect(empty.filter((target) => target.includes('limit=200'))).toEqual([]);
  });

  test.each([
    [404, 'not_found', 'fail'],
    [500, 'internal', 'fail'],
    [402, 'payment_required', 'inconclusive(precondition)'],
  ])('that returns %i %s has one cause: %s', async (status, code, outcome) => {
    const spoil = () => (one: Exchanged) => (isLog(one) ? rejection(status, code) : undefined);
    const { results, report } = await bench({ checks: calls, spoil });
    expect(results['calls/listing']).toBe(outcome);
    expect(causesOf(report)).toHaveLength(outcome === 'fail' ? 1 : 0);
  });

  test('is read by its cursors where the snapshot breaks down', async () => {
    const spoil = () => (one: Exchanged) =>
      isLog(one) && !one.query.has('since') ? rejection(500, 'internal') : undefined;
    const passing = { 'calls/exactly-once': 'pass', 'calls/final': 'pass' };
    expect((await bench({ checks: calls, spoil })).results).toMatchObject({
      'calls/snapshot-order': 'fail',
      ...passing,
    });
  });

  test('is read in its newest part if it is long, and left open after too many pages', async () => {
    const { results, report } = await benchLog(calls, { held: usualCalls(1_000), run: modelFields });
    const passing = { 'calls/next-cursor': 'pass', 'calls/settled': 'pass', 'calls/final': 'pass' };
    expect(results).toMatchObject(passing);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    const capped = await bench({ checks: calls, variant: { callsPageCap: 8 } });
    expect(capped.results['calls/next-cursor']).toBe('inconclusive(budget)');
  });
});

/** Three calls a second settle while the kit reads. */
const busy = [...usualCalls(), ...Array.from({ length: 400 }, (_, i) => makeCall(100 + i, start - 300_000 + i * 333))];
/** One a second until now; more than a snapshot holds settle at a time. */
const crowded = Array.from({ length: 1800 }, (_, n) => makeCall(n, n < 3 ? null : start - n * 3_000 - 500));
const onSettled = (change: (all: readonly Held[], polls: number) => readonly Held[]): LogChanges => ({
  decisions: { settled: (held, now, polls) => change(faithful.settled(held, now, polls), polls) },
});
const hoursLater = (hours: number): LogChanges => {
  const later = (text: string) => new Date(Date.parse(text) + hours * 60 * minute).toISOString();
  const readSince = (text: string) => (/[+-]\d\d:\d\d$/.test(text) && !text.endsWith('+00:00') ? later(text) : text);
  return { decisions: { readSince } };
};
const backTo = (days: number): LogChanges => ({
  decisions: { isRejected: (sinceMs) => sinceMs < start - days * 24 * 60 * minute },
});
let reads = 0;
const signed = (pathOf: (id: string) => string): LogChanges => ({
  decisions: { shape: (call: ModelCall) => ({ ...call, recording: `https://files.example/${pathOf(call.id)}` }) },
});
const long = (one: Held): Held => {
  const startedMs = one.startedMs - 300 * minute;
  return { ...one, startedMs, call: { ...one.call, startedAt: new Date(startedMs).toISOString() } };
};
const atOnce = usualCalls().map((one) => ({ ...one, visibleMs: one.visibleMs && one.visibleMs - 290_000 }));

describe('a model of a log', () => {
  test.each<[string, LogChanges, string[]]>([
    ['has snapshots of twenty', { decisions: { snapshotLimit: (sent) => Math.min(20, Number(sent ?? 50)) } }, []],
    ['reports a call late', { held: [...usualCalls(), makeCall(99, start - 40 * minute, start - 2 * minute)] }, []],
    ['has a long call', { held: usualCalls().map((one, i) => (i === 40 ? long(one) : one)) }, []],
    ['loses calls that are deleted', onSettled((all, polls) => (polls > 6 ? all.slice(20) : all)), []],
    ['signs addresses again', signed((id) => `${id}?signature=${++reads}`), []],
    ['writes another token in the path of an address', signed((id) => `${++reads}/${id}`), []],
    ['is busy', { held: busy, run: modelFields }, []],
    ['has more calls than a snapshot in five minutes', { held: crowded, run: modelFields }, []],
    ['goes back 90 days', backTo(90), []],
    ['goes back a day', backTo(1), []],
    ['reads an offset two hours later', hoursLater(2), ['calls/since-forms fail']],
    ['reads an offset two hours earlier', hoursLater(-2), ['calls/since-forms fail']],
    [
      'drops an offset, with calls hours apart',
      {
        held: Array.from({ length: 20 }, (_, index) => makeCall(index, start - (20 - index) * 500 * minute)),
        decisions: { readSince: (text) => text.replace(/[+-]\d\d:\d\d$/, 'Z') },
      },
      ['calls/since-forms fail'],
    ],
    [
      'ignores since while it changes',
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
    ['delivers calls at once', { held: atOnce }, ['calls/settled warn']],
  ])('that %s: %#', async (_, changes, expected) => {
    const { failures } = await benchLog(calls, changes);
    expect(failures.filter((one) => expected.length === 0 || expected.includes(one))).toEqual(expected);
  });

  test('that uses its calls up, without ids, is not taken for one that changes them', async () => {
    const { results } = await benchLog(calls, {
      decisions: {
        settled: (held, now, polls) => faithful.settled(held, now, polls).slice(polls - 1),
        shape: ({ id: _id, ...call }) => ({ ...call, to: '+1 555 0101', from: '+1 555 0100' }),
      },
    });
    expect(results['calls/final']).not.toBe('fail');
    expect(results['calls/re-read']).toBe('warn');
  });
});

describe('calls/watch', () => {
  const watching = (settleSeconds: number, endsAfterMs: number | null, isNeverNew = false) =>
    bench({
      checks: watch,
      variant: { settleSeconds, timeFormat: 'millis' },
      run: { watch: true, ...modelFields },
      spoil: (server) => {
        if (endsAfterMs !== null) server.addCall({ startedAt: start - minute, endedAt: start + endsAfterMs });
        return ({ query, body }) => {
          if (!isNeverNew || !query.has('since') || !body.data) return undefined;
          const old = body.data.calls.filter((call: { endedAt: string }) => Date.parse(call.endedAt) < start);
          return { body: { data: { calls: old, nextCursor: old.length === 0 ? null : body.data.nextCursor } } };
        };
      },
    });

  test.each([
    ['passes once a call has been followed to its delivery', 300, 30_000, false, 'pass', []],
    ['fails for a call that is delivered at once', 60, 30_000, false, 'fail', ['4.calls.settled-only']],
    ['warns of a call that is delivered late', 600, 30_000, false, 'warn', ['6.no-webhooks']],
    ['warns if no new call is ever delivered', 300, 30_000, true, 'warn', ['6.no-webhooks']],
    ['is inconclusive if no call ends', 300, null, false, 'inconclusive(vacuous)', []],
  ] as const)('%s', async (_, settleSeconds, endsAfterMs, isNeverNew, outcome, clauses) => {
    const { results, report, result } = await watching(settleSeconds, endsAfterMs, isNeverNew);
    expect(results['calls/watch']).toBe(outcome);
    expect(result('calls/watch').findings.map(({ clause }) => clause)).toEqual(clauses);
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.seconds).toBeLessThanOrEqual(report.plan.seconds.ceiling);
    if (outcome === 'pass') expect(report.used.seconds).toBeLessThan(10 * 60);
  });

  test('needs the names of two fields', async () => {
    const { results } = await bench({ checks: watch, run: { watch: true, callIdField: 'id' } });
    expect(results['calls/watch']).toBe('skipped');
  });
});
