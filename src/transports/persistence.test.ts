import { describe, expect, it } from 'vitest';
import { deferred } from '../../fixtures/test-kit/client.ts';
import { goodKey, googleAccount, json, startTestEngine, toMcp, toRequest } from '../../fixtures/test-kit/engine.ts';
import type { CoreResponse } from '../http/message.ts';
import { type Persistence, whenKept } from './persistence.ts';
import { openTransports } from './transport.ts';

const kept: CoreResponse = {
  status: 200,
  headers: { 'content-type': 'application/json', 'x-ratelimit-remaining': '9', date: 'now' },
  body: '{}',
};
const post = toRequest('POST /sites', '/api/v1', { body: {} });
const failure = '/state cannot be written: the disk is full.';
const envelope = {
  error: { code: 'transient', message: `The mock could not save the change, so it was not made: ${failure}` },
};

function persistenceWith(parts: Partial<Persistence>): Persistence {
  return { failures: 0, failure: '', pending: null, ...parts };
}

describe('a response', () => {
  it('is sent at once, unchanged, when nothing is pending', () => {
    expect(whenKept(() => kept, persistenceWith({ failures: 7 }))(post)).toBe(kept);
  });

  it('waits for pending writes, and is then sent unchanged', async () => {
    const { promise: pending, resolve: settle } = deferred<string | null>();
    const apiResponse = whenKept(() => kept, persistenceWith({ pending }))(post);
    const first = await Promise.race([apiResponse, new Promise((resolve) => setImmediate(resolve, 'waiting'))]);
    expect(first).toBe('waiting');
    settle(null);
    expect(await apiResponse).toBe(kept);
  });

  it('becomes a rejection that keeps the headers of the limiters when its change was taken back', async () => {
    const persistence = persistenceWith({ pending: Promise.resolve(failure) });
    const rejected = (await whenKept(() => kept, persistence)(post)) as CoreResponse;
    expect([rejected.status, json(rejected)]).toEqual([503, envelope]);
    expect(rejected.headers).toMatchObject({ 'x-ratelimit-remaining': '9', date: 'now' });
    expect(rejected.headers['content-type']).toMatch(/^application\/json/);
  });

  it('of the MCP endpoint becomes a rejection in the form of JSON-RPC, also when its change was taken back before it was there', async () => {
    const { engine } = startTestEngine();
    const request = toMcp({ jsonrpc: '2.0', id: 7, method: 'tools/list' }, null);
    const persistence = { failures: 0, failure, pending: null };
    const apiResponse = async () => {
      await engine.handleMcp(request);
      persistence.failures += 1;
      return kept;
    };
    const rejected = await whenKept(apiResponse, persistence)(request);
    expect(rejected.status).toBe(503);
    expect(json(rejected)).toMatchObject({ jsonrpc: '2.0', id: 7, error: { data: envelope } });
  });
});

describe('a rejection instead of a response', () => {
  const persistence = persistenceWith({ failure, failures: 1, pending: Promise.resolve(failure) });

  it.each([
    ['a read', toRequest('GET /sites', '/api/v1', {})],
    ['a write', toRequest(`POST /connect/accounts/${googleAccount}/posts`, '/api/v1', { body: { text: 'x' } })],
    ['a long body', toRequest('POST /connect/accounts', '/api/v1', { body: { label: 'x'.repeat(50_000) } })],
    ['an unknown path', toRequest('GET /nothing', '', {})],
    ['the MCP endpoint', toMcp({ jsonrpc: '2.0', id: 1, method: 'ping' }, null)],
  ])('is in the request log: %s', async (_, request) => {
    const { engine } = startTestEngine();
    const apiResponse = (await openTransports(engine, { persistence })(request)) as CoreResponse;
    const [record, ...others] = engine.requestLog.records();
    expect([apiResponse.status, record?.response.status, others]).toEqual([503, 503, []]);
    expect(record?.response.body).toBe(String(apiResponse.body));
  });

  it('is not a response that a client has to follow', async () => {
    const { engine } = startTestEngine();
    const request = () => toRequest('GET /keywords', '/api/v1', { key: goodKey });
    await openTransports(engine, { persistence })(request());
    await openTransports(engine, {})(request());
    expect(engine.requestLog.records().map(({ response }) => response.status)).toEqual([503, 400]);
    expect(engine.violations()).toEqual([]);
  });
});
