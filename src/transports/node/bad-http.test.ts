import { afterEach, describe, expect, it } from 'vitest';
import { get, openClient, post, serveFake } from '../../../fixtures/test-kit/client.ts';
import type { NodeServer } from '../node.ts';

let server: NodeServer;
afterEach(() => server?.close());

async function start(timing = {}) {
  server = await serveFake(({ path }) => (path === '/slow' ? { latencyMs: 20 } : {}), { timing });
  return openClient(server.port);
}

const envelope = { error: { code: 'invalid_input', message: expect.any(String) } };

describe('bytes that are not HTTP', () => {
  it.each([
    ['noise', 'hello\r\n\r\n', 400],
    ['binary noise', Buffer.from([0, 1, 2, 255, 254, 13, 10, 13, 10]), 400],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex'), 400],
    ['another version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n', 400],
    ['a NUL in the path', 'GET /api/v1/a\0b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['a blank in the path', 'GET /api/v1/a b HTTP/1.1\r\nHost: a\r\n\r\n', 400],
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n', 400],
    ['a NUL in a header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\0b\r\n\r\n', 400],
    ['a folded header', 'GET / HTTP/1.1\r\nHost: a\r\nX: a\r\n b\r\n\r\n', 400],
    ['two lengths', post('/', 'Content-Length: 1', 'Content-Length: 2'), 400],
    ['a length and chunks', post('/', 'Content-Length: 1', 'Transfer-Encoding: chunked'), 400],
    ['a length that is not a number', post('/', 'Content-Length: -1'), 400],
    ['a broken chunk', `${post('/', 'Transfer-Encoding: chunked')}xyz\r\n`, 400],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n', 400],
    ['absurd headers', get('/', `X: ${'a'.repeat(100_000)}`), 431],
    ['very many headers', get('/', ...Array.from({ length: 5000 }, (_, i) => `X-${i}: ${i}`)), 431],
    ['an absurd path', get(`/${'a'.repeat(100_000)}`), 431],
  ])('gets an envelope and the end: %s', async (_what, bytes, status) => {
    const client = await start();
    client.write(bytes);
    const response = await client.response();
    expect([response.status, response.headers.connection]).toEqual([status, 'close']);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(response.headers.date).toBe('Fri, 02 Jan 2026 03:04:05 GMT');
    expect(JSON.parse(response.body)).toEqual(envelope);
    expect(await client.ended).toBe('closed');
    expect(client.rest()).toBe('');
  });

  const withBody = `${post('/a', 'Content-Length: 2')}{}`;
  const broken = post('/b', 'Transfer-Encoding: chunked');

  it('does not cancel earlier responses when the client has closed its side', async () => {
    const client = await start();
    client.socket.end(`${get('/slow')}${withBody}${broken}5\r\n123`);
    expect((await client.response()).status).toBe(200);
    expect((await client.response()).status).toBe(200);
    expect(await client.ended).toBe('closed');
  });
});

const unfinished = [
  ['a head', 'GET / HTTP/1.1\r\nHost: a\r\n'],
  ['a body', `${post('/', 'Content-Length: 10')}12345`],
  ['a chunk', `${post('/', 'Transfer-Encoding: chunked')}5\r\n123`],
];

describe('bytes that come too late', () => {
  it.each(unfinished)('gets 408: %s', async (_what, bytes) => {
    const client = await start({ headersMs: 20, requestMs: 40, checkMs: 10 });
    client.write(bytes);
    const response = await client.response();
    expect(response.status).toBe(408);
    expect(JSON.parse(response.body)).toEqual(envelope);
    expect(await client.ended).toBe('closed');
  });
});

describe('requests that break off', () => {
  it.each(unfinished)('gets 400 when the client still listens: %s', async (_what, bytes) => {
    const client = await start();
    client.socket.end(bytes);
    expect((await client.response()).status).toBe(400);
    expect(await client.ended).toBe('closed');
  });
});
