// What sharing costs: the same requests to one mock alone and to replicas, in turn, on one machine. Only ratios of one
// run say something.
import { connect } from 'node:net';
import { goodKey, googleAccount } from '../rigs/engine.ts';
import { type Durability, RedisServer } from './redis-server.ts';
import { type ReplicaCommand, startReplicas } from './replicas.ts';

export interface Load {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Wish {
  readonly connections: number;
  readonly ms: number;
  /** Ends after so many answers instead. */
  readonly requests?: number;
}

const reads = ['/articles?limit=3', '/sites', '/connect/accounts', `/connect/accounts/${googleAccount}/reviews`];
const requests = reads.map((path) =>
  Buffer.from(`GET /api/v1${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${goodKey}\r\n\r\n`),
);

/** Keep-alive connections to all ports in turn, one request at a time on each. Rejects when an answer is not 200. */
export async function load(
  ports: readonly number[],
  { connections, ms, requests: most = Infinity }: Wish,
): Promise<Load> {
  const latencies: number[] = [];
  let isOver = false;
  let next = 0;
  const one = (port: number) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect({ port, host: '127.0.0.1', noDelay: true });
      let missing = -1;
      let startMs = 0;
      const ask = () => {
        if (isOver) {
          socket.destroy();
          return resolve();
        }
        missing = -1;
        startMs = performance.now();
        next += 1;
        socket.write(requests[next % requests.length] as Buffer);
      };
      socket.on('connect', ask);
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        if (missing === -1) {
          const end = chunk.indexOf('\r\n\r\n');
          const head = chunk.toString('latin1', 0, end).toLowerCase();
          if (!head.startsWith('http/1.1 200')) return reject(new Error(head.split('\r\n')[0]));
          missing = end + 4 + Number.parseInt(head.slice(head.indexOf('content-length:') + 15), 10);
        }
        missing -= chunk.length;
        if (missing > 0) return;
        latencies.push(performance.now() - startMs);
        if (latencies.length >= most) isOver = true;
        ask();
      });
    });
  const startMs = performance.now();
  const timer = setTimeout(() => {
    isOver = most === Infinity;
  }, ms);
  await Promise.all(Array.from({ length: connections }, (_, i) => one(ports[i % ports.length] as number)));
  clearTimeout(timer);
  const seconds = (performance.now() - startMs) / 1000;
  latencies.sort((a, b) => a - b);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? Number.NaN;
  return { perSecond: latencies.length / seconds, p50Ms: at(0.5), p99Ms: at(0.99) };
}

export interface Row {
  readonly name: string;
  readonly single: Load;
  readonly many: Load;
}

/** A set-up in which everything that it started can be ended. */
interface Contender {
  readonly name: string;
  readonly replicas: readonly ReplicaCommand[];
  readonly redis: RedisServer | null;
}

export interface SpeedOptions {
  readonly command: string;
  readonly folder: () => string;
  readonly ms: number;
}

const setUps: readonly (readonly [name: string, replicas: number, durability: Durability | null])[] = [
  ['alone, without --shared', 1, null],
  ['1 replica, AOF off', 1, 'off'],
  ['1 replica, AOF everysec', 1, 'everysec'],
  ['1 replica, AOF always', 1, 'always'],
  ['2 replicas, AOF off', 2, 'off'],
  ['3 replicas, AOF off', 3, 'off'],
];

/** Each set-up by itself, three times in turn, so that a slow minute hits all alike; medians. */
export async function measureSpeed({ command, folder, ms }: SpeedOptions): Promise<Row[]> {
  const contenders: Contender[] = [];
  for (const [name, count, durability] of setUps) {
    const redis = durability === null ? null : await RedisServer.start(folder(), durability);
    const args = ['--no-limits', ...(redis ? ['--shared', redis.url('speed')] : [])];
    contenders.push({ name, redis, replicas: await startReplicas(count, { command, args }) });
  }
  const found = new Map(setUps.map(([name]) => [name, { single: [] as Load[], many: [] as Load[] }]));
  for (let round = 0; round < 4; round += 1) {
    for (const { name, replicas } of round % 2 === 0 ? contenders : [...contenders].reverse()) {
      const ports = replicas.map(({ port }) => port);
      const single = await load(ports, { connections: 1, ms });
      const many = await load(ports, { connections: 60, ms });
      // The first round warms everything up.
      if (round === 0) continue;
      found.get(name)?.single.push(single);
      found.get(name)?.many.push(many);
    }
  }
  for (const { replicas, redis } of contenders) {
    for (const replica of replicas) await replica.end('SIGKILL');
    await redis?.stop();
  }
  return [...found].map(([name, { single, many }]) => ({ name, single: medianOf(single), many: medianOf(many) }));
}

function medianOf(loads: readonly Load[]): Load {
  const middle = (pick: (load: Load) => number) =>
    loads.map(pick).sort((a, b) => a - b)[Math.floor(loads.length / 2)] as number;
  return { perSecond: middle((l) => l.perSecond), p50Ms: middle((l) => l.p50Ms), p99Ms: middle((l) => l.p99Ms) };
}

export interface Growth {
  readonly requests: number;
  readonly redisMb: number;
  readonly redisPeakMb: number;
  /** From the start of a process until it is ready: without anything to catch up, and behind all those requests. */
  readonly freshMs: number;
  readonly catchUpMs: number;
}

/** Many requests at two replicas while a third is away, then how long that one takes to come back. */
export async function measureGrowth({ command, folder }: SpeedOptions, count: number): Promise<Growth> {
  const redis = await RedisServer.start(folder(), 'off');
  const [away, ...replicas] = await startReplicas(3, {
    command,
    args: ['--no-limits', '--shared', redis.url('growth')],
  });
  await away?.end('SIGKILL');
  const freshMs = (await away?.start()) ?? Number.NaN;
  await away?.end('SIGKILL');
  await load(
    replicas.map(({ port }) => port),
    { connections: 60, ms: 0, requests: count },
  );
  const catchUpMs = (await away?.start()) ?? Number.NaN;
  const client = await redis.open();
  const info = String(await client.sendCommand(['INFO', 'memory']));
  client.destroy();
  const mb = (name: string) => Number(new RegExp(`${name}:(\\d+)`).exec(info)?.[1]) / 2 ** 20;
  for (const replica of [...replicas, ...(away ? [away] : [])]) await replica.end('SIGKILL');
  await redis.stop();
  return { requests: count, redisMb: mb('used_memory'), redisPeakMb: mb('used_memory_peak'), freshMs, catchUpMs };
}
