import { describe, expect, test } from 'vitest';
import { benchLog, type LogChanges, modelFields, usualCalls } from '../../../fixtures/test-kit/call-log-bench.ts';
import { faithful, type Held, makeCall } from '../../../fixtures/test-kit/call-log-model.ts';
import { type Bench, bench, benchStartMs } from '../../../fixtures/test-kit/check-bench.ts';
import { calls } from './index.ts';
import { settling } from './settling.ts';

const minute = 60_000;
const start = benchStartMs;

describe('calls/watch', () => {
  const only = settling.filter(({ id }) => id === 'calls/watch');

  function watch(settleSeconds: number, endsAfterMs: number | null, run = {}): Promise<Bench> {
    return bench({
      checks: only,
      variant: { settleSeconds, timeFormat: 'millis' },
      run: { watch: true, ...modelFields, ...run },
      spoil: (server) => {
        if (endsAfterMs !== null) server.addCall({ startedAt: start - minute, endedAt: start + endsAfterMs });
        return () => undefined;
      },
    });
  }

  test('passes once a call has been followed from its end to its delivery', async () => {
    const { results, report } = await watch(300, 30_000);
    expect(results['calls/watch']).toBe('pass');
    expect(report.used.seconds).toBeLessThan(10 * 60);
  });

  test.each([
    ['fails', 'soon', 60, 'fail'],
    ['warns', 'late', 600, 'warn'],
  ])('%s when a call is delivered too %s', async (_, __, settleSeconds, outcome) => {
    expect((await watch(settleSeconds, 30_000)).results['calls/watch']).toBe(outcome);
  });

  test('warns when no new call is ever delivered', async () => {
    const { results, result } = await bench({
      checks: only,
      run: { watch: true, ...modelFields },
      spoil: (server) => {
        server.addCall({ startedAt: start - minute, endedAt: start + 30_000 });
        return ({ query, body }) => {
          if (!query.has('since') || !body.data) return undefined;
          const old = body.data.calls.filter((call: { endedAt: string }) => Date.parse(call.endedAt) < start);
          return { body: { data: { calls: old, nextCursor: old.length === 0 ? null : body.data.nextCursor } } };
        };
      },
    });
    expect(results['calls/watch']).toBe('warn');
    expect(result('calls/watch').findings.map(({ clause }) => clause)).toContain('6.no-webhooks');
  });

  test('is inconclusive if no call ends, in bounded time', async () => {
    const { results, report } = await watch(300, null);
    expect(results['calls/watch']).toBe('inconclusive(vacuous)');
    expect(report.used.requests).toBeLessThanOrEqual(report.plan.requests.ceiling);
    expect(report.used.seconds).toBeLessThanOrEqual(report.plan.seconds.ceiling);
  });

  test('needs the names of two fields', async () => {
    const { results } = await bench({ checks: only, run: { watch: true, callIdField: 'id' } });
    expect(results['calls/watch']).toBe('skipped');
  });
});

const ms = 1_000_000n;
const isRecent = (since: bigint) => since > BigInt(benchStartMs - minute) * ms;

/** Three calls a second settle while the kit reads. */
const busy = [
  ...usualCalls(),
  ...Array.from({ length: 400 }, (_, i) => makeCall(100 + i, benchStartMs - 300_000 + i * 333)),
];

async function resultOf(id: string, changes: LogChanges): Promise<string | undefined> {
  const checks = calls.filter((check) => !['calls/exactly-once', 'calls/final'].includes(check.id));
  return (await benchLog(checks, { ...changes, run: { ...modelFields, ...changes.run } })).results[id];
}

describe('calls/first-poll', () => {
  test.each<[string, LogChanges, string]>([
    ['a faithful log', {}, 'pass'],
    ['a log without calls', { held: [] }, 'pass'],
    ['a busy log', { held: busy }, 'pass'],
    ['a busy log whose calls look alike', { held: busy, decisions: { shape: ({ outcome }) => ({ outcome }) } }, 'warn'],
    [
      'a log that delivers all of it to a since of now',
      { decisions: { isAfter: (place, since) => place > since || isRecent(since) } },
      'fail',
    ],
    [
      'a log that rejects positions within the last two minutes',
      { decisions: { isRejected: (sinceMs) => sinceMs > benchStartMs - 2 * minute } },
      'fail',
    ],
    [
      'a log whose clock is an hour behind, and which rejects the future',
      { decisions: { isRejected: (sinceMs) => sinceMs > benchStartMs - minute }, held: [] },
      'warn',
    ],
  ])('%s: %#', async (_, changes, result) => {
    expect(await resultOf('calls/first-poll', changes)).toBe(result);
  });
});

describe('calls/between', () => {
  const withoutSome = (isLacking: (polls: number) => boolean): LogChanges => ({
    decisions: {
      settled: (held, now, polls) => {
        const all = faithful.settled(held, now, polls);
        return isLacking(polls) ? [...all.slice(0, 30), ...all.slice(33)] : all;
      },
    },
  });

  test.each<[string, LogChanges, string]>([
    ['a faithful log', {}, 'pass'],
    ['a log that lacks three calls in its first pages', withoutSome((polls) => polls < 4), 'fail'],
    ['a log from which three calls are removed', withoutSome((polls) => polls > 4), 'pass'],
  ])('%s', async (_, changes, result) => {
    expect(await resultOf('calls/between', changes)).toBe(result);
  });
});

describe('calls/settled', () => {
  /** Seconds between two calls, for an hour and a half, and up to the last ones that run. */
  const busy = (seconds: number) =>
    Array.from({ length: 5400 / seconds }, (_, index) =>
      makeCall(index, index < 3 ? null : start - index * seconds * 1000 - 500),
    );
  const byEnd = { placeMs: ({ call }: Held) => Date.parse(call.endedAt ?? '') };

  test.each<[string, LogChanges, string]>([
    ['with some calls a minute', { held: busy(10) }, 'pass'],
    ['with more than a snapshot in five minutes', { held: busy(3) }, 'pass'],
    ['with more than a snapshot in five minutes, by the end of a call', { held: busy(3), decisions: byEnd }, 'pass'],
    [
      'that delivers calls at once, with more than a snapshot in five minutes',
      {
        held: busy(3),
        decisions: { ...byEnd, settled: (held) => held.filter(({ visibleMs }) => visibleMs !== null).toReversed() },
      },
      'fail',
    ],
  ])('a log %s', async (_, changes, result) => {
    const outcome = await benchLog(calls, { ...changes, run: { ...modelFields, watch: true } });
    expect(outcome.results['calls/settled']).toBe(result);
  });
});
