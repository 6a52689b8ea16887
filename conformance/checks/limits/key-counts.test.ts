import { expect, test } from 'vitest';
import { historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import { remaining } from './key-counts.ts';

const left = (count: number) => ({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': `${Math.max(0, 60 - count)}` });
const rejected = (code: string) => ({ error: { code, message: '' } });
/** Reads and rejected requests alternately, a second apart. */
const traffic = Array.from({ length: 10 }, (): [string, unknown][] => [
  ['good GET /sites', { data: [] }],
  ['good GET /sites', { data: [] }],
  ['good POST /connect/accounts', rejected('invalid_input')],
  ['good GET /sites/c0ffee00-dead-4bad-8bad-000000000000', rejected('not_found')],
]).flat();

/** `weigh` returns how much a request counts; null without headers. */
function counted(weigh: (method: string, isRejected: boolean, turn: number) => number | null): Line[] {
  let count = 0;
  return traffic.map(([request, body], index) => {
    const weight = weigh(request.split(' ')[1] ?? '', Object.hasOwn(body as object, 'error'), index + 1);
    count += weight ?? 0;
    return [request, body, { headers: weight === null ? {} : left(count) }];
  });
}

test.each<[string, Parameters<typeof counted>[0], string]>([
  ['counts everything', () => 1, 'pass'],
  ['counts reads only', (method) => (method === 'GET' ? 1 : 0), 'fail'],
  ['counts only successful requests', (_, isRejected) => (isRejected ? 0 : 1), 'fail'],
  ['counts others next to the run', (_, __, turn) => (turn % 7 === 3 ? 3 : 1), 'pass'],
  ['reports nothing', () => null, 'inconclusive(unreachable)'],
])('limits/key-remaining checks a limiter that %s', (_, weigh, result) => {
  expect(judged(remaining, historyOf(counted(weigh))).result).toBe(result);
});

test('limits/key-remaining leaves a recording without times open', () => {
  const lines = counted((method) => (method === 'GET' ? 1 : 0));
  const timeless = lines.map(([request, body, rest]): Line => [request, body, { ...rest, sentAt: 0, receivedAt: 0 }]);
  expect(judged(remaining, historyOf(timeless)).result).toBe('inconclusive(unreachable)');
});

test.each<[string, Line[], string]>([
  ['blames a service that forgets what it counted for no reason', [], 'fail'],
  [
    'does not blame a service that was started again while a proxy responded for it',
    [['good GET /sites', '', { status: 502, problem: 'not-json' }]],
    'pass',
  ],
])('limits/key-remaining %s', (_, meanwhile, result) => {
  const reads = (count: number) =>
    Array.from({ length: count }, (_, n): Line => ['good GET /sites', { data: [] }, { headers: left(n + 1) }]);
  expect(judged(remaining, historyOf([...reads(13), ...meanwhile, ...reads(12)])).result).toBe(result);
});
