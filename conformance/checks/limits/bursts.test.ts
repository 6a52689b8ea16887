// Histories of bursts: which of them are a finding, and which others, a slow line or another limiter explain.
import { expect, test } from 'vitest';
import { errorOf, historyOf, judged, type Line } from '../../../fixtures/test-kit/history.ts';
import {
  auditKeyLimiter,
  type Bucket,
  type Limits,
  sixty,
  slidingLog,
  twoWindows,
} from '../../../fixtures/test-kit/limited-server.ts';
import { afterWait } from '../../exchange/bursts.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { Judged } from '../../judge/judge.ts';
import { addressBurst, afterBurst } from './address-burst.ts';
import { keyLimiter, remaining } from './key.ts';

const unauthorized = { error: { code: 'unauthorized', message: '' } };
const stated = (headers: Record<string, string>) => ({ headers });
const counted = (limit: number, left: number) =>
  stated({ 'x-ratelimit-limit': `${limit}`, 'x-ratelimit-remaining': `${left}` });
const naming = (...names: readonly string[]) => ({
  requestHeaders: Object.fromEntries(names.map((name) => [name, '198.51.100.7'])),
});

/** In what the requests or responses of a group differ from the usual ones. */
const differences: Readonly<Record<string, Partial<Exchange>>> = {
  lost: { status: 0, problem: 'reset' },
  alone: { burst: false },
  near: { url: 'http://127.0.0.1:3000/api/v1/sites' },
  apart: { address: '127.84.2.91' },
  trouble: { status: 503 },
  rejected: { status: 401, json: unauthorized },
  object: { status: 429, json: { error: { code: 'rate_limited' } } },
  nine: counted(9, 0),
  five: counted(10, 5),
  soon: stated({ 'retry-after': '9' }),
  late: stated({ 'retry-after': '60' }),
  torn: stated({
    ...{ 'retry-after': '3', 'x-ratelimit-reset': '1767268810000', date: 'Thu, 01 Jan 2026 12:00:00 GMT' },
  }),
  xff: naming('x-forwarded-for'),
  cf: naming('cf-connecting-ip'),
  front: { ...naming('cf-connecting-ip'), status: 403, problem: 'not-json' },
  reset: stated({ 'x-ratelimit-reset': '5000', date: 'Thu, 01 Jan 1970 00:00:00 GMT' }),
  proxied: naming('x-forwarded-for', 'forwarded'),
};

/**
 * Groups of requests at once: `name: admitted/blocked`, the key, the start and the duration in milliseconds, and
 * differences. With `every 50` the requests of a group are so far apart; `down` and `up` count.
 */
function linesOf(text: string): Line[] {
  return text.split('|').flatMap((group): Line[] => {
    const [, label = '', admitted, blocked, rest = ''] = /^ *(.*): (\d+)\/(\d+)(.*)$/.exec(group) ?? [];
    const numberAfter = (word: string, usual = 0) => Number(new RegExp(`${word} (\\d+)`).exec(rest)?.[1] ?? usual);
    const named = rest.split(' ').map((word) => differences[word]);
    const key = rest.includes('key') ? 'good' : 'none';
    return Array.from({ length: Number(admitted) + Number(blocked) }, (_, index): Line => {
      const isBlocked = index >= Number(admitted);
      const sentAt = numberAfter('at', label.startsWith('second') ? 30_000 : 0) + index * numberAfter('every');
      const count = /down/.test(rest) ? counted(10, 9 - index) : /up/.test(rest) ? counted(10, index) : {};
      const receivedAt = sentAt + numberAfter('for', 10) + (/down|up/.test(rest) ? index : 0);
      const body = isBlocked ? { error: 'rate_limit_exceeded' } : key === 'good' ? { data: [] } : unauthorized;
      const usual = { burst: true, label, sentAt, receivedAt, ...(isBlocked ? { status: 429 } : {}), ...count };
      return [`${key} GET /sites`, body, Object.assign(usual, ...named)];
    });
  });
}

/** `result`, and the clause of each finding. */
function outcome(check: Judged | undefined, text: string, isRecorded = false): string {
  if (check === undefined) throw new Error('no check');
  const { result, findings } = judged(check, historyOf(linesOf(text), { isRecorded }));
  return [result, ...findings.map((finding) => finding.split(' ')[1])].join(' ');
}

const window = 'fail 8.address-window';
const open = `${window} 5.limiter-before-key`;
const others = 'inconclusive(interference)';

test.each([
  ['ten are admitted', 'burst: 10/3', 'pass'],
  ['eleven twice', 'burst: 11/2 | second burst: 11/15', window],
  ['all twice', 'burst: 13/0 | second burst: 26/0', open],
  ['eleven once', 'burst: 11/2 | second burst: 10/16', others],
  ['a line is slow', 'burst: 11/2 for 300 | second burst: 11/15', 'warn 8.address-window'],
  ['a bucket refills', 'burst: 11/2 for 1000 | second burst: 11/15', 'inconclusive(timing)'],
  ['more than a bucket refills', 'burst: 13/0 for 1500 | second burst: 26/0 for 2000', open],
  ['more than two windows hold', 'burst: 11/2 | second burst: 26/0 for 5000', open],
  ['an approximate window forgets', 'burst: 9/4 | second burst: 10/16', 'pass'],
  ['others share the address', 'burst: 9/4 | second burst: 9/17', others],
  ['a smaller limit is stated', 'burst: 9/4 | second burst: 9/17 nine', window],
  ['the client is alone', 'burst: 9/4 near | second burst: 9/17 near', window],
  ['others came', 'x: 0/1 alone | burst: 9/4 near | second burst: 9/17 near', others],
  ['others came to another address', 'x: 0/1 alone | burst: 9/4 near | second burst: 9/17 near apart', window],
  ['some are lost', 'burst: 8/3 | burst: 2/0 lost', 'inconclusive(platform)'],
  ['some are lost once', 'burst: 8/3 | burst: 2/0 lost | burst, once more: 10/3', 'pass'],
  ['a network rejects its header', 'burst: 10/0 | burst: 3/0 front | burst, once more: 10/3', 'pass'],
  ['all are lost', 'burst: 13/0 lost', 'inconclusive(platform)'],
  ['a platform is in trouble', 'burst: 10/3 | burst: 1/0 trouble', 'inconclusive(platform)'],
  ['the count stays', 'burst: 10/0 five | burst: 0/3', 'fail 8.headers.remaining'],
  ['the count decreases', 'burst: 10/0 down | burst: 0/3', 'pass'],
  ['responses overtake each other', 'burst: 10/0 up | burst: 0/3 | second burst: 10/0 down', 'pass'],
  ['the count increases', 'burst: 10/0 up | burst: 0/3 | second burst: 10/0 up', 'fail 8.headers.remaining'],
  ['a valid key is rejected', 'burst: 9/3 | burst: 1/0 key rejected', 'fail 7.code.unauthorized'],
])('limits/address-burst: %s', (_, text, result) => {
  expect(outcome(addressBurst[0], text)).toBe(result);
});

const tries = 'burst: 13/0 | second burst: 10/16 | a client named in one header:';
test.each([
  ['a header is believed', `${tries} 3/0 xff | a client named in one header: 0/3`, window],
  ['each client has its own countdown', `${tries.replace('13/0', '13/0 five')} 3/0 xff`, window],
  ['the header of a network is believed', `${tries} 3/0 cf | a client named in one header: 0/3`, window],
  ['the last entry is believed', `${tries} 3/1 xff | a client named in one header: 0/3`, others],
  ['the window is open again', `${tries} 3/0 xff | a client named in one header: 1/2`, others],
])('limits/address-burst: %s', (_, text, result) => {
  expect(outcome(addressBurst[0], text)).toBe(result);
});

const [keyed, again] = ['burst with the valid key:', 'second burst with the valid key:'];
test.each([
  ['one is blocked', `${keyed} 10/1 key`, 'pass'],
  ['all pass twice', `${keyed} 11/0 key | ${again} 11/0 key`, window],
  ['all pass once', `${keyed} 11/0 key | ${again} 10/1 key`, others],
  ['a line is slow', `${keyed} 11/0 key for 1000 | ${again} 11/0 key`, 'inconclusive(timing)'],
  ['some are lost', `${keyed} 9/0 key | ${keyed} 2/0 key lost`, 'inconclusive(platform)'],
])('limits/address-burst-keyed: %s', (_, text, result) => {
  expect(outcome(addressBurst[1], text)).toBe(result);
});

const both = 'burst: 10/3 | with a valid key and another User-Agent:';
/** Two requests of the change, and after each one without a key. */
const turns = (label: string, [admitted, plain]: readonly [string, string], apartMs = 10) =>
  [0, 1].flatMap((turn) => [
    `${label}: ${admitted} key at ${100 + 2 * turn * apartMs}`,
    `${label}: ${plain} at ${100 + (2 * turn + 1) * apartMs}`,
  ]);
const passes = ['1/0', '0/1'] as const;
test.each([
  ['everybody is blocked', [`${both} 0/1 key`], 'pass'],
  ['an agent passes', [`${both} 1/0 key at 90`, ...turns('under another User-Agent', passes)], window],
  ['a valid key passes', [`${both} 1/0 key at 90`, ...turns('with a valid key', passes)], window],
  ['it has moved on', [`${both} 1/0 key`, ...turns('with a valid key', ['1/0', '1/0'])], 'inconclusive(timing)'],
  ['it refills', [`${both} 1/0 key`, ...turns('with a valid key', passes, 1000)], 'inconclusive(timing)'],
  ['an object comes once', [`${both} 1/0 key object`, ...turns('with a valid key', passes)], 'inconclusive(timing)'],
  ['an object comes again', [`${both} 1/0 key object`, 'with a valid key: 1/0 key object'], 'fail 7.envelope.limiter'],
  ['nothing comes', [`${both} 1/0 key lost`], 'inconclusive(platform)'],
])('limits/address-escape: %s', (_, groups, result) => {
  expect(outcome(afterBurst[0], groups.join('|'))).toBe(result);
});

const [wait, longWait] = afterWait.map((name) => `${name}:`);
const told = 'burst: 10/0 | burst: 0/3 soon';
test.each([
  ['it keeps its word', `${told} | ${wait} 1/0 key at 9000`, 'pass'],
  ['only later', `${told} | ${wait} 0/1 key at 9000 | ${longWait} 1/0 key at 20000`, 'warn 8.retry-after'],
  ['never', `${told} | ${wait} 0/1 key at 9000 soon | ${longWait} 0/1 key at 20000`, 'fail 8.retry-after'],
  [
    'a clock is slow',
    `burst: 10/0 | burst: 0/3 reset | ${wait} 0/1 key at 5020 | ${longWait} 1/0 key`,
    'warn 8.headers.reset',
  ],
  ['no wait is stated', `burst: 10/3 | ${wait} 0/1 key at 9000 | ${longWait} 0/1 key at 20000`, 'fail 8.headers.reset'],
  ['the wait is too long', `burst: 10/0 near | burst: 0/3 late near | ${wait} 0/1 key at 15000 near`, window],
  ['others share the address', `burst: 9/4 | ${wait} 0/1 key at 9000`, others],
  ['headers differ', `burst: 10/0 | burst: 0/3 torn | ${wait} 1/0 key at 9000`, 'pass 8.retry-after'],
  ['the key is lost', `${told} | ${wait} 1/0 key at 9000 rejected`, 'fail 7.code.unauthorized'],
  ['nothing comes', `${told} | ${wait} 1/0 key at 9000 lost`, 'inconclusive(platform)'],
])('limits/wait-as-told: %s', (_, text, result) => {
  expect(outcome(afterBurst[1], text)).toBe(result);
});

const roundsOf = (seconds: number) => Array.from({ length: 7 }, (_, turn) => `x: 10/0 at ${turn * seconds * 1000}`);
test.each([
  ['two windows at once', 'x: 20/0', 'inconclusive(vacuous)'],
  ['one more than two windows', 'x: 21/0 every 400', window],
  ['the pace of the limit', 'x: 60/0 every 1050', 'pass'],
  ['rounds of nine seconds and a half', roundsOf(9.5).join('|'), 'pass'],
  ['rounds of eight seconds', roundsOf(8).join('|'), window],
  ['more of a key than a minute holds', 'x: 62/0 every 950 key', 'fail 8.key-window'],
  ['two addresses', 'x: 15/0 | x: 15/0 apart', 'inconclusive(vacuous)'],
  ['the proxy of a service', 'x: 15/0 | x: 15/0 proxied', 'inconclusive(vacuous)'],
  ['tries of one header', 'x: 15/0 | x: 15/0 xff', 'inconclusive(vacuous)'],
])('limits/any-window: %s', (_, text, result) => {
  expect(outcome(keyLimiter[1], text)).toBe(result);
  expect(outcome(keyLimiter[1], text, true)).toBe('inconclusive(vacuous)');
});

/** Others have taken some between two bursts. */
function shared(): Bucket {
  const inner = slidingLog(sixty);
  let total = 0;
  return (at: number) => {
    total += 1;
    for (let others = total === 32 ? 12 : 0; others > 0; others -= 1) inner(at);
    return inner(at);
  };
}

const log = () => slidingLog(sixty);
const silent = { headers: () => ({}) };
const proxied = { nameOf: () => 'proxy' };

test.each<[string, Limits, string, string | undefined]>([
  ['a sliding log', { key: log }, 'pass', 'pass'],
  ['a log that counts what it blocks', { key: () => slidingLog(sixty, true) }, 'pass', 'pass'],
  ['a log that says nothing', { key: log, ...silent }, 'pass', 'inconclusive'],
  ['an approximation', { key: () => twoWindows(sixty) }, 'warn', 'pass'],
  ['a window that others use', { key: shared }, 'inconclusive', undefined],
  ['a window that is small or shared', { key: () => slidingLog({ ...sixty, limit: 50 }) }, 'inconclusive', undefined],
  ['a window that may be the address’s', { key: log, ...silent, ...proxied }, 'inconclusive', undefined],
  ['one address only', { key: log, ...proxied }, 'inconclusive', undefined],
])('the checks of the key limiter know %s', async (_, limits, window, remaining) => {
  const results = await auditKeyLimiter(limits);
  expect(results).toMatchObject({
    'limits/key-window': window,
    ...(remaining === undefined ? {} : { 'limits/key-remaining': remaining }),
  });
  const rules = Object.keys(results).filter((id) => id.startsWith('rule/'));
  expect(rules).toEqual('headers' in limits ? ['rule/rate-headers'] : []);
});

const left = (count: number) => ({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': `${Math.max(0, 60 - count)}` });
/** Reads and rejected requests alternately, a second apart. */
const traffic = Array.from({ length: 10 }, (): [string, unknown][] => [
  ['good GET /sites', { data: [] }],
  ['good GET /sites', { data: [] }],
  ['good POST /connect/accounts', errorOf('invalid_input')],
  ['good GET /sites/c0ffee00-dead-4bad-8bad-000000000000', errorOf('not_found')],
]).flat();

/** `weigh` returns how much a request counts; null without headers. */
function countsOf(weigh: (method: string, isRejected: boolean, turn: number) => number | null): Line[] {
  let count = 0;
  return traffic.map(([request, body], index) => {
    const weight = weigh(request.split(' ')[1] ?? '', Object.hasOwn(body as object, 'error'), index + 1);
    count += weight ?? 0;
    return [request, body, { headers: weight === null ? {} : left(count) }];
  });
}

test.each<[string, Parameters<typeof countsOf>[0], string]>([
  ['counts everything', () => 1, 'pass'],
  ['counts reads only', (method) => (method === 'GET' ? 1 : 0), 'fail'],
  ['counts only successful requests', (_, isRejected) => (isRejected ? 0 : 1), 'fail'],
  ['counts others next to the run', (_, __, turn) => (turn % 7 === 3 ? 3 : 1), 'pass'],
  ['reports nothing', () => null, 'inconclusive(unreachable)'],
])('limits/key-remaining checks a limiter that %s', (_, weigh, result) => {
  expect(judged(remaining, historyOf(countsOf(weigh))).result).toBe(result);
});

test('limits/key-remaining leaves a recording without times open', () => {
  const lines = countsOf((method) => (method === 'GET' ? 1 : 0));
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
