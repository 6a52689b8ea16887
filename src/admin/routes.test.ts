import { describe, expect, it } from 'vitest';
import { goodKey, googleAccount, json, startMs, startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { clauses } from '../contract/generated/clauses.ts';

describe('faults', () => {
  it('strike as a rule says, and show how often they did', () => {
    const { ask, admin } = startTestEngine();
    const rule = { match: { operation: 'listSites', key: goodKey }, error: 'provider_permission', times: 2 };
    admin('POST /faults', { body: rule });
    expect(json(admin('GET /faults')).faults).toEqual([{ id: 'fault-1', ...rule, struck: 0 }]);
    expect([ask('GET /sites').status, ask('GET /articles').status]).toEqual([403, 200]);
    expect(json(admin('GET /faults')).faults[0].struck).toBe(1);
    expect([ask('GET /sites').status, ask('GET /sites').status]).toEqual([403, 200]);
    expect(json(admin('GET /faults')).faults).toEqual([]);
  });

  it('get ids that are free, and were never used', () => {
    const { admin, ask } = startTestEngine();
    const add = (body: object) => json(admin('POST /faults', { body: { error: 'transient', ...body } })).id;
    expect([add({}), add({ id: 'fault-3' }), add({}), add({})]).toEqual(['fault-1', 'fault-3', 'fault-2', 'fault-4']);
    expect([add({ times: 1 }), ask('GET /sites').status, add({})]).toEqual(['fault-5', 503, 'fault-6']);
  });
});

describe('the clock', () => {
  it('moves settling, link expiry and limiter windows at once', () => {
    const { ask, admin, engine } = startTestEngine();
    engine.limits.configure({ ...engine.limits.settings(), enforced: true });
    for (let i = 0; i < 10; i += 1) ask('GET /sites');
    expect(ask('GET /sites').status).toBe(429);
    expect(json(admin('POST /clock/advance', { body: { duration: 'PT10S' } })).nowMs).toBe(startMs + 10_000);
    expect(ask('GET /sites').status).toBe(200);
  });

  it('freezes, resumes and changes its pace', () => {
    const { admin } = startTestEngine();
    expect(json(admin('POST /clock/resume'))).toMatchObject({ frozen: false, scale: 1 });
    expect(json(admin('POST /clock/scale', { body: { scale: 60 } }))).toMatchObject({ frozen: false, scale: 60 });
    expect(json(admin('POST /clock/freeze'))).toMatchObject({ frozen: true, scale: 0 });
    expect(json(admin('POST /clock/resume'))).toMatchObject({ frozen: false, scale: 60 });
  });
});

describe('snapshots', () => {
  it('bring back what they saw, and forget what came later', () => {
    const { ask, admin } = startTestEngine();
    const post = () => ask(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'Hello' } }).body;
    admin('POST /snapshots', { body: { id: 'before' } });
    const first = post();
    admin('POST /clock/advance', { body: { duration: '1h' } });
    const restored = json(admin('POST /snapshots/before/restore'));
    expect(restored.clock.nowMs).toBe(startMs);
    expect(json(admin('GET /requests')).total).toBe(0);
    expect(post()).toBe(first);
  });

  it('keep so many bytes of what clients sent: the oldest lose it, and keep their world', () => {
    const { ask, admin } = startTestEngine();
    ask(`POST /connect/accounts/${googleAccount}/posts`, { body: { text: 'Hello' } });
    const posts = () => JSON.stringify(json(admin('GET /snapshots/first')).snapshot.world).includes('Hello');
    admin('POST /snapshots', { body: { id: 'first' } });
    for (let i = 0; i < 400; i += 1) ask('POST /connect/accounts', { body: { label: 'x'.repeat(16_000) } });
    for (const id of ['second', 'third']) expect(json(admin('POST /snapshots', { body: { id } })).history).toBe(true);
    const histories = json(admin('GET /snapshots')).snapshots.map(({ history }: { history: boolean }) => history);
    expect(histories).toEqual([false, false, true]);
    expect(json(admin('GET /health')).forgotten).toMatchObject({ histories: 2 });
    expect(posts()).toBe(true);
    expect(admin('POST /snapshots/first/restore').status).toBe(200);
    expect(json(admin('GET /requests')).total).toBe(0);
  });

  it('are fifty at most', () => {
    const { admin } = startTestEngine();
    for (let i = 0; i < 50; i += 1) expect(admin('POST /snapshots').status).toBe(201);
    expect(admin('POST /snapshots').status).toBe(409);
    expect(admin('POST /snapshots', { body: { id: 'snapshot-7' } }).status).toBe(201);
    admin('DELETE /snapshots/snapshot-1');
    expect(admin('POST /snapshots').status).toBe(201);
  });
});

describe('events', () => {
  it('report events until the listener leaves, with keys redacted', () => {
    const { admin, ask } = startTestEngine();
    const response = admin('GET /events');
    const parts: string[] = [];
    const stop = response.stream?.(
      (part) => void parts.push(part),
      () => {},
    );
    ask(`GET /sites/${goodKey}`);
    ask(`GET /sites/${goodKey}`);
    admin('POST /clock/advance', { body: { duration: '1s' } });
    admin('POST /calls');
    admin('POST /reset');
    stop?.();
    ask('GET /articles');
    const text = parts.join('');
    expect(response.headers['content-type']).toBe('text/event-stream; charset=utf-8');
    const names = [...text.matchAll(/^event: (.*)$/gm)].map((match) => match[1]);
    expect(names).toEqual(['clock', 'exchange', 'exchange', 'violation', 'clock', 'change', 'reset']);
    expect(text).toMatch(/^retry: 2000\n\n(event: \w+\ndata: .*\n\n)+$/);
    expect(text).not.toContain(goodKey);
  });
});

describe('violations', () => {
  it('are shown with a clause that a client sees, and forgotten on demand', () => {
    const { ask, admin } = startTestEngine();
    ask('GET /nowhere');
    ask('GET /nowhere');
    const [violation] = json(admin('GET /violations?key=cdef&rule=unchanged-retry')).violations;
    expect(clauses[violation.clause as keyof typeof clauses].seenBy).toBe('client');
    expect(json(admin('GET /violations?key=0000')).total).toBe(0);
    expect(json(admin('GET /health')).violations).toBe(1);
    admin('DELETE /violations');
    expect(json(admin('GET /violations')).total).toBe(0);
  });
});

describe('event streams', () => {
  it('are fifty at most: the oldest is ended for the newest, and health says so', () => {
    const { engine, ask, admin } = startTestEngine();
    const heard = Array.from({ length: 51 }, () => ({ parts: [] as string[], ended: false }));
    const stops = heard.map((stream) => {
      const response = engine.handle(toRequest('GET /events', '/__admin', {}));
      return response.stream?.(
        (text) => void stream.parts.push(text),
        () => {
          stream.ended = true;
        },
      );
    });
    ask('GET /sites');
    expect(heard.map(({ ended }) => ended)).toEqual([true, ...Array(50).fill(false)]);
    expect(heard.map(({ parts }) => parts.length)).toEqual([1, ...Array(50).fill(2)]);
    expect(JSON.parse(String(admin('GET /health').body)).forgotten).toMatchObject({ streams: 1 });
    for (const stop of stops) stop?.();
    ask('GET /sites');
    expect(heard.map(({ parts }) => parts.length)).toEqual([1, ...Array(50).fill(2)]);
  });
});
