// A run remembers the last minute of requests to a host, so that the next run on this machine does not trip over it.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { EarlierUse } from './lanes.ts';

export interface TrafficFile {
  read(): EarlierUse[];
  write(uses: readonly EarlierUse[]): void;
}

export const noTrafficFile: TrafficFile = { read: () => [], write: () => undefined };

export function trafficFileFor(host: string): TrafficFile {
  const folder = join(tmpdir(), `conformance-${userName()}`);
  const path = join(folder, `${createHash('sha256').update(host).digest('hex').slice(0, 16)}.json`);
  return {
    // Best effort in both directions: a missing or broken file costs a limiter's 429 at worst, which is waited out.
    read() {
      try {
        const uses: unknown = JSON.parse(readFileSync(path, 'utf8'));
        return Array.isArray(uses) ? uses.filter(isEarlierUse) : [];
      } catch {
        return [];
      }
    },
    write(uses) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(path, JSON.stringify(uses), { mode: 0o600 });
      } catch {
        return;
      }
    },
  };
}

/** Names a key without telling it. */
export function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

function isEarlierUse(value: unknown): value is EarlierUse {
  const use = value as Partial<EarlierUse> | null;
  return typeof use?.at === 'number' && typeof use.lane === 'object' && use.lane !== null;
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'anyone';
  }
}
