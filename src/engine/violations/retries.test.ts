import { describe, expect, it } from 'vitest';
import {
  expiredAccount,
  goodKey,
  googleAccount,
  type Init,
  startMs,
  startTestEngine,
  toRequest,
} from '../../../fixtures/test-kit/engine.ts';
import { startWatch } from '../../../fixtures/test-kit/watched-engine.ts';
import { createClock } from '../../domain/clock.ts';
import { contractLimits } from '../../domain/limits.ts';

const lost = 'GET /articles/00000000-0000-4000-8000-000000000000';
const post = `POST /connect/accounts/${googleAccount}/posts`;

describe('unchanged-retry', () => {
  it.each([
    [400, 'GET /articles?limit=0', {}],
    [400, post, { body: { text: '' } }],
    [401, 'GET /sites', { key: null }],
    [401, `GET /connect/accounts/${expiredAccount}/insights`, {}],
    [402, 'GET /sites?__code=402', {}],
    [403, 'GET /sites', { headers: { prefer: 'code=403' } }],
    [404, lost, {}],
  ] as const)('is a %i that is sent again: %s', (status, line, asked: Init) => {
    const { ask, wait, engine } = startWatch();
    expect(ask(line, asked).status).toBe(status);
    wait(1000);
    ask(line, asked);
    const client = { address: '127.0.0.1' };
    expect(engine.violations()).toMatchObject([
      { id: 1, rule: 'unchanged-retry', clause: '7.retry.never-unchanged', requestIds: [1, 2], client },
    ]);
    expect(engine.violations()[0]?.message).toContain(`after a ${status} without a change. `);
  });

  it('counts each repetition and shows the last characters of the key only', () => {
    const { ask, engine, rules } = startWatch();
    for (let i = 0; i < 4; i += 1) ask(lost);
    expect(rules()).toEqual(['unchanged-retry', 'unchanged-retry', 'unchanged-retry']);
    expect(engine.violations()[2]?.requestIds).toEqual([3, 4]);
    expect(engine.violations()[0]?.client.key).toBe('casa_…cdef');
    expect(JSON.stringify(engine.violations())).not.toContain(goodKey);
  });

  it.each([
    [9_999, 1],
    [10_000, 0],
  ])('lasts ten seconds: after %i ms there are %i', (ms, expected) => {
    const { ask, wait, rules } = startWatch();
    ask(lost);
    wait(ms);
    ask(lost);
    expect(rules()).toHaveLength(expected);
  });

  it('is seen although a fault for one time has gone', () => {
    const { ask, engine, rules } = startWatch();
    engine.faults.add({ id: 'x', match: {}, error: 'not_found', times: 1 });
    expect([ask(post, { body: { text: 'a' } }).status, ask(post, { body: { text: 'a' } }).status]).toEqual([404, 200]);
    expect(rules()).toEqual(['unchanged-retry']);
  });

  it.each<[string, Init, Init, string?]>([
    ['another body', { body: { text: '' } }, { body: { text: 'better' } }],
    ['another key', { key: 'casa_wrong' }, { key: goodKey }],
    ['another query', {}, {}, `${post}?retry=1`],
    ['another wish for an error', { headers: { prefer: 'code=404' } }, {}],
    ['another address', {}, { peer: '127.0.0.2' }],
    ['two connections at once', { connection: 1 }, { connection: 2 }],
  ])('is not %s', (_what, first, second, line = post) => {
    const { ask, rules } = startWatch();
    ask(post, first);
    ask(line, second);
    expect(rules()).toEqual([]);
  });

  it('is not a browser that lines up reads of one thing from two places; writes it does not line up', () => {
    const { ask, rules } = startWatch();
    const headers = { 'sec-fetch-site': 'same-site' };
    for (let i = 0; i < 2; i += 1) ask(lost, { headers });
    expect(rules()).toEqual([]);
    for (let i = 0; i < 2; i += 1) ask(post, { headers });
    expect(rules()).toEqual(['unchanged-retry']);
  });

  it('is not a request that came before the response to the first one left', () => {
    const { ask, rules } = startWatch();
    const first = { came: 1, left: null as number | null, exact: false };
    ask(lost, { passage: first });
    first.left = 3;
    ask(lost, { passage: { came: 2, left: null, exact: false } });
    expect(rules()).toEqual([]);
    ask(lost, { passage: { came: 4, left: null, exact: false } });
    expect(rules()).toEqual([]);
    ask(post, { passage: first });
    ask(post, { passage: { came: 4, left: null, exact: false } });
    expect(rules()).toEqual(['unchanged-retry']);
  });

  it('is not a defence for a client on other connections that had time to read the response', () => {
    const { ask, wait, rules } = startWatch();
    ask(lost, { connection: 1 });
    wait(100);
    ask(lost, { connection: 2 });
    expect(rules()).toEqual(['unchanged-retry']);
  });

  it('is seen in a crowd: more than three of the same at once are not two places of one page', () => {
    const { ask, rules } = startWatch();
    for (let i = 0; i < 3; i += 1) ask(lost, { connection: i });
    expect(rules()).toEqual([]);
    ask(lost, { connection: 9 });
    expect(rules()).toEqual(['unchanged-retry']);
  });

  it.each<[string, (mock: ReturnType<typeof startWatch>) => unknown]>([
    ['a post was made', ({ ask }) => ask(post, { body: { text: 'Hello' } })],
    ['a call rang', ({ engine }) => engine.ringCall()],
    ['a fault was taken away', ({ engine }) => engine.faults.clear()],
    ['an organization was added', ({ engine }) => engine.addOrganization()],
    ['the limits were changed', ({ admin }) => admin('PUT /limits', { body: {} })],
    ['the mock was reset', ({ engine }) => engine.reset()],
  ])('is forgotten once the state changed: %s', (_what, change) => {
    const mock = startWatch();
    mock.ask(lost);
    change(mock);
    mock.ask(lost);
    expect(mock.rules()).toEqual([]);
  });

  it('does not apply to a response that never reached the client', () => {
    const { ask, engine, rules } = startWatch();
    engine.faults.add({ id: 'x', match: {}, error: 'not_found', network: 'reset', times: 2 });
    ask(lost);
    ask(lost);
    expect(rules()).toEqual([]);
  });

  it('is not about 413, nor about what is outside the API', () => {
    const { ask, engine, rules } = startWatch();
    ask('GET /sites?__code=413');
    ask('GET /sites?__code=413');
    const request = toRequest('GET /favicon.ico', '', {});
    engine.handle(request);
    engine.handle(request);
    expect(rules()).toEqual([]);
  });
});

describe('early-retry', () => {
  const blocked = (mock: ReturnType<typeof startWatch>) => {
    for (let i = 0; i < 10; i += 1) mock.ask('GET /sites');
    expect(mock.ask('GET /sites').status).toBe(429);
  };

  it.each([
    [0, ['early-retry']],
    [9_000, ['early-retry']],
    [9_899, ['early-retry']],
    [9_900, []],
    [10_000, []],
  ])('is checked by Retry-After: after %i ms it is %j', (ms, expected) => {
    const mock = startWatch({ limits: contractLimits });
    blocked(mock);
    mock.wait(ms);
    mock.ask('GET /sites');
    expect(mock.rules()).toEqual(expected);
    if (expected.length > 0) expect(mock.engine.violations()[0]).toMatchObject({ clause: '7.retry.retry-after' });
  });

  it('is checked by X-RateLimit-Reset where Retry-After is missing', () => {
    const mock = startWatch({ limits: contractLimits });
    mock.engine.world.behavior = { ...mock.engine.world.behavior, retryAfter: 'never' };
    blocked(mock);
    mock.wait(5_000);
    mock.ask('GET /sites');
    expect(mock.engine.violations()).toMatchObject([{ rule: 'early-retry', clause: '7.retry.reset' }]);
    expect(mock.engine.violations()[0]?.message).toBe(
      'Retried listSites after a 429 with a wait of 5 s. Wait until X-RateLimit-Reset has passed (10 s).',
    );
  });

  it.each([
    [['limiter_key', 600], 300_000, ['early-retry']],
    [['limiter_key', 600], 600_000, []],
    [['rate_limited', 61], 60_000, ['early-retry']],
    [['rate_limited', 61], 61_000, []],
    [['limiter_address', 0], 0, []],
  ] as const)('is checked by the wait time of a 429 on demand: %j after %i ms', (effects, ms, expected) => {
    const { engine, ask, wait, rules } = startWatch();
    engine.faults.add({ id: 'x', match: {}, error: effects[0], retryAfterS: effects[1], times: 1 });
    expect(ask('GET /sites').headers['retry-after']).toBe(String(effects[1]));
    wait(ms);
    ask('GET /sites');
    expect(rules()).toEqual(expected);
  });

  it('is checked by X-RateLimit-Reset of a 429 on demand, after the requests that the fault skips', () => {
    const { engine, ask, wait, rules } = startWatch();
    engine.faults.add({ id: 'x', match: {}, error: 'limiter_key', retryAfterS: null, resetS: 3, skip: 1, times: 1 });
    expect(ask('GET /sites').status).toBe(200);
    const { headers } = ask('GET /sites');
    expect([headers['retry-after'], headers['x-ratelimit-reset']]).toEqual([undefined, String(startMs + 3_000)]);
    wait(2_000);
    ask('GET /sites');
    expect(rules()).toEqual(['early-retry']);
  });

  it('is not another request, which may have been on its way already', () => {
    const mock = startWatch({ limits: contractLimits });
    blocked(mock);
    mock.ask('GET /articles');
    expect(mock.rules()).toEqual([]);
  });

  it('counts the clock of the mock alone, and says so where that is frozen', () => {
    let sourceMs = 0;
    const clock = createClock(() => sourceMs, { startMs, frozen: true });
    const { ask, engine } = startTestEngine({ clock });
    engine.faults.add({ id: 'x', match: {}, error: 'limiter_key' });
    ask('GET /sites');
    engine.clock.advance(60_000);
    ask('GET /sites');
    expect(engine.violations()).toEqual([]);
    sourceMs += 60_000;
    ask('GET /sites');
    expect(engine.violations()).toMatchObject([
      { message: expect.stringMatching(/a wait of 0 ms\. .* The clock of the mock is frozen.*clock: 'running'/) },
    ]);
  });
});

describe('the judge', () => {
  it('forgets what is old, so a good client costs nothing again', () => {
    const { ask, wait, rules } = startWatch();
    for (let i = 0; i < 1500; i += 1) ask(`${lost}?n=${i}`);
    wait(120_000);
    ask('GET /sites');
    ask(lost);
    expect(rules()).toEqual([]);
  });

  it('keeps the last thousand violations and continues to count', () => {
    const { ask, engine } = startWatch();
    for (let i = 0; i < 1103; i += 1) ask(lost);
    expect(engine.violations()).toHaveLength(1000);
    expect(engine.violations().at(-1)?.id).toBe(1102);
    engine.clearViolations();
    expect(engine.violations()).toEqual([]);
  });
});

describe('no-back-off', () => {
  const failing = (error: 'provider_error' | 'transient' | 'rate_limited') => {
    const mock = startWatch();
    mock.engine.faults.add({ id: 'down', match: {}, error });
    const retry = (gaps: readonly number[]) => {
      mock.ask('GET /sites');
      for (const gap of gaps) {
        mock.wait(gap);
        mock.ask('GET /sites');
      }
      return mock.rules();
    };
    return { ...mock, retry };
  };

  it.each(['provider_error', 'transient', 'rate_limited'] as const)('is a repetition at once after %s', (error) => {
    const { retry, engine } = failing(error);
    expect(retry([5])).toEqual(['no-back-off']);
    expect(engine.violations()[0]).toMatchObject({ clause: '7.retry.back-off', requestIds: [1, 2] });
  });

  it.each<[string, number[], number]>([
    ['doubles', [1000, 2000, 4000, 8000], 0],
    ['starts small and grows', [100, 200, 400, 800], 0],
    ['has jitter', [900, 2100, 1900, 5000, 4000], 0],
    ['gives up after two equal waits', [1000, 1000], 0],
    ['doubles up to a maximum of 10 s', [1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 10_000, 10_000], 0],
    ['doubles up to 16 s', [1000, 2000, 4000, 8000, 16_000, 16_000, 16_000, 16_000], 0],
    ['doubles up to 8 s', [1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000, 8000], 0],
    ['doubles up to 2 s', [500, 1000, 2000, 2000, 2000, 2000], 0],
    ['grows by half, up to 1.5 s', [1000, 1500, 1500, 1500, 1500], 0],
    ['reaches 10 s, with jitter', [1000, 5000, 10_000, 9700, 9600, 9500, 9400, 9300, 9200], 0],
    ['doubles from a minimum of 4 s', [4000, 4000, 4000, 8000, 10_000, 10_000, 10_000, 10_000], 0],
    ['waits a random part of a doubled time', [300, 1700, 900, 3100, 700, 5000, 2000, 1000, 500], 0],
    ['waits 10 s each time', [10_000, 10_000, 10_000, 10_000, 10_000, 10_000], 0],
    ['asks regularly, every 30 seconds', [30_000, 30_000, 30_000, 30_000], 0],
    ['waits 9.9 s each time', [9900, 9900, 9900, 9900, 9900], 1],
    ['waits 2 s each time', [2000, 2000, 2000, 2000, 2000], 1],
    ['waits 1.9 s each time', [1900, 1900, 1900], 1],
    ['grows by too little', [1000, 1050, 1100, 1150], 2],
    ['grows once, and then hammers each second', [1000, 2000, 4000, 1000, 1000, 1000], 2],
    ['waits the same each time', [1000, 1000, 1000], 1],
    ['waits less each time', [3000, 2000, 1000], 1],
    ['hammers', [10, 10, 10], 3],
  ])('checks a client that %s: %j', (_what, gaps, expected) => {
    expect(failing('transient').retry(gaps)).toHaveLength(expected);
  });

  // Reset is about one second away: the requests before leave the window of the key one by one.
  it.each([
    ['until X-RateLimit-Reset', 0, []],
    ['500 ms less', -500, ['no-back-off', 'no-back-off', 'no-back-off']],
    ['none, with Reset 50 ms away', null, ['no-back-off']],
  ])('after a 429 of a platform and a wait: %s', (_what, moreMs, expected) => {
    const mock = startWatch({ limits: contractLimits });
    mock.engine.faults.add({ id: 'busy', match: { operation: 'listSites' }, error: 'rate_limited' });
    for (let i = 0; i < 50; i += 1) {
      mock.ask('GET /connect/accounts');
      mock.wait(1100);
    }
    const untilReset = (line: string) => Number(mock.ask(line).headers['x-ratelimit-reset']) - mock.engine.clock.now();
    if (moreMs === null) {
      mock.wait(untilReset('GET /connect/accounts') - 50);
      for (let i = 0; i < 2; i += 1) mock.ask('GET /sites');
    } else for (let i = 0; i < 5; i += 1) mock.wait(untilReset('GET /sites') + moreMs);
    expect(mock.rules()).toEqual(expected);
  });

  it('starts again after a success response', () => {
    const mock = failing('transient');
    mock.retry([1000, 1000]);
    mock.engine.faults.clear();
    mock.wait(5000);
    mock.ask('GET /sites');
    mock.engine.faults.add({ id: 'down', match: {}, error: 'transient' });
    expect(mock.retry([1000, 1000])).toEqual([]);
  });

  it('stands although the state changed in between', () => {
    const mock = failing('transient');
    mock.ask('GET /sites');
    mock.engine.ringCall();
    mock.ask('GET /sites');
    expect(mock.rules()).toEqual(['no-back-off']);
  });
});

describe('key-rotated', () => {
  const rejected = `GET /connect/accounts/${expiredAccount}/insights`;

  it('is the same request with a new key after provider_auth', () => {
    const { ask, engine } = startWatch();
    ask(rejected);
    ask(rejected, { key: 'casa_00000000000000000000000000000000' });
    expect(engine.violations()).toMatchObject([
      { rule: 'key-rotated', clause: '5.provider-auth-remedy', requestIds: [1, 2] },
    ]);
  });

  const before = { key: 'casa_before' };
  it.each<[string, (mock: ReturnType<typeof startWatch>) => unknown]>([
    ['another client that was there', ({ ask }) => [ask('GET /sites', before), ask(rejected), ask(rejected, before)]],
    [
      'after the account was seen to',
      ({ ask }) => [ask(rejected), ask(post, { body: { text: 'Hello' } }), ask(rejected, before)],
    ],
    ['after a minute', ({ ask, wait }) => [ask(rejected), wait(60_000), ask(rejected, before)]],
    ['after `unauthorized`, the right thing to do', ({ ask }) => [ask(rejected, before), ask(rejected)]],
    ['a client at another address', ({ ask }) => [ask(rejected), ask(rejected, { ...before, peer: '127.0.0.9' })]],
    [
      'a client of another organization',
      ({ ask, engine }) =>
        [engine.addOrganization()].map(({ keys: [key = ''] }) => [ask(rejected), ask(rejected, { key })]),
    ],
  ])('is not %s', (_what, act) => {
    const mock = startWatch();
    act(mock);
    expect(mock.rules()).toEqual([]);
  });
});
