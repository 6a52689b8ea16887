// A settings file of a command: NAME.config.json, or a module NAME.config.js, .mjs or .ts. Both commands have one.
import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readNamed } from './file-trouble.ts';
import { UsageError } from './usage-error.ts';

const fileBytesMax = 1_000_000;
const endings = ['json', 'js', 'mjs', 'ts'];

/** The config file of this name in a folder, null for none. Throws a `UsageError` when there are two. */
export function findConfig(folder: string, name: string): string | null {
  const found = endings.map((ending) => `${name}.config.${ending}`).filter((file) => existsSync(resolve(folder, file)));
  if (found.length > 1) throw new UsageError(`there are ${found.join(' and ')}; keep one of them.`);
  return found[0] ?? null;
}

/** The contents of the file, unchecked. Throws a `UsageError` that ends with this example if the file is empty. */
export async function loadConfig(path: string, example: string): Promise<unknown> {
  const name = basename(path);
  // A module is read first too, because the error of its import names another file.
  const text = readNamed(name, path, fileBytesMax);
  if (name.endsWith('.json')) return readJson(name, text);
  return await importConfig(name, path, example);
}

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new UsageError(`${name} is not valid JSON: ${(error as Error).message}.`);
  }
}

/** The default export, or one that is called `config`. The file may do anything: it is the user's own code. */
async function importConfig(name: string, path: string, example: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(resolve(path)).href)) as { default?: unknown; config?: unknown };
    const value = module.default ?? module.config;
    if (value !== undefined) return value;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new UsageError(
        `${name} needs Node 22.18 or later, which reads TypeScript, and this is ${process.versions.node}; ` +
          `use ${name.replace(/ts$/, 'json')} instead.`,
      );
    }
    throw new UsageError(`${name} failed while it was loaded: ${message.split('\n', 1)[0]}.`);
  }
  throw new UsageError(`${name} exports no config; write: ${example}`);
}
