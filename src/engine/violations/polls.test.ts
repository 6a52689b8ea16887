import { describe, expect, it } from 'vitest';
import { type Init, json, startMs, startTestEngine } from '../../../fixtures/test-kit/engine.ts';
import { startPolling } from '../../../fixtures/test-kit/watched-engine.ts';
import { createClock } from '../../domain/clock.ts';

const at = (ms: number) => new Date(startMs + ms).toISOString();
const minuteMs = 60_000;

describe('a client that polls as section 6 says', () => {
  it('hears nothing: it keeps the cursor, waits a minute, repeats at once on full pages', () => {
    const { poll, ring, wait, rules } = startPolling();
    let since = poll(at(0), 'limit=2');
    for (const count of [0, 1, 5, 2, 0, 3]) {
      ring(count);
      for (let pages = 0; pages < Math.floor(count / 2) + 1; pages += 1) since = poll(since, 'limit=2');
      wait(minuteMs);
    }
    expect(rules()).toEqual([]);
  });

  it('may be blocked in between and return after the stated time', () => {
    const { poll, engine, wait, rules } = startPolling();
    const since = poll(at(0));
    wait(minuteMs);
    engine.faults.add({ id: 'x', match: {}, error: 'limiter_key', times: 1 });
    poll(since);
    wait(minuteMs);
    poll(since);
    wait(minuteMs);
    poll(since);
    expect(rules()).toEqual([]);
  });
});

describe('hasty-poll', () => {
  it.each([
    [58_999, ['hasty-poll']],
    [59_000, []],
    [60_000, []],
  ])('is a poll after %i ms although the page was not full: %j', (ms, expected) => {
    const { poll, wait, rules, engine } = startPolling();
    const since = poll(at(0));
    wait(ms);
    poll(since);
    expect(rules()).toEqual(expected);
    if (expected.length > 0) {
      expect(engine.violations()).toMatchObject([{ clause: '6.wait', requestIds: [1, 2] }]);
      expect(engine.violations()[0]?.message).toContain('after 59 s although the page was not full');
    }
  });

  it('is seen with a new cursor too', () => {
    const { poll, ring, rules } = startPolling();
    const start = poll(at(0));
    ring(1);
    const since = poll(start);
    poll(since);
    expect(rules()).toEqual(['hasty-poll']);
  });

  it.each<[string, Init, Init]>([
    ['two connections at once', { connection: 1 }, { connection: 2 }],
    ['another key', {}, { key: 'casa_fedcba9876543210fedcba9876543210' }],
    ['another address', {}, { peer: '127.0.0.3' }],
  ])('is not two pollers: %s', (_what, first, second) => {
    const { poll, rules } = startPolling();
    poll(at(0), '', first);
    poll(at(0), '', second);
    expect(rules()).toEqual([]);
  });

  it('is not two pages that poll with one key, each once a minute', () => {
    const { poll, ring, wait, rules } = startPolling();
    let one = poll(at(0));
    wait(20_000);
    let two = poll(at(20_000));
    for (const count of [0, 1, 0, 2, 0, 0]) {
      ring(count);
      one = poll(one);
      wait(25_000);
      two = poll(two);
      wait(35_000);
    }
    expect(one).toBe(two);
    expect(rules()).toEqual([]);
  });

  it('is not a snapshot next to the polls, nor the first poll after a snapshot', () => {
    const { poll, wait, rules } = startPolling();
    for (const [since, waitMs] of [[null], [at(0), 10_000], [null, 50_000], [null], [at(0)]] as const) {
      poll(since);
      wait(waitMs ?? 0);
    }
    expect(rules()).toEqual([]);
  });

  it('is not a repetition after a response that was lost or was an error', () => {
    const { poll, engine, wait, rules } = startPolling();
    const since = poll(at(0));
    wait(minuteMs);
    engine.faults.add({ id: 'x', match: {}, network: 'reset', times: 1 });
    poll(since);
    poll(since);
    engine.faults.add({ id: 'y', match: {}, error: 'transient', times: 1 });
    wait(minuteMs);
    poll(since);
    wait(2000);
    poll(since);
    expect(rules()).toEqual([]);
  });
});

describe('late-poll', () => {
  it.each([
    [5_000, []],
    [5_001, ['late-poll']],
    [60_000, ['late-poll']],
    [300_000, ['late-poll']],
    [300_001, []],
  ])('is a poll %i ms after a full page: %j', (ms, expected) => {
    const { poll, ring, wait, rules } = startPolling();
    const start = poll(at(0), 'limit=2');
    ring(3);
    const since = poll(start, 'limit=2');
    wait(ms);
    poll(since, 'limit=2');
    expect(rules()).toEqual(expected);
  });

  it('is seen on a clock that was moved by hand, but not on one that runs fast', () => {
    let sourceMs = 0;
    const hand = startTestEngine({ clock: createClock(() => sourceMs, { startMs, frozen: true }) });
    const next = () => json(hand.ask(`GET /connect/calls/log?limit=1&since=${since}`)).data.nextCursor;
    let since = '2026-01-14T12:00:00Z';
    since = next();
    hand.engine.clock.advance(minuteMs);
    since = next();
    expect(hand.engine.violations()).toMatchObject([{ rule: 'late-poll', clause: '6.full-page' }]);
    hand.engine.clearViolations();
    hand.engine.clock.resume();
    hand.engine.clock.setScale(60);
    since = next();
    sourceMs += 200;
    since = next();
    expect(hand.engine.violations()).toEqual([]);
  });

  it('is not reported while a running clock is stopped or slow, nor across that', () => {
    let sourceMs = 0;
    const { engine, ask } = startTestEngine({ clock: createClock(() => sourceMs, { startMs }) });
    const pollAfter = (ms: number) => {
      sourceMs += ms;
      ask('GET /connect/calls/log?since=2026-01-15T12:00:00Z');
      return engine.violations().length;
    };
    pollAfter(0);
    engine.clock.freeze();
    expect([pollAfter(minuteMs), pollAfter(minuteMs)]).toEqual([0, 0]);
    engine.clock.resume();
    expect(pollAfter(minuteMs / 2)).toBe(0);
    engine.clock.setScale(0.5);
    expect([pollAfter(minuteMs), pollAfter(minuteMs)]).toEqual([0, 0]);
    engine.clock.setScale(1);
    expect([pollAfter(1), pollAfter(minuteMs), pollAfter(1)]).toEqual([0, 0, 1]);
  });

  it('is not a client that asked at once and was blocked', () => {
    const { poll, ring, engine, wait, rules } = startPolling();
    const start = poll(at(0), 'limit=2');
    ring(3);
    const since = poll(start, 'limit=2');
    engine.faults.add({ id: 'x', match: {}, error: 'limiter_address', times: 1 });
    poll(since, 'limit=2');
    wait(10_000);
    poll(since, 'limit=2');
    expect(rules()).toEqual([]);
  });
});

describe('lost-since', () => {
  it.each(['null', '', 'undefined', 'None'])('is since=%s after polls with a position', (nothing) => {
    const { poll, wait, engine } = startPolling();
    poll(at(0));
    wait(minuteMs);
    poll(nothing);
    expect(engine.violations()).toMatchObject([{ rule: 'lost-since', clause: '6.keep-since', requestIds: [1, 2] }]);
  });

  it('is since left out instead of the next poll, said once', () => {
    const { poll, wait, rules } = startPolling();
    poll(at(0), 'limit=200');
    for (let i = 0; i < 3; i += 1) {
      wait(minuteMs);
      poll(null, 'limit=200');
    }
    expect(rules()).toEqual(['lost-since']);
  });

  it.each<[string, (mock: ReturnType<typeof startPolling>) => void]>([
    ['null before any poll', ({ poll }) => void poll('null')],
    ['a snapshot soon after a poll', ({ poll, wait }) => [poll(at(0)), wait(30_000), poll(null)]],
    [
      'a snapshot of another size',
      ({ poll, wait }) => [poll(at(0), 'limit=200'), wait(minuteMs), poll(null, 'limit=10')],
    ],
    ['a reader of snapshots', ({ poll, wait }) => [poll(null), poll(at(0)), wait(minuteMs), poll(null)]],
    ['a client that was away', ({ poll, wait }) => [poll(at(0)), wait(300_001), poll(null)]],
    ['a malformed since', ({ poll, wait }) => [poll(at(0)), wait(minuteMs), poll('yesterday')]],
  ])('is not %s', (_what, act) => {
    const mock = startPolling();
    act(mock);
    expect(mock.rules()).toEqual([]);
  });
});

describe('since-backwards', () => {
  it('is an earlier position again', () => {
    const { poll, ring, wait, engine } = startPolling();
    const start = poll(at(0));
    ring(1);
    const second = poll(start);
    ring(1);
    poll(second);
    wait(minuteMs);
    poll(start);
    expect(engine.violations()).toMatchObject([
      { rule: 'since-backwards', clause: '6.store-cursor', requestIds: [3, 4] },
    ]);
  });

  it('is a cursor with digits cut off', () => {
    const { poll, ring, wait, rules } = startPolling();
    const start = poll(at(0));
    ring(2);
    const since = poll(start);
    wait(minuteMs);
    poll(new Date(since).toISOString());
    expect(rules()).toEqual(['since-backwards']);
  });

  it('is a time before the only poller was given its cursor', () => {
    const { poll, ring, rules } = startPolling();
    const start = poll(at(0));
    ring(1);
    poll(start);
    poll(at(-3_600_000));
    expect(rules()).toEqual(['since-backwards']);
  });

  it('is a cursor that is never stored: the same since for a third time', () => {
    const { poll, ring, wait, rules } = startPolling();
    poll(at(0));
    ring(1);
    poll(at(0));
    wait(minuteMs);
    poll(at(0));
    expect(rules()).toEqual([]);
    wait(minuteMs);
    poll(at(0));
    expect(rules()).toEqual(['since-backwards']);
  });

  it.each<[string, (mock: ReturnType<typeof startPolling>) => unknown]>([
    [
      'the cursor written with an offset',
      ({ poll, ring, wait }) => {
        const start = poll(at(0));
        ring(1);
        const since = poll(start);
        wait(minuteMs);
        poll(since.replace('Z', '+00:00'));
      },
    ],
    ['another poller that starts later', ({ poll, wait }) => [poll(at(0)), wait(30_000), poll(at(30_000))]],
    ['another poller that starts at an earlier time', ({ poll }) => [poll(at(0)), poll(at(-3_600_000))]],
    [
      'a second poller that starts at its own current time, a little after the first',
      ({ poll, ring }) => [poll(at(0)), ring(1), poll(at(0)), poll(at(271_000))],
    ],
    [
      'the position of a client that lost one response',
      ({ poll, ring, wait }) => {
        const start = poll(at(0));
        ring(1);
        poll(start);
        const since = poll(start);
        wait(minuteMs);
        poll(since);
      },
    ],
  ])('is not %s', (_what, act) => {
    const mock = startPolling();
    act(mock);
    expect(mock.rules()).toEqual([]);
  });
});

describe('the memory of pollers', () => {
  const from = (i: number): Init => ({ headers: { 'x-forwarded-for': `10.0.${i >> 8}.${i & 255}` } });

  it.each<[string, [clients: number, positions: number], number, string[]]>([
    ['a thousand clients', [1000, 1], 0, ['hasty-poll']],
    ['not the oldest of a thousand and one', [1000, 1], 1, []],
    ['four thousand positions', [200, 20], 0, ['hasty-poll']],
    ['not the oldest client next to four thousand positions', [200, 20], 1, []],
    ['twenty positions of a client', [1, 20], 0, ['hasty-poll']],
    ['not the oldest of twenty-one positions', [1, 21], 0, []],
  ])('holds %s', (_what, [clients, positions], more, expected) => {
    const { poll, rules } = startPolling();
    const timestamps = Array.from({ length: positions }, (_, i) => at(i * minuteMs));
    for (let i = 0; i < clients; i += 1) for (const since of timestamps) poll(since, '', from(i));
    for (let i = 0; i < more; i += 1) poll(at(0), '', from(clients + i));
    poll(at(0), '', from(0));
    expect(rules()).toEqual(expected);
  });
});
