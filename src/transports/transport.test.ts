import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock } from '../domain/clock.ts';
import { createEngine } from '../engine/create-engine.ts';
import { defaultWorld } from '../worlds/load.ts';
import { createFetchHandler } from './fetch.ts';
import { listen, type NodeServer } from './node.ts';

const page = 'http://localhost:5173';
const key = defaultWorld.organizations[0]?.keys.find(({ revoked }) => !revoked)?.key;
const authorization = `Bearer ${key}`;

function start() {
  const clock = createClock(() => 0, { startMs: Date.parse(defaultWorld.anchor), frozen: true });
  return createEngine({ data: defaultWorld, clock });
}

describe.each(['node', 'fetch'])('the transport of %s', (transport) => {
  let ask: (path: string, init?: RequestInit) => Promise<Response>;
  let server: NodeServer | undefined;
  let engine: ReturnType<typeof start>;
  beforeAll(async () => {
    engine = start();
    if (transport === 'fetch') {
      const handle = createFetchHandler(engine);
      ask = (path, init) => handle(new Request(`http://mock.example${path}`, init));
    } else {
      server = await listen(engine, { host: '127.0.0.1', port: 0 });
      ask = (path, init) => fetch(`http://127.0.0.1:${server?.port}${path}`, init);
    }
  });
  afterAll(() => server?.close());

  it('preflights cost nothing, however many', async () => {
    const headers = { Origin: page, 'Access-Control-Request-Method': 'GET' };
    for (let i = 0; i < 30; i += 1) {
      const preflight = await ask('/api/v1/articles', { method: 'OPTIONS', headers });
      expect(preflight.status).toBe(204);
      expect(preflight.headers.get('access-control-allow-headers')).toBe('Authorization, Content-Type, Prefer');
      expect(preflight.headers.get('date')).toBe(new Date(defaultWorld.anchor).toUTCString());
    }
    const response = await ask('/api/v1/articles', { headers: { Origin: page, authorization } });
    expect(response.headers.get('access-control-allow-origin')).toBe(page);
    expect(response.headers.get('access-control-expose-headers')).toContain('Retry-After');
    expect(response.headers.get('x-ratelimit-remaining')).toBe('59');
  });

  it('a preflight may ask for any header, and the request log shows one that its browser rejects', async () => {
    const asked = (method: string) => ({
      Origin: page,
      'Access-Control-Request-Method': method,
      'Access-Control-Request-Headers': 'authorization,traceparent',
    });
    const count = engine.requestLog.count;
    const good = await ask('/api/v1/articles', { method: 'OPTIONS', headers: asked('GET') });
    expect(good.headers.get('access-control-allow-headers')).toContain('traceparent');
    expect(engine.requestLog.count).toBe(count);
    await ask('/api/v1/articles', { method: 'OPTIONS', headers: asked('PATCH') });
    expect(engine.requestLog.records().at(-1)).toMatchObject({
      request: { method: 'OPTIONS', path: '/api/v1/articles' },
      response: { status: 204 },
      operation: null,
      complaint: 'The browser rejects this preflight: the API has no PATCH.',
      nearMisses: [],
    });
  });

  it('the admin API is never open to pages', async () => {
    const headers = { Origin: page, 'Access-Control-Request-Method': 'POST' };
    const preflight = await ask('/__admin/reset', { method: 'OPTIONS', headers });
    const response = await ask('/__admin/health', { headers: { Origin: page } });
    for (const { headers } of [preflight, response]) expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  const bodies = ['['.repeat(1_000_000), '{"a":'.repeat(300_000), '{"text":"\ud800"}'];
  it.each(bodies)('a nested body is not a crash', async (body) => {
    const response = await ask('/api/v1/connect/accounts', { method: 'POST', headers: { authorization }, body });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'invalid_input' } });
  });
});
