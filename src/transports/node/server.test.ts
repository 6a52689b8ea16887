import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { RawClient, Responder } from '../../../fixtures/test-kit/client.ts';
import { deferred, fakeEngine, get, openClient, serveFake } from '../../../fixtures/test-kit/client.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import { ListenError, listen, type NodeServer } from '../node.ts';
import { lateResponsesMax } from './outgoing.ts';

let server: NodeServer;
afterEach(() => server?.close());

async function start(response: Responder = () => ({}), options: Parameters<typeof serveFake>[1] = {}) {
  server = await serveFake(response, options);
  return openClient(server.port);
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

function announced(response: Responder) {
  const { promise: asked, resolve } = deferred<CoreRequest>();
  return {
    asked,
    response: (request: CoreRequest) => {
      resolve(request);
      return response(request);
    },
  };
}

describe('a connection', () => {
  it('responds to a client that has closed its side after the request', async () => {
    const client = await start(() => ({ latencyMs: 20 }));
    client.socket.end(get('/a'));
    expect((await client.response()).status).toBe(200);
    expect(await client.ended).toBe('closed');
  });

  it('closes when a client closes its side without a request', async () => {
    const client = await start();
    client.socket.end();
    expect(await client.ended).toBe('closed');
  });

  it('forgets a response whose client has left', async () => {
    const { asked, response } = announced(() => ({ latencyMs: 600_000 }));
    server = await serveFake(response, { timing: { graceMs: 600_000 } });
    const arrived = once(server.server, 'connection');
    const client = await openClient(server.port);
    const [socket] = await arrived;
    client.write(get('/a'));
    await asked;
    client.socket.destroy();
    await once(socket, 'end');
    await server.close();
    expect(server.server.listening).toBe(false);
  });

  it('holds back a limited number of responses; further ones are sent at once, and canceled ones make space', async () => {
    let asked = 0;
    const late = () => {
      asked += 1;
      return { latencyMs: 600_000 };
    };
    server = await serveFake(({ path }) => (path === '/late' ? late() : {}), { timing: { graceMs: 10 } });
    const clients: RawClient[] = [];
    for (let i = 0; i < lateResponsesMax; i += 1) clients.push(await openClient(server.port));
    for (const client of clients) client.write(get('/late'));
    while (asked < lateResponsesMax) await turn();
    const next = await openClient(server.port);
    next.write(get('/late'));
    expect((await next.response()).status).toBe(200);
    for (const { socket } of clients) socket.resetAndDestroy();
    const connections = () =>
      new Promise<number>((resolve) => server.server.getConnections((_, count) => resolve(count)));
    while ((await connections()) > 1) await turn();
    next.write(get('/late'));
    while (asked < lateResponsesMax + 2) await turn();
    expect(next.rest()).toBe('');
    next.socket.destroy();
  });

  it('closes after a response to HTTP/1.0', async () => {
    const client = await start();
    client.write('GET /old HTTP/1.0\r\n\r\n');
    expect((await client.response()).status).toBe(200);
    expect(await client.ended).toBe('closed');
  });
});

describe('a request', () => {
  it.each([
    ['its path and query', get('/api/v1/x?a=1?b=2'), { path: '/api/v1/x', query: 'a=1?b=2' }],
    ['an absolute form', get('http://other.example/api/v1/x?a=1'), { path: '/api/v1/x', query: 'a=1' }],
    ['an absolute form without a path', get('http://other.example?a=1'), { path: '/', query: 'a=1' }],
    ['doubled slashes', get('//api/v1/x'), { path: '//api/v1/x' }],
    ['dots', get('/api/v1/../x'), { path: '/api/v1/../x' }],
    ['encoded slashes', get('/api/v1/a%2Fb'), { path: '/api/v1/a%2Fb' }],
    ['the client address', get('/'), { peer: '127.0.0.1' }],
    ['the origin by its Host', get('/'), { origin: 'http://mock.example' }],
  ])('reaches the engine with %s', async (_what, bytes, expected) => {
    const { asked, response } = announced(() => ({}));
    const client = await start(response);
    client.write(bytes);
    await client.response();
    expect(await asked).toMatchObject(expected);
  });

  it.each(['"><script>', 'a b', 'a/b', 'a:99999999'])('with the host %j gets our own origin', async (host) => {
    const { asked, response } = announced(() => ({}));
    const client = await start(response);
    client.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    await client.response();
    expect((await asked).origin).toBe(`http://127.0.0.1:${server.port}`);
  });

  it('a 304 has no length, because the length of the cached body may differ', async () => {
    const client = await start(() => ({ status: 304, body: '' }));
    client.write(get('/a') + get('/b'));
    const { status, headers } = await client.response();
    expect([status, headers['content-length']]).toEqual([304, undefined]);
    expect((await client.response()).status).toBe(304);
  });

  it('HEAD gets the head alone', async () => {
    const client = await start();
    client.write(get('/a').replace('GET', 'HEAD') + get('/b'));
    expect((await client.response({ bodiless: true })).headers['content-length']).toBe('26');
    expect((await client.response()).body).toContain('/b');
  });
});

describe('the number of a connection', () => {
  async function numbers(send: (client: RawClient) => Promise<unknown>) {
    const seen: unknown[] = [];
    const client = await start(({ connection }) => {
      seen.push(connection);
      return {};
    });
    await send(client);
    return seen;
  }

  it('applies to requests that were sent after the response to the one before', async () => {
    const seen = await numbers(async (client) => {
      for (let i = 0; i < 2; i += 1) {
        client.write(get('/a'));
        await client.response();
      }
      const other = await openClient(server.port);
      other.write(get('/a'));
      await other.response();
    });
    expect(seen).toEqual([1, 1, 2]);
  });

  it('is left out if a request came before that response', async () => {
    const seen = await numbers(async (client) => {
      client.write(get('/a') + get('/b'));
      await client.response();
      await client.response();
    });
    expect(seen).toEqual([1, undefined]);
  });
});

describe('a stop', () => {
  it('lets a response under way leave, then closes', async () => {
    const { asked, response } = announced(() => ({ latencyMs: 30 }));
    const client = await start(response);
    client.write(get('/slow'));
    await asked;
    const closed = server.close();
    const { status, headers } = await client.response();
    expect([status, headers.connection]).toEqual([200, 'close']);
    expect(await client.ended).toBe('closed');
    await closed;
  });

  it('waits for no response longer than its grace', async () => {
    const { asked, response } = announced(() => ({ latencyMs: 600_000 }));
    const client = await start(response, { timing: { graceMs: 20 } });
    client.write(get('/never'));
    await asked;
    await server.close();
    expect(await client.ended).toMatch(/closed|ECONNRESET/);
  });

  it('closes idle, silent and half-sent connections at once', async () => {
    const idle = await start();
    idle.write(get('/a'));
    await idle.response();
    const arrived = once(server.server, 'connection');
    const silent = await openClient(server.port);
    const halfSent = await openClient(server.port);
    halfSent.write('GET /a HTTP/1.1\r\nHos');
    await arrived;
    await server.close();
    expect(await Promise.all([idle.ended, silent.ended, halfSent.ended])).toEqual(['closed', 'closed', 'closed']);
  });

  it('frees the port and can be called twice', async () => {
    await start();
    const { port } = server;
    await Promise.all([server.close(), server.close()]);
    const [error] = await once(connect({ port, host: '127.0.0.1' }), 'error');
    expect(error.code).toBe('ECONNREFUSED');
  });
});

describe('a stream', () => {
  const headers = { 'content-type': 'text/event-stream' };
  const streaming = (stream: NonNullable<CoreResponse['stream']>) =>
    start(() => ({ headers, body: '', stream }), quick);
  const quick = { timing: { heartbeatMs: 5 } };

  it('carries each event as it happens and ends with the server', async () => {
    const sends: ((text: string) => void)[] = [];
    let stopped = 0;
    const client = await streaming((send) => {
      sends.push(send);
      return () => {
        stopped += 1;
      };
    });
    client.write(get('/events'));
    await client.received('text/event-stream');
    sends[0]?.('data: one\n\n');
    await client.received('data: one\n\n');
    await server.close();
    await client.ended;
    expect(client.rest().endsWith('0\r\n\r\n')).toBe(true);
    expect(stopped).toBe(1);
    sends[0]?.('data: too late\n\n');
  });

  it('stops when the client leaves', async () => {
    const { promise: stopped, resolve } = deferred();
    const client = await streaming(() => resolve);
    client.write(get('/events'));
    await client.received('200 OK');
    client.socket.destroy();
    await stopped;
  });

  it('says that it lives', async () => {
    const client = await streaming(() => () => {});
    client.write(get('/events'));
    await client.received(':\n\n');
  });
});

describe('a port', () => {
  const idle = fakeEngine(() => ({}));
  it('in use is reported in one sentence', async () => {
    await start();
    const second = listen(idle, { host: '127.0.0.1', port: server.port });
    await expect(second).rejects.toThrow(ListenError);
    await expect(second).rejects.toMatchObject({
      code: 'EADDRINUSE',
      message: `Port ${server.port} on 127.0.0.1 is in use; choose another port, or 0 for a free one.`,
    });
  });

  it('of another machine is reported in one sentence', async () => {
    const elsewhere = listen(idle, { host: '203.0.113.1', port: 0 });
    await expect(elsewhere).rejects.toThrow(/^203\.0\.113\.1 is not an address of this machine; [^\n]+\.$/);
  });

  it('on all addresses is shown under a name that a client can reach', async () => {
    server = await serveFake(() => ({}), { host: '0.0.0.0' });
    expect(server.baseUrl).toBe(`http://localhost:${server.port}/api/v1`);
  });
});

describe('a bug of ours', () => {
  it('responds with an envelope without a stack and is reported once', async () => {
    const told: unknown[] = [];
    const broken = () => {
      throw new Error('secret detail');
    };
    const client = await start(broken, { onBug: (error) => told.push(error) });
    client.write(get('/a') + get('/b'));
    const responses = [await client.response(), await client.response()];
    expect(responses.map(({ status }) => status)).toEqual([500, 500]);
    expect(responses[0]?.headers['x-casa-bug']).toBe('1');
    const message = expect.not.stringContaining('secret');
    expect(JSON.parse(responses[0]?.body ?? '')).toEqual({ error: { code: 'internal_error', message } });
    expect(told).toHaveLength(1);
  });

  it.each([
    ['at once', {}],
    ['later', { latencyMs: 5 }],
    ['as a stream', { stream: () => () => {} }],
    ['slowly', { network: 'slow' as const }],
  ])('that node does not write, %s, ends one connection and not the server', async (_how, manner) => {
    const told: unknown[] = [];
    const broken = { ...manner, headers: { 'x-a': 'one\r\ntwo' } };
    const client = await start(({ path }) => (path === '/bad' ? broken : {}), { onBug: (error) => told.push(error) });
    client.write(get('/bad'));
    expect(await client.ended).toBe('closed');
    expect(told).toHaveLength(1);
    expect(client.rest()).not.toContain('two');
    const next = await openClient(server.port);
    next.write(get('/good'));
    expect((await next.response()).status).toBe(200);
  });
});
