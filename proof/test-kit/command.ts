// For tests: the command line as its own process.
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Made by bundled-command.ts, one level below the root like dist/, because it reads package.json there. */
export const bundledCommand = fileURLToPath(new URL('../../.tmp-test/casa.js', import.meta.url));

/** A command that runs, or has run. */
export interface CliProcess {
  readonly child: ChildProcess;
  /** Everything written so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Resolves with the first match in the standard output; rejects when the process ends without one. */
  waitFor(pattern: RegExp): Promise<RegExpExecArray>;
  readonly ended: Promise<number | null>;
}

/** `env` is added to the environment of the test. */
export interface CliOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Without an input: a command that waited for one would hang, and the test would show it. */
export function runCli(argv: readonly string[], { cwd, env = {} }: CliOptions = {}): CliProcess {
  const child = spawn(process.execPath, [bundledCommand, ...argv], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  const readers = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    for (const read of readers) read();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  const waitFor = (pattern: RegExp): Promise<RegExpExecArray> =>
    new Promise((resolve, reject) => {
      const read = () => {
        const match = pattern.exec(stdout);
        if (!match) return;
        readers.delete(read);
        resolve(match);
      };
      readers.add(read);
      ended.then(() => reject(new Error(`The process ended without ${pattern}.\n${stdout}\n${stderr}`)));
      read();
    });
  return { child, stdout: () => stdout, stderr: () => stderr, waitFor, ended };
}

/** Starts `casa mock` on a free port and waits until it prints its URL. */
export async function startCli(
  argv: readonly string[],
  options?: CliOptions,
): Promise<CliProcess & { baseUrl: string }> {
  const running = runCli(['mock', '--port', '0', ...argv], options);
  const [, baseUrl] = await running.waitFor(/Base URL +(\S+)\n/);
  return { ...running, baseUrl: baseUrl as string };
}
