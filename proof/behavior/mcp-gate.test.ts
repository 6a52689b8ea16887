import { describe, expect } from 'vitest';
import { goodKey, revokedKey, unknownKey } from '../../fixtures/test-kit/actors.ts';
import { toolCall } from '../../fixtures/test-kit/engine.ts';
import { mcpBodyBytesMax } from '../../src/contract/generated/limits.ts';
import { McpLimiterError } from '../../src/contract/generated/validators.js';
import { describeTransports, eras, type TestMock, testMock } from './transports.ts';

const it = testMock();
const list = { jsonrpc: '2.0', id: 'a-1', method: 'tools/list' };
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
// biome-ignore lint/suspicious/noExplicitAny: a response may hold anything, and a test says what it expects.
const json = async (response: Response): Promise<any> => response.json();

// The suite tests the body cap and the window that a key shares with REST: they have mutants (8.body-mcp).
describeTransports('a key that is not good', ({ it }) => {
  it.for([
    ['none', ''],
    ['an unknown one', unknownKey],
    ['a revoked one', revokedKey],
    ['half a one', goodKey.slice(0, 20)],
  ] as const)('returns 401 in JSON-RPC form for %s', async ([_what, key], { send }) => {
    const response = await send(list, { key });
    const { jsonrpc, id, error } = await json(response);
    expect([response.status, jsonrpc, id]).toEqual([401, '2.0', 'a-1']);
    expect([Number.isInteger(error.code), error.data.error.code]).toEqual([true, 'unauthorized']);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });
});

describe('the body cap of the MCP endpoint', () => {
  const padded = (bytes: number) => {
    const empty = JSON.stringify(toolCall('customers_list', { max: 1, pad: '' }));
    return JSON.stringify(toolCall('customers_list', { max: 1, pad: 'x'.repeat(bytes - empty.length) }));
  };

  it('counts bytes and not characters', async ({ send }) => {
    const body = padded(mcpBodyBytesMax - 3);
    expect((await send(body.replace('xxx', '€'))).status).toBe(200);
    expect((await send(body.replace('xx', '🥐🥐'))).status).toBe(413);
  });

  it('comes after the key', async ({ send }) => {
    expect((await send(padded(mcpBodyBytesMax + 1), { key: unknownKey })).status).toBe(401);
  });
});

describe('the limiters at the MCP endpoint', () => {
  const expectBlocked = async (response: Response) => {
    const body = await json(response);
    expect([response.status, McpLimiterError(body)]).toEqual([429, true]);
    expect([body.jsonrpc, body.id, body.error.data]).toEqual(['2.0', 'a-1', { error: 'rate_limit_exceeded' }]);
    const { headers } = response;
    expect([headers.get('x-ratelimit-limit'), headers.get('x-ratelimit-remaining')]).toEqual(['10', '0']);
    expect(Number(headers.get('x-ratelimit-reset'))).toBeGreaterThan(Date.parse(headers.get('date') ?? ''));
    expect(headers.get('retry-after')).toMatch(/^\d+$/);
  };

  it('block the eleventh request of an address with any key', async ({ open }) => {
    const { send } = await open({ limits: true });
    for (let i = 0; i < 10; i += 1)
      expect((await send(list, { key: i % 2 ? unknownKey : goodKey })).status).not.toBe(429);
    await expectBlocked(await send(list, { key: unknownKey }));
    await expectBlocked(await send(list));
  });

  it.for(eras)('count each HTTP request of a client once, in the era %j', async (era, { open }) => {
    const { connect, casa, send } = await open({ limits: true });
    const client = await connect({ era });
    await client.callTool({ name: 'customers_list', arguments: {} });
    const before = casa.requests.count();
    const response = await send(list);
    expect(response.headers.get('x-ratelimit-remaining')).toBe(String(60 - before - 1));
  });

  it('report themselves on every response', async ({ open }) => {
    const { send } = await open({ limits: true });
    for (const message of [list, toolCall('inbox_list'), '{', initialized])
      expect((await send(message)).headers.get('x-ratelimit-limit')).toBe('60');
  });
});

describe('requests that the MCP endpoint does not take', () => {
  const rejected = async (stage: TestMock, message: unknown, wish = {}) => {
    const response = await stage.send(message, wish);
    const { error } = await json(response);
    return [response.status, error.code];
  };

  it.for(['GET', 'DELETE', 'PUT'])('rejects %s, being stateless', async (method, { send }) => {
    const response = await send('', { method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('rejects a body that is not a message', async ({ stage }) => {
    expect(await rejected(stage, '{')).toEqual([400, -32_700]);
    expect(await rejected(stage, '')).toEqual([400, -32_700]);
    expect(await rejected(stage, [list, list])).toEqual([400, -32_600]);
    expect((await rejected(stage, {}))[0]).toBe(400);
    expect((await rejected(stage, '7'))[0]).toBe(400);
    expect((await rejected(stage, list, { headers: { accept: 'application/json' } }))[0]).toBe(406);
    expect((await rejected(stage, list, { headers: { 'content-type': 'text/plain' } }))[0]).toBe(415);
  });

  it('rejects other methods, and opens no streams', async ({ stage }) => {
    for (const method of ['resources/list', 'nonsense'])
      expect((await rejected(stage, { ...list, method }))[1]).toBe(-32_601);
    expect(await rejected(stage, { ...list, method: 'subscriptions/listen' })).toEqual([404, -32_601]);
  });

  it('accepts notifications without a response', async ({ send }) => {
    const response = await send(initialized);
    expect([response.status, await response.text()]).toEqual([202, '']);
  });

  it('keeps strangers from spending the window of an address', async ({ open }) => {
    const { send } = await open({ limits: true });
    for (let i = 0; i < 20; i += 1) await send(list, { headers: { origin: 'http://evil.example' } });
    expect((await send(list)).status).toBe(200);
  });
});
