// What happens to three replicas under load: processes are killed, Redis is killed, connections are cut.
import type { RedisServer } from './redis-server.ts';
import type { ReplicaCommand } from './replicas.ts';
import { Storm, type StormResult } from './storm.ts';

export interface Field {
  readonly redis: RedisServer;
  readonly replicas: readonly ReplicaCommand[];
  readonly proxyPort: number;
  /** Less of everything, for the tests of each day. */
  readonly isShort?: boolean;
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Each is done to a field under load, and leaves it whole. */
export const disturbances: Readonly<Record<string, (field: Field) => Promise<void>>> = {
  'nothing at all': () => wait(3_000).then(() => {}),
  'kill -9 of each replica in turn': async ({ replicas, isShort }) => {
    for (const replica of isShort ? replicas.slice(1) : replicas) {
      await wait(isShort ? 200 : 700);
      await replica.end('SIGKILL');
      await wait(300);
      await replica.start();
    }
    await wait(500);
  },
  'a rolling restart by SIGTERM': async ({ replicas }) => {
    for (const replica of replicas) {
      await wait(500);
      await replica.end('SIGTERM');
      await replica.start();
    }
    await wait(500);
  },
  'an upgrade in place, which each new replica refuses': async ({ replicas, isShort }) => {
    for (const replica of isShort ? replicas.slice(2) : replicas) {
      await wait(300);
      await replica.end('SIGTERM');
      const { code, said } = await replica.startAnother(['--seed', '5']);
      if (code !== 2 || !/another version, world or setting/.test(said)) {
        throw new Error(`a replica of another version was not refused (${code}): ${said}`);
      }
      await replica.start();
    }
    await wait(300);
  },
  'kill -9 of Redis, twice': async ({ redis, isShort }) => {
    for (let i = 0; i < 2; i += 1) {
      await wait(isShort ? 300 : 1_000);
      await redis.kill();
      await wait(isShort ? 200 : 500);
      await redis.run();
    }
    await wait(isShort ? 500 : 1_500);
  },
  'connections cut every 60 ms for 6 s': async ({ redis, isShort }) => {
    const client = await redis.open();
    for (let i = 0; i < (isShort ? 25 : 100); i += 1) {
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await wait(60);
    }
    client.destroy();
    await wait(isShort ? 300 : 1_000);
  },
};

let storms = 0;

export async function disturb(field: Field, name: string): Promise<StormResult> {
  const act = disturbances[name] as (field: Field) => Promise<void>;
  storms += 1;
  const storm = await Storm.begin(field.proxyPort, { name: `s${storms}`, clients: 8 });
  await act(field);
  await Promise.all(field.replicas.map(untilReady));
  return await storm.end(field.replicas.map(({ port }) => port));
}

async function untilReady(replica: ReplicaCommand): Promise<void> {
  for (let i = 0; i < 400 && !(await replica.isReady()); i += 1) await wait(25);
}
