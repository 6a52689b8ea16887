// casa.config.json, or a module casa.config.js, .mjs or .ts, in the working directory. Most runs have none, so what
// checks it is loaded on demand.
import { resolve } from 'node:path';
import type { CasaConfig } from '../options/mock-options.ts';
import { findConfig, loadConfig } from '../terminal/config-file.ts';
import { UsageError } from '../terminal/usage-error.ts';

/** The settings, and the file to name in a notice. */
export interface FoundConfig {
  readonly name: string;
  readonly config: CasaConfig;
}

/** The config of a folder, or null. Throws a `UsageError` when it cannot be used. */
export async function readConfig(folder: string): Promise<FoundConfig | null> {
  const name = findConfig(folder, 'casa');
  if (name === null) return null;
  const value = await loadConfig(resolve(folder, name), 'export default { port: 4010 };');
  const { checkConfig } = await import('./config-schema.ts');
  const problem = checkConfig(value);
  if (problem !== null) throw new UsageError(`${name} cannot be used: ${problem}`);
  return { name, config: value as CasaConfig };
}
