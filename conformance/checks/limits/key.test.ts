import { describe, expect, test } from 'vitest';
import {
  auditKeyLimiter,
  goodKey,
  type Limits,
  noon,
  sixty,
  slidingLog,
  twoWindows,
} from '../../../fixtures/test-kit/limited-server.ts';
import { idleCheck, readingCheck } from '../../../fixtures/test-kit/sample-report.ts';
import { startScriptedServer } from '../../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../../fixtures/test-kit/virtual-clock.ts';
import { runConformance } from '../../index.ts';
import { keyCounts, keyLimiter } from './key.ts';

describe('limits/key-counts-all', () => {
  /** Reads and rejected requests alternately, as many as a result needs. */
  const traffic = idleCheck('sites/traffic', {
    phase: 'discover',
    cost: { requests: 40 },
    async run(probe) {
      for (let sent = 0; sent < 10; sent += 1) {
        for (let reads = 0; reads < 2; reads += 1) await probe.send({ operation: 'listSites' });
        await probe.send({ operation: 'createConnectLink', body: {} });
        await probe.send({ operation: 'getSite', params: { id: probe.facts.unknownId } });
      }
    },
  });

  /** The result on a service of three responses, whose headers report the key. */
  async function resultOf(weigh: (method: string, status: number, turn: number) => number | null): Promise<string> {
    let [counted, turn] = [0, 0];
    const server = await startScriptedServer((path, { method }) => {
      const status = method === 'POST' ? 400 : path.startsWith('/sites/') ? 404 : 200;
      turn += 1;
      const weight = weigh(method ?? 'GET', status, turn);
      counted += weight ?? 0;
      const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(Math.max(0, 60 - counted)) };
      const body = status === 200 ? { data: [] } : { error: { code: 'not_found', message: '' } };
      return { status, body, headers: weight === null ? {} : headers };
    });
    try {
      const clock = virtualClock(noon);
      const keys = { good: goodKey };
      const checks = [traffic, ...keyCounts];
      const run = await runConformance({ baseUrl: server.baseUrl, keys, clock, checks });
      const found = run.checks.find(({ id }) => id === 'limits/key-counts-all');
      return found?.result.kind ?? 'missing';
    } finally {
      await server.close();
    }
  }

  test.each<[string, (method: string, status: number, turn: number) => number | null, string]>([
    ['counts everything', () => 1, 'pass'],
    ['counts reads only', (method) => (method === 'GET' ? 1 : 0), 'fail'],
    ['counts only successful requests', (_, status) => (status < 400 ? 1 : 0), 'fail'],
    ['counts others next to the run', (_, __, turn) => (turn % 7 === 3 ? 3 : 1), 'pass'],
    ['reports nothing', () => null, 'inconclusive'],
  ])('checks a limiter that %s', async (_, weigh, result) => {
    expect(await resultOf(weigh)).toBe(result);
  });
});

describe('limits/key-remaining', () => {
  /** The result on a service that has forgotten what it counted, after the thirteenth request. */
  async function resultAfter(meanwhile: 'a page of a proxy' | 'nothing'): Promise<string> {
    const traffic = readingCheck('sites/traffic', 20);
    let counted = 0;
    const server = await startScriptedServer((_, __, count) => {
      if (count === 14) counted = 0;
      if (count === 14 && meanwhile !== 'nothing') return { status: 502, body: '<h1>Bad Gateway</h1>' };
      counted += 1;
      return { headers: { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': String(60 - counted) } };
    });
    try {
      const checks = [traffic, ...keyLimiter];
      const keys = { good: goodKey };
      const run = await runConformance({ baseUrl: server.baseUrl, keys, clock: virtualClock(noon), checks });
      return run.checks.find(({ id }) => id === 'limits/key-remaining')?.result.kind ?? 'missing';
    } finally {
      await server.close();
    }
  }

  test('does not blame a service that was started again while a proxy responded for it', async () => {
    expect(await resultAfter('a page of a proxy')).toBe('pass');
  });

  test('blames a service that forgets what it counted for no reason', async () => {
    expect(await resultAfter('nothing')).toBe('fail');
  });
});

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
    expect(await auditKeyLimiter(limits)).toEqual({ 'limits/key-window': 'pass', ...expected, ...rules });
  });

  test('do not fail an approximation of a sliding window for its remaining', async () => {
    expect(await auditKeyLimiter({ key: () => twoWindows(sixty) })).not.toHaveProperty('limits/key-remaining', 'fail');
  });

  test('leave a window open of which others have taken some between two bursts', async () => {
    const key = () => {
      const inner = slidingLog(sixty);
      let total = 0;
      return (at: number) => {
        total += 1;
        for (let others = total === 32 ? 12 : 0; others > 0; others -= 1) inner(at);
        return inner(at);
      };
    };
    expect(await auditKeyLimiter({ key })).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('leave open whether a window is small or shared with others', async () => {
    const limits: Limits = { key: () => slidingLog({ ...sixty, limit: 50 }) };
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('leave a window open that may be the address’s', async () => {
    const results = await auditKeyLimiter({ key: () => slidingLog(sixty), headers: () => ({}), nameOf: () => 'proxy' });
    expect(results).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });

  test('are inconclusive about a key if the server sees one address only', async () => {
    const limits: Limits = { key: () => slidingLog(sixty), nameOf: () => 'proxy' };
    expect(await auditKeyLimiter(limits)).toMatchObject({ 'limits/key-window': 'inconclusive' });
  });
});
