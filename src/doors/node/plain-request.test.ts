import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { get, openClient, type RawClient, serveFake } from '../../../proof/rigs/client.ts';
import type { CoreRequest } from '../../http/message.ts';
import type { NodeServer } from '../node.ts';
import { readPlain } from './plain-request.ts';

const lines = ['Host: a', 'Accept: */*', 'X-Empty:', 'X-Wide: \t a b \t'];

function text({ first = 'POST /a/b?c=d HTTP/1.1', headers = lines, length = '2', body = '{}' } = {}): string {
  return `${[first, ...headers, `Content-Length: ${length}`].join('\r\n')}\r\n\r\n${body}`;
}

const read = (request: string) => readPlain(Buffer.from(request, 'latin1'));

describe('a plain request', () => {
  it('is read whole', () => {
    const found = read(text());
    expect(found).toMatchObject({ method: 'POST', url: '/a/b?c=d' });
    expect(found?.headers).toEqual({ host: 'a', accept: '*/*', 'x-empty': '', 'x-wide': 'a b', 'content-length': '2' });
    expect(Buffer.from(found?.body ?? []).toString()).toBe('{}');
  });

  it('has no body without a length', () => {
    expect(read('GET / HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n')?.body).toBeNull();
  });

  it.each([
    ['a part of it', text().slice(0, -1)],
    ['a head without its end', text().slice(0, 60)],
    ['a first line alone', 'GET / HTTP/1.1\r\n\r\n'],
    ['more than one', text() + text()],
    ['another method', text({ first: 'PUT / HTTP/1.1' })],
    ['another version', text({ first: 'GET / HTTP/1.0' })],
    ['two blanks', text({ first: 'GET  / HTTP/1.1' })],
    ['a whole address', text({ first: 'GET http://a/ HTTP/1.1' })],
    ['a fragment', text({ first: 'GET /#a HTTP/1.1' })],
    ['no Host', text({ headers: [] })],
    ['a header given twice', text({ headers: ['Host: a', 'host: a'] })],
    ['a name that every object has', text({ headers: ['Host: a', 'constructor: a'] })],
    ['a blank before the colon', text({ headers: ['Host : a'] })],
    ['a folded line', text({ headers: ['Host: a', ' b: c'] })],
    ['a line that ends in one sign', text({ headers: ['Host: a\nX: b'] })],
    ['a control character', text({ headers: ['Host: a\u0001'] })],
    ['a letter beyond ASCII', text({ headers: ['Host: \u00e4'] })],
    ['a line without a colon', text({ headers: ['Host: a', 'b'] })],
    ['a length with a sign', text({ length: '+2' })],
    ['a length that begins with 0', text({ length: '02' })],
    ['two lengths in one', text({ length: '2, 2' })],
    ['a wish to close', text({ headers: ['Host: a', 'Connection: close'] })],
    ['chunks', text({ headers: ['Host: a', 'Transfer-Encoding: chunked'] })],
    ['an expectation', text({ headers: ['Host: a', 'Expect: 100-continue'] })],
    ['another protocol', text({ headers: ['Host: a', 'Upgrade: h2c'] })],
    ['an address that a proxy tells', text({ headers: ['Host: a', 'X-Forwarded-For: 1.2.3.4'] })],
    ['a long head', text({ headers: ['Host: a', `X: ${'a'.repeat(5000)}`] })],
  ])('is not %s', (_what, request) => {
    expect(read(request)).toBeNull();
  });
});

describe('what is read as plain', () => {
  let server: NodeServer;
  let client: RawClient;
  let seen: CoreRequest[] = [];

  beforeAll(async () => {
    server = await serveFake((request) => {
      seen.push(request);
      return {};
    });
    client = await openClient(server.port);
    // From here on the connection is node's.
    client.write(get('/', 'Expect: anything'));
    await client.answer();
  });
  afterAll(async () => {
    client.socket.destroy();
    await server.close();
  });

  const signs = [...'\r\n\t\0 :;,/?#%"<>[]{}|\\^`~aZ09-_.\u007f\u0080\u00ff', '\r\n', '\r\n ', 'Host: b\r\n', '1'];
  const change = fc.record({ at: fc.nat(text().length), drops: fc.nat(2), put: fc.constantFrom(...signs, '') });

  it('is read alike by node', async () => {
    let taken = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 2 }), async (changes) => {
        let request = text();
        for (const { at, drops, put } of changes) request = request.slice(0, at) + put + request.slice(at + drops);
        const plain = read(request);
        if (!plain) return;
        taken += 1;
        seen = [];
        client.write(Buffer.from(request, 'latin1'));
        await client.answer();
        const [{ method, path, query, headers, body } = {} as CoreRequest] = seen;
        expect({ method, headers, url: query ? `${path}?${query}` : path }).toEqual({
          method: plain.method,
          headers: plain.headers,
          url: plain.url.replace(/\?$/, ''),
        });
        expect(Buffer.from(body ?? []).equals(plain.body ?? Buffer.alloc(0))).toBe(true);
      }),
      { seed: 11, numRuns: 3000 },
    );
    expect(taken).toBeGreaterThan(300);
  });
});
