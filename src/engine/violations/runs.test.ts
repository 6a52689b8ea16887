import { describe, expect, it } from 'vitest';
import { expiredAccount, googleAccount, type Init, otherKey, startMs } from '../../../fixtures/test-kit/engine.ts';
import { startPolling, startWatch } from '../../../fixtures/test-kit/watched-engine.ts';

const insights = `GET /connect/accounts/${expiredAccount}/insights`;
const reviews = `GET /connect/accounts/${googleAccount}/reviews`;
const accounts = 'GET /connect/accounts';
const browser = { 'sec-fetch-site': 'same-site' };
const closing = { connection: 'close' };
const doubt = 'Ignore this if another run, page load or client sent the request.';

/** One request: its time in milliseconds, its line, its connection, and more. */
type Sent = readonly [atMs: number, line: string, connection: number, more?: Init | undefined];

/** Requests to a mock that many clients use. The reviews of one account fail. */
function judged(sent: readonly Sent[], clients: 'one' | 'many' = 'many') {
  const { ask, wait, engine, rules } = startWatch({ clients });
  engine.faults.add({ id: 'down', match: { operation: 'listReviews' }, error: 'provider_error' });
  engine.faults.add({ id: 'limit', match: { operation: 'listSites' }, error: 'limiter_key', retryAfterS: 30 });
  let nowMs = 0;
  for (const [atMs, line, connection, more] of sent) {
    wait(atMs - nowMs);
    nowMs = atMs;
    ask(line, { connection, ...more });
  }
  return { rules: rules(), messages: engine.violations().map(({ message }) => message) };
}

/** One request again and again; a number for `connection` is that of all, and `new` is another one for each. */
function repeated(line: string, times: readonly number[], connection: number | 'new', more?: Init): Sent[] {
  return times.map((atMs, i) => [atMs, line, connection === 'new' ? i : connection, more]);
}

/** Runs that begin with the accounts. */
function runs(startsMs: readonly number[], line: string, perRun: (run: number) => number, more?: Init): Sent[] {
  return startsMs.flatMap((atMs, run): Sent[] => [
    [atMs, accounts, perRun(run), more],
    [atMs + 50, line, perRun(run) + 0.5, more],
  ]);
}

const each3s = [0, 3_000, 6_000, 9_000, 12_000, 15_000, 18_000];
const eachS = [0, 1_000, 2_000, 3_000];

describe('a client among many', () => {
  it.each<[string, Sent[], string[]]>([
    ['seven starts of a program with one request', repeated(reviews, each3s, 'new'), []],
    ['two starts of a program with a rejected request', repeated(insights, [0, 4_000], 'new'), []],
    ['quick runs that list the accounts first', runs(eachS, reviews, (run) => run), []],
    [
      'quick runs of a program that closes its connections',
      runs(eachS, insights, (run) => run, { headers: closing }),
      [],
    ],
    ['loads of a page, on the same connection', runs([0, 1_500, 4_000], insights, () => 1, { headers: browser }), []],
    ['a session that retries a 502 each 3 s', repeated(reviews, each3s, 1), ['no-back-off', 'no-back-off']],
    ['a session that repeats a 401', repeated(insights, [0, 4_000, 8_000], 1), ['unchanged-retry', 'unchanged-retry']],
    [
      'a session that repeats its whole job',
      runs(eachS, reviews, () => 1).map(([at, line, , more]): Sent => [at, line, 1, more]),
      ['no-back-off'],
    ],
    ['a loop of curl each second', repeated(reviews, eachS, 'new'), ['no-back-off']],
    ['a loop of curl that repeats a 401 each second', repeated(insights, [0, 1_000], 'new'), ['unchanged-retry']],
    [
      'a client that closes its connections, and retries each 3 s',
      repeated(reviews, each3s, 'new', { headers: closing }),
      ['no-back-off', 'no-back-off'],
    ],
    [
      'a client that closes its connections, and repeats a 401',
      repeated(insights, [0, 4_000], 'new', { headers: closing }),
      ['unchanged-retry'],
    ],
    [
      'a page that retries a 401',
      [[0, accounts, 1, { headers: browser }], ...repeated(insights, [100, 1_100, 3_100], 1, { headers: browser })],
      ['unchanged-retry', 'unchanged-retry'],
    ],
    [
      'a retry on a connection that was open before',
      [[0, accounts, 2], ...repeated(insights, [100, 4_000], 1).slice(0, 1), [4_000, insights, 2]],
      ['unchanged-retry'],
    ],
    ['a run within the wait time of a 429', repeated('GET /sites', [0, 4_000], 'new'), ['early-retry']],
    [
      'a read of another client in between',
      [
        [0, accounts, 1, { key: otherKey }],
        [0, insights, 2, { headers: closing }],
        [500, accounts, 3, { key: otherKey }],
        [1_000, insights, 4, { headers: closing }],
      ],
      ['unchanged-retry'],
    ],
    [
      'another read in between',
      [
        [0, 'GET /articles', 1],
        [0, insights, 2],
        [500, accounts, 3],
        [1_000, insights, 4],
      ],
      ['unchanged-retry'],
    ],
  ])('%s', (_what, sent, expected) => {
    expect(judged(sent).rules).toEqual(expected);
  });

  it('is judged as a single one where it is alone', () => {
    expect(judged(repeated(reviews, each3s, 'new'), 'one').rules).toEqual(['no-back-off', 'no-back-off']);
    expect(
      judged(
        runs([0, 4_000], insights, (run) => run),
        'one',
      ).rules,
    ).toEqual(['unchanged-retry']);
  });

  it.each<[string, Sent[], boolean]>([
    ['the same connection', repeated(insights, [0, 1_000], 1), false],
    ['another connection', repeated(insights, [0, 1_000], 'new'), true],
    ['the wait time of a 429, on another connection', repeated('GET /sites', [0, 4_000], 'new'), true],
    ['other waits, on another connection', repeated(reviews, eachS, 'new'), true],
    ['a browser that can have loaded the page again', repeated(insights, [0, 2_000], 1, { headers: browser }), true],
    ['a browser within a second', repeated(insights, [0, 1_000], 1, { headers: browser }), false],
  ])('is doubted after a retry on %s', (_what, sent, isDoubted) => {
    expect(judged(sent).messages.map((message) => message.endsWith(` ${doubt}`))).toEqual([isDoubted]);
    expect(judged(sent, 'one').messages.some((message) => message.includes(doubt))).toBe(false);
  });

  it('is remembered for two hundred exchanges', () => {
    const between = (count: number): Sent[] =>
      Array.from({ length: count }, () => [100, 'GET /articles', 9, { key: otherKey }]);
    const rulesAfter = (count: number) =>
      judged([[0, accounts, 1], ...between(count), [100, insights, 2], [200, accounts, 3], [300, insights, 4]]).rules;
    expect([rulesAfter(196), rulesAfter(197)]).toEqual([[], ['unchanged-retry']]);
  });
});

describe('a poller among many', () => {
  const at = (ms: number) => new Date(startMs + ms).toISOString();

  /** Polls twice, the second time after a call; then sends something after a wait. */
  function polled(waitMs: number, last: string | null, more: Init & { readonly clients?: 'one' } = {}) {
    const { clients = 'many', ...asked } = more;
    const { poll, ring, wait, engine } = startPolling({ clients });
    poll(at(0), '', { connection: 1 });
    ring(1);
    const since = poll(at(0), '', { connection: 1 });
    wait(60_500);
    poll(since, '', { connection: 1 });
    wait(waitMs);
    poll(last, '', { connection: 2, ...asked });
    return engine.violations().map(({ rule, message }) => (message.endsWith(doubt) ? `${rule}?` : rule));
  }

  it.each<[string, number, string | null, Parameters<typeof polled>[2], string[]]>([
    ['begins an hour earlier', 20_000, at(-3_600_000), {}, []],
    ['begins at the same time', 20_000, at(0), {}, []],
    ['begins a minute after the first ended', 100_000, at(-3_600_000), {}, []],
    ['reads a snapshot', 100_000, null, {}, []],
    ['goes back when its poll is due', 60_500, at(0), {}, ['since-backwards?']],
    ['goes back an hour when its poll is due', 60_500, at(-3_600_000), {}, ['since-backwards?']],
    ['leaves out since when its poll is due', 60_500, null, {}, ['lost-since']],
    ['goes back on the same connection', 20_000, at(0), { connection: 1 }, ['since-backwards']],
    ['goes back an hour on the same connection', 20_000, at(-3_600_000), { connection: 1 }, ['since-backwards']],
    ['goes back where it is alone', 20_000, at(0), { clients: 'one' }, ['since-backwards']],
  ])('%s', (_what, waitMs, last, more, expected) => {
    expect(polled(waitMs, last, more)).toEqual(expected);
  });

  it.each([
    ['by runs of a program at any time', [20_000, 130_000, 40_000], 'new', []],
    [
      'by a loop, on a connection of each poll',
      [60_500, 60_500, 60_500],
      'new',
      ['since-backwards?', 'since-backwards?'],
    ],
    ['by a session', [60_500, 60_500, 60_500], 1, ['since-backwards', 'since-backwards']],
  ])('sends one since four times, %s', (_what, waits, connection, expected) => {
    const { poll, ring, wait, engine } = startPolling({ clients: 'many' });
    ring(1);
    for (const [i, waitMs] of [0, ...waits].entries()) {
      wait(waitMs);
      poll(at(0), '', { connection: connection === 'new' ? i : Number(connection) });
    }
    const found = engine.violations().map(({ rule, message }) => (message.endsWith(doubt) ? `${rule}?` : rule));
    expect(found).toEqual(expected);
  });
});
