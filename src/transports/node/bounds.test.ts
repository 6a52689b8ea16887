import { afterEach, describe, expect, it } from 'vitest';
import { get, openClient, post, type RawClient, serveFake } from '../../../fixtures/test-kit/client.ts';
import { startTestEngine } from '../../../fixtures/test-kit/engine.ts';
import { bodyBytesMax } from '../../contract/generated/limits.ts';
import { listen, type NodeServer } from '../node.ts';
import { connectionsMax } from './connection.ts';
import { intakeBytesMax, unreadBytesMax } from './request-feed.ts';

let server: NodeServer;
let clients: RawClient[] = [];
afterEach(async () => {
  for (const { socket } of clients) socket.destroy();
  clients = [];
  await server?.close();
});

async function open(): Promise<RawClient> {
  const client = await openClient(server.port);
  clients.push(client);
  return client;
}

async function isAlive(client: RawClient): Promise<boolean> {
  client.write(get('/a'));
  return client.response().then(
    ({ status }) => status === 200,
    () => false,
  );
}

describe('bodies that are still coming in', () => {
  const half = (bytes: number) => [post('/a', `Content-Length: ${bodyBytesMax}`), Buffer.alloc(bytes)] as const;
  const atOnce = Math.floor(intakeBytesMax / (bodyBytesMax - 1));

  it('hold so many bytes in all: one is closed for the next, and health says so', async () => {
    const { engine } = startTestEngine();
    server = await listen(engine, { host: '127.0.0.1', port: 0 });
    for (let i = 0; i <= atOnce; i += 1) {
      const client = await open();
      for (const part of half(bodyBytesMax - 1)) client.write(part);
    }
    const closed = await Promise.race(clients.map((client, i) => client.ended.then(() => i)));
    const others = clients.filter((_, i) => i !== closed);
    for (const client of others) client.write('x');
    for (const client of others) expect((await client.response()).status).toBe(404);
    expect(engine.forgotten().connections).toBe(1);
  });

  it('do not count once they are whole, or given up', async () => {
    server = await serveFake(() => ({}));
    for (let i = 0; i < 3 * atOnce; i += 1) {
      const client = await open();
      for (const part of half(bodyBytesMax - 1)) client.write(part);
      if (i % 2) client.socket.destroy();
      else {
        client.write('x');
        expect((await client.response()).status).toBe(200);
      }
    }
  });
});

describe('requests that wait for their turn', () => {
  it('hold so many bytes in all: one connection is closed for the next', async () => {
    server = await serveFake(() => ({ latencyMs: 60_000 }), { timing: { graceMs: 10 } });
    const waiting = get('/b').repeat(1500);
    for (let i = 0; i <= intakeBytesMax / waiting.length; i += 1) {
      const client = await open();
      client.write(get('/a') + waiting);
    }
    await Promise.race(clients.map(({ ended }) => ended));
    const isOpen = await Promise.all(clients.map(({ ended }) => Promise.race([ended.then(() => false), true])));
    expect(isOpen.filter(Boolean).length).toBeGreaterThan(clients.length / 2);
  });
});

describe('unread responses', () => {
  const long = 'x'.repeat(unreadBytesMax);
  const atOnce = Math.floor(intakeBytesMax / unreadBytesMax);

  it('hold so many bytes in all: the oldest is closed for the next', async () => {
    server = await serveFake(({ path }) => (path === '/long' ? { body: long } : {}));
    for (let i = 0; i <= atOnce; i += 1) {
      const client = await open();
      client.socket.pause();
      // The buffers of the system are outside our control.
      client.write(get('/long').repeat(8));
    }
    const count = () => new Promise((resolve) => server.server.getConnections((_, found) => resolve(found)));
    await expect.poll(count, { interval: 5 }).toBeLessThanOrEqual(atOnce);
    expect(await isAlive(await open())).toBe(true);
  });

  const length = async () => (await (await fetch(`http://127.0.0.1:${server.port}/long`)).arrayBuffer()).byteLength;

  it('do not count once they were read', async () => {
    server = await serveFake(() => ({ body: long }));
    for (let i = 0; i < 2 * atOnce; i += 1) expect(await length()).toBe(long.length);
  });

  it('may be as long as the admin API makes them', async () => {
    const dump = 'x'.repeat(2 * intakeBytesMax);
    server = await serveFake(() => ({ body: dump }));
    expect(await length()).toBe(dump.length);
  });
});

describe('open connections', () => {
  it('are so many at most: the oldest that waits for nothing is closed for the next', async () => {
    server = await serveFake(({ path }) => (path === '/slow' ? { latencyMs: 60_000 } : {}));
    const waiting = await open();
    waiting.write(get('/slow'));
    const idle = await open();
    expect(await isAlive(idle)).toBe(true);
    for (let i = 2; i < connectionsMax; i += 1) await open();
    expect(await isAlive(idle)).toBe(true);
    const newest = await open();
    expect(await isAlive(newest)).toBe(true);
    expect(await isAlive(idle)).toBe(false);
    expect(await Promise.race([waiting.ended, Promise.resolve('open')])).toBe('open');
  });
});
