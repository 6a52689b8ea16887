// A run remembers the last minute of requests to a host, so that the next run on this machine does not trip over it.
// The files stand in `conformance-USER` below the folder for temporary files; requests are of use for a minute, how
// long an answer took for a day, and then they go.
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { systemClock } from './clock.ts';
import type { EarlierUse } from './lanes.ts';

/** Reading never fails; writing may silently come to nothing. */
export interface TrafficFile {
  read(): Traces;
  write(traces: Traces): void;
}

/** What one run leaves for the next. */
export interface Traces {
  readonly uses: readonly EarlierUse[];
  /** How long an answer usually took; null when nobody knows. */
  readonly latencyMs: number | null;
}

const noTraces: Traces = { uses: [], latencyMs: null };

/** The longest window of the contract, and a little. */
const MEMORY_MS = 61_000;
const KEPT_MS = 24 * 3_600_000;
/** More than any run sends in a minute that the next one has to wait for. */
const USES_MAX = 500;

/** One for each user: a shared folder would let others read which hosts are audited. */
export const trafficFolder = join(tmpdir(), `conformance-${userName()}`);

/** For tests and for a clock that is moved: its minutes are not ours. */
export const noTrafficFile: TrafficFile = { read: () => noTraces, write: () => undefined };

/** The host's name is hashed, so that the folder tells nobody who was audited. Keys are named by fingerprints. */
export function trafficFileFor(host: string): TrafficFile {
  const folder = trafficFolder;
  const path = join(folder, `${createHash('sha256').update(host).digest('hex').slice(0, 16)}.json`);
  return {
    // Best effort in both directions: a missing or broken file costs a limiter's 429 at worst, which is waited out.
    read() {
      try {
        const { uses, latencyMs }: Partial<Record<keyof Traces, unknown>> = JSON.parse(readFileSync(path, 'utf8'));
        const horizon = systemClock().now() - MEMORY_MS;
        return {
          uses: Array.isArray(uses) ? uses.filter(isEarlierUse).filter(({ at }) => at > horizon) : [],
          latencyMs: typeof latencyMs === 'number' ? latencyMs : null,
        };
      } catch {
        return noTraces;
      }
    },
    write({ uses, latencyMs }) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        removeOld(folder);
        writeFileSync(path, JSON.stringify({ uses: uses.slice(-USES_MAX), latencyMs }), { mode: 0o600 });
      } catch {
        return;
      }
    },
  };
}

/** Files of earlier runs that nobody can have a use for any more. */
function removeOld(folder: string): void {
  const horizon = systemClock().now() - KEPT_MS;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith('.json') && statSync(file).mtimeMs < horizon) rmSync(file, { force: true });
  }
}

/** Names a key without telling it. */
export function keyFingerprint(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, 12);
}

/** The file may be older than this version, or written by hand. */
function isEarlierUse(value: unknown): value is EarlierUse {
  const use = value as Partial<EarlierUse> | null;
  return typeof use?.at === 'number' && typeof use.lane === 'object' && use.lane !== null;
}

/** A container may run under a user id without a name. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'anyone';
  }
}
