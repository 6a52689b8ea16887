// Runs one set-up: the faithful server, the proxy in front of it, and the built suite as a process.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endOf } from '../../../fixtures/test-kit/own-process.ts';
import { type Independent, type IndependentOptions, startIndependent } from '../../independent/index.ts';

const runMsMax = 420_000;

/** Never rejects: a set-up that does not start is a row with a wrong result. */
export async function problemsOf(setUp: SetUp, kit: string): Promise<Row> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-network-'));
  // A proxy that gives up being root reads its configuration here.
  chmodSync(folder, 0o755);
  const { variant = 'plain', clockAheadMs = 0 } = setUp;
  const server = await startIndependent({ variant, now: () => Date.now() + clockAheadMs });
  const site = { server, originPort: Number(new URL(server.baseUrl).port), folder };
  let front: Front | null = null;
  try {
    front = await setUp.start(site);
    return toRow(setUp, await runKit(kit, front, site), join(folder, 'report.json'));
  } catch (error) {
    const problem = `could not be set up: ${error instanceof Error ? error.message : String(error)}`;
    return { name: setUp.name, exitCode: null, failing: [], errors: 0, seconds: 0, lastLine: '', problem };
  } finally {
    await front?.close();
    await server.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runKit(kit: string, { baseUrl, args = [], env = {} }: Front, { server, folder }: Site) {
  const argv = [kit, '--base-url', baseUrl, '--report', `json=${join(folder, 'report.json')}`, ...args];
  const startMs = performance.now();
  const child = spawn(process.execPath, argv, {
    ...{ stdio: ['ignore', 'pipe', 'pipe'], timeout: runMsMax, killSignal: 'SIGKILL' },
    env: { ...process.env, CONFORMANCE_API_KEY: server.keys.good, TMPDIR: folder, XDG_CACHE_HOME: folder, ...env },
  });
  const { code: exitCode, out, err } = await endOf(child);
  // The order of the two pipes is not defined: the result is on stdout, errors are on stderr.
  return { exitCode, seconds: (performance.now() - startMs) / 1000, output: out.trim() === '' ? err : out };
}

/** A result is right when the exit code, the failing checks and the last line are all as expected. */
function toRow({ name, exits = [0], says }: SetUp, ended: Awaited<ReturnType<typeof runKit>>, file: string): Row {
  const { exitCode, seconds, output } = ended;
  const checks: { id: string; result: string }[] = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8')).checks
    : [];
  const idsWith = (kind: string) => checks.filter(({ result }) => result === kind).map(({ id }) => id);
  const [failing, errors] = [idsWith('fail'), idsWith('error').length];
  const lastLine = output.trim().split('\n').at(-1) ?? '';
  const reasons = [
    ...(exitCode !== null && exits.includes(exitCode) ? [] : [`exit ${exitCode}, not ${exits.join(' or ')}`]),
    ...(failing.length === 0 ? [] : [`false positives: ${failing.join(', ')}`]),
    ...(says === undefined || says.test(lastLine) ? [] : [`does not say ${says.source}`]),
    ...(errors > 0 && exits.includes(0) ? [`${errors} errors`] : []),
  ];
  const problem = reasons.length === 0 ? null : reasons.join('; ');
  return { name, exitCode, failing, errors, seconds, lastLine, problem };
}

export interface Site {
  readonly server: Independent;
  /** Port of the faithful server. */
  readonly originPort: number;
  /** A folder for configurations and certificates, removed at the end. */
  readonly folder: string;
}

/** Arguments of `conformance`, and the processes to stop afterwards. */
export interface Front {
  readonly baseUrl: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

export interface SetUp {
  readonly name: string;
  /** A command that must be there, and the Debian package that has it. */
  readonly needs?: { readonly command: string; readonly debian: string };
  readonly variant?: IndependentOptions['variant'];
  /** The server's clock, ahead of this machine's. */
  readonly clockAheadMs?: number;
  /** 0 alone when absent. */
  readonly exits?: readonly number[];
  /** Words that the last line must hold. */
  readonly says?: RegExp;
  start(site: Site): Promise<Front>;
}

export interface Row {
  readonly name: string;
  readonly exitCode: number | null;
  readonly failing: readonly string[];
  readonly errors: number;
  readonly seconds: number;
  readonly lastLine: string;
  /** Why the result is wrong; null when it is right. */
  readonly problem: string | null;
}
