// The config file: named targets, and common settings of their runs. A command-line flag overrides the target, and the
// target overrides the common settings.
import { resolve } from 'node:path';
import { findConfig, loadConfig } from '../../src/terminal/config-file.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { keyRows } from '../probe/capabilities.ts';
import { fieldOf, type ParsedFlags, settingFlags } from './flags.ts';
import type { Env } from './options.ts';

/** The value of a field: that of its flag. */
type Setting = string | number | boolean | readonly string[];

/** Fields are the flags of `conformance` in camel case; `keys` names variables of the environment. */
export interface ConformanceSettings {
  readonly keys?: { readonly good?: string; readonly second?: string; readonly revoked?: string };
  readonly [field: string]: Setting | Readonly<Record<string, string>> | undefined;
}

/** The type of `conformance.config.ts`. */
export interface ConformanceConfig {
  readonly targets: Readonly<Record<string, ConformanceSettings & { readonly baseUrl: string }>>;
  readonly [field: string]: unknown;
}

export interface Configured {
  readonly flags: ParsedFlags;
  readonly environment: Env;
  /** The variables that the target names for its keys. */
  readonly keyNames: Readonly<Record<string, string>>;
  /** Printed to the user; null without a config. */
  readonly source: { readonly file: string; readonly target: string } | null;
}

const example = "export default { targets: { staging: { baseUrl: 'https://…/api/v1' } } };";

/** Reads the file when the command line names no deployment by itself. Throws a `UsageError` for one of no use. */
export async function configured(flags: ParsedFlags, environment: Env, folder = '.'): Promise<Configured> {
  const plain = { flags, environment, keyNames: {}, source: null };
  if (flags.target === 'self') return plain;
  if (flags['base-url'] !== undefined) {
    if (flags.target !== undefined)
      throw new UsageError('--target sets the address, so --base-url cannot be used with it.');
    return plain;
  }
  const file = findConfig(folder, 'conformance');
  if (file === null) return plain;
  const config = (await loadConfig(resolve(folder, file), example)) as ConformanceConfig;
  const { checkConfig } = await import('./config-schema.ts');
  const problem = checkConfig(config);
  if (problem !== null) throw new UsageError(`${file} cannot be used: ${problem}`);
  const target = chosen(flags.target, Object.keys(config.targets), file);
  const { targets, $schema: _, ...shared } = config;
  const settings = { ...shared, ...targets[target] } as ConformanceSettings;
  const keys = { ...(shared.keys as object | undefined), ...targets[target]?.keys };
  return {
    flags: { ...flagsOf(settings, { environment, file }), ...withoutTarget(flags) },
    environment: { ...environment, ...keysOf(keys, { environment, isNeeded: !flags.plan, target }) },
    keyNames: keys as Readonly<Record<string, string>>,
    source: { file, target },
  };
}

/** The only one, or the one that is named. */
function chosen(wanted: string | undefined, names: readonly string[], file: string): string {
  const [only] = names;
  if (wanted === undefined && names.length === 1 && only !== undefined) return only;
  const list = `${file} has ${names.join(', ')}`;
  if (wanted === undefined) throw new UsageError(`Which target? ${list}: pass --target NAME.`);
  if (names.includes(wanted)) return wanted;
  throw new UsageError(`--target: ${list}, and no "${wanted}".${didYouMean(wanted, names, (name) => name)}`);
}

function withoutTarget({ target: _, ...flags }: ParsedFlags): ParsedFlags {
  return flags;
}

/** The environment that fills in `${NAME}`. */
interface ConfigSource {
  readonly environment: Env;
  readonly file: string;
}

/** As the parser of the command line would have left them, so each value is checked by the reader of its flag. */
function flagsOf(settings: ConformanceSettings, place: ConfigSource): ParsedFlags {
  const flags: Record<string, string | readonly string[] | true> = {};
  for (const [name, { value, repeat }] of Object.entries(settingFlags)) {
    const given = settings[fieldOf(name)] as Setting | undefined;
    if (given === undefined || given === false) continue;
    const texts = [given].flat().map((text) => fill(String(text), name, place));
    flags[name] = given === true ? true : value !== undefined && repeat ? texts : texts.join(',');
  }
  return flags as ParsedFlags;
}

/** `${NAME}` keeps secrets out of the file, for example the header of a gateway. */
function fill(text: string, flag: string, { environment, file }: ConfigSource): string {
  return text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
    const value = environment[name];
    if (value !== undefined && value !== '') return value;
    throw new UsageError(`${file}: ${fieldOf(flag)} needs the variable ${name}, which is not set.`);
  });
}

/** A variable of the target's own takes the place of the usual one. A second key is left out where it is not set. */
function keysOf(
  names: Readonly<Record<string, string | undefined>>,
  { environment, isNeeded, target }: { environment: Env; isNeeded: boolean; target: string },
): Env {
  if (isNeeded && names.good !== undefined && !environment[names.good]?.trim())
    throw new UsageError(`There is no API key: set the variable ${names.good}, from which target ${target} reads it.`);
  const rows = Object.entries(keyRows).flatMap(([key, { variable }]) => {
    const name = names[key];
    return name === undefined ? [] : [[variable, environment[name]]];
  });
  return Object.fromEntries(rows) as Env;
}
