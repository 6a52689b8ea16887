import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { autoPace, contractWindows, type PaceSettings } from './lanes.ts';
import { makePacer } from './pacer.ts';

const lane = { address: null, key: 'good' };

/** Sends one request for each latency; the server sees it at `share` of the way between sending and responding. */
async function arrivals(settings: PaceSettings, traffic: readonly { latencyMs: number; share: number }[]) {
  const clock = virtualClock(1_000_000);
  const pacer = makePacer(clock, settings);
  const seen: number[] = [];
  for (const { latencyMs, share } of traffic) {
    await pacer.run(lane, async () => {
      seen.push(clock.now() + latencyMs * share);
      await clock.sleep(latencyMs);
    });
  }
  return seen;
}

function mostWithin(timestamps: readonly number[], windowMs: number): number {
  return Math.max(
    ...timestamps.map((start) => timestamps.filter((at) => at >= start && at <= start + windowMs).length),
  );
}

const traffic = fc.array(
  fc.record({
    latencyMs: fc.oneof(fc.integer({ min: 0, max: 300 }), fc.integer({ min: 0, max: 20_000 })),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { minLength: 1, maxLength: 150, size: 'max' },
);

describe('the pacer', () => {
  test.each([
    ['evenly spaced', autoPace(true)],
    ['by windows alone', { spacingMs: 0, ...contractWindows }],
  ])('%s never puts an eleventh request into ten seconds nor a 61st into a minute', async (_, settings) => {
    await fc.assert(
      fc.asyncProperty(traffic, async (requests) => {
        const seen = await arrivals(settings, requests);
        expect(mostWithin(seen, 10_000)).toBeLessThanOrEqual(10);
        expect(mostWithin(seen, 60_000)).toBeLessThanOrEqual(60);
      }),
      { numRuns: 60 },
    );
  });

  test('spaces requests on loopback by 1.05 s', async () => {
    const seen = await arrivals(
      autoPace(true),
      Array.from({ length: 4 }, () => ({ latencyMs: 3, share: 0 })),
    );
    expect(seen.map((at) => at - 1_000_000)).toEqual([0, 1050, 2100, 3150]);
  });

  test('sends a few at once after hurry, until a burst, and obeys the window of the key', async () => {
    const clock = virtualClock(0);
    const pacer = makePacer(clock, { ...autoPace(true), key: { limit: 6, windowMs: 60_000 } });
    const at = () => pacer.run(lane, async () => clock.now());
    await at();
    pacer.hurry(2);
    expect([await at(), await at(), await at()]).toEqual([0, 0, 1050]);
    pacer.hurry(9);
    await pacer.burst([{ lane, send: async () => undefined }], 'none');
    expect(await at()).toBe(2100);
    pacer.hurry(1);
    expect(await at()).toBeGreaterThanOrEqual(60_000);
  });

  test('counts the addresses apart and the key over all of them', async () => {
    const clock = virtualClock(0);
    const pacer = makePacer(clock, { spacingMs: 0, ...contractWindows });
    for (let sent = 0; sent < 60; sent += 1) {
      await pacer.run({ address: `127.0.0.${sent % 6}`, key: 'good' }, async () => undefined);
    }
    expect(clock.now()).toBe(0);
    await pacer.run({ address: '127.0.0.9', key: 'good' }, async () => undefined);
    expect(clock.now()).toBe(60_025);
  });

  test('subtracts the use that the first response reports', async () => {
    const clock = virtualClock(0);
    const pacer = makePacer(clock, { spacingMs: 0, ...contractWindows });
    await pacer.run(lane, async () => undefined);
    pacer.learn(lane, { limit: 10, remaining: 8 });
    const before = clock.now();
    for (let sent = 0; sent < 8; sent += 1) await pacer.run(lane, async () => undefined);
    expect(clock.now()).toBe(before);
    await pacer.run(lane, async () => undefined);
    expect(clock.now()).toBe(10_025);
  });

  test('remembers an earlier run', async () => {
    const clock = virtualClock(100_000);
    const pacer = makePacer(clock, { spacingMs: 0, ...contractWindows });
    pacer.recall(Array.from({ length: 10 }, () => ({ lane, at: 95_000 })));
    await pacer.run(lane, async () => undefined);
    expect(clock.now()).toBe(105_025);
  });

  test('sends a burst at once after a quiet window', async () => {
    const clock = virtualClock(0);
    const pacer = makePacer(clock, autoPace(true));
    await pacer.run(lane, async () => undefined);
    const shots = Array.from({ length: 11 }, () => ({ lane, send: async () => clock.now() }));
    const sentAt = await pacer.burst(shots, 'address');
    expect(new Set(sentAt)).toEqual(new Set([10_025]));
    await pacer.run(lane, async () => undefined);
    expect(clock.now()).toBe(20_050);
  });
});
