import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startHttp, startTcpServer, type TcpServer } from '../../../fixtures/test-kit/scripted-server.ts';
import { openWire, type Wire, type WireOptions, type WireRequest } from './http.ts';

async function tcp(onRequest: Parameters<typeof startTcpServer>[0]): Promise<TcpServer> {
  const server = await startTcpServer(onRequest);
  onTestFinished(server.close);
  return server;
}

async function http(listener: RequestListener): Promise<string> {
  const server = await startHttp(listener);
  onTestFinished(server.close);
  return server.origin;
}

function wire(options: Partial<WireOptions> = {}): Wire {
  const opened = openWire({ timeoutMs: 2000, ...options });
  onTestFinished(() => opened.close());
  return opened;
}

function get(origin: string, rest: Partial<WireRequest> = {}): WireRequest {
  return { method: 'GET', origin, path: '/', headers: {}, body: null, address: null, ...rest };
}

const ok = (body: string | Buffer, headers = '') =>
  Buffer.concat([
    Buffer.from(`HTTP/1.1 200 OK\r\ncontent-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n`),
    Buffer.from(body),
  ]);

describe('the wire', () => {
  test('sends path, headers and host exactly as stated', async () => {
    let head = '';
    const server = await tcp((socket, text) => {
      head = text;
      socket.end(ok('{}'));
    });
    const apiResponse = await wire().send(get(server.origin, { path: '/a%2Fb?q=%2B', headers: { 'x-one': 'two' } }));
    expect(apiResponse).toMatchObject({ status: 200, problem: 'none' });
    expect(head).toContain('GET /a%2Fb?q=%2B HTTP/1.1\r\n');
    expect(head).toContain('x-one: two\r\n');
    expect(head).toContain('accept-encoding: identity\r\n');
  });

  test('sends from the source address it is given', async () => {
    const origin = await http((request, response) => response.end(request.socket.remoteAddress));
    const apiResponse = await wire().send(get(origin, { address: '127.0.0.7' }));
    expect(apiResponse.body.toString()).toBe('127.0.0.7');
  });

  test('accepts a response that arrives before the body is sent, even if the connection closes', async () => {
    const server = await tcp((socket) => {
      socket.write('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}', () => {
        setImmediate(() => socket.resetAndDestroy());
      });
    });
    const body = new Uint8Array(20_000_000);
    const apiResponse = await wire().send(get(server.origin, { method: 'POST', body }));
    expect(apiResponse).toMatchObject({ status: 413, problem: 'none' });
  });

  test('waits with its body for 100 Continue when it expects one', async () => {
    const server = await tcp((socket) => socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 2\r\n\r\n{}'));
    const headers = { expect: '100-continue' };
    const apiResponse = await wire().send(
      get(server.origin, { method: 'POST', body: new Uint8Array(100_000), headers }),
    );
    expect(apiResponse).toMatchObject({ status: 413, problem: 'none' });
  });

  test.each<[string, (socket: Socket) => unknown, string]>([
    ['a server that resets', (socket) => socket.resetAndDestroy(), 'reset'],
    ['a server that closes without a word', (socket) => socket.end(), 'reset'],
    ['a server that speaks no HTTP', (socket) => socket.end('SSH-2.0-OpenSSH\r\n'), 'not-http'],
    ['a body that breaks off', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\n{'), 'truncated'],
    ['headers without end', (socket) => socket.end(`HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`), 'not-http'],
  ])('reports %s', async (_, behave, problem) => {
    const server = await tcp((socket) => behave(socket));
    const apiResponse = await wire().send(get(server.origin));
    expect(apiResponse.problem).toBe(problem);
    expect(apiResponse.detail).not.toBe('');
  });

  test('stops waiting for a slow drip at the deadline', async () => {
    const server = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const drip = setInterval(() => socket.write('x'), 5);
      socket.on('close', () => clearInterval(drip));
    });
    const apiResponse = await wire({ timeoutMs: 60 }).send(get(server.origin));
    expect(apiResponse).toMatchObject({ status: 200, problem: 'timeout' });
  });

  test('stops reading an endless body at the cap', async () => {
    const server = await tcp((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      const pour = () => {
        if (!socket.destroyed) socket.write('x'.repeat(10_000), () => setImmediate(pour));
      };
      pour();
    });
    const apiResponse = await wire({ bodyBytesMax: 50_000 }).send(get(server.origin));
    expect(apiResponse).toMatchObject({ status: 200, problem: 'too-large' });
    expect(apiResponse.body.byteLength).toBeLessThanOrEqual(50_000);
  });

  test('takes one megabyte of each response once the run has received its share', async () => {
    const bodies = [2_000_000, 1_000_001, 1_000_000].map((bytes) => Buffer.alloc(bytes, 'x'));
    const origin = await http((_, response) => response.end(bodies.shift()));
    const tired = wire({ runBytesMax: 1_999_999 });
    const problems = [];
    for (let sent = 0; sent < 3; sent += 1) problems.push((await tired.send(get(origin))).problem);
    expect(problems).toEqual(['none', 'too-large', 'none']);
  });

  test('unpacks what it did not ask to be packed, up to the cap', async () => {
    const small = await tcp((socket) => socket.end(ok(gzipSync('{"a":1}'), 'content-encoding: gzip\r\n')));
    expect((await wire().send(get(small.origin))).body.toString()).toBe('{"a":1}');
    const bomb = await tcp((socket) => socket.end(ok(gzipSync(Buffer.alloc(5_000_000)), 'content-encoding: gzip\r\n')));
    expect((await wire({ bodyBytesMax: 100_000 }).send(get(bomb.origin))).problem).toBe('too-large');
  });

  test('does not follow a redirect', async () => {
    const server = await tcp((socket) => socket.end('HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n'));
    const apiResponse = await wire().send(get(server.origin));
    expect(apiResponse).toMatchObject({ status: 302, problem: 'none' });
    expect(server.connections()).toBe(1);
  });

  test('keeps its connection for reads and opens a fresh one for every write', async () => {
    const sockets = new Set<Socket>();
    const origin = await http(({ socket }, response) => {
      sockets.add(socket);
      response.end('{}');
    });
    const kept = wire();
    for (let read = 0; read < 3; read += 1) await kept.send(get(origin));
    expect(sockets.size).toBe(1);
    await kept.send(get(origin, { method: 'POST', body: new Uint8Array(2) }));
    expect(sockets.size).toBe(2);
  });

  test('distinguishes rejections and unknown names', async () => {
    const server = await startTcpServer(() => undefined);
    await server.close();
    expect((await wire().send(get(server.origin))).problem).toBe('refused');
    expect((await wire().send(get('http://no-such-host.invalid'))).problem).toBe('unresolved');
  });

  test('goes through a proxy when the environment names one, and never to this machine', async () => {
    const heads: string[] = [];
    const proxy = await tcp((socket, text) => {
      heads.push(text);
      socket.end(ok('{}'));
    });
    const env = { http_proxy: proxy.origin.replace('//', '//user:pass@') };
    const apiResponse = await wire({ env }).send(get('http://service.invalid', { path: '/api/v1/sites' }));
    expect(apiResponse.status).toBe(200);
    expect(heads[0]).toContain('GET http://service.invalid/api/v1/sites HTTP/1.1\r\n');
    expect(heads[0]).toContain(`proxy-authorization: Basic ${Buffer.from('user:pass').toString('base64')}`);
    const own = await tcp((socket) => socket.end(ok('[]')));
    expect((await wire({ env }).send(get(own.origin))).body.toString()).toBe('[]');
    expect(heads).toHaveLength(1);
  });

  test('asks a proxy for a tunnel to a TLS host', async () => {
    const heads: string[] = [];
    const proxy = await tcp((socket, text) => {
      heads.push(text);
      socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n');
    });
    const apiResponse = await wire({ env: { https_proxy: proxy.origin } }).send(get('https://service.invalid:8443'));
    expect(heads[0]).toContain('CONNECT service.invalid:8443 HTTP/1.1\r\n');
    const detail = `the proxy of HTTPS_PROXY (${new URL(proxy.origin).host}), which rejects the tunnel with status 403`;
    expect(apiResponse).toMatchObject({ status: 0, detail });
  });

  test.each([
    ['http', 'http://service.invalid'],
    ['https', 'https://service.invalid'],
  ])('reports a proxy that does not return valid HTTP, and not its %s target', async (scheme, origin) => {
    const proxy = await tcp((socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    const apiResponse = await wire({ env: { [`${scheme}_proxy`]: proxy.origin } }).send(get(origin));
    expect(apiResponse.detail).toMatch(/^the proxy of HTTPS?_PROXY \(127\.0\.0\.1:\d+\), which (does not|cannot)/);
  });
});
