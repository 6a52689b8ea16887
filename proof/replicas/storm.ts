// Three replicas behind the proxy under load, while they, Redis and connections are killed. The clients of the
// simulation have to see a history that one mock could have given, and every replica has to hold it.
import { goodKey, googleAccount } from '../../fixtures/test-kit/engine.ts';
import { Client, type Field, poster, replier } from './clients.ts';
import { holdPosts, holdRegisters, type Recorded } from './history.ts';
import { type Redis, type Service, send, startProxy, startRedis, startReplicas } from './processes.ts';

interface Site {
  readonly redis: Redis;
  readonly replicas: readonly Service[];
  readonly proxy: Service;
}

export async function startSite(): Promise<Site> {
  const redis = await startRedis('always');
  const replicas = await startReplicas(3, ['--no-limits', '--shared', redis.url('storm')]);
  return { redis, replicas, proxy: await startProxy(replicas) };
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

async function restart(services: readonly Service[], signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  for (const service of services) {
    await wait(200);
    await service.end(signal);
    await wait(200);
    await service.start();
  }
}

/** Each leaves the site whole. */
export const disturbances: Readonly<Record<string, (site: Site) => Promise<void>>> = {
  'kill -9 of each replica in turn': ({ replicas }) => restart(replicas, 'SIGKILL'),
  'a rolling restart by SIGTERM': ({ replicas }) => restart(replicas, 'SIGTERM'),
  'kill -9 of Redis, twice': ({ redis }) => restart([redis, redis], 'SIGKILL'),
  'connections cut every 60 ms': async ({ redis }) => {
    const client = await redis.open();
    for (let i = 0; i < 25; i += 1) {
      await client.sendCommand(['CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes']);
      await wait(60);
    }
    client.destroy();
  },
};

const headers = { authorization: `Bearer ${goodKey}` };
let storms = 0;

/** Throws with the first contradiction; returns numbers that show that something was tried. */
export async function storm(site: Site, name: string) {
  const { proxy, replicas } = site;
  const path = `GET /api/v1/connect/accounts/${googleAccount}/reviews`;
  const { data } = await (await send(proxy.port, path, { headers })).json();
  const items: { reviewId: string; replyText?: string }[] = data.reviews.slice(0, 5);
  const texts = Object.fromEntries(items.map(({ reviewId, replyText }) => [reviewId, replyText ?? null]));
  const history: Recorded[] = [];
  let isOver = false;
  storms += 1;
  const field: Field = {
    seed: storms,
    now: () => performance.now(),
    wait,
    isOver: () => isOver,
    isSettled: () => true,
    rests: false,
    history,
    reviews: Object.keys(texts),
    send: async ({ line, body }) => {
      try {
        const response = await send(proxy.port, line.replace(' ', ' /api/v1'), { body, headers });
        const apiResponse = { status: response.status, json: await response.json() };
        if (apiResponse.status !== 200) await wait(20);
        return apiResponse;
      } catch {
        await wait(20);
        return null;
      }
    },
  };
  const clients = Array.from({ length: 8 }, (_, i) => {
    return (i % 3 === 2 ? poster : replier)(new Client(`${storms}-${i}`, field), field);
  });
  await disturbances[name]?.(site);
  await wait(500);
  isOver = true;
  await Promise.all(clients);
  const { world } = await commonSnapshot(replicas);
  const accounts: { accountId: string; posts: { postId: string; text: string }[] }[] = world[0].accounts;
  const posts = accounts.find(({ accountId }) => accountId === googleAccount)?.posts ?? [];
  return {
    hasResponse: history.filter(({ status }) => status !== null).length,
    unknown: history.filter(({ status }) => status === null).length,
    operations: holdRegisters(history, texts),
    posts: holdPosts(history, posts),
  };
}

export async function commonSnapshot(replicas: readonly Service[]) {
  const [one] = replicas as [Service];
  await send(one.port, 'POST /__admin/snapshots', { body: { id: 'common' } });
  const read = async ({ port }: Service) => (await send(port, 'GET /__admin/snapshots/common')).text();
  const [found = '', ...others] = new Set(await Promise.all(replicas.map(read)));
  if (others.length > 0) throw new Error('the replicas hold different states');
  return JSON.parse(found).snapshot;
}
