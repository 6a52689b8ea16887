import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHttp } from '../../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { startMock } from '../../../src/index.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { autoPace, contractWindows, type PaceSettings } from '../../exchange/lanes.ts';
import type { BuiltRequest } from '../../exchange/request.ts';
import { exitCodeOf, runConformance } from '../../index.ts';
import { makeDeadline, tooLong } from './clock.ts';
import { openControl } from './control.ts';
import { makePacer } from './pacer.ts';
import { makeRetryPolicy } from './patience.ts';

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
  return Math.max(...timestamps.map((from) => timestamps.filter((at) => at >= from && at <= from + windowMs).length));
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

const blocked = { status: 429, headers: { 'retry-after': '3' }, json: { error: 'rate_limit_exceeded' } };

test.each<[string, Pick<BuiltRequest, 'repeatable' | 'isHarmless'>, boolean]>([
  ['a read', { repeatable: true, isHarmless: true }, true],
  ['a request that must be rejected', { repeatable: false, isHarmless: true }, true],
  ['a write', { repeatable: false, isHarmless: false }, false],
])('%s that a limiter has blocked is repeated as its kind allows', (_, kind, isAskedAgain) => {
  const request = { method: 'POST', operation: 'createPost', target: '/', ...kind } as BuiltRequest;
  const exchange = { ...blocked, problem: 'none' } as unknown as Exchange;
  const rejected = { request, exchange, trouble: 'interference', isUnsent: false, repeats: 0 } as const;
  expect(makeRetryPolicy().waitFor(rejected) !== null).toBe(isAskedAgain);
});

test('allows waits that end in time, and nothing after one that does not', () => {
  const clock = virtualClock(0);
  const deadline = makeDeadline(clock);
  expect(deadline.allowsWait(1e9)).toBe(true);
  deadline.start(10_000);
  clock.advance(4000);
  expect([deadline.allowsWait(5999), deadline.isOver(), deadline.leftMs()]).toEqual([true, false, 6000]);
  expect(() => deadline.rejectWait(6000)).toThrow(tooLong(10));
  expect([deadline.allowsWait(1), deadline.isOver()]).toEqual([false, true]);
});

test('is over when its time has passed', () => {
  const clock = virtualClock(0);
  const deadline = makeDeadline(clock);
  deadline.start(1000);
  clock.advance(1000);
  expect(deadline.isOver()).toBe(true);
});

async function mockOf(clock: 'frozen' | 'running' = 'frozen') {
  const mock = await startMock({ clock, limits: true });
  onTestFinished(() => mock.close());
  return mock;
}

async function serve(apiResponse: string, status = 200): Promise<string> {
  const server = await startHttp((_, response) => response.writeHead(status).end(apiResponse));
  onTestFinished(server.close);
  return server.origin;
}

describe('the clock of a controlled mock', () => {
  test('is the time of the mock, and moves it instead of waiting', async () => {
    const mock = await mockOf();
    const clock = await openControl({ control: mock.origin, baseUrl: mock.baseUrl });
    expect(clock.now()).toBe(mock.clock.now());
    await clock.sleep(61_000.4);
    expect(clock.now()).toBe(mock.clock.now());
    expect(mock.clock.now() - Date.parse('1970-01-01')).toBe(clock.now());
  });

  test('runs on between requests when that of the mock runs', async () => {
    const mock = await mockOf('running');
    const clock = await openControl({ control: mock.origin, baseUrl: mock.baseUrl });
    const before = clock.now();
    await clock.sleep(5000);
    expect(clock.now() - before).toBeGreaterThanOrEqual(5000);
    expect(Math.abs(clock.now() - mock.clock.now())).toBeLessThan(1000);
  });

  test('lets a whole run pass under the limits in a moment', async () => {
    const mock = await mockOf();
    const { good, second, revoked } = mock.keys;
    const options = { baseUrl: mock.baseUrl, control: mock.origin, keys: { good, second, revoked } };
    const report = await runConformance(options);
    expect(exitCodeOf(report)).toBe(0);
    expect(report.used.seconds).toBeGreaterThan(30);
    const isBlocked = ({ bodyText }: { bodyText: string | null }) => bodyText?.includes('rate_limit_exceeded');
    expect(report.exchanges.filter((exchange) => isBlocked(exchange) && !exchange.burst)).toEqual([]);
    expect(report.isMockTime).toBe(true);
  });

  test.each<[string, () => Promise<string>, string]>([
    ['a server that is not a mock', () => serve('{"status":"ok"}'), 'is not casa mock'],
    ['a server that speaks no JSON', () => serve('<html>'), 'is not casa mock'],
    ['a mock that requires its token', () => serve('{}', 401), 'CONFORMANCE_CONTROL_TOKEN'],
    ['nobody', async () => 'http://127.0.0.1:9', 'does not respond (bad port).'],
  ])('is rejected to %s', async (_, start, sentence) => {
    const origin = await start();
    await expect(openControl({ control: origin, baseUrl: `${origin}/api/v1` })).rejects.toThrow(sentence);
  });

  test('is rejected when another server is checked, whose limits would not know of it', async () => {
    const mock = await mockOf();
    const baseUrl = 'https://staging.example.com/api/v1';
    await expect(openControl({ control: mock.origin, baseUrl })).rejects.toThrow('both must be the same server');
  });

  test('takes localhost and 127.0.0.1 for one server', async () => {
    const mock = await mockOf();
    const baseUrl = mock.baseUrl.replace('127.0.0.1', 'localhost');
    expect((await openControl({ control: mock.origin, baseUrl })).now()).toBe(mock.clock.now());
  });
});
