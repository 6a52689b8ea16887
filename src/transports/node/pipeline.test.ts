import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { get, openClient, post, type Responder, serveFake } from '../../../fixtures/test-kit/client.ts';
import { startTestEngine } from '../../../fixtures/test-kit/engine.ts';
import { bodyBytesMax } from '../../contract/generated/limits.ts';
import type { CoreRequest } from '../../http/message.ts';
import { listen, type NodeServer } from '../node.ts';

let server: NodeServer;
afterEach(() => server?.close());

/** Each request is carried out when its path is noted. */
async function start(response: Responder = () => ({})) {
  const paths: string[] = [];
  server = await serveFake((request: CoreRequest) => {
    paths.push(request.path);
    return response(request);
  });
  return { paths, client: await openClient(server.port) };
}

const chunked = (path: string, body: string) => `${post(path, 'Transfer-Encoding: chunked')}${body}`;
const tooLong = bodyBytesMax + 1;
const oneTooLong = `${tooLong.toString(16)}\r\n${'x'.repeat(tooLong)}\r\n`;

const requests = {
  plain: (path: string) => get(path),
  'left to node': (path: string) => get(path, 'X-Tab: a\tb'),
  'with a body': (path: string) => `${post(path, 'Content-Length: 6')}\r\n\r\n{}`,
  'in chunks': (path: string) => chunked(path, '6\r\n\r\n\r\n{}\r\n0\r\nX-T: 1\r\n\r\n'),
  'with an empty body': (path: string) => `\r\n${post(path, 'Content-Length: 0')}`,
};

/** Each with its only response, after which the connection ends. */
const ends = {
  garbage: [400, 'hello\r\n\r\n'],
  'a broken chunk': [400, chunked('/never', 'xyz\r\n')],
  'a tunnel': [400, 'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n'],
  'no host': [400, 'GET /never HTTP/1.1\r\n\r\n'],
  'a wish to close': [200, get('/last', 'Connection: close')],
  'a body and a wish to close': [200, `${post('/last', 'Connection: close', 'Content-Length: 2')}{}`],
  'a body that the client holds back': [413, post('/last', `Content-Length: ${tooLong}`, 'Expect: 100-continue')],
  'a rejected body with a broken chunk': [413, chunked('/slow/last', `${oneTooLong}xyz\r\n`)],
  'a cut response': [200, get('/truncated/last')],
} as const;

const response: Responder = ({ path, body }) => ({
  ...(path.startsWith('/slow') && { latencyMs: 2 }),
  ...(path.startsWith('/truncated') && { network: 'truncated' }),
  ...(body && body.length > bodyBytesMax && { status: 413 }),
});

const names = <T extends object>(table: T) => fc.constantFrom(...(Object.keys(table) as (keyof T)[]));
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('requests of one connection', () => {
  const request = fc.record({ kind: names(requests), isSlow: fc.boolean() });
  const stream = fc.record({
    list: fc.array(request, { maxLength: 5 }),
    end: names(ends),
    cuts: fc.array(fc.nat(1000), { maxLength: 3 }),
  });

  it('are executed and get responses in order, and nothing after the last one', async () => {
    const property = fc.asyncProperty(stream, async ({ list, end, cuts }) => {
      const { client, paths } = await start(response);
      const sent = list.map(({ kind, isSlow }, i) => ({ kind, path: `/${isSlow ? 'slow' : 'fast'}/${i}` }));
      const [status, last] = ends[end];
      const head = sent.map(({ kind, path }) => requests[kind](path)).join('');
      const text = `${head}${last}${get('/after')}${requests['with a body']('/after')}`;
      const places = [...cuts.map((cut) => cut % (head.length + 100)).sort((a, b) => a - b), text.length];
      for (const [i, place] of places.entries()) {
        client.write(text.slice(places[i - 1] ?? 0, place));
        await turn();
      }
      await client.ended;
      await server.close();
      const statuses = [...client.rest().matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, code]) => Number(code));
      expect(statuses).toEqual([...sent.map(() => 200), status]);
      expect(paths.filter((path) => !path.endsWith('/last'))).toEqual(sent.map(({ path }) => path));
    });
    await fc.assert(property, { seed: 7, numRuns: 40 });
  });
});

describe('pipelined requests', () => {
  it('wait while their client reads no responses', async () => {
    const body = 'x'.repeat(1024 * 1024);
    const { client, paths } = await start(({ path }) => (path === '/long' ? { body } : {}));
    client.socket.pause();
    client.write(get('/long').repeat(2000));
    const other = await openClient(server.port);
    for (let i = 0; i < 50; i += 1) {
      other.write(get('/other'));
      await other.response();
    }
    // The buffers of the system take some.
    expect(paths.filter((path) => path === '/long').length).toBeLessThan(100);
  });

  const accept = 'Accept: application/json, text/event-stream';
  const list = '{"jsonrpc":"2.0","id":1,"method":"tools/list"}';
  const ping = post('/mcp', accept, 'Content-Type: application/json', `Content-Length: ${list.length}`) + list;
  const asks = 'Access-Control-Request-Method: GET';

  const reads = ['/', '/openapi.json', '/__admin', '/__admin/docs', '/__admin/health', '/connect/nothing', '/nothing'];
  it.each<readonly [string, string]>([
    ...[...reads, '/api/v1/sites'].map((path) => [`GET ${path}`, get(path)] as const),
    ['POST /mcp', ping],
    ['a preflight', get('/api/v1/sites', 'Origin: http://localhost', asks).replace('GET', 'OPTIONS')],
  ])('let other clients in between: %s', async (_what, asked) => {
    const bytes = asked.replace('mock.example', '127.0.0.1');
    server = await listen(startTestEngine().engine, { host: '127.0.0.1', port: 0 });
    const client = await openClient(server.port);
    const other = await openClient(server.port);
    const count = Math.floor(60_000 / bytes.length);
    client.write(bytes.repeat(count));
    await client.received('HTTP/1.1');
    other.write(get('/'));
    expect((await other.response()).status).toBe(200);
    expect(client.rest().split('HTTP/1.1 ').length).toBeLessThan(count / 3);
    client.socket.destroy();
  });
});
