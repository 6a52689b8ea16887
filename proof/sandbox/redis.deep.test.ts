import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { mockFlags } from '../../src/cli/mock-flags.ts';
import type { MockProcess } from '../../src/cli/mock-process.ts';
import { settle } from '../../src/cli/settings.ts';
import { startSharedProcess } from '../../src/cli/shared/shared-process.ts';
import { loadWorld } from '../../src/cli/world-source.ts';
import type { ReplicaPace } from '../../src/shared/replica.ts';
import { parseFlags } from '../../src/terminal/flag-parser.ts';
import { hasCommand } from '../networks/own-process.ts';
import { bundledCommand, runCli } from '../rigs/command.ts';
import { goodKey } from '../rigs/engine.ts';
import { disturb, disturbances } from './chaos.ts';
import { type Durability, RedisServer } from './redis-server.ts';
import { startProxy, startReplicas } from './replicas.ts';

const hasRedis = hasCommand('redis-server');
/** How long a busy machine may take to come back. */
const patience = { timeout: 30_000 };
const closers: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

function folderOf(): string {
  const folder = mkdtempSync(join(tmpdir(), 'casa-redis-'));
  closers.push(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function startRedis(durability: Durability, more: readonly string[] = []): Promise<RedisServer> {
  const redis = await RedisServer.start(folderOf(), durability, more);
  closers.push(() => redis.stop());
  return redis;
}

async function startReplica(url: string, pace: Partial<ReplicaPace> = {}): Promise<MockProcess> {
  const settings = settle(parseFlags(['--shared', url, '--port', '0', '--no-limits'], mockFlags));
  const nowMs = Date.now();
  const source = await loadWorld({ world: null, data: null }, nowMs);
  const options = { settings, source, nowMs, onShutdown: () => {}, onNotice: () => {} };
  const replica = await startSharedProcess(options, pace);
  closers.push(() => replica.stop());
  return replica;
}

const ask = (replica: MockProcess, path: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${replica.server.port}${path}`, {
    ...init,
    headers: { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' },
  });

async function run(argv: readonly string[]) {
  const running = runCli(['mock', '--port', '0', ...argv]);
  return { code: await running.ended, said: running.stderr() };
}

describe.skipIf(!hasRedis)('casa mock --shared', () => {
  it.each<[Durability, RegExp | null]>([
    ['off', /Note +Redis keeps no append-only file: when it restarts, acknowledged changes are lost/],
    ['everysec', /Note +Redis syncs its file every second: .* the last two seconds may be lost/],
    ['always', null],
  ])('says what a Redis with its file %s may lose', async (durability, sentence) => {
    const redis = await startRedis(durability);
    const running = runCli(['mock', '--port', '0', '--shared', redis.url('told')]);
    await running.waitFor(/shared with all replicas at redis:\/\/127\.0\.0\.1:\d+\/told\n[\s\S]*?\n/);
    if (sentence) expect(running.stdout()).toMatch(sentence);
    else expect(running.stdout()).not.toMatch(/lost/);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });

  it('refuses a Redis that drops data by itself', async () => {
    const redis = await startRedis('off', ['--maxmemory-policy', 'allkeys-lru']);
    const { code, said } = await run(['--shared', redis.url('x')]);
    expect(code).toBe(2);
    expect(said).toMatch(/its maxmemory-policy is allkeys-lru; set it to noeviction/);
  });

  it('says that a Redis cannot be reached', async () => {
    const { code, said } = await run(['--shared', 'redis://user:secret@127.0.0.1:1/x']);
    expect(code).toBe(1);
    expect(said).toMatch(/redis:\/\/127\.0\.0\.1:1\/x cannot be reached/);
    expect(said).not.toMatch(/secret/);
  });

  it('refuses a log of replicas with other settings', async () => {
    const redis = await startRedis('off');
    await startReplica(redis.url('x'));
    const { code, said } = await run(['--shared', redis.url('x'), '--seed', '5']);
    expect(code).toBe(2);
    expect(said).toMatch(/another version, world or setting/);
  });

  it('keeps the stream bounded, without a key in it, and starts from a checkpoint', async () => {
    const redis = await startRedis('off');
    const pace = { checkpointBytes: 100_000 };
    const replicas = [await startReplica(redis.url('b'), pace), await startReplica(redis.url('b'), pace)];
    const client = await redis.open();
    closers.push(() => client.destroy());
    for (let i = 0; i < 60; i += 1) {
      const round = replicas.map((replica) =>
        Array.from({ length: 20 }, () => ask(replica, '/api/v1/articles?limit=1')),
      );
      await Promise.all(round.flat().map(async (answer) => (await answer).arrayBuffer()));
    }
    const raw = JSON.stringify(await client.sendCommand(['XRANGE', 'casa:{b}:log', '-', '+']));
    expect(raw.length).toBeLessThan(300_000);
    const kept = String(await client.sendCommand(['HGET', 'casa:{b}:checkpoint', 'bytes']));
    expect(kept.length).toBeGreaterThan(1_000);
    for (const text of [raw, kept, Buffer.from(kept, 'base64').toString('latin1')]) {
      expect(text).not.toMatch(/0123456789abcdef|Bearer/);
    }
    const third = await startReplica(redis.url('b'), pace);
    await ask(third, '/__admin/snapshots', { method: 'POST', body: '{"id":"s"}' });
    const states = await Promise.all(
      [...replicas, third].map(async (replica) => (await ask(replica, '/__admin/snapshots/s')).text()),
    );
    expect(new Set(states).size).toBe(1);
    expect(JSON.parse(states[0] ?? '').snapshot.journal.count).toBe(2400);
  });

  it('begins anew on every replica when Redis has lost everything', async () => {
    const redis = await startRedis('off');
    const replicas = [await startReplica(redis.url('l')), await startReplica(redis.url('l'))] as const;
    const link = { method: 'POST', body: JSON.stringify({ provider: 'tiktok', label: 'Lost' }) };
    expect((await ask(replicas[0], '/api/v1/connect/accounts', link)).status).toBe(200);
    await redis.kill();
    await redis.run();
    const after = { method: 'POST', body: JSON.stringify({ provider: 'tiktok', label: 'After' }) };
    await expect
      .poll(async () => (await ask(replicas[0], '/api/v1/connect/accounts', after)).status, patience)
      .toBe(200);
    await expect.poll(async () => (await ask(replicas[1], '/__ready')).status, patience).toBe(200);
    const texts = await Promise.all(replicas.map(async (each) => (await ask(each, '/api/v1/connect/accounts')).text()));
    expect(texts[0]).toBe(texts[1]);
    expect(texts[0]).toMatch(/After/);
    expect(texts[0]).not.toMatch(/Lost/);
  });
});

describe.skipIf(!hasRedis || !hasCommand('haproxy'))('three replicas behind a proxy', () => {
  it('are one mock in spite of all that happens to them', { timeout: 120_000 }, async () => {
    const redis = await startRedis('always');
    const args = ['--no-limits', '--shared', redis.url('storm')];
    const replicas = await startReplicas(3, { command: bundledCommand, args });
    for (const replica of replicas) closers.push(() => replica.end('SIGKILL'));
    const proxy = await startProxy(
      folderOf(),
      replicas.map(({ port }) => port),
    );
    closers.push(() => proxy.stop());
    const names = Object.keys(disturbances).filter((name) => !/nothing|SIGTERM/.test(name));
    expect(names).toHaveLength(4);
    for (const name of names) {
      const result = await disturb({ redis, replicas, proxyPort: proxy.port, isShort: true }, name);
      expect([name, result.failure]).toEqual([name, null]);
      expect(result.answered).toBeGreaterThan(100);
      expect(result.posts).toBeGreaterThan(20);
    }
  });
});
