// `casa mock --shared`: a replica behind a socket. It listens once it has caught up with the log.
import { createHash, randomUUID } from 'node:crypto';
import { createClock } from '../../domain/clock.ts';
import { styleWorld } from '../../domain/style-world.ts';
import type { Listener } from '../../engine/commit.ts';
import type { Engine } from '../../engine/engine.ts';
import { optionRows } from '../../options/mock-options.ts';
import type { Settings } from '../../replicas/log.ts';
import { Replica } from '../../replicas/replica.ts';
import { createSecretStore } from '../../replicas/secret-store.ts';
import type { MakeEngine } from '../../replicas/state.ts';
import { RunError, UsageError } from '../../terminal/usage-error.ts';
import { readVersion } from '../../terminal/version.ts';
import { listen } from '../../transports/node.ts';
import { rebase } from '../../worlds/rebase.ts';
import { flagOf } from '../mock-flags.ts';
import { buildEngine, type MockProcess, type StartOptions } from '../mock-process.ts';
import { type MockSettings, readSharedUrl, type SharedUrl } from '../settings.ts';
import { behaviorsAsked, noBehaviors } from '../start-behaviors.ts';
import { loadWorld, type WorldSource } from '../world-source.ts';
import { checkRedis, openClient, openRedisLog, type RedisModule } from './redis-log.ts';

const timers = {
  now: () => performance.now(),
  later: (ms: number, act: () => void) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
  soon: (act: () => void) => void setImmediate(act),
};

/** Rejects with a `UsageError`, a `RunError` or a `ListenError` when it cannot start. */
export async function startSharedProcess(options: StartOptions): Promise<MockProcess> {
  const { settings, source, onNotice, onShutdown } = options;
  const url = readSharedUrl(settings.shared ?? '');
  const redis = await loadRedis();
  const loss = await checkServer(redis, url);
  const listeners = new Set<Listener>();
  const replica: Replica = new Replica({
    name: randomUUID().replaceAll('-', ''),
    open: () => openRedisLog(redis, url),
    settings: settingsOf(source, settings),
    makeEngine: engineMaker(options, listeners, () => replica),
    secretStore: createSecretStore(source.data.organizations.flatMap(({ keys }) => keys.map(({ key }) => key))),
    timers,
    guard: settings,
    tell: onNotice,
  });
  const run = replica.run();
  try {
    await untilReady(replica, run);
    const server = await serve(replica, settings);
    // Whatever ends it later ends the mock: it would return 503 for ever.
    run.catch((error: Error) => {
      onNotice(error.message);
      process.exitCode = 1;
      onShutdown();
    });
    const stop = async (): Promise<boolean> => {
      replica.drain();
      await new Promise((resolve) => setTimeout(resolve, settings.drainS * 1000));
      await server.close();
      await replica.leaveCheckpoint();
      replica.stop();
      return true;
    };
    const notices = [`shared with all replicas at ${url.shown}`, ...(loss === null ? [] : [loss])];
    return { engine: shownEngine(replica, listeners), server, notices, reload: () => 0, stop, waitsForDisk: false };
  } catch (error) {
    replica.stop();
    throw error;
  }
}

async function loadRedis(): Promise<RedisModule> {
  try {
    return await import('@redis/client');
  } catch {
    throw new UsageError('--shared needs the package @redis/client next to this one: npm install @redis/client@6.');
  }
}

async function checkServer(redis: RedisModule, url: SharedUrl): Promise<string | null> {
  const client = await openClient(redis, url).catch((error: Error) => {
    throw new RunError(`${url.shown} cannot be reached: ${error.message}.`);
  });
  try {
    return await checkRedis(client);
  } finally {
    client.destroy();
  }
}

/** By the names that users know; values other than the version stay unreadable. */
function settingsOf({ identity, data: world }: WorldSource, settings: MockSettings): Settings {
  const common = { ...settings, seed: settings.seed ?? world.seed, world: identity };
  const flags = optionRows
    .filter(([, { isLocal }]) => !isLocal)
    .map(([name, row]) => [`--${flagOf(name, row)}`, digest(JSON.stringify(common[name]))]);
  return { 'the version of casa-kit': readVersion(), ...Object.fromEntries(flags) };
}

const digest = (text = '') => createHash('sha256').update(text).digest('hex').slice(0, 8);

/** The world is loaded for the time at which the log begins, on every replica. */
function engineMaker(options: StartOptions, listeners: Set<Listener>, replica: () => Replica): MakeEngine {
  return async (startMs, now) => {
    const { data } = await loadWorld({ world: options.settings.world, data: options.settings.data });
    const health = () => ({ shared: replica().health() });
    const behaviors = behaviorsAsked(options.settings) ?? noBehaviors;
    const world = { data: styleWorld(rebase(data, startMs), behaviors.chosen) };
    const engine = buildEngine({ ...options, clock: createClock(now), commit: undefined, world, health, behaviors });
    // What is applied on the way to the end of the log has been told before.
    engine.subscribe((event) => {
      if (replica().isReady) for (const listener of listeners) listener(event);
    });
    return engine;
  };
}

/** Rejects where the log cannot be followed; a log that is slow is waited for. */
async function untilReady(replica: Replica, run: Promise<void>): Promise<void> {
  let failure: Error | null = null;
  run.catch((error: Error) => {
    failure = new UsageError(error.message);
  });
  while (!replica.isReady) {
    if (failure !== null) throw failure;
    await new Promise((resolve) => setTimeout(resolve, readyLookMs));
  }
}

const readyLookMs = 10;

function serve(replica: Replica, settings: MockSettings) {
  const engine = {
    handle: () => {
      throw new Error('A replica responds later.');
    },
    handleLater: replica.handle.bind(replica),
    get world() {
      return replica.state?.engine.world ?? { clock: { now: () => Date.now() } };
    },
  };
  return listen(engine, settings);
}

/** For the banner and the log of requests; another engine may take its place at any time. */
function shownEngine(replica: Replica, listeners: Set<Listener>): Engine {
  const subscribe = (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return { ...(replica.state?.engine as Engine), subscribe };
}
