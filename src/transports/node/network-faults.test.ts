import { afterEach, expect, it } from 'vitest';
import { deferred, get, openClient, type Responder, serveFake } from '../../../fixtures/test-kit/client.ts';
import type { NodeServer } from '../node.ts';

let server: NodeServer;
afterEach(() => server?.close());

async function start(response: Responder, timing = {}) {
  server = await serveFake(response, { timing });
  return openClient(server.port);
}

const body = '{"some":"body","of":"fifty bytes or thereabouts..."}';

it.each([
  ['reset breaks the connection', 'reset', 'ECONNRESET'],
  ['empty closes without a byte', 'empty', 'closed'],
  ['timeout sends nothing until its time limit, then closes', 'timeout', 'closed'],
] as const)('%s', async (_what, network, end) => {
  const client = await start(() => ({ network }), { timeoutMs: 20 });
  client.write(get('/a'));
  expect(await client.ended).toBe(end);
  expect(client.rest()).toBe('');
});

it.each([
  ['a body', body, body.length, body.slice(0, body.length / 2)],
  ['one byte', 'x', 1, ''],
  ['no body', '', 1, ''],
])('truncated promises more than it sends: %s', async (_what, whole, promised, sent) => {
  const client = await start(() => ({ network: 'truncated', body: whole }));
  client.write(get('/a'));
  expect(await client.ended).toBe('closed');
  expect(client.rest()).toContain(`content-length: ${promised}\r\n`);
  expect(client.rest().split('\r\n\r\n')[1]).toBe(sent);
});

it('slow sends all of the body, piece by piece', async () => {
  const client = await start(() => ({ network: 'slow', body }), { slowBodyMs: 40 });
  let pieces = 0;
  client.socket.on('data', () => {
    pieces += 1;
  });
  client.write(get('/a'));
  expect((await client.response()).body).toBe(body);
  expect(pieces).toBeGreaterThan(2);
});

it('timeout does not keep a server from stopping', async () => {
  const { promise: asked, resolve } = deferred();
  const client = await start(() => {
    resolve();
    return { network: 'timeout' };
  });
  client.write(get('/a'));
  await asked;
  await server.close();
  expect(await client.ended).toBe('closed');
});

it.each(['reset', 'empty'] as const)('%s strikes only after the earlier responses', async (network) => {
  const client = await start(({ path }) => (path === '/good' ? { latencyMs: 20 } : { network }));
  client.write(get('/good') + get('/bad'));
  expect((await client.response()).status).toBe(200);
  await client.ended;
  expect(client.rest()).toBe('');
});

it('latency and a network fault add up', async () => {
  const client = await start(() => ({ network: 'truncated', latencyMs: 10, body }));
  client.write(get('/a'));
  expect(await client.ended).toBe('closed');
  expect(client.rest()).toContain(body.slice(0, body.length / 2));
});
