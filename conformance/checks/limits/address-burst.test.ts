import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import {
  fixedWindow,
  goodKey,
  type Limits,
  slidingLog,
  startLimited,
  tokens,
  twoWindows,
} from '../../../fixtures/test-kit/limited-server.ts';
import { readingCheck } from '../../../fixtures/test-kit/sample-report.ts';
import { type VirtualClock, virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { findBelieved } from '../../assertions/named-clients.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { runConformance } from '../../index.ts';
import { makeLedger } from '../../judge/ledger.ts';
import type { Check } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { authentication } from '../keys/authentication.ts';
import { addressBurst, keyedBursts } from './address-burst.ts';
import { afterBurst } from './after-burst.ts';
import { anyWindows } from './any-window.ts';

const addressLimiter = [...addressBurst, ...afterBurst, ...keyedBursts];

const ten = { limit: 10, windowMs: 10_000 };

interface AuditOptions {
  readonly watch?: boolean;
  readonly checks?: readonly Check[];
  readonly tickMs?: number;
}

async function audit(
  limits: Limits,
  startMs = Date.UTC(2026, 4, 1, 12) + 3_300,
  { tickMs = 0, ...options }: AuditOptions = {},
): Promise<Record<string, string>> {
  const clock = virtualClock(startMs);
  const nameOf = (request: IncomingMessage) => {
    clock.advance(tickMs);
    return limits.nameOf ? limits.nameOf(request) : String(request.socket.remoteAddress);
  };
  return auditOn(clock, { ...limits, nameOf }, options);
}

async function auditOn(
  clock: VirtualClock,
  limits: Limits,
  { watch = true, checks: chosen = [...addressLimiter, ...anyWindows] }: AuditOptions,
): Promise<Record<string, string>> {
  const server = await startLimited(clock.now, limits);
  try {
    const { checks } = await runConformance({
      baseUrl: server.baseUrl,
      keys: { good: goodKey },
      clock,
      checks: chosen,
      watch,
    });
    return Object.fromEntries(
      checks.filter(({ result }) => /fail|warn|error/.test(result.kind)).map(({ id, result }) => [id, result.kind]),
    );
  } finally {
    await server.close();
  }
}

describe('the checks of the address limiter', () => {
  test.each<[string, Limits]>([
    ['a sliding log', { address: () => slidingLog(ten) }],
    ['a sliding log that counts what it blocks', { address: () => slidingLog(ten, true) }],
    ['a fixed window', { address: () => fixedWindow(ten) }],
    ['a token bucket', { address: () => tokens(ten) }],
    ['two windows that approximate a sliding one', { address: () => twoWindows(ten) }],
    [
      'a sliding log that never says Retry-After',
      {
        address: () => slidingLog(ten),
        headers: ({ remaining, waitMs }, limit, at) => ({
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': String(remaining),
          'x-ratelimit-reset': String(Math.ceil(at + waitMs)),
        }),
      },
    ],
  ])('find no fault with %s, whenever the run begins', async (_, limits) => {
    for (const offsetMs of [1_700, 9_400]) {
      expect(await audit(limits, Date.UTC(2026, 4, 1, 12) + offsetMs)).toEqual({});
    }
  });

  /** The rest of a run after the bursts. */
  const rest = readingCheck('sites/rest', 5, 'after bursts');
  const plain = { watch: false, checks: [...addressLimiter, rest, ...anyWindows] };

  const entries = (request: IncomingMessage, name = 'x-forwarded-for') =>
    String(request.headers[name] ?? request.socket.remoteAddress)
      .split(',')
      .map((entry) => entry.trim());
  type NameOf = NonNullable<Limits['nameOf']>;

  test.each<[string, NameOf, string | undefined]>([
    ['the first address of X-Forwarded-For', (request) => entries(request)[0] ?? '', 'fail'],
    ['all of X-Forwarded-For', ({ headers }) => String(headers['x-forwarded-for']), 'fail'],
    ['the first client of Forwarded', (request) => entries(request, 'forwarded')[0] ?? '', 'fail'],
    [
      'several headers, as many libraries do',
      (request) =>
        ['true-client-ip', 'x-real-ip', 'x-forwarded-for']
          .map((name) => request.headers[name])
          .find(Boolean)
          ?.toString() ?? '',
      'fail',
    ],
    ['X-Real-IP', (request) => entries(request, 'x-real-ip')[0] ?? '', 'fail'],
    ['True-Client-IP', (request) => entries(request, 'true-client-ip')[0] ?? '', 'fail'],
    ['CF-Connecting-IP', (request) => entries(request, 'cf-connecting-ip')[0] ?? '', 'fail'],
    [
      'X-Real-IP, else the last address of X-Forwarded-For',
      (request) => entries(request, request.headers['x-real-ip'] ? 'x-real-ip' : 'x-forwarded-for').at(-1) ?? '',
      'fail',
    ],
    [
      'the last address of X-Forwarded-For, which its proxy adds',
      (request) => entries(request).at(-1) ?? '',
      undefined,
    ],
    ['the last client of Forwarded', (request) => entries(request, 'forwarded').at(-1) ?? '', undefined],
  ])('fail a service that believes %s', async (_, nameOf, result) => {
    for (const kind of [slidingLog, fixedWindow, tokens]) {
      for (const chosen of [{}, plain]) {
        const results = await audit({ address: () => kind(ten), nameOf }, undefined, chosen);
        expect(results).toEqual(result === undefined ? {} : { 'limits/address-burst': result });
      }
    }
  });

  test('find no fault with a network in front that rejects its own header', async () => {
    const page = { status: 403, headers: { 'content-type': 'text/html' }, body: '<html>Prohibited</html>' };
    const front: Limits['front'] = ({ headers }) => (headers['cf-connecting-ip'] === undefined ? undefined : page);
    const checks = [...plain.checks, ...authentication];
    expect(await audit({ address: () => slidingLog(ten), front }, undefined, { checks })).toEqual({});
  });

  test('name the header first where each client has its own countdown', async () => {
    const { result } = await bench({ checks: addressBurst, mutant: 'address-named-by-client' });
    const { findings } = result('limits/address-burst');
    expect(findings.map(({ clause, expected }) => [clause, expected])).toEqual([
      ['8.address-window', '429 with another X-Forwarded-For, as without it'],
    ]);
  });

  test.each(['x-forwarded-for', 'forwarded', 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'])(
    'fail a service on the internet that believes %s',
    async (trusted) => {
      const ledger = makeLedger('must');
      const respond = ({ headers = {} }: RequestSpec, index: number) => {
        const status = headers[trusted] === undefined ? 429 : 401;
        const body = { status, json: { error: 'rate_limit_exceeded' }, problem: 'none', headers: {} };
        return {
          ...body,
          id: `x${index}`,
          key: 'none',
          requestHeaders: headers,
          url: 'https://api.example.com/api/v1',
        };
      };
      const history = [respond({}, 0)];
      const burst = async (specs: readonly RequestSpec[]) => specs.map(respond);
      const probe = { ...ledger, settings: { isLoopback: false }, history: () => history, burst };
      expect(await findBelieved(probe as unknown as Probe)).toBe(true);
      expect(ledger.conclude().kind).toBe('fail');
    },
  );

  test('pass if others steadily use two of the ten', async () => {
    let addresses = 0;
    const address = () => slidingLog({ ...ten, limit: addresses++ === 0 ? 8 : 10 });
    expect(await audit({ address })).toEqual({});
  });

  /** Some services report the window on blocked responds only. */
  const onBlocked: Limits['headers'] = ({ ok, waitMs }, limit, at) =>
    ok
      ? {}
      : {
          'x-ratelimit-limit': String(limit),
          'x-ratelimit-remaining': '0',
          'x-ratelimit-reset': String(at + waitMs),
          'retry-after': String(Math.ceil(waitMs / 1000)),
        };

  test.each([1_000, 2_000, 3_000, 4_000])('catch ten in %i ms in a plain audit', async (windowMs) => {
    const results = await audit(
      { address: () => slidingLog({ ...ten, windowMs }), headers: onBlocked },
      undefined,
      plain,
    );
    expect(results).toMatchObject({ 'limits/any-window': 'fail' });
  });

  test.each<[string, Limits]>([
    ['a token bucket', { address: () => tokens(ten) }],
    ['a token bucket with few headers', { address: () => tokens(ten), headers: onBlocked }],
    ['a fixed window', { address: () => fixedWindow(ten) }],
    ['a fixed window with few headers', { address: () => fixedWindow(ten), headers: onBlocked }],
    ['two windows that approximate a sliding one', { address: () => twoWindows(ten) }],
  ])('find no fault with %s in a plain audit', async (_, limits) => {
    for (const offsetMs of [0, 9_400]) {
      expect(await audit(limits, Date.UTC(2026, 4, 1, 12) + offsetMs, plain)).toEqual({});
    }
  });

  describe('where each response takes 60 ms', () => {
    const tickMs = 60;
    test.each<[string, Limits]>([
      ['a fixed window', { address: () => fixedWindow(ten) }],
      ['a sliding log', { address: () => slidingLog(ten) }],
      ['a token bucket', { address: () => tokens(ten) }],
      ['two windows that approximate a sliding one', { address: () => twoWindows(ten) }],
    ])('find no fault with %s, wherever its edge lies', async (_, limits) => {
      for (const offsetMs of [1_700, 9_100, 9_700]) {
        expect(await audit(limits, Date.UTC(2026, 4, 1, 12) + offsetMs, { ...plain, tickMs })).toEqual({});
      }
    });

    test('catch ten for each credential', async () => {
      const limits: Limits = {
        address: () => slidingLog(ten),
        nameOf: ({ headers }) => headers.authorization ?? 'none',
      };
      expect(await audit(limits, undefined, { ...plain, tickMs })).toMatchObject({ 'limits/address-burst': 'fail' });
    });
  });

  test('find no fault with a token bucket over a line on which responses take 0.5 to 1.1 s', async () => {
    const clock = virtualClock(Date.UTC(2026, 4, 1, 12));
    // Of requests after a burst, which read the sites: each arrives just after or just before the bucket has refilled.
    const delaysMs = [1_100, 950, 500, 500, 500];
    let isAfterBurst = false;
    const nameOf = ({ url, headers, socket }: IncomingMessage) => {
      isAfterBurst ||= headers['user-agent'] === 'casa-conformance-b';
      if (isAfterBurst && url?.endsWith('/sites')) clock.advance(delaysMs.shift() ?? 0);
      return String(socket.remoteAddress);
    };
    expect(await auditOn(clock, { address: () => tokens(ten), nameOf }, plain)).toEqual({});
    expect(delaysMs).toEqual([]);
  });

  const resetLate = (ms: number): Limits => ({
    address: () => slidingLog(ten),
    headers: (_, limit, at) => ({
      'x-ratelimit-limit': String(limit),
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(at - ms),
      date: new Date(at).toUTCString(),
    }),
  });

  test('catch a reset that lies a day in the past', async () => {
    expect(await audit(resetLate(86_400_000))).toMatchObject({ 'rule/rate-headers': 'fail' });
  });

  test('only warn of a reset that a slow clock explains, by the interpretations', async () => {
    const results = await audit(resetLate(5_000));
    expect(results).toMatchObject({ 'limits/wait-as-told': 'warn' });
    expect(results).not.toMatchObject({ 'rule/rate-headers': 'fail' });
  });

  test('catch a Retry-After in milliseconds, and take a long but honest one', async () => {
    const retryLimits = (retryAfter: (waitMs: number) => number): Limits => ({
      address: () => slidingLog(ten),
      headers: ({ ok, waitMs }, limit, at) => ({
        'x-ratelimit-limit': String(limit),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(at + waitMs),
        date: new Date(at).toUTCString(),
        ...(ok ? {} : { 'retry-after': String(retryAfter(waitMs)) }),
      }),
    });
    expect(await audit(retryLimits((waitMs) => waitMs))).toMatchObject({ 'rule/retry-after': 'fail' });
    for (const patience of [0, 3, 10, 60, 3000]) {
      const results = await audit(retryLimits((waitMs) => Math.ceil(waitMs / 1000) + patience));
      expect(Object.keys(results).filter((id) => /retry-after|wait-as-told/.test(id))).toEqual([]);
    }
    expect(await audit(retryLimits(() => 3601))).toMatchObject({ 'rule/retry-after': 'fail' });
  });
});
