import { describe, expect, test } from 'vitest';
import {
  type Bucket,
  fixedWindow,
  goodKey,
  type Limits,
  slidingLog,
  startLimited,
  twoWindows,
} from '../../proof/rigs/limited-server.ts';
import { virtualClock } from '../../proof/rigs/virtual-clock.ts';
import { runConformance } from '../index.ts';
import { keyLimiter } from './08-key-limiter.ts';

const address = () => slidingLog({ limit: 10, windowMs: 10_000 });
const sixty = { limit: 60, windowMs: 60_000 };

const noon = Date.UTC(2026, 4, 1, 12);

/** Counts by parts, and forgets a part as soon as it may be a minute old. */
function partsOf(partMs: number): Bucket {
  const inner = slidingLog(sixty);
  return (at) => inner(Math.floor(at / partMs) * partMs);
}

/** So much more is left by the headers than there is. */
function toldAsSixty(more: number): NonNullable<Limits['headers']> {
  return ({ ok, remaining, waitMs }, limit, at) => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(ok ? remaining + more : 0),
    'x-ratelimit-reset': String(Math.ceil(at + waitMs)),
    date: new Date(at).toUTCString(),
  });
}

function fromFirst(): Bucket {
  let [start, used] = [Number.NEGATIVE_INFINITY, 0];
  return (at) => {
    if (at - start >= sixty.windowMs) [start, used] = [at, 0];
    const ok = used < sixty.limit;
    if (ok) used += 1;
    return { ok, remaining: sixty.limit - used, waitMs: start + sixty.windowMs - at };
  };
}

async function audit(limits: Limits, startMs = noon + 20_000): Promise<Record<string, string>> {
  const clock = virtualClock(startMs);
  const server = await startLimited(clock.now, { address, ...limits });
  try {
    const { checks } = await runConformance({
      baseUrl: server.baseUrl,
      keys: { good: goodKey },
      clock,
      checks: keyLimiter.toReversed(),
      sourceAddresses: ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'],
    });
    const own = checks.filter(({ id, verdict }) => !id.startsWith('rule/') || /fail|error/.test(verdict.kind));
    return Object.fromEntries(own.map(({ id, verdict }) => [id, verdict.kind]));
  } finally {
    await server.close();
  }
}

describe('the checks of the key limiter', () => {
  test.each<[string, Limits, Record<string, string>]>([
    ['a sliding log', { key: () => slidingLog(sixty) }, { 'limits/key-remaining': 'pass' }],
    [
      'a sliding log that counts what it blocks',
      { key: () => slidingLog(sixty, true) },
      { 'limits/key-remaining': 'pass' },
    ],
    [
      'a sliding log that says nothing',
      { key: () => slidingLog(sixty), headers: () => ({}) },
      { 'limits/key-remaining': 'inconclusive' },
    ],
  ])('find no fault with %s', async (_, limits, expected) => {
    const rules = expected['limits/key-remaining'] === 'pass' ? {} : { 'rule/rate-headers': 'fail' };
    expect(await audit(limits)).toEqual({ 'limits/key-window': 'pass', ...expected, ...rules });
  });

  test.each<[string, Limits]>([
    ['sixty-one', { key: () => slidingLog({ ...sixty, limit: 61 }) }],
    ['fifty-nine of sixty', { key: () => slidingLog({ ...sixty, limit: 59 }), headers: toldAsSixty(1) }],
    ['thirty of sixty', { key: () => slidingLog({ ...sixty, limit: 30 }), headers: toldAsSixty(30) }],
    ['sixty in a fixed minute', { key: () => fixedWindow(sixty) }],
    ['sixty in half a minute', { key: () => slidingLog({ ...sixty, windowMs: 30_000 }) }],
    ['any number', {}],
  ])('catch a limiter that lets %s pass', async (_, limits) => {
    expect(await audit(limits)).toMatchObject({ 'limits/key-window': 'fail' });
  });

  test('do not fail an approximation of a sliding window for its remaining', async () => {
    expect(await audit({ key: () => twoWindows(sixty) })).not.toHaveProperty('limits/key-remaining', 'fail');
  });

  test.each<[string, () => Bucket]>([
    ['a sliding log', () => slidingLog(sixty)],
    ['a sliding log that counts what it blocks', () => slidingLog(sixty, true)],
    ['two windows that approximate a sliding one', () => twoWindows(sixty)],
    ['a log of ten-second parts', () => partsOf(10_000)],
  ])('find no fault with %s, whenever the run begins', async (_, key) => {
    for (let second = 0; second < 60; second += 4) {
      const verdicts = await audit({ key }, noon + second * 1000);
      expect(verdicts).not.toMatchObject({ 'limits/key-window': 'fail' });
      expect(verdicts).not.toMatchObject({ 'limits/key-remaining': 'fail' });
    }
  });

  test.each<[string, () => Bucket]>([
    ['a fixed minute', () => fixedWindow(sixty)],
    ['a minute that begins with a request', () => fromFirst()],
    ['a log of forty seconds', () => slidingLog({ ...sixty, windowMs: 40_000 })],
    ['sixty once and for all', () => slidingLog({ ...sixty, windowMs: 3_600_000 })],
  ])('catch %s, whenever the run begins', async (_, key) => {
    for (let second = 0; second < 60; second += 4) {
      expect(await audit({ key }, noon + second * 1000 + 300)).toMatchObject({ 'limits/key-window': 'fail' });
    }
  });

  test('leave open whether a window is small or shared with others', async () => {
    const limits: Limits = { key: () => slidingLog({ ...sixty, limit: 50 }) };
    expect(await audit(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('leave a window open that may be the address’s', async () => {
    const verdicts = await audit({ key: () => slidingLog(sixty), headers: () => ({}), nameOf: () => 'proxy' });
    expect(verdicts).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('do not judge a key behind a server that sees one address only', async () => {
    const limits: Limits = { key: () => slidingLog(sixty), nameOf: () => 'proxy' };
    expect(await audit(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });
});
