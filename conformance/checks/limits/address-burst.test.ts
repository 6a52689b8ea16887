// Runs against limiters of every kind. The judgment of a history is tested in bursts.test.ts.
import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import {
  fixedWindow,
  goodKey,
  type Limits,
  noon,
  slidingLog,
  startLimited,
  tokens,
  twoWindows,
} from '../../../fixtures/test-kit/limited-server.ts';
import { idleCheck, readingScenario } from '../../../fixtures/test-kit/sample-report.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { runConformance } from '../../index.ts';
import { addressScenarios } from '../../scenarios/limits/address.ts';
import { anyWindowScenarios } from '../../scenarios/limits/limiters.ts';
import { addressBurst, afterBurst } from './address-burst.ts';
import { keyLimiter } from './key.ts';

const ten = { limit: 10, windowMs: 10_000 };
// With the rest of a run after the bursts.
const rest = readingScenario('sites/rest', 5);
const checks = [...addressBurst, ...afterBurst, idleCheck(rest.id), ...keyLimiter.slice(-1)];
const scenarios = [...addressScenarios, rest, ...anyWindowScenarios];

interface AuditOptions {
  readonly startMs?: number;
  readonly isShort?: boolean;
  /** The time that each response takes. */
  readonly tickMs?: number;
}

/** Returns the failures and warnings. */
async function audit(limits: Limits, { startMs = 3_300, isShort = false, tickMs = 0 }: AuditOptions = {}) {
  const clock = virtualClock(noon + startMs);
  const nameOf = (request: IncomingMessage) => {
    clock.advance(tickMs);
    return limits.nameOf ? limits.nameOf(request) : String(request.socket.remoteAddress);
  };
  const server = await startLimited(clock.now, { ...limits, nameOf });
  const effort = isShort ? { requests: 60 } : { watch: true };
  const options = { baseUrl: server.baseUrl, keys: { good: goodKey }, clock, checks, scenarios, ...effort };
  const { checks: done } = await runConformance(options).finally(() => server.close());
  const found = done.filter(({ result }) => /fail|warn|error/.test(result.kind));
  return Object.fromEntries(found.map(({ id, result }) => [id, result.kind]));
}

/** Some services report the window on blocked responses only. */
const onBlocked: Limits['headers'] = ({ ok, waitMs }, limit, at) =>
  ok ? {} : { ...stating(limit, at + waitMs), 'retry-after': String(Math.ceil(waitMs / 1000)) };
const stating = (limit: number, reset: number, remaining = 0) => ({
  'x-ratelimit-limit': String(limit),
  'x-ratelimit-remaining': String(remaining),
  'x-ratelimit-reset': String(Math.ceil(reset)),
});
/** Others steadily use two of the ten. */
function shared() {
  let addresses = 0;
  return () => slidingLog({ ...ten, limit: addresses++ === 0 ? 8 : 10 });
}

describe('the checks of the address limiter', () => {
  test.each<[string, () => Limits]>([
    ['a sliding log', () => ({ address: () => slidingLog(ten) })],
    ['a sliding log that counts what it blocks', () => ({ address: () => slidingLog(ten, true) })],
    ['a fixed window', () => ({ address: () => fixedWindow(ten) })],
    ['a token bucket', () => ({ address: () => tokens(ten) })],
    ['two windows that approximate a sliding one', () => ({ address: () => twoWindows(ten) })],
    [
      'a log that never says Retry-After',
      () => ({
        address: () => slidingLog(ten),
        headers: ({ remaining, waitMs }, limit, at) => stating(limit, at + waitMs, remaining),
      }),
    ],
    ['a token bucket with few headers', () => ({ address: () => tokens(ten), headers: onBlocked })],
    ['a fixed window with few headers', () => ({ address: () => fixedWindow(ten), headers: onBlocked })],
    ['a window that others use', () => ({ address: shared() })],
  ])('find no fault with %s, whenever the run begins and however long it takes', async (_, limits) => {
    for (const options of [
      { startMs: 1_700 },
      { startMs: 9_400 },
      { startMs: 1_700, isShort: true },
      { startMs: 9_100, isShort: true, tickMs: 60 },
      { startMs: 9_700, isShort: true, tickMs: 60 },
    ])
      expect(await audit(limits(), options)).toEqual({});
  });

  test('catch ten for each credential where each response takes 60 ms', async () => {
    const nameOf: Limits['nameOf'] = ({ headers }) => headers.authorization ?? 'none';
    const results = await audit({ address: () => slidingLog(ten), nameOf }, { isShort: true, tickMs: 60 });
    expect(results).toMatchObject({ 'limits/address-burst': 'fail' });
  });

  test.each([1_000, 2_000, 3_000, 4_000])('catch ten in %i ms', async (windowMs) => {
    const results = await audit({ address: () => slidingLog({ ...ten, windowMs }), headers: onBlocked });
    expect(results).toMatchObject({ 'limits/any-window': 'fail' });
  });

  const entries = ({ headers, socket }: IncomingMessage, name = 'x-forwarded-for') =>
    String(headers[name] ?? socket.remoteAddress).split(/ *, */);
  const firstOf = (request: IncomingMessage, ...names: readonly string[]) =>
    names
      .map((name) => request.headers[name])
      .find(Boolean)
      ?.toString() ?? '';
  const believed = { 'limits/address-burst': 'fail' };
  const several = ['true-client-ip', 'x-real-ip', 'x-forwarded-for'];

  test.each<[string, NonNullable<Limits['nameOf']>, Record<string, string>]>([
    ['the first address of X-Forwarded-For', (request) => entries(request)[0] ?? '', believed],
    ['all of X-Forwarded-For', (request) => firstOf(request, 'x-forwarded-for'), believed],
    ['the first client of Forwarded', (request) => entries(request, 'forwarded')[0] ?? '', believed],
    ['several headers, as many libraries do', (request) => firstOf(request, ...several), believed],
    ['X-Real-IP', (request) => firstOf(request, 'x-real-ip'), believed],
    ['True-Client-IP', (request) => firstOf(request, 'true-client-ip'), believed],
    ['CF-Connecting-IP', (request) => firstOf(request, 'cf-connecting-ip'), believed],
    [
      'X-Real-IP, else the last address of X-Forwarded-For',
      (request) => entries(request, request.headers['x-real-ip'] ? 'x-real-ip' : 'x-forwarded-for').at(-1) ?? '',
      believed,
    ],
    ['the last address of X-Forwarded-For, which its proxy adds', (request) => entries(request).at(-1) ?? '', {}],
    ['the last client of Forwarded', (request) => entries(request, 'forwarded').at(-1) ?? '', {}],
  ])('know a service that believes %s', async (_, nameOf, result) => {
    for (const kind of [slidingLog, fixedWindow, tokens])
      expect(await audit({ address: () => kind(ten), nameOf }, { isShort: kind !== slidingLog })).toEqual(result);
  });
});
