// The settings of `casa mock`: flags win over the config file, and that over defaults; every value is checked.

import type { Choices } from '../domain/choices.ts';
import type { FaultRule } from '../domain/faults.ts';
import { parseFaultSpec } from '../engine/fault-spec.ts';
import type { CorsSetting } from '../http/cors.ts';
import { parseDuration } from '../terminal/duration.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { isWorldName, type WorldName, worldNames } from '../worlds/load.ts';
import { parseChoices } from './choice-flag.ts';
import type { MockFlagValues } from './mock-flags.ts';
import { type LoadedProfile, loadProfile } from './profile-file.ts';
import { readSharedUrl } from './replicas/shared-url.ts';
import { readUpstream, type UpstreamSettings } from './upstream/upstream-settings.ts';

/**
 * The values of `--save-sync`: when a change is on the disk. A killed process loses nothing either way. The interval is
 * the default, because only a power failure shows the difference, and waiting for the disk is several times slower.
 */
export const saveSyncs = ['interval', 'always'] as const;
export type SaveSync = (typeof saveSyncs)[number];

export interface MockSettings {
  readonly port: number;
  readonly host: string;
  /** Pages of which origins may read answers: all, none, or those named. */
  readonly cors: CorsSetting;
  /** null: no world was named; it is `default`, or the one in which the mutant shows. */
  readonly world: WorldName | null;
  /** A world file; it takes the place of `world`. */
  readonly data: string | null;
  readonly watch: boolean;
  readonly save: string | null;
  readonly saveSync: SaveSync;
  /** Address and name of the log that replicas share; null for a mock of its own. */
  readonly shared: string | null;
  /** The deployment that answers some operations; null for none. */
  readonly upstream: UpstreamSettings | null;
  /** How long a replica answers after it was asked to stop. */
  readonly drainMs: number;
  readonly seed: number | undefined;
  /** Whether the rate limits are enforced. */
  readonly limits: boolean;
  /** Null for that of the contract. */
  readonly settleMs: number | null;
  readonly strict: boolean;
  /** The seed of the variation, or null for none. */
  readonly grease: number | null;
  readonly faults: readonly FaultRule[];
  /** One sentence for each part of a fault that might mean something else than its author thinks. */
  readonly warnings: readonly string[];
  /** A mutant's name as it was given, or null for none. */
  readonly mutant: string | null;
  readonly choices: Partial<Choices>;
  /** The readings of a deployment; `choices` win over it. */
  readonly profile: LoadedProfile | null;
  readonly latency: boolean;
  readonly trustProxy: boolean;
  /** Scheme, host and path under which clients reach the mock; null for that of each request. */
  readonly publicUrl: string | null;
  readonly adminToken: string | null;
  /** Written when the mock listens; null for no file. */
  readonly readyFile: string | null;
  readonly verbose: boolean;
  readonly quiet: boolean;
}

/** The members of casa.config.json and casa.config.ts: the flags by their names in camel case. */
export interface CasaConfig {
  readonly port?: number | undefined;
  readonly host?: string | undefined;
  readonly cors?: boolean | undefined;
  readonly corsOrigin?: readonly string[] | undefined;
  readonly corsHeaders?: readonly string[] | undefined;
  readonly corsCredentials?: boolean | undefined;
  readonly world?: string | undefined;
  readonly data?: string | undefined;
  readonly watch?: boolean | undefined;
  readonly save?: string | undefined;
  readonly saveSync?: string | undefined;
  readonly shared?: string | undefined;
  readonly drainS?: number | undefined;
  readonly upstream?: string | undefined;
  readonly forward?: readonly string[] | undefined;
  /** Names of variables, not keys. */
  readonly upstreamKey?: readonly string[] | undefined;
  readonly record?: string | undefined;
  readonly seed?: number | undefined;
  /** The same as `limits: false` and `settleS: 0`. */
  readonly relaxed?: boolean | undefined;
  readonly limits?: boolean | undefined;
  readonly settleS?: number | undefined;
  readonly strict?: boolean | undefined;
  readonly grease?: boolean | number | undefined;
  readonly fault?: readonly string[] | undefined;
  readonly mutant?: string | undefined;
  /** By name, as in `{ "retryAfter": "always" }`. */
  readonly choices?: Readonly<Record<string, string>> | undefined;
  /** A file that conformance calibrate wrote. */
  readonly profile?: string | undefined;
  readonly latency?: boolean | undefined;
  /** An older name of `choices`. */
  readonly choice?: Readonly<Record<string, string>> | undefined;
  readonly trustProxy?: boolean | undefined;
  readonly publicUrl?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly readyFile?: string | undefined;
  readonly verbose?: boolean | undefined;
  readonly quiet?: boolean | undefined;
}

/** Throws a `UsageError` for a value that cannot be used, and for flags that contradict each other. */
export function settle(flags: MockFlagValues, config: CasaConfig = {}): MockSettings {
  const data = flags.data ?? (flags.world === undefined ? config.data : undefined) ?? null;
  const world = flags.world ?? (flags.data === undefined ? config.world : undefined);
  if (data !== null && world !== undefined)
    throw new UsageError('--world and --data are two worlds; give one of them.');
  const watch = flags.watch ?? config.watch ?? false;
  if (watch && data === null) throw new UsageError('--watch needs a file to watch: give --data FILE too.');
  const save = flags.save ?? config.save ?? null;
  const saveSync = flags['save-sync'] ?? config.saveSync;
  if (saveSync !== undefined && save === null) throw new UsageError('--save-sync needs a file: give --save FILE too.');
  const profile = flags.profile ?? config.profile;
  const latency = flags.latency ?? config.latency ?? false;
  const grease = readGrease(flags.grease ?? config.grease ?? false);
  if (profile !== undefined && grease !== null)
    throw new UsageError('--grease draws readings and --profile brings those of a deployment; give one of them.');
  // A save file may hold the profile of an earlier start.
  if (latency && profile === undefined && save === null)
    throw new UsageError('--latency is that of a deployment: give --profile too.');
  const choices = Object.entries({ ...config.choice, ...config.choices }).map(([name, value]) => `${name}=${value}`);
  return {
    port: flags.port === undefined ? (config.port ?? 4010) : readPort(flags.port),
    host: flags.host ?? config.host ?? '127.0.0.1',
    cors: readCors(flags, config),
    world: world === undefined ? null : readWorld(world),
    data,
    watch,
    save,
    saveSync: readSync(saveSync),
    ...readShared(flags, config, { save, watch }),
    upstream: settleUpstream(flags, config),
    seed: flags.seed === undefined ? config.seed : readSeed('--seed', flags.seed),
    ...readPace(flags, config),
    strict: flags.strict ?? config.strict ?? false,
    grease,
    ...readFaults(flags.fault ?? config.fault ?? []),
    mutant: flags.mutant ?? config.mutant ?? null,
    choices: parseChoices([...choices, ...(flags.choice ?? [])]),
    profile: profile === undefined ? null : loadProfile(profile),
    latency,
    trustProxy: flags['trust-proxy'] ?? config.trustProxy ?? false,
    publicUrl: readPublicUrl(flags['public-url'] ?? config.publicUrl ?? null),
    adminToken: readToken(flags['admin-token'] ?? config.adminToken ?? null),
    readyFile: flags['ready-file'] ?? config.readyFile ?? null,
    verbose: flags.verbose ?? config.verbose ?? false,
    quiet: flags.quiet ?? config.quiet ?? false,
  };
}

/** What a replica holds comes out of the log, and nothing else may change it. */
function readShared(
  flags: MockFlagValues,
  config: CasaConfig,
  { save, watch }: Pick<MockSettings, 'save' | 'watch'>,
): Pick<MockSettings, 'shared' | 'drainMs'> {
  const shared = flags.shared ?? config.shared ?? null;
  const drainMs = flags.drain === undefined ? (config.drainS ?? 0) * 1000 : parseDuration(flags.drain);
  if (drainMs === null || drainMs > drainMaxMs) {
    throw new UsageError(`--drain takes a time up to 5m, such as 5s, not "${flags.drain}".`);
  }
  if (shared === null) {
    if (drainMs > 0) throw new UsageError('--drain is for replicas: give --shared URL too.');
    return { shared, drainMs };
  }
  if (save !== null) throw new UsageError('--shared keeps everything in the log; leave --save out.');
  if (watch) throw new UsageError('--shared belongs to one world and --watch changes it; give one of them.');
  if ((flags.mutant ?? config.mutant) !== undefined) {
    throw new UsageError('a mutant has a memory of its own, which replicas cannot share; give --shared or --mutant.');
  }
  readSharedUrl(shared);
  return { shared, drainMs };
}

/** A mutant changes answers, and replicas make each answer of their own: neither may touch those of a deployment. */
function settleUpstream(flags: MockFlagValues, config: CasaConfig): UpstreamSettings | null {
  const found = readUpstream({
    upstream: flags.upstream ?? config.upstream,
    forward: flags.forward ?? config.forward,
    upstreamKey: flags['upstream-key'] ?? config.upstreamKey,
    record: flags.record ?? config.record,
  });
  if (found && (flags.shared ?? config.shared) !== undefined) {
    throw new UsageError('--shared makes replicas answer alike, and --upstream asks a deployment; give one of them.');
  }
  if (found && (flags.mutant ?? config.mutant) !== undefined) {
    throw new UsageError('--mutant breaks answers of the mock, and --upstream has others; give one of them.');
  }
  return found;
}

const drainMaxMs = 300_000;

function readCors(flags: MockFlagValues, config: CasaConfig): CorsSetting {
  if (!(flags.cors ?? config.cors ?? true)) return false;
  const origins = (flags['cors-origin'] ?? config.corsOrigin ?? []).map(readOrigin);
  const headers = flags['cors-headers']?.split(',').map((name) => name.trim()) ?? config.corsHeaders ?? [];
  const wrong = headers.find((name) => !/^[\w!#$%&'*+.^`|~-]+$/.test(name));
  if (wrong !== undefined) {
    throw new UsageError(`--cors-headers takes names of headers such as X-Request-Id,Traceparent, not "${wrong}".`);
  }
  const credentials = flags['cors-credentials'] ?? config.corsCredentials;
  if (headers.length === 0 && credentials === undefined) return origins.length === 0 ? true : origins;
  return {
    ...(origins.length > 0 && { origins }),
    ...(headers.length > 0 && { headers }),
    ...(credentials !== undefined && { credentials }),
  };
}

function readOrigin(text: string): string {
  const origin = text.replace(/\/$/, '').toLowerCase();
  if (/^[a-z][a-z0-9+.-]*:\/\/[\w.:[\]-]+$/.test(origin)) return origin;
  throw new UsageError(`--cors-origin takes an origin such as http://localhost:3000, not "${text}".`);
}

// `--relaxed` stands for two settings; a setting that is given by itself wins over it.
function readPace(flags: MockFlagValues, config: CasaConfig): Pick<MockSettings, 'limits' | 'settleMs'> {
  const relaxed = flags.relaxed ?? config.relaxed ?? false;
  const settle = flags.settle === undefined ? undefined : parseDuration(flags.settle);
  if (settle === null || (settle ?? 0) > settleMaxMs) {
    throw new UsageError(`--settle takes a time up to 24h, such as 0s or 5m, not "${flags.settle}".`);
  }
  const told = settle ?? (config.settleS === undefined ? undefined : config.settleS * 1000);
  return { limits: flags.limits ?? config.limits ?? !relaxed, settleMs: told ?? (relaxed ? 0 : null) };
}

const settleMaxMs = 86_400_000;

function readPublicUrl(text: string | null): string | null {
  if (text === null) return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') {
    return `${url.origin}${url.pathname}`.replace(/\/$/, '');
  }
  throw new UsageError(`--public-url takes an address such as https://casa.example.com, not "${text}".`);
}

function readPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new UsageError(`--port takes a whole number from 0 to 65535, not "${text}".`);
}

function readSeed(flag: string, text: string): number {
  if (/^\d{1,10}$/.test(text) && Number(text) <= 0xffff_ffff) return Number(text);
  throw new UsageError(`${flag} takes a whole number from 0 to 4294967295, not "${text}".`);
}

function readFaults(specs: readonly string[]): Pick<MockSettings, 'faults' | 'warnings'> {
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(`--fault ${sentence}`);
  try {
    return { faults: specs.map((spec, index) => parseFaultSpec(spec, `--fault ${index + 1}`, warn)), warnings };
  } catch (error) {
    throw new UsageError(`--fault: ${(error as Error).message}`);
  }
}

function readGrease(grease: string | number | boolean): number | null {
  if (grease === false) return null;
  if (grease === true) return 1;
  return typeof grease === 'number' ? grease : readSeed('--grease', grease);
}

function readWorld(name: string): WorldName {
  if (isWorldName(name)) return name;
  throw new UsageError(`there is no world "${name}".${didYouMean(name, worldNames)} Worlds: ${worldNames.join(', ')}.`);
}

function readSync(name: string = saveSyncs[0]): SaveSync {
  const found = saveSyncs.find((known) => known === name);
  if (found) return found;
  throw new UsageError(`--save-sync takes ${saveSyncs.join(' or ')}, not "${name}".`);
}

function readToken(token: string | null): string | null {
  if (token === null || /^[\x21-\x7e]{8,}$/.test(token)) return token;
  throw new UsageError('--admin-token takes at least 8 visible ASCII characters without blanks.');
}
