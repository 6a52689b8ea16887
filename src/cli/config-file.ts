// casa.config.json, or a module casa.config.js, .mjs or .ts, in the working directory. Most runs have none, so what
// checks it is loaded on demand.
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { UsageError } from '../terminal/usage-error.ts';
import type { CasaConfig } from './settings.ts';

const configNames = ['casa.config.json', 'casa.config.js', 'casa.config.mjs', 'casa.config.ts'] as const;

/** The settings, and the file to name in a notice. */
export interface FoundConfig {
  readonly name: string;
  readonly config: CasaConfig;
}

/** The config of a folder, or null. Throws a `UsageError` when it cannot be used. */
export async function readConfig(folder: string): Promise<FoundConfig | null> {
  const found = configNames.filter((name) => existsSync(resolve(folder, name)));
  const [name] = found;
  if (name === undefined) return null;
  if (found.length > 1) throw new UsageError(`there are ${found.join(' and ')}; keep one of them.`);
  const path = resolve(folder, name);
  const value = name.endsWith('.json') ? readJson(name, path) : await importConfig(name, path);
  const { checkConfig } = await import('./config-schema.ts');
  const problem = checkConfig(value);
  if (problem !== null) throw new UsageError(`${name} cannot be used: ${problem}`);
  return { name, config: value as CasaConfig };
}

/** Throws a UsageError that tells a missing permission from bad JSON. */
function readJson(name: string, path: string): unknown {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new UsageError(`${name} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${(error as Error).message}.`);
  }
}

/** The default export, or one that is called `config`. The file may do anything: it is the user's own code. */
async function importConfig(name: string, path: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown; config?: unknown };
    const value = module.default ?? module.config;
    if (value !== undefined) return value;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new UsageError(
        `${name} needs Node 22.18 or later, which reads TypeScript, and this is ${process.versions.node}; ` +
          'use casa.config.json instead.',
      );
    }
    throw new UsageError(`${name} failed while it was loaded: ${(error as Error).message.split('\n', 1)[0]}.`);
  }
  throw new UsageError(`${name} exports no config; write: export default { port: 4010 };`);
}
