import { afterEach, describe, expect, it } from 'vitest';
import { makeCertificates } from '../../fixtures/test-kit/certificates.ts';
import { type CliProcess, runCli } from '../../fixtures/test-kit/command.ts';
import { goodKey } from '../../fixtures/test-kit/engine.ts';
import { freePort, hasCommand } from '../../fixtures/test-kit/own-process.ts';
import { type Durability, endAll, newFolder, type Service, send, startRedis, startReplicas } from './processes.ts';
import { commonSnapshot, disturbances, startSite, storm } from './storm.ts';

const hasRedis = hasCommand('redis-server');
/** How long a busy machine may take to come back. */
const patience = { timeout: 30_000 };
const commands: CliProcess[] = [];

afterEach(async () => {
  for (const { child } of commands.splice(0)) child.kill('SIGKILL');
  await endAll();
});

async function replicasOf(count: number, url: string): Promise<number[]> {
  return (await startReplicas(count, ['--no-limits', '--shared', url])).map(({ port }) => port);
}

function run(argv: readonly string[], env: Record<string, string> = {}): CliProcess {
  const running = runCli(['mock', '--port', '0', ...argv], { env });
  commands.push(running);
  return running;
}

const headers = { authorization: `Bearer ${goodKey}` };
const link = (label: string) => ({ headers, body: { provider: 'tiktok', label } });
const links = 'POST /api/v1/connect/accounts';

describe.skipIf(!hasRedis)('casa mock --shared', () => {
  it.each<[Durability, RegExp]>([
    ['off', /Note +Redis keeps no append-only file: when it restarts, acknowledged changes are lost/],
    ['everysec', /Note +Redis syncs its file every second: .* the last two seconds may be lost/],
    ['always', /^(?![\s\S]*lost)/],
  ])('says what a Redis with its file %s may lose', async (durability, sentence) => {
    const redis = await startRedis(durability);
    const running = run(['--shared', redis.url('told')]);
    await running.waitFor(/shared with all replicas at redis:\/\/127\.0\.0\.1:\d+\/told\n[\s\S]*?\n/);
    expect(running.stdout()).toMatch(sentence);
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
  });

  it('does not start with an unusable Redis, and reports why in one sentence', async () => {
    const dropping = await startRedis('off', ['--maxmemory-policy', 'allkeys-lru']);
    const redis = await startRedis('off');
    await replicasOf(1, redis.url('x'));
    const seeded = ['--relaxed', '--no-limits', '--settle', '300s', '--seed', '5', '--shared', redis.url('x')];
    for (const [argv, code, sentence] of [
      [['--shared', dropping.url('x')], 2, /its maxmemory-policy is allkeys-lru; set it to noeviction/],
      [['--shared', 'redis://user:secret@127.0.0.1:1/x'], 1, /redis:\/\/127\.0\.0\.1:1\/x cannot be reached/],
      [seeded, 2, /differ from this one in --seed, --settle\. Start this replica with the same settings/],
    ] as const) {
      const running = run(argv);
      expect([await running.ended, running.stderr()]).toEqual([code, expect.stringMatching(sentence)]);
      expect(running.stderr()).not.toMatch(/secret/);
    }
  });

  it('keeps the stream bounded, without a key in it, and starts from a checkpoint', async () => {
    const redis = await startRedis('off');
    const args = ['--no-limits', '--shared', redis.url('b')];
    const [one, two] = (await startReplicas(2, args)) as [Service, Service];
    const client = await redis.open();
    for (let i = 0; i < 600; i += 1) expect((await send(one.port, links, link(`Branch ${i}`))).status).toBe(200);
    await one.end('SIGTERM');
    const entries = (await client.sendCommand(['XRANGE', 'casa:{b}:log', '-', '+'])) as unknown as unknown[];
    expect(entries.length).toBeLessThan(300);
    const kept = String(await client.sendCommand(['HGET', 'casa:{b}:checkpoint', 'bytes']));
    expect(kept.length).toBeGreaterThan(1_000);
    for (const text of [JSON.stringify(entries), kept, Buffer.from(kept, 'base64').toString('latin1')]) {
      expect(text).not.toMatch(/0123456789abcdef|Bearer/);
    }
    await one.start();
    const { shared } = await (await send(one.port, 'GET /__admin/health')).json();
    expect([shared.restored, shared.applied < 10]).toEqual([1, true]);
    expect((await commonSnapshot([one, two])).requestLog.count).toBe(600);
  });

  it('begins again on every replica when Redis has lost everything', async () => {
    const redis = await startRedis('off');
    const [one = 0, two = 0] = await replicasOf(2, redis.url('l'));
    expect((await send(one, links, link('Lost'))).status).toBe(200);
    await redis.end('SIGKILL');
    await redis.start();
    await expect.poll(async () => (await send(one, links, link('After'))).status, patience).toBe(200);
    await expect.poll(async () => (await send(two, 'GET /__ready')).status, patience).toBe(200);
    const read = async (port: number) => (await send(port, 'GET /api/v1/connect/accounts', { headers })).text();
    const [first = '', second] = await Promise.all([one, two].map(read));
    expect(first).toBe(second);
    expect(first).toMatch(/After/);
    expect(first).not.toMatch(/Lost/);
  });
});

describe.skipIf(!hasRedis || !hasCommand('openssl'))('casa mock --shared rediss://', () => {
  /** As docs/shared.md grants them. */
  const rights = '~casa:* +ping +info +config|get +hello +client +xadd +xread +xrange +xtrim +hget +hmget +hset +eval';

  it('shares over TLS with a password and few rights, and says why it does not start', async () => {
    const { ca, cert, key } = makeCertificates(newFolder());
    const port = await freePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', ca];
    const tls = ['--tls-port', String(port), ...files, '--tls-auth-clients', 'no'];
    await startRedis('off', [...tls, '--user', 'team', 'on', '>secret', ...rights.split(' ')]);
    const start = (login: string, env: Record<string, string> = { NODE_EXTRA_CA_CERTS: ca }) =>
      run(['--quiet', '--no-limits', '--shared', `rediss://${login}@127.0.0.1:${port}/x`], env);
    const ports = await Promise.all(
      [start('team:secret'), start('team:secret')].map(async (one) => {
        const [, found] = await one.waitFor(/Base URL +http:\/\/127\.0\.0\.1:(\d+)/);
        expect(one.stdout()).not.toMatch(/secret/);
        return Number(found);
      }),
    );
    expect((await send(ports[0] as number, links, link('Over TLS'))).status).toBe(200);
    const read = await send(ports[1] as number, 'GET /api/v1/connect/accounts', { headers });
    expect(await read.text()).toMatch(/Over TLS/);
    for (const [running, reason] of [
      [start('team:wrong1'), /WRONGPASS/],
      [start('team:secret', {}), /self-signed|unable to (get|verify)/i],
    ] as const) {
      expect(await running.ended).toBe(1);
      expect(running.stderr()).toMatch(reason);
      expect(running.stderr()).toMatch(/rediss:\/\/127\.0\.0\.1:\d+\/x cannot be reached/);
      expect(running.stderr()).not.toMatch(/wrong1|secret/);
    }
  });
});

describe.skipIf(!hasRedis || !hasCommand('haproxy'))('three replicas behind a proxy', () => {
  it('are one mock in spite of all that happens to them', { timeout: 120_000 }, async () => {
    const site = await startSite();
    for (const name of Object.keys(disturbances)) {
      const { hasResponse, operations, posts } = await storm(site, name);
      expect([hasResponse > 40, operations > 40, posts > 5]).toEqual([true, true, true]);
    }
  });
});
