import { describe, expect, it } from 'vitest';
import { goodKey, googleAccount, json, startMs, startTestEngine } from '../../fixtures/test-kit/engine.ts';
import { createClock } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { linksMax } from '../domain/links.ts';
import { bucketsMax } from '../domain/sliding-window.ts';
import { Snapshots } from './kept-snapshots.ts';
import { requestLogBytesMax } from './request-log.ts';

const address = (i: number) => ({ 'x-forwarded-for': `${10 + (i >> 16)}.${(i >> 8) & 255}.${i & 255}.1` });
const post = `POST /connect/accounts/${googleAccount}/posts`;

describe('the memory of clients', () => {
  it('of the request log is bounded in bytes: the oldest requests go first, and health says how many', () => {
    const { engine, ask, admin } = startTestEngine();
    const long = 'x'.repeat(14_000);
    for (let i = 0; i < 1000; i += 1) {
      ask(`GET /articles?q=${long}${i}`, { headers: { 'x-a': long, 'x-b': long, 'x-c': long } });
    }
    const kept = engine.requestLog.records();
    const bytes = kept.reduce((sum, record) => sum + JSON.stringify(record).length, 0);
    expect(bytes).toBeLessThan(requestLogBytesMax);
    expect(kept.length).toBeGreaterThan(150);
    expect(kept.at(-1)?.id).toBe(1000);
    expect(engine.requestLog.find(1)).toBeNull();
    expect(json(admin('GET /health')).forgotten).toMatchObject({ requests: 1000 - kept.length });
  });

  it('of violations holds no body, no key and no long text', () => {
    const { engine, ask } = startTestEngine();
    const secret = `stray_${'k'.repeat(14_000)}`;
    for (let i = 0; i < 30; i += 1) {
      ask(post, { key: `${secret}${i}`, body: `{"text":"${'y'.repeat(200_000)}${i}` });
      ask(post, { body: `{"text":"${'y'.repeat(200_000)}${i}` });
      ask(`GET /connect/calls/log?since=2026-01-15T11:00:00Z&q=${'z'.repeat(14_000)}${i}`, { key: `${secret}${i}` });
    }
    const text = JSON.stringify(engine.snapshot().clients);
    expect(text.length).toBeLessThan(100_000);
    expect(text).not.toContain('yyyy');
    expect(text).not.toContain('kkkk');
    expect(text).not.toContain(goodKey);
  });

  it('of keys, retries and polls has an end, and health says what was dropped', () => {
    const { engine, ask } = startTestEngine();
    for (let i = 0; i < 21_500; i += 1) ask('GET /connect/calls/log?since=2026-01-15T11:00:00Z', { key: `k${i}` });
    const { retries, keys, polls } = engine.snapshot().clients ?? {};
    expect([retries, keys, polls].map((kept) => kept?.length)).toEqual([1000, 20_000, 1000]);
    expect(engine.forgotten().clients).toBe(20_500 + 1_500 + 20_500);
  });

  it('of addresses has an end: the oldest window is dropped', () => {
    const limits = { ...contractLimits, address: { limit: 1, windowMs: 10_000 } };
    const { engine, ask } = startTestEngine({ limits });
    const status = (i: number) => ask('GET /sites', { key: null, headers: address(i) }).status;
    for (let i = 0; i <= bucketsMax; i += 1) status(i);
    expect(engine.forgotten().addresses).toBe(1);
    expect([status(1), status(bucketsMax), status(0)]).toEqual([429, 429, 401]);
  });

  it('takes no address for longer than one can be', () => {
    const { engine, ask } = startTestEngine();
    ask('GET /sites', { headers: { 'x-forwarded-for': 'a'.repeat(10_000) } });
    expect(engine.requestLog.find(1)?.address).toBe('a'.repeat(64));
  });

  it('of pending links has an end: the next one is rejected, and the next link replaces a used one', () => {
    const { engine, ask } = startTestEngine();
    const link = () => ask('POST /connect/accounts', { body: { provider: 'tiktok', label: 'x' } });
    const [organization] = engine.world.organizations.values();
    const links = organization?.links ?? new Map();
    links.clear();
    for (let i = 0; i < linksMax; i += 1) expect(link().status).toBe(200);
    const pending = [...links.keys()];
    const rejected = link();
    expect([rejected.status, json(rejected).error]).toEqual([
      429,
      { code: 'rate_limited', message: expect.stringContaining('at most 10000 pending links') },
    ]);
    expect([[...links.keys()], engine.forgotten().links]).toEqual([pending, 0]);
    const [, second] = pending;
    links.set(second, { ...links.get(second), usedAtMs: 1 });
    expect(link().status).toBe(200);
    expect([links.size, links.has(second), links.has(pending[0]), engine.forgotten().links]).toEqual([
      linksMax,
      false,
      true,
      1,
    ]);
  });
});

describe('near misses', () => {
  it('are found for the entry that is shown, and not for a search', () => {
    const { engine, ask } = startTestEngine();
    ask('GET /article');
    const [record] = engine.requestLog.records();
    expect(Object.getOwnPropertyDescriptor(record, 'nearMisses')?.get).toBeTypeOf('function');
    expect(record?.nearMisses.map(({ operation }) => operation)).toContain('listArticles');
    expect(JSON.parse(JSON.stringify(record)).nearMisses).toEqual(record?.nearMisses);
  });
});

describe('the same history', () => {
  const history = (sourceStepMs: number) => {
    let sourceMs = startMs;
    const { engine, ask } = startTestEngine({ clock: createClock(() => sourceMs, { startMs, frozen: true }) });
    const send = (line: string, asked = {}) => {
      sourceMs += sourceStepMs;
      return ask(line, asked);
    };
    for (let i = 0; i < 4; i += 1) send('GET /articles/00000000-0000-4000-8000-000000000000');
    for (let i = 0; i < 4; i += 1) send('GET /sites?__code=503');
    send('GET /sites?__code=429');
    send('GET /sites?__code=429');
    for (let i = 0; i < 2; i += 1) send('GET /connect/calls/log?since=2026-01-15T11:00:00Z');
    return { engine, send };
  };

  it('gives the same violations and the same snapshot, however fast the clock outside went', () => {
    const [slow, fast] = [history(90), history(10)];
    expect(slow.engine.violations().length).toBeGreaterThan(4);
    expect(JSON.stringify(slow.engine.violations())).toBe(JSON.stringify(fast.engine.violations()));
    expect(JSON.stringify(slow.engine.snapshot())).toBe(JSON.stringify(fast.engine.snapshot()));
  });

  it.each([
    ['a rejected request that is sent again', 'GET /articles/00000000-0000-4000-8000-000000000000', 'unchanged-retry'],
    ['a limited request that comes too early', 'GET /sites?__code=429', 'early-retry'],
    ['a poll that comes too early', 'GET /connect/calls/log?since=2026-01-15T11:00:00Z', 'hasty-poll'],
  ])('is remembered over a restore: %s', (_what, line, rule) => {
    const { engine } = history(10);
    const text = JSON.stringify(engine.snapshot());
    const fresh = startTestEngine();
    fresh.engine.restore(JSON.parse(text));
    const before = fresh.engine.violations().length;
    fresh.ask(line);
    expect(
      fresh.engine
        .violations()
        .slice(before)
        .map((violation) => violation.rule),
    ).toEqual([rule]);
    expect(fresh.engine.violations().at(-1)?.requestIds.at(-1)).toBe(engine.requestLog.count + 1);
  });

  it('is restored from a snapshot without clients too', () => {
    const { engine } = history(10);
    const { clients: _, ...older } = engine.snapshot();
    engine.restore(older);
    engine.handle({
      ...JSON.parse('{"headers":{}}'),
      method: 'GET',
      path: '/x',
      query: '',
      body: null,
      peer: '',
      origin: '',
    });
    expect(engine.violations()).toEqual(older.violations);
  });
});

it('a snapshot with a history of clients of another version is rejected, and changes nothing', () => {
  const { engine } = startTestEngine();
  const snapshot = { ...engine.snapshot(), clients: { retries: { series: [] } } };
  engine.ringCall();
  const before = JSON.stringify(engine.snapshot().world);
  expect(() => engine.restore(snapshot as never)).toThrow(/^The snapshot has a history of clients of another version/);
  expect(JSON.stringify(engine.snapshot().world)).toBe(before);
});

describe('reset', () => {
  it('keeps the rules that the mock was started with, and drops later ones', () => {
    const { engine, ask, admin } = startTestEngine({
      faults: [{ id: '--fault 1', match: { operation: 'listSites' }, error: 'transient', times: 1 }],
    });
    engine.faults.add({ id: 'later', match: {}, error: 'provider_error' });
    expect([ask('GET /sites').status, ask('GET /sites').status]).toEqual([502, 502]);
    admin('POST /reset');
    expect(engine.faults.list()).toMatchObject([{ rule: { id: '--fault 1' }, struck: 0 }]);
    expect([ask('GET /sites').status, ask('GET /sites').status]).toEqual([503, 200]);
    engine.reset();
    expect(ask('GET /sites').status).toBe(503);
  });
});

it('snapshots limit the total size of worlds, with records that clients created', () => {
  const { engine, ask } = startTestEngine();
  const at = '2026-01-01T00:00:00.000Z';
  const empty = new Snapshots();
  const world = empty.add(engine.snapshot(), { at }).worldBytes;
  const body = { text: 'x', link: `https://a.example/${'a'.repeat(100_000)}` };
  ask(`POST /connect/accounts/${googleAccount}/posts`, { key: goodKey, body });
  const posted = empty.add(engine.snapshot(), { at }).worldBytes;
  expect(posted - world).toBeGreaterThan(100_000);
  expect(posted - world).toBeLessThan(110_000);

  const snapshots = new Snapshots(2 * posted);
  for (const id of ['a', 'b']) {
    expect(snapshots.whyNot(id)).toBeNull();
    snapshots.add(engine.snapshot(), { at, id });
  }
  expect(snapshots.whyNot('c')).toMatch(/^The worlds of the snapshots take more than \d+ MiB already; remove one/);
  expect(snapshots.whyNot('b')).toBeNull();
  snapshots.remove('a');
  expect(snapshots.whyNot('c')).toBeNull();
});
