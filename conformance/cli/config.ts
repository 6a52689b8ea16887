// The config file: named targets, and common settings of their runs. A command-line flag overrides the target, and the
// target overrides the common settings.
import { resolve } from 'node:path';
import { isObject } from '../../src/contract/json.ts';
import { optional, type Reader, type Readers, readerOf, readFields } from '../../src/options/define-options.ts';
import { findConfig, loadConfig } from '../../src/terminal/config-file.ts';
import { didYouMean } from '../../src/terminal/suggestion.ts';
import { UsageError } from '../../src/terminal/usage-error.ts';
import { coverFields } from '../report/cover.ts';
import { commandOptions, keyRows, kitTable } from '../scenarios/capabilities.ts';
import type { ParsedFlags } from './flags.ts';
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
  const problem = problemOf(config);
  if (problem !== null) throw new UsageError(`${file} cannot be used: ${problem}`);
  const target = chosen(flags.target, Object.keys(config.targets), file);
  const { targets, $schema: _, ...shared } = config;
  const settings = withNote({ ...shared, ...targets[target] } as ConformanceSettings);
  const keys = { ...(shared.keys as object | undefined), ...targets[target]?.keys };
  return {
    flags: { ...kitTable.flagsOf(settings, fillFrom(environment, file)), ...withoutTarget(flags) } as ParsedFlags,
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

/** `report` holds files, or the facts about the audit, which the flag takes as JSON. */
function withNote(settings: ConformanceSettings): ConformanceSettings {
  const { report, ...others } = settings;
  return isObject(report) ? { ...others, reportNote: JSON.stringify(report) } : settings;
}

function withoutTarget({ target: _, ...flags }: ParsedFlags): ParsedFlags {
  return flags;
}

/** `${NAME}` keeps secrets out of the file, for example the header of a gateway. */
function fillFrom(environment: Env, file: string) {
  return (text: string, field: string) =>
    text.replace(/\$\{(\w+)\}/g, (_, name: string) => {
      const value = environment[name];
      if (value !== undefined && value !== '') return value;
      throw new UsageError(`${file}: ${field} needs the variable ${name}, which is not set.`);
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

// The contents of the file: each flag has a field with its name in camel case.

const required =
  (reader: Reader<unknown>): Reader<unknown> =>
  (value, name) =>
    value === undefined ? { ok: false, problem: `${name} is missing.` } : reader(value, name);

const variable: Reader<string> = (value, name) =>
  typeof value === 'string' && /^[A-Za-z_]\w*$/.test(value)
    ? { ok: true, value }
    : {
        ok: false,
        problem: `${name} is not the name of an environment variable. Write the name of a variable instead of the key.`,
      };

const keyFields = Object.fromEntries(Object.keys(keyRows).map((name) => [name, optional(variable)]));
const fact = optional(readerOf({ kind: 'text', help: '' }));
const noteFields = Object.fromEntries(coverFields.map((name) => [name, fact]));
const { report: files = fact } = kitTable.fields;
const fields: Readers = {
  ...kitTable.fields,
  report: (value, place) => (isObject(value) ? readFields(value, noteFields, { place }) : files(value, place)),
  keys: optional((value, place) => readFields(value, keyFields, { place })),
};
const targetFields = { ...fields, baseUrl: required(readerOf(commandOptions['base-url'])) };

/** Keys are what people would write first. */
const hint = (name: string, known: readonly string[]) =>
  /key(file)?$/i.test(name) ? ' Write keys as { "keys": { "good": "NAME_OF_A_VARIABLE" } }.' : didYouMean(name, known);

const targets: Reader<unknown> = (value, place) => {
  const target: Reader<unknown> = (each, name) => readFields(each, targetFields, { place: name, hint });
  return readFields(value, Object.fromEntries(Object.keys(Object(value)).map((name) => [name, target])), { place });
};

/** In one sentence; null for a good config. */
function problemOf(config: unknown): string | null {
  const read = readFields(config, { ...fields, targets: required(targets) }, { hint });
  if (!read.ok) return read.problem;
  const names = Object.keys(read.value.targets as object);
  if (names.length === 0) return 'targets is empty: name one, as in { "targets": { "staging": { "baseUrl": "…" } } }.';
  return names.includes('self') ? 'a target cannot be called self, the name of the bundled mock.' : null;
}
