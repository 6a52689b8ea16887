// `--profile FILE`: read, checked, and rejected with one sentence.
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Profile, readProfile } from '../contract/profile.ts';
import type { CasaConfig } from '../options/mock-options.ts';
import { findConfig, loadConfig } from '../terminal/config-file.ts';
import { whyUnreadable } from '../terminal/file-trouble.ts';
import { UsageError } from '../terminal/usage-error.ts';

export interface LoadedProfile {
  readonly file: string;
  readonly profile: Profile;
}

const bytesMax = 1_000_000;

/** Throws a UsageError for a file that cannot be read or is not a profile. */
export function loadProfile(file: string, flag = '--profile'): LoadedProfile {
  let text: string;
  try {
    if (statSync(file).size > bytesMax) throw new UsageError(`${flag}: ${file} is larger than a profile can be.`);
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`${flag}: ${file} ${whyUnreadable(error)}.`);
  }
  try {
    return { file, profile: readProfile(JSON.parse(text)) };
  } catch (error) {
    if (error instanceof SyntaxError) throw new UsageError(`${flag}: ${file} cannot be used: it is not JSON.`);
    throw new UsageError(`${flag}: ${file} cannot be used: ${(error as Error).message.replaceAll(/\s+/g, ' ')}.`);
  }
}

// casa.config.json, or a module casa.config.js, .mjs or .ts, in the working directory. Most runs have none, so what
// checks it is loaded on demand.

/** The config of a folder, or null. Throws a `UsageError` when it cannot be used. */
export async function readConfig(folder: string) {
  const name = findConfig(folder, 'casa');
  if (name === null) return null;
  const value = await loadConfig(resolve(folder, name), 'export default { port: 4010 };');
  const { checkConfig } = await import('./config-schema.ts');
  const problem = checkConfig(value);
  if (problem !== null) throw new UsageError(`${name} cannot be used: ${problem}`);
  return { name, config: value as CasaConfig };
}
