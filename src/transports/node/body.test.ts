import { afterEach, describe, expect, it } from 'vitest';
import { get, openClient, post, type Responder, serveFake } from '../../../fixtures/test-kit/client.ts';
import { bodyBytesMax } from '../../contract/generated/limits.ts';
import type { NodeServer } from '../node.ts';

let server: NodeServer;
afterEach(() => server?.close());

const judge: Responder = ({ body }) => ({ status: (body?.length ?? 0) > bodyBytesMax ? 413 : 200 });

async function start(options = {}) {
  server = await serveFake(judge, options);
  return openClient(server.port);
}

function chunked(bytes: Buffer, chunkBytes: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += chunkBytes) {
    const chunk = bytes.subarray(at, at + chunkBytes);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

describe('the body cap', () => {
  describe.each<[string, (bytes: Buffer, ...headers: string[]) => (string | Buffer)[]]>([
    ['with a length', (bytes, ...headers) => [post('/a', ...headers, `Content-Length: ${bytes.length}`), bytes]],
    [
      'in chunks',
      (bytes, ...headers) => [post('/a', ...headers, 'Transfer-Encoding: chunked'), chunked(bytes, 60_000)],
    ],
  ])('%s', (_how, parts) => {
    it.each([
      [0, 200],
      [1, 413],
    ])('%i over, returns %i and the connection stays open', async (over, status) => {
      const client = await start();
      for (const part of [...parts(Buffer.alloc(bodyBytesMax + over)), get('/next')]) client.write(part);
      expect((await client.response()).status).toBe(status);
      expect((await client.response()).body).toContain('/next');
    });

    it('lets a client that wants to close read its response', async () => {
      for (let i = 0; i < 5; i += 1) {
        const client = i === 0 ? await start() : await openClient(server.port);
        for (const part of parts(Buffer.alloc(4 * bodyBytesMax), 'Connection: close')) client.write(part);
        expect((await client.response()).status).toBe(413);
        expect(await client.ended).toBe('closed');
      }
    });
  });

  it('is checked by the declared length, before the body comes', async () => {
    const client = await start({ drain: { bytes: 1e12, ms: 20 } });
    client.write(post('/a', `Content-Length: ${bodyBytesMax + 1}`));
    expect((await client.response()).status).toBe(413);
  });

  it('lets a client that writes everything first read its response', async () => {
    const client = await start();
    client.socket.pause();
    client.write(post('/a', 'Content-Length: 20000000'));
    for (let i = 0; i < 20; i += 1) client.write(Buffer.alloc(1_000_000));
    await new Promise((resolve) => client.socket.write('', resolve));
    client.socket.resume();
    expect((await client.response()).status).toBe(413);
  });

  it.each([
    ['bytes', { bytes: 100_000, ms: 60_000 }],
    ['time', { bytes: 1e12, ms: 20 }],
  ])('drains an endless body only for so many %s', async (_what, drain) => {
    const client = await start({ drain });
    client.write(post('/a', 'Content-Length: 1000000000000'));
    client.write(Buffer.alloc(200_000));
    expect((await client.response()).status).toBe(413);
    expect(await client.ended).toMatch(/closed|ECONNRESET|EPIPE/);
  });
});

describe('Expect: 100-continue', () => {
  it('gets 100 Continue before the body', async () => {
    const client = await start();
    client.write(post('/a', 'Content-Length: 2', 'Expect: 100-continue'));
    expect((await client.response()).status).toBe(100);
    client.write('{}');
    expect((await client.response()).body).toBe('{"path":"/a","bytes":2}');
  });
});

describe('small bodies', () => {
  it.each([
    ['an empty one', post('/a', 'Content-Length: 0'), 'null'],
    ['an empty one in chunks', `${post('/a', 'Transfer-Encoding: chunked')}0\r\n\r\n`, '0'],
    ['one byte', `${post('/a', 'Content-Length: 1')}x`, '1'],
    ['chunks with a trailer', `${post('/a', 'Transfer-Encoding: chunked')}2\r\nab\r\n0\r\nX-T: 1\r\n\r\n`, '2'],
    ['one on a GET', `${get('/a', 'Content-Length: 3')}abc`, '3'],
  ])('arrive: %s', async (_what, bytes, length) => {
    const client = await start();
    client.write(bytes);
    expect((await client.response()).body).toBe(`{"path":"/a","bytes":${length}}`);
  });

  it.each([1, 7, 100, 5000])('arrive as they were in chunks of %i', async (chunkBytes) => {
    const sent = Buffer.from(Array.from({ length: 5000 }, (_, i) => i % 251));
    const seen: Uint8Array[] = [];
    server = await serveFake(({ body }) => {
      seen.push(body ?? new Uint8Array(0));
      return {};
    });
    const client = await openClient(server.port);
    client.write(post('/a', 'Transfer-Encoding: chunked'));
    client.write(chunked(sent, chunkBytes));
    await client.response();
    expect(Buffer.compare(seen[0] as Uint8Array, sent)).toBe(0);
  });
});
