import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeCertificates } from '../networks/certificates.ts';
import { freePort, hasCommand } from '../networks/own-process.ts';
import { runCli } from '../rigs/command.ts';
import { goodKey } from '../rigs/engine.ts';
import { RedisServer } from './redis-server.ts';

const canRun = hasCommand('redis-server') && hasCommand('openssl');
/** What docs/shared.md grants the mock. */
const rights = '~casa:* +ping +info +config|get +hello +client +xadd +xread +xrange +xtrim +hget +hmget +hset +eval';

describe.skipIf(!canRun)('casa mock --shared rediss://', () => {
  const folder = mkdtempSync(join(tmpdir(), 'casa-tls-'));
  let redis: RedisServer;
  let port = 0;
  let authority = '';
  const started: ReturnType<typeof runCli>[] = [];

  beforeAll(async () => {
    const { ca, cert, key } = makeCertificates(folder);
    authority = ca;
    port = await freePort();
    const files = ['--tls-cert-file', cert, '--tls-key-file', key];
    const tls = ['--tls-port', String(port), ...files, '--tls-ca-cert-file', authority, '--tls-auth-clients', 'no'];
    redis = await RedisServer.start(folder, 'off', [...tls, '--user', 'team', 'on', '>secret', ...rights.split(' ')]);
  });
  afterAll(async () => {
    for (const { child } of started) child.kill('SIGKILL');
    await redis?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (login: string, env: Record<string, string> = { NODE_EXTRA_CA_CERTS: authority }) => {
    const url = `rediss://${login}@127.0.0.1:${port}/x`;
    const running = runCli(['mock', '--port', '0', '--quiet', '--no-limits', '--shared', url], { env });
    started.push(running);
    return running;
  };

  it('shares over TLS with a password and few rights', async () => {
    const bases = await Promise.all(
      [start('team:secret'), start('team:secret')].map(async (one) => {
        const [, base = ''] = await one.waitFor(/Base URL +(\S+)/);
        expect(one.stdout()).not.toMatch(/secret/);
        return base;
      }),
    );
    const headers = { authorization: `Bearer ${goodKey}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ provider: 'tiktok', label: 'Over TLS' });
    const made = await fetch(`${bases[0]}/connect/accounts`, { method: 'POST', headers, body });
    expect(made.status).toBe(200);
    expect(await (await fetch(`${bases[1]}/connect/accounts`, { headers })).text()).toMatch(/Over TLS/);
  });

  it.each<[string, string, Record<string, string> | undefined, RegExp]>([
    ['a wrong password', 'team:wrong1', undefined, /WRONGPASS/],
    ['an authority that nobody knows', 'team:secret', {}, /self-signed|unable to (get|verify)/i],
  ])('says in one sentence why it does not start: %s', async (_what, login, env, reason) => {
    const running = start(login, env);
    expect(await running.ended).toBe(1);
    expect(running.stderr()).toMatch(reason);
    expect(running.stderr()).toMatch(/rediss:\/\/127\.0\.0\.1:\d+\/x cannot be reached/);
    expect(running.stderr()).not.toMatch(/wrong1|secret/);
  });
});
