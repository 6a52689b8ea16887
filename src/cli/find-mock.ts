// The mock that `casa ctl` and `casa health` use without a URL: the one of this folder or container.

import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { readFields } from '../options/define-options.ts';
import { type CasaConfig, mockOptions, originAt } from '../options/mock-options.ts';
import { findConfig, loadConfig } from '../terminal/config-file.ts';
import { parseFlags } from '../terminal/flag-parser.ts';
import { UsageError } from '../terminal/usage-error.ts';
import { originOf } from '../transports/admin-ask.ts';
import { mockFlags } from './mock-flags.ts';

export const urlHelp = 'URL of the mock (default: CASA_URL, casa.config.json, or port 4010)';
export const tokenHelp = 'Admin token of the mock at URL (default: CASA_ADMIN_TOKEN or casa.config.json)';

interface Found {
  readonly origin: string;
  readonly token: string | undefined;
}

/** Tests replace them. */
interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly folder: string;
  /** The command line of process 1, which is the mock in a container. */
  readonly commandLine: string;
}

/** A token in settings goes to the mock with these settings only. Throws a `UsageError` for a URL without HTTP. */
export async function findMock(
  given: Readonly<Record<string, unknown>>,
  surroundings: Surroundings = { env: process.env, folder: process.cwd(), commandLine: '/proc/1/cmdline' },
): Promise<Found> {
  const { CASA_URL, CASA_ADMIN_TOKEN } = surroundings.env;
  const url = (given.url ?? CASA_URL) as string | undefined;
  const token = (given['admin-token'] ?? CASA_ADMIN_TOKEN) as string | undefined;
  if (url === undefined) {
    const own = await ownMock(surroundings);
    return { ...own, token: token ?? own.token };
  }
  const origin = originOf(url);
  if (origin === null)
    throw new UsageError(
      `${given.url === undefined ? 'CASA_URL' : '--url'} takes an address such as http://127.0.0.1:4010, not "${url}".`,
    );
  if (token !== undefined) return { origin, token };
  // With a URL, unusable settings are ignored.
  const own = await ownMock(surroundings).catch(() => null);
  return { origin, token: own?.origin === origin ? own.token : undefined };
}

async function ownMock({ folder, commandLine }: Surroundings): Promise<Found> {
  const config = mockOptions.flagsOf((await readConfig(folder))?.config ?? {});
  const flags = mockOptions.read({ ...config, ...parseFlags(mockArguments(commandLine), mockFlags) });
  const { port, host, adminToken, readyFile } = mockOptions.settle(flags);
  const ready = readyFile === null ? null : readReady(resolve(folder, readyFile));
  const origin = originOf(ready?.url ?? originAt(host, port));
  if (origin !== null && (ready?.url || port !== 0)) return { origin, token: adminToken ?? undefined };
  throw new UsageError('the mock uses any free port: pass --url URL, or set readyFile in casa.config.json.');
}

/** Empty if process 1 is not `casa mock`. */
function mockArguments(commandLine: string): string[] {
  try {
    const words = readFileSync(commandLine, 'utf8').split('\0').slice(0, -1);
    const at = words.findIndex((word, i) => word === 'mock' && /\bcasa(\.js)?$/.test(words[i - 1] ?? ''));
    return at === -1 ? [] : words.slice(at + 1);
  } catch {
    return [];
  }
}

/** The contents of a `--ready-file`: empty if there is no file, null for another kind of file. */
export function readReady(path: string): { readonly url?: string; readonly pid?: number } | null {
  try {
    const { url, pid } = JSON.parse(readFileSync(path, 'utf8')) as { url?: unknown; pid?: unknown };
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid } : null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? {} : null;
  }
}

/** The config of a folder, or null. Throws a `UsageError` when it cannot be used. */
export async function readConfig(folder: string) {
  const name = findConfig(folder, 'casa');
  if (name === null) return null;
  const value = await loadConfig(resolve(folder, name), 'export default { port: 4010 };');
  const read = readFields(value, mockOptions.fields);
  if (!read.ok) throw new UsageError(`${name} cannot be used: ${read.problem}`);
  return { name, config: read.value as CasaConfig };
}
