// Restart time of a replica after many requests, its memory, and its speed compared with one mock without a log.
import { readFileSync } from 'node:fs';
import { type Service, send, startRedis, startReplicas } from './processes.ts';

/** Each team has its own organization, and lists that grow: the costly case for a replay. */
async function load(port: number, requests: number): Promise<number> {
  const startMs = performance.now();
  let sent = 0;
  const client = async (_: unknown, n: number) => {
    const call = async (line: string, body?: object, key?: string) => {
      const headers = key === undefined ? {} : { authorization: `Bearer ${key}`, 'x-forwarded-for': `203.0.113.${n}` };
      const response = await send(port, line, { body, headers });
      if (!response.ok) throw new Error(`${line} returned ${response.status}: ${await response.text()}`);
      return response.json();
    };
    const { id, key } = await call('POST /__admin/organizations', {});
    const accounts = 'GET /api/v1/connect/accounts';
    const { data } = await call(accounts, undefined, key);
    const account = JSON.stringify(data).match(/"accountId":"([^"]+)","provider":"google_business"/)?.[1];
    const steps = [
      (i: number) => call('POST /api/v1/connect/accounts', { provider: 'tiktok', label: `Branch ${i}` }, key),
      () => call(`GET /api/v1/connect/accounts/${account}/reviews`, undefined, key),
      (i: number) => call(`POST /api/v1/connect/accounts/${account}/posts`, { text: `Post ${i} of team ${n}` }, key),
      () => call('POST /__admin/calls', { organizationId: id, durationS: 1 }),
      () => call(accounts, undefined, key),
    ];
    for (let i = 0; sent < requests; i += 1) {
      sent += 1;
      await steps[i % steps.length]?.(i);
    }
  };
  await Promise.all(Array.from({ length: 12 }, client));
  return Math.round((requests / (performance.now() - startMs)) * 1000);
}

/** Many requests at one of two replicas; then the other is killed, and stopped. Times, rates and memory. */
export async function measureRestart(requests: number) {
  const [alone] = (await startReplicas(1, ['--no-limits'])) as [Service];
  const perSecondAlone = await load(alone.port, requests);
  await alone.end('SIGKILL');
  const redis = await startRedis('everysec');
  const args = ['--no-limits', '--shared', redis.url('restart')];
  const [busy, other] = (await startReplicas(2, args)) as [Service, Service];
  await other.end('SIGKILL');
  const freshMs = await other.start();
  const perSecond = await load(busy.port, requests);
  const replicaMb = residentMb(busy.pid);
  await other.end('SIGKILL');
  const killedMs = await other.start();
  // Its own work: how much of a processor it gets is up to the machine.
  const killedCpuMs = processStat(other.pid, 13) * 10 + processStat(other.pid, 14) * 10;
  const stoppingMs = await other.end('SIGTERM');
  const stoppedMs = await other.start();
  const times = { freshMs, killedMs, killedCpuMs, stoppingMs, stoppedMs };
  if (killedCpuMs > 3000) throw new Error(`too slow: ${JSON.stringify(times)}`);
  return { perSecond, perSecondAlone, replicaMb, redisMb: residentMb(redis.pid), ...times };
}

const residentMb = (pid: number) => Math.round((processStat(pid, 23) * 4096) / 2 ** 20);

/** A field of Linux: 13 and 14 are processor time in hundredths of a second, 23 the resident pages. */
function processStat(pid: number, field: number): number {
  return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ')[field]);
}
