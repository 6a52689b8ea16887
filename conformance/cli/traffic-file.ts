// Stores the last minute of requests to a host and the usual response time, so the next run on this machine stays
// within the limits. Both are optional, so problems with the file are ignored.
import { createHash } from 'node:crypto';
import { lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { type FileKind, writeOwn } from '../../src/terminal/own-file.ts';
import { systemClock } from '../driver/pace/clock.ts';
import { memoryMs, noTraces, type TrafficFile } from '../driver/pace/traffic.ts';
import type { EarlierUse } from '../exchange/lanes.ts';
import type { Env } from './options.ts';

/** How long a response took is of use for a day, on the hosts that were audited last. */
const keptMs = 24 * 3_600_000;
const filesMax = 20;
/** More than any run sends in a minute that the next one has to wait for. */
const usesMax = 500;
const bytesMax = 200_000;
/** A larger number is not a measurement, and would stretch the plan. */
const latencyMsMax = 60_000;
const ownName = /^\.?[0-9a-f]{16}\.json/;
const kind: FileKind = { name: 'traffic file', start: /^\{"uses":/, isPrivate: true };

/** In the cache directory of the user, where others can neither read nor write. */
export function trafficFolder(environment: Env): string {
  const { XDG_CACHE_HOME: named = '', LOCALAPPDATA: local = join(homedir(), 'AppData', 'Local') } = environment;
  const usual: Partial<Record<NodeJS.Platform, string>> = {
    win32: local,
    darwin: join(homedir(), 'Library', 'Caches'),
  };
  const cache = isAbsolute(named) ? named : (usual[process.platform] ?? join(homedir(), '.cache'));
  return join(cache, 'casa-kit', 'traffic');
}

/** Host names are hashed, and keys have fingerprints, so the folder does not reveal the audited services. */
export function trafficFileFor(host: string, environment: Env, user = process.getuid?.()): TrafficFile {
  const folder = trafficFolder(environment);
  const path = join(folder, `${createHash('sha256').update(host).digest('hex').slice(0, 16)}.json`);
  const attempt = <T>(work: () => T, otherwise: T): T => {
    try {
      return isOwn(folder, user) ? work() : otherwise;
    } catch {
      return otherwise;
    }
  };
  return {
    read: () =>
      attempt(() => (statSync(path).size > bytesMax ? noTraces : parse(readFileSync(path, 'utf8'))), noTraces),
    write({ uses, latencyMs }) {
      attempt(() => mkdirSync(folder, { recursive: true, mode: 0o700 }), undefined);
      attempt(() => {
        writeOwn(path, JSON.stringify({ uses: uses.slice(-usesMax), latencyMs }), kind);
        removeOld(folder);
      }, undefined);
    },
  };
}

/** A missing folder can be created. Folders of other users, or writable by others, are not trusted. */
function isOwn(folder: string, user: number | undefined): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) return true;
  return found.isDirectory() && (user === undefined || (found.uid === user && (found.mode & 0o022) === 0));
}

/** Numbers that no run writes are passed over, because the plan of the next run rests on them. */
function parse(text: string): ReturnType<TrafficFile['read']> {
  const { uses, latencyMs } = JSON.parse(text);
  const now = systemClock().now();
  const isRecent = ({ at }: EarlierUse) => at > now - memoryMs && at <= now;
  return {
    uses: Array.isArray(uses) ? uses.slice(-usesMax).filter(isEarlierUse).filter(isRecent) : [],
    latencyMs: typeof latencyMs === 'number' && latencyMs >= 0 && latencyMs <= latencyMsMax ? latencyMs : null,
  };
}

function isEarlierUse(value: unknown): value is EarlierUse {
  const { at, lane } = (value ?? {}) as Partial<EarlierUse>;
  const isName = (name: unknown) => name === null || typeof name === 'string';
  return typeof at === 'number' && typeof lane === 'object' && isName(lane?.address) && isName(lane?.key);
}

function removeOld(folder: string): void {
  const own = readdirSync(folder).filter((name) => ownName.test(name));
  const dated = own.map((name) => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }));
  const horizon = systemClock().now() - keptMs;
  const byAge = dated.sort((a, b) => b.at - a.at);
  for (const [index, { file, at }] of byAge.entries())
    if (at < horizon || index >= filesMax) rmSync(file, { force: true });
}
