import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  expiredAccount,
  goodKey,
  googleAccount,
  json,
  otherKey,
  startMs,
  startTestEngine,
  toRequest,
} from '../../fixtures/test-kit/engine.ts';
import { createClock } from '../domain/clock.ts';
import { contractLimits } from '../domain/limits.ts';
import { defaultWorld } from '../worlds/load.ts';
import type { CommitEntry } from './commit.ts';
import type { Engine } from './engine.ts';
import type { EngineOptions } from './engine-options.ts';

const link = { provider: 'facebook_page', label: 'Branch', maxAccounts: 2 };

const reviewId = encodeURIComponent(
  String(json(startTestEngine().ask(`GET /connect/accounts/${googleAccount}/reviews`)).data.reviews[0].reviewId),
);

type Step = (engine: Engine) => unknown;
const api = (line: string, asked = {}): Step => {
  const request = toRequest(line, '/api/v1', { key: goodKey, ...asked });
  return (engine) => engine.handle(request);
};
const admin = (line: string, body?: unknown): Step => {
  const request = toRequest(line, '/__admin', { body });
  return (engine) => engine.handle(request);
};
const consent: Step = (engine) => {
  const [first] = engine.world.organizations.values();
  const token = [...(first?.links.keys() ?? [])].at(-1) ?? 'none';
  return engine.handle(toRequest(`POST /connect/${token}`, '', { body: 'name=One&name=Two' }));
};

const steps: readonly Step[] = [
  api('GET /articles?limit=3'),
  api('GET /articles/00000000-0000-4000-8000-000000000000'),
  api('GET /connect/accounts'),
  api('POST /connect/accounts', { body: link }),
  api(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'Hello' } }),
  api(`POST /connect/accounts/${expiredAccount}/posts`, { body: { text: 'Hello' } }),
  api(`POST /connect/accounts/${googleAccount}/reviews/${reviewId}/reply`, { body: { text: 'Thank you' } }),
  api(`GET /connect/accounts/${googleAccount}/reviews`),
  api(`GET /connect/accounts/${googleAccount}/insights?range=7d`),
  api('GET /connect/calls/log?since=2026-01-15T11:00:00Z&limit=5'),
  api('GET /connect/calls/log?limit=5'),
  api('GET /articles?limit=1', { key: otherKey }),
  api('GET /nowhere'),
  consent,
  admin('POST /clock/advance', { duration: '90s' }),
  admin('POST /clock/advance', { duration: '1ms' }),
  admin('POST /clock/advance', { duration: '8d' }),
  admin('POST /calls', { durationS: 0 }),
  admin('POST /calls', { durationS: 30, from: '+1', outcome: 'voicemail' }),
  admin('POST /faults', { match: { operation: 'listArticles' }, error: 'transient', times: 2 }),
  admin('POST /faults', { error: 'provider_error', probability: 0.5 }),
  admin('DELETE /faults'),
  admin(`PUT /organizations/org_1/accounts/${expiredAccount}`, { status: 'connected' }),
  admin(`PUT /organizations/org_1/accounts/${googleAccount}`, { locked: true }),
  admin('PUT /organizations/org_1', { payment: 'renewal_pending' }),
  admin('PUT /limits', { address: { limit: 4 } }),
  admin('PUT /limits', { enforced: true }),
  admin('POST /organizations', { world: 'empty' }),
  admin('POST /organizations', { name: 'Worker' }),
  admin('POST /reset'),
];

const sequence = fc.array(fc.nat(steps.length - 1), { maxLength: 25 });
const run = (engine: Engine, indexes: readonly number[]) =>
  indexes.map((i) => JSON.stringify((steps[i] as Step)(engine)));

function start(options: Partial<EngineOptions> = {}): Engine {
  return startTestEngine({ limits: contractLimits, seed: 5, ...options }).engine;
}

/** The state that has to survive a restart: not the windows, nor how often a rule that is not counted has struck. */
function lasting(engine: Engine) {
  const { world, clock, random, limits, faults } = engine.snapshot();
  const rules = faults.rules.map(({ rule, struck }) => ({ rule, struck: rule.times === undefined ? 0 : struck }));
  return JSON.parse(JSON.stringify({ world, clock, random: random.world, rules, limits: limits.settings }));
}

describe('createEngine', () => {
  it('responds to consent pages, the admin API and the API, and to other paths with a 404', () => {
    const { engine } = startTestEngine();
    const get = (path: string) => engine.handle(toRequest(`GET ${path}`, '', { key: goodKey }));
    expect(get('/__admin/health').status).toBe(200);
    expect(get('/connect/unknown').headers['content-type']).toContain('text/html');
    expect(json(get('/api/v1/sites')).data).toHaveLength(3);
    expect(get('/sites').status).toBe(404);
    expect(json(get('/sites')).error.code).toBe('not_found');
    expect(get('/__administrator').status).toBe(404);
  });

  it('puts the Date of its clock on every response', () => {
    const { engine } = startTestEngine();
    for (const path of ['/api/v1/sites', '/__admin/health', '/connect/unknown', '/nowhere'])
      expect(engine.handle(toRequest(`GET ${path}`, '', {})).headers.date).toBe(new Date(startMs).toUTCString());
  });
});

describe('reset', () => {
  it('returns the initial bytes, after any requests, when the clock was frozen at the start', () => {
    fc.assert(
      fc.property(sequence, sequence, (before, after) => {
        const engine = start();
        run(engine, before);
        engine.reset();
        expect(run(engine, after)).toEqual(run(start(), after));
      }),
      { numRuns: 15 },
    );
  });

  it('lets a running clock run on and moves the world to it', () => {
    let nowMs = startMs;
    const engine = start({ clock: createClock(() => nowMs) });
    nowMs += 3_600_000;
    engine.reset();
    expect(engine.clock.now()).toBe(startMs + 3_600_000);
    const [first] = [...engine.world.organizations.values()];
    const [original] = defaultWorld.organizations;
    const created = first?.sites.list()[0]?.createdAt ?? '';
    expect(Date.parse(created) - Date.parse(original?.sites[0]?.createdAt ?? '')).toBe(3_600_000);
  });
});

describe('snapshot and restore', () => {
  it('gives the same bytes to any requests afterwards, through JSON and on another engine', () => {
    fc.assert(
      fc.property(sequence, sequence, sequence, (before, between, after) => {
        const engine = start();
        run(engine, before);
        const text = JSON.stringify(engine.snapshot());
        const expected = run(engine, after);
        run(engine, between);
        engine.restore(JSON.parse(text));
        expect(JSON.stringify(engine.snapshot())).toBe(text);
        expect(run(engine, after)).toEqual(expected);
        const other = start({ seed: 99 });
        other.restore(JSON.parse(text));
        const sameStart = after.filter((i) => steps[i] !== steps.at(-1));
        engine.restore(JSON.parse(text));
        expect(run(other, sameStart)).toEqual(run(engine, sameStart));
      }),
      // The number of the next fault belongs to the state, even if no fault is left.
      { numRuns: 25, examples: [[[19, 21], [], [19]]] },
    );
  });

  it('does not change with what happens after it was taken', () => {
    fc.assert(
      fc.property(sequence, sequence, (before, after) => {
        const engine = start();
        run(engine, before);
        const snapshot = engine.snapshot();
        const text = JSON.stringify(snapshot);
        run(engine, after);
        expect(JSON.stringify(snapshot)).toBe(text);
      }),
      { numRuns: 15 },
    );
  });

  it('sets a running clock back, or lets the time count that went by', () => {
    let nowMs = startMs;
    const engine = start({ clock: createClock(() => nowMs) });
    engine.clock.setScale(2);
    const snapshot = engine.snapshot();
    nowMs += 10_000;
    engine.restore(snapshot);
    expect(engine.clock.now()).toBe(startMs);
    nowMs += 10_000;
    engine.restore(snapshot, { clock: 'elapsed' });
    expect(engine.clock.now()).toBe(startMs + 40_000);
  });

  it('keeps the position of greased responses', () => {
    const engine = start({ grease: 3 });
    run(engine, [0, 2, 7]);
    const snapshot = engine.snapshot();
    const expected = run(engine, [7, 2, 0, 10]);
    engine.restore(snapshot);
    expect(run(engine, [7, 2, 0, 10])).toEqual(expected);
  });
});

describe('commit and replay', () => {
  it('brings a fresh engine to the same state, from entries that went through JSON', () => {
    fc.assert(
      fc.property(sequence, (indexes) => {
        const lines: string[] = [];
        const engine = start({ commit: (entry) => lines.push(JSON.stringify(entry)) });
        run(engine, indexes);
        const fresh = start();
        fresh.replay(lines.map((line) => JSON.parse(line) as CommitEntry));
        expect(lasting(fresh)).toEqual(lasting(engine));
      }),
      { numRuns: 30 },
    );
  });

  it('reports a change before the request that made it gets a response, and of nothing more', () => {
    const kinds: string[] = [];
    const { engine, ask, admin: control } = startTestEngine({ commit: ({ change }) => void kinds.push(change.kind) });
    ask('GET /sites');
    ask('POST /connect/accounts', { body: {} });
    expect(kinds).toEqual([]);
    ask('POST /connect/accounts', { body: link });
    ask(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'Hello' } });
    ask(`POST /connect/accounts/${googleAccount}/reviews/${reviewId}/reply`, { body: { text: 'Thanks' } });
    consent(engine);
    consent(engine);
    engine.ringCall();
    engine.addOrganization();
    control('POST /clock/freeze');
    control('POST /faults', { body: { error: 'transient' } });
    control('PUT /limits', { body: {} });
    control('POST /reset');
    engine.restore(engine.snapshot());
    expect(kinds).toEqual('link post reply consent call organization clock fault limits reset restore'.split(' '));
  });

  it('counts a rule for a number of times, so it does not strike again after a restart', () => {
    const entries: CommitEntry[] = [];
    const { engine, ask } = startTestEngine({ commit: (entry) => void entries.push(entry) });
    engine.faults.add({ id: 'once', match: {}, error: 'transient', times: 2 });
    expect(ask('GET /sites').status).toBe(503);
    const fresh = startTestEngine();
    fresh.engine.replay(entries);
    expect([fresh.ask('GET /sites').status, fresh.ask('GET /sites').status]).toEqual([503, 200]);
  });

  it('lets the time count that went by between the last change and the replay', () => {
    let nowMs = startMs;
    const entries: CommitEntry[] = [];
    const source = () => nowMs;
    const engine = start({ clock: createClock(source), commit: (entry) => void entries.push(entry) });
    engine.clock.advance(3_600_000);
    nowMs += 1000;
    engine.clock.setScale(10);
    nowMs += 7000;
    const fresh = start({ clock: createClock(source) });
    fresh.replay(entries);
    expect(fresh.clock.now()).toBe(startMs + 3_600_000 + 1000 + 70_000);
    expect(fresh.clock.now()).toBe(engine.clock.now());
  });

  it.each<[string, Step]>([
    ['a link', api('POST /connect/accounts', { body: link })],
    ['a post', api(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'Hello' } })],
    ['a reply', api(`POST /connect/accounts/${googleAccount}/reviews/${reviewId}/reply`, { body: { text: 'Thanks' } })],
    ['a finished consent', consent],
    ['a call', admin('POST /calls', { durationS: 30 })],
    ['an account', admin(`PUT /organizations/org_1/accounts/${googleAccount}`, { locked: true })],
    ['a payment', admin('PUT /organizations/org_1', { payment: 'renewal_pending' })],
    ['an organization', admin('POST /organizations', { name: 'Worker' })],
  ])('rejects %s that cannot be stored, and leaves the world unchanged', (_what, step) => {
    let isFull = false;
    const engine = start({
      commit: () => {
        if (isFull) throw new Error('The disk is full.');
      },
    });
    api('POST /connect/accounts', { body: link })(engine);
    const before = JSON.stringify(engine.snapshot().world);
    isFull = true;
    expect(() => step(engine)).toThrow('The disk is full.');
    expect(JSON.stringify(engine.snapshot().world)).toBe(before);
  });

  it('stores no history of requests', () => {
    const entries: CommitEntry[] = [];
    const { engine, ask } = startTestEngine({ commit: (entry) => void entries.push(entry) });
    ask('GET /sites');
    engine.restore(engine.snapshot());
    expect(entries).toHaveLength(1);
    expect(JSON.stringify(entries)).not.toContain('requestLog');
  });
});

describe('addOrganization', () => {
  it('creates one that is isolated from requests with other keys', () => {
    const { engine, ask } = startTestEngine();
    const { organization, keys } = engine.addOrganization({ name: 'Worker 1' });
    const [key = ''] = keys;
    const posts = () =>
      [...engine.world.organizations.values()].map(({ accounts }) => accounts.get(googleAccount)?.posts.length);
    const before = posts();
    ask(`POST /connect/accounts/${googleAccount}/posts`, { key, body: { text: 'Mine' } });
    expect(posts()).toEqual([...before.slice(0, -1), 1 + (before.at(-1) ?? 0)]);
    ask('POST /connect/accounts', { key, body: link });
    const invites = (by: string) => json(ask('GET /connect/accounts', { key: by })).data.pendingInvites;
    const ids = (by: string) => invites(by).map(({ id }: { id: string }) => id);
    expect(ids(key).filter((id: string) => ids(goodKey).includes(id))).toEqual([]);
    expect(json(ask('GET /articles', { key })).data).toHaveLength(20);
    expect(organization.name).toBe('Worker 1');
  });

  it('gives each its own limiter window and its own calls', () => {
    const { engine, ask } = startTestEngine({ limits: { ...contractLimits, address: { limit: 1000, windowMs: 1 } } });
    const [first = ''] = engine.addOrganization({ world: 'empty' }).keys;
    const { organization, keys } = engine.addOrganization({ world: 'empty' });
    for (let i = 0; i < 60; i += 1) expect(ask('GET /sites', { key: first }).status).toBe(200);
    expect(ask('GET /sites', { key: first }).status).toBe(429);
    expect(ask('GET /sites', { key: keys[0] ?? '' }).status).toBe(200);
    engine.ringCall(organization.id);
    expect(json(ask('GET /connect/calls/log', { key: keys[0] ?? '' })).data.calls).toHaveLength(1);
  });

  it.each(['start', 'default', 'empty', 'tiny'])('copies the world %s', (world) => {
    const tiny = { ...defaultWorld, organizations: defaultWorld.organizations.slice(1) };
    const { engine, ask } = startTestEngine({ worlds: { tiny } });
    const [key = ''] = engine.addOrganization({ world }).keys;
    const counts = { start: 3, default: 3, empty: 0, tiny: 1 };
    expect(json(ask('GET /sites', { key })).data).toHaveLength(counts[world as keyof typeof counts]);
  });
});
