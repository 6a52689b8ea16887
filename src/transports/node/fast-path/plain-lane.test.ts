import { afterEach, describe, expect, it } from 'vitest';
import type { RawClient, Responder } from '../../../../fixtures/test-kit/client.ts';
import { deferred, fakeEngine, get, openClient, post, serveFake } from '../../../../fixtures/test-kit/client.ts';
import type { CoreRequest, CoreResponse } from '../../../http/message.ts';
import { listen, type NodeServer } from '../../node.ts';

let server: NodeServer;
afterEach(() => server?.close());

async function start(response: Responder = () => ({}), timing = {}): Promise<RawClient> {
  server = await serveFake(response, { timing });
  return openClient(server.port);
}

/** A request that is not plain: from here on the connection is node's. */
async function goNodesWay(client: RawClient): Promise<void> {
  client.write(get('/', 'Expect: anything'));
  await client.response();
}

const headers = { 'content-type': 'application/json', 'x-one': '1', date: 'Fri, 02 Jan 2026 03:04:05 GMT' };

describe('a response on the short way', () => {
  it.each([
    ['ASCII', { body: '{"a":1}' }],
    ['other letters', { body: '{"a":"\u00e4\u20ac\ud83d\ude00"}' }],
    ['bytes', { body: new TextEncoder().encode('{"a":"\u00e4"}') }],
    ['a rejection', { status: 429, body: '{"error":"rate_limit_exceeded"}' }],
    ['a status without a name', { status: 299, body: '{}' }],
    ['nothing', { body: '' }],
    ['no content', { status: 204, body: '' }],
  ])('has the same bytes as node gives it: %s', async (_what, response) => {
    const first = await start(() => ({ headers, ...response }));
    const second = await openClient(server.port);
    await goNodesWay(second);
    for (const client of [first, second]) {
      client.write(get('/'));
      await client.received('\r\n\r\n');
      client.write(get('/next', 'Connection: close'));
      await client.ended;
    }
    expect(first.rest()).toBe(second.rest());
    expect(first.rest()).toContain('\r\nKeep-Alive: timeout=65\r\n');
  });
});

describe('a request that got a response already when node reads it', () => {
  it('is called once, with the request unchanged', async () => {
    const asked: CoreRequest[] = [];
    const client = await start((request) => {
      asked.push(request);
      return { latencyMs: 1 };
    });
    client.write(`${post('/a', 'Content-Length: 2')}{}`);
    expect((await client.response()).body).toBe('{"path":"/a","bytes":2}');
    client.write(get('/b'));
    expect((await client.response()).body).toBe('{"path":"/b","bytes":null}');
    expect(asked.map(({ path, connection }) => `${path} ${connection}`)).toEqual(['/a 1', '/b 1']);
  });
});

describe('a request that waits for its response', () => {
  /** Responses at the MCP endpoint come later. */
  async function startLate(response: Partial<CoreResponse> = {}) {
    const { promise: released, resolve: release } = deferred();
    const engine = fakeEngine(() => ({}));
    const handleMcp = async (request: CoreRequest) => {
      await released;
      return { ...engine.handle(request), ...response };
    };
    const timing = { checkMs: 1, headersMs: 1 };
    server = await listen({ ...engine, handleMcp }, { host: '127.0.0.1', port: 0, timing });
    return { client: await openClient(server.port), release };
  }
  async function anotherIsServed() {
    const other = await openClient(server.port);
    other.write(get('/a'));
    await other.response();
  }
  const ask = `${post('/mcp', 'Content-Length: 2')}{}`;
  const expected = '{"path":"/mcp","bytes":2}';

  it('gets it when it is there, and the connection stays open', async () => {
    const { client, release } = await startLate();
    client.write(ask);
    await anotherIsServed();
    release();
    expect((await client.response()).body).toBe(expected);
    client.write(get('/b'));
    expect((await client.response()).body).toBe('{"path":"/b","bytes":null}');
  });

  const late = [
    ['plain', {}],
    ['held back', { latencyMs: 1 }],
  ] as const;

  it.each(late)('gets it before the next one: %s', async (_what, response) => {
    const { client, release } = await startLate(response);
    client.write(ask);
    await anotherIsServed();
    client.write(`${get('/b')}hello\r\n\r\n`);
    await anotherIsServed();
    release();
    expect((await client.response()).body).toBe(expected);
    expect((await client.response()).body).toBe('{"path":"/b","bytes":null}');
    expect((await client.response()).status).toBe(400);
    expect(await client.ended).toBe('closed');
  });

  it.each(late)('gets it after the client has closed its side: %s', async (_what, response) => {
    const { client, release } = await startLate(response);
    client.socket.end(ask);
    await anotherIsServed();
    release();
    expect((await client.response()).body).toBe(expected);
    expect(await client.ended).toBe('closed');
  });

  it('is nothing that a stop waits for once the client has gone', async () => {
    const { client } = await startLate();
    client.write(ask);
    await anotherIsServed();
    client.socket.resetAndDestroy();
    await client.ended;
    await server.close();
    expect(server.server.listening).toBe(false);
  });

  it('gets its response from a server that stops', async () => {
    const { client, release } = await startLate();
    client.write(ask);
    await anotherIsServed();
    const closed = server.close();
    release();
    const { body, headers } = await client.response();
    expect([body, headers.connection]).toEqual([expected, 'close']);
    await closed;
  });
});

describe('a connection on the short way', () => {
  it('can break off during the error response', async () => {
    const client = await start(undefined, { headersMs: 20, checkMs: 10 });
    await client.response();
    client.socket.resetAndDestroy();
    const next = await openClient(server.port);
    next.write(get('/a'));
    expect((await next.response()).status).toBe(200);
  });

  it('that says nothing any more is closed', async () => {
    const client = await start(undefined, { keepAliveMs: 20, checkMs: 10 });
    client.write(get('/a'));
    await client.response();
    expect(await client.ended).toMatch(/closed|ECONNRESET/);
    expect(client.rest()).toBe('');
  });

  it('stays open after a response, when silence from the start is over', async () => {
    const client = await start(undefined, { headersMs: 20, checkMs: 10 });
    client.write(get('/a'));
    await client.response();
    const silent = await openClient(server.port);
    expect((await silent.response()).status).toBe(408);
    client.write(get('/b'));
    expect((await client.response()).status).toBe(200);
  });
});
