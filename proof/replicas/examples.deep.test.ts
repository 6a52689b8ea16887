import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { goodKey } from '../../fixtures/test-kit/engine.ts';
import { hasCommand } from '../../fixtures/test-kit/own-process.ts';
import { endAll, type Redis, type Service, send, startProxy, startRedis, startReplicas } from './processes.ts';

const example = (path: string) => readFileSync(new URL(`../../examples/${path}`, import.meta.url), 'utf8');
const token = 'a-long-admin-token-~!~!';

/** The flags of `casa mock` in each example, with what its platform puts in. */
const flags = {
  compose: parse(example('shared-compose/compose.yaml'))
    .services.casa.command.match(/casa\.js mock\s+([^"]*)/)[1]
    .split(/\s+/),
  kubernetes: parseAllDocuments(example('shared-kubernetes/casa.yaml'))
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Deployment')
    .spec.template.spec.containers[0].command.slice(3),
} as const satisfies Record<string, readonly string[]>;

afterEach(endAll);

/** Our own Redis instead of the example's, and no time to drain. */
async function start(of: keyof typeof flags): Promise<{ redis: Redis; replicas: Service[] }> {
  const redis = await startRedis('always');
  const own = flags[of].map((word: string) =>
    word.replace(/redis:\/\/[\w-]+:6379/, redis.url('').slice(0, -1)).replace(/\$?\$[({]CASA_ADMIN_TOKEN[)}]/, token),
  );
  return { redis, replicas: await startReplicas(2, [...own, '--drain', '0s']) };
}

describe.skipIf(!hasCommand('redis-server') || !hasCommand('haproxy'))('an example of --shared', () => {
  // From elsewhere, as behind a proxy: without the token, nothing would open the admin API.
  const far = { 'x-forwarded-for': '203.0.113.7' };

  it.each(['compose', 'kubernetes'] as const)('gives the admin API to its token: %s', async (of) => {
    const { redis, replicas } = await start(of);
    const [one, two] = replicas.map(({ port }) => port) as [number, number];
    const admin = async (port: number, line: string, body?: object) => {
      const headers = { ...far, authorization: `Bearer ${token}` };
      const response = await send(port, line.replace(' ', ' /__admin'), { body, headers });
      const text = await response.text();
      expect([line, response.ok, text]).toEqual([line, true, text]);
      return text.startsWith('{') ? JSON.parse(text) : text;
    };
    const sites = async (port: number, key: string) =>
      (await send(port, 'GET /api/v1/sites', { headers: { ...far, authorization: `Bearer ${key}` } })).status;
    const { key } = await admin(one, 'POST /organizations', { name: 'Team A' });
    expect(JSON.stringify(await admin(two, 'GET /organizations'))).toContain('Team A');
    expect(await sites(two, key)).toBe(200);
    const { call } = await admin(one, 'POST /calls', {});
    expect(JSON.stringify(await admin(two, 'GET /calls'))).toContain(call.id);
    const { nowMs } = await admin(one, 'GET /clock');
    await admin(one, 'POST /clock/advance', { duration: '1h' });
    expect((await admin(two, 'GET /clock')).nowMs).toBeGreaterThanOrEqual(nowMs + 3_600_000);
    await admin(two, 'POST /faults', { match: { operation: 'listSites' }, error: 'transient', times: 1 });
    expect(await sites(one, goodKey)).toBe(503);
    expect(await admin(one, 'GET ')).toContain('<!doctype html>');
    expect(JSON.stringify(await admin(two, 'GET /requests'))).toContain('/api/v1/sites');
    for (const line of ['POST /__admin/reset', 'GET /__admin/organizations']) {
      expect((await send(one, line, { headers: far })).status).toBe(401);
    }
    const client = await redis.open();
    const entries = JSON.stringify(await client.sendCommand(['XRANGE', 'casa:{sandbox}:log', '-', '+']));
    client.destroy();
    expect(entries).toContain('Team A');
    expect(entries).not.toMatch(/a-long-admin|~!~!/);
  });

  it('lets no client choose its address window, and responds as the mock while no replica does', async () => {
    const { replicas } = await start('compose');
    const proxy = await startProxy(replicas);
    const read = (i: number) => {
      const forwarded = { 'x-forwarded-for': `198.51.100.${i}`, 'x-forwarded-host': 'evil.example' };
      return send(proxy.port, 'GET /api/v1/sites', { headers: { authorization: `Bearer ${goodKey}`, ...forwarded } });
    };
    const statuses: number[] = [];
    for (let i = 0; i < 14; i += 1) statuses.push((await read(i)).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.slice(-4)).toEqual([429, 429, 429, 429]);
    for (const replica of replicas) await replica.end('SIGKILL');
    const rejected = await read(0);
    expect([rejected.status, rejected.headers.get('retry-after')]).toEqual([503, '1']);
    expect(rejected.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect((await rejected.json()).error.code).toBe('transient');
  });
});
