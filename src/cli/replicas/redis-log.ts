// The log as a stream of Redis or Valkey. A connection is two sockets: one appends, one waits for entries. Neither is
// ever repaired by the client, because whoever reads on after a gap has to look whether its last entry is still there.
import type { RedisClientType } from '@redis/client';
import { AppendRejected, entriesAtOnce, type LogConnection, type LogEntry } from '../../replicas/log.ts';
import { UsageError } from '../../terminal/usage-error.ts';
import type { SharedUrl } from '../settings.ts';

/** The package that users bring along; it is loaded with the first connection. */
export type RedisModule = typeof import('@redis/client');
export type RedisClient = RedisClientType<Record<never, never>, Record<never, never>, Record<never, never>, 2>;

const connectMs = 2_000;
/** How long a read waits for an entry: below the time after which a replica counts as behind. */
const blockMs = 1_000;

/** Two keys, which a cluster keeps in one place. */
export function keysOf({ name }: Pick<SharedUrl, 'name'>): { readonly log: string; readonly checkpoint: string } {
  return { log: `casa:{${name}}:log`, checkpoint: `casa:{${name}}:checkpoint` };
}

/** Rejects when the server does not respond. */
export async function openClient(redis: RedisModule, { server }: SharedUrl): Promise<RedisClient> {
  const client = redis.createClient({
    url: server,
    RESP: 2,
    disableOfflineQueue: true,
    maintNotifications: 'disabled',
    socket: { reconnectStrategy: false, connectTimeout: connectMs },
  }) as RedisClient;
  // Whoever waits for a response hears of it; without a listener the process would end.
  client.on('error', () => {});
  await client.connect();
  return client;
}

/** A newer checkpoint is never replaced by an older one; then nobody needs the entries before it any more. */
const keepScript = `
local function parts(id) local ms, n = string.match(id, '(%d+)-(%d+)') return tonumber(ms), tonumber(n) end
local old = redis.call('HGET', KEYS[1], 'at')
if old then
  local oldMs, oldN = parts(old)
  local ms, n = parts(ARGV[1])
  if ms < oldMs or (ms == oldMs and n <= oldN) then return 0 end
end
redis.call('HSET', KEYS[1], 'at', ARGV[1], 'settings', ARGV[2], 'bytes', ARGV[3])
redis.call('XTRIM', KEYS[2], 'MINID', '~', ARGV[1])
return 1`;

type RawEntry = readonly [id: string, fields: readonly string[]];

export async function openRedisLog(redis: RedisModule, url: SharedUrl): Promise<LogConnection> {
  const writer = await openClient(redis, url);
  const reader = await openClient(redis, url).catch((error) => {
    end(writer);
    throw error;
  });
  return connectionOf({ redis, writer, reader, keys: keysOf(url) });
}

interface Parts {
  readonly redis: RedisModule;
  readonly writer: RedisClient;
  readonly reader: RedisClient;
  readonly keys: ReturnType<typeof keysOf>;
}

function connectionOf({ redis, writer, reader, keys }: Parts): LogConnection {
  return {
    async begin(text) {
      await writer.sendCommand(['XADD', keys.log, '*', 'e', text]);
    },
    async append(text) {
      try {
        const id = await writer.sendCommand(['XADD', keys.log, 'NOMKSTREAM', '*', 'e', text]);
        if (id === null) throw new Error('the log is gone');
      } catch (error) {
        // A server that loads its data, or that has become a copy of another one, is not the one to ask.
        const isRejection =
          error instanceof redis.ErrorReply && !/^(LOADING|READONLY|MASTERDOWN|CLUSTERDOWN)/.test(error.message);
        throw isRejection ? new AppendRejected(`Redis rejects it (${error.message})`) : error;
      }
    },
    // The entry that was read last is looked up after the others: if it is there then, all behind it were there as
    // well, because a log is trimmed from its beginning on.
    async read(after, waits) {
      const block = waits ? ['BLOCK', String(blockMs)] : [];
      const id = after?.id ?? '0-0';
      const [found, anchor] = await Promise.all([
        reader.sendCommand([
          'XREAD',
          'COUNT',
          String(entriesAtOnce),
          ...block,
          'STREAMS',
          keys.log,
          id,
        ]) as Promise<unknown>,
        after ? (reader.sendCommand(['XRANGE', keys.log, id, id]) as Promise<unknown>) : null,
      ]);
      if (after && toEntries(anchor as RawEntry[])[0]?.text !== after.text) return 'gone';
      const streams = found as readonly (readonly [key: string, entries: readonly RawEntry[]])[] | null;
      return toEntries(streams?.[0]?.[1] ?? []);
    },
    async checkpoint() {
      const found = await writer.sendCommand(['HMGET', keys.checkpoint, 'at', 'settings', 'bytes']);
      const [at, settings, bytes] = found as unknown as readonly (string | null)[];
      if (at == null || settings == null || bytes == null) return null;
      return { at, settings: JSON.parse(settings), bytes: Buffer.from(bytes, 'base64') };
    },
    async keep({ at, settings, bytes }) {
      const values = [at, JSON.stringify(settings), Buffer.from(bytes).toString('base64')];
      await writer.sendCommand(['EVAL', keepScript, '2', keys.checkpoint, keys.log, ...values]);
    },
    close() {
      end(writer);
      end(reader);
    },
  };
}

function toEntries(raw: readonly RawEntry[]): LogEntry[] {
  return raw.map(([id, [, text = '']]) => ({ id, text }));
}

/** All commands without a response are rejected. */
function end(client: RedisClient): void {
  if (client.isOpen) client.destroy();
}

// What a server of Redis must be before replicas rely on it, and what it may lose.

/** The first version whose streams are trimmed by id. */
const versionMin = [6, 2] as const;

/** The possible loss, in one sentence; null for none. Throws a `UsageError` for a server that cannot be used. */
export async function checkRedis(client: RedisClient): Promise<string | null> {
  const info = readInfo(String(await client.sendCommand(['INFO'])));
  holdVersion(info.get('redis_version') ?? '');
  const policy = info.get('maxmemory_policy') ?? 'noeviction';
  if (policy !== 'noeviction') {
    throw new UsageError(
      `--shared needs a Redis that never drops data by itself: its maxmemory-policy is ${policy}; set it to noeviction.`,
    );
  }
  if (info.get('aof_enabled') !== '1') {
    return 'Redis keeps no append-only file: when it restarts, acknowledged changes are lost, perhaps all of them.';
  }
  const sync = await readSync(client);
  return sync === 'always' ? null : (losses[sync] ?? unknownLoss);
}

const atPowerLoss = 'when its machine dies, acknowledged changes';
const losses: Readonly<Record<string, string>> = {
  everysec: `Redis syncs its file every second: ${atPowerLoss} of the last two seconds may be lost.`,
  no: `Redis leaves syncing to the system: ${atPowerLoss} may be lost.`,
};
const unknownLoss = `Redis does not report when it syncs its file (appendfsync): ${atPowerLoss} may be lost.`;

function readInfo(text: string): Map<string, string> {
  return new Map(text.split(/\r?\n/).map((line) => line.split(/:(.*)/s, 2) as [string, string]));
}

function holdVersion(text: string): void {
  const [major = 0, minor = 0] = text.split('.').map(Number);
  if (major > versionMin[0] || (major === versionMin[0] && minor >= versionMin[1])) return;
  throw new UsageError(
    `--shared needs Redis ${versionMin.join('.')} or later, or Valkey; this is ${text || 'another one'}.`,
  );
}

/** Managed servers may not say. */
async function readSync(client: RedisClient): Promise<string> {
  const found: unknown = await client.sendCommand(['CONFIG', 'GET', 'appendfsync']).catch(() => []);
  return String((found as readonly unknown[])[1]);
}
