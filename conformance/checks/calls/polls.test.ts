import { describe, expect, test } from 'vitest';
import { benchLog, type LogChanges, modelFields, usualCalls } from '../../../fixtures/test-kit/call-log-bench.ts';
import { faithful, makeCall } from '../../../fixtures/test-kit/call-log-model.ts';
import { benchStartMs } from '../../../fixtures/test-kit/check-bench.ts';
import { calls } from './index.ts';

const ms = 1_000_000n;
const minute = 60_000;
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
