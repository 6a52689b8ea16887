// What a server of Redis has to be before replicas rely on it, and what it may lose.
import { UsageError } from '../../terminal/usage-error.ts';
import type { RedisClient } from './redis-log.ts';

/** The first version whose streams are trimmed by id. */
const versionMin = [6, 2] as const;

/** What may be lost, in one sentence; null for nothing. Throws a `UsageError` for a server that cannot be used. */
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
const unknownLoss = `Redis does not tell when it syncs its file (appendfsync): ${atPowerLoss} may be lost.`;

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
