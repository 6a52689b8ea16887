// The settings of `casa mock`: flags win over the config file, and that over defaults; every value is checked.

import { object } from '../admin/shape.ts';
import { faultShape, readRule } from '../admin/verbs/faults.ts';
import { parseJson } from '../contract/json.ts';
import type { Profile } from '../contract/profile.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import { parseFaultSpec } from '../engine/fault-spec.ts';
import type { CorsSetting } from '../http/cors.ts';
import type { Given } from '../options/define-options.ts';
import { type CasaConfig, mockOptions, type Settled } from '../options/mock-options.ts';
import { readNamed } from '../terminal/file-trouble.ts';
import { readProfileFile } from '../terminal/profile-file.ts';
import { didYouMean } from '../terminal/suggestion.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { isWorldName, type WorldName, worldNames } from '../worlds/load.ts';
import { parseBehaviors } from './mock-flags.ts';
import { readUpstream, type UpstreamSettings } from './upstream/upstream-settings.ts';

/** The time at which changes are flushed to disk. `always` is several times slower, and survives power failures. */
export type SaveSync = Settled['saveSync'];

/** Options that the mock reads in another form. */
interface Composed {
  /** Pages of which origins may read responses: all, none, or those named. */
  readonly cors: CorsSetting;
  /** null: no world was named; it is `default`, or the one in which the mutant shows. */
  readonly world: WorldName | null;
  /** The deployment that responds to some operations; null for none. */
  readonly upstream: UpstreamSettings | null;
  /** Whether the rate limits are enforced. */
  readonly limits: boolean;
  /** The seed of the variation, or null for none. */
  readonly grease: number | null;
  readonly behavior: Partial<WorldBehavior>;
  /** The behaviors of a deployment; `choices` win over it. */
  readonly profile: { readonly file: string; readonly profile: Profile } | null;
}

/** The options of a mock, checked and with every default filled in. */
export interface MockSettings extends Omit<Settled, keyof Composed>, Composed {
  readonly faults: readonly FaultRule[];
  /** One sentence for each part of a fault that might mean something else than its author thinks. */
  readonly warnings: readonly string[];
}

/** Throws a `UsageError` for a value that cannot be used, and for flags that contradict each other. */
export function settle(flags: Given, config: CasaConfig = {}): MockSettings {
  const { world: _, data: __, ...rest } = config;
  const fromConfig = mockOptions.flagsOf((flags.world ?? flags.data) === undefined ? config : rest);
  const given = mockOptions.read({ ...fromConfig, ...flags });
  for (const [isConflict, sentence] of conflicts(given)) if (isConflict) throw new UsageError(sentence);
  const settled = mockOptions.settle(given);
  // `--relaxed` means two settings; a setting that is given by itself wins over it.
  const limits = given.limits ?? !settled.relaxed;
  const settleS = settled.settleS ?? (settled.relaxed ? 0 : null);
  const { profile: file, cors, corsOrigin } = settled;
  return {
    ...settled,
    cors: cors && corsOrigin.length > 0 ? corsOrigin : cors,
    world: settled.world === null ? null : readWorld(settled.world),
    upstream: readUpstream(given),
    relaxed: !limits && settleS === 0,
    limits,
    settleS,
    grease: settled.grease === false ? null : Number(settled.grease),
    ...readFaults(settled.fault, settled.respond),
    behavior: { ...parseBehaviors(config.behavior ?? {}), ...parseBehaviors(settled.behavior) },
    profile: file === null ? null : { file, profile: readProfileFile(`--profile: ${file}`, file) },
  };
}

/** Options that contradict each other or need another one, each with its sentence. */
function conflicts(
  given: ReturnType<typeof mockOptions.read>,
): readonly (readonly [isConflict: boolean, sentence: string])[] {
  const { world, data, watch = false, save, saveSync, mutant, upstream } = given;
  const has = (value: unknown) => value !== undefined;
  return [
    [has(data) && has(world), '--world and --data exclude each other: remove one.'],
    [watch && !has(data), '--watch needs --data FILE.'],
    [has(saveSync) && !has(save), '--save-sync needs --save FILE.'],
    [has(given.profile) && (given.grease ?? false) !== false, '--grease and --profile exclude each other: remove one.'],
    // A save file may hold the profile of an earlier start.
    [given.latency === true && !has(given.profile) && !has(save), '--latency needs --profile FILE.'],
    [has(upstream) && has(mutant), '--mutant and --upstream exclude each other: remove one.'],
  ];
}

function readFaults(
  specs: readonly string[],
  files: Readonly<Record<string, string>>,
): Pick<MockSettings, 'faults' | 'warnings'> {
  const warnings: string[] = [];
  const warn = (sentence: string) => warnings.push(`--fault ${sentence}`);
  const responses = Object.entries(files).map(readResponse);
  try {
    const faults = specs.map((spec, index) => parseFaultSpec(spec, `--fault ${index + 1}`, warn));
    return { faults: [...faults, ...responses], warnings };
  } catch (error) {
    throw new UsageError(`--fault: ${(error as Error).message}`);
  }
}

/** Checked like a rule of the admin API. */
function readResponse([operation, file]: [operation: string, file: string], index: number): FaultRule {
  const flag = `--respond ${operation}=${file}:`;
  const fail = (reason: string) => new UsageError(`${flag} ${reason}`);
  const respond = parseJson(readNamed(`${flag} the file`, file));
  if (respond === undefined) throw fail('the file is not JSON.');
  const read = object(faultShape)({ match: operation === '*' ? {} : { operation }, respond }, 'The body');
  if (!read.ok) throw fail(read.problem);
  return readRule(read.value, `--fault respond ${index + 1}`) as FaultRule;
}

function readWorld(name: string): WorldName {
  if (isWorldName(name)) return name;
  throw new UsageError(`there is no world "${name}".${didYouMean(name, worldNames)} Worlds: ${worldNames.join(', ')}.`);
}
