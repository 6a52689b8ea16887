// A mock in its own process, as a user starts it, with a measuring module in it.
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledCommand } from '../../fixtures/test-kit/command.ts';
import type { Measured } from './inside.ts';

const inside = new URL('./inside.ts', import.meta.url).href;

export interface MockProcess {
  readonly port: number;
  measure<Question extends keyof Measured>(question: Question): Promise<Measured[Question]>;
  /** How it ended without being stopped; null while it runs. */
  readonly died: () => string | null;
  stop(): Promise<void>;
}

/** `FOLDER` in a flag becomes a separate folder; `FOLDER/large.json` has 100,000 articles and as many calls. */
export async function startMockProcess(flags: readonly string[]): Promise<MockProcess> {
  const folder = mkdtempSync(join(tmpdir(), 'casa-attack-'));
  const own = flags.map((flag) => flag.replace('FOLDER', folder));
  const large = flags.some((flag) => flag.endsWith('/large.json')) ? join(folder, 'large.json') : null;
  if (large !== null)
    execFileSync(process.execPath, [bundledCommand, ...'seed --articles 100000 --calls 100000 -o'.split(' '), large]);
  const argv = ['--expose-gc', '--import', inside, bundledCommand, 'mock', '--port', '0', ...own];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let output = '';
  let isStopped = false;
  const keep = (bytes: Buffer) => {
    output = `${output}${bytes}`.slice(-4_000);
  };
  const died = () =>
    isStopped || (child.exitCode ?? child.signalCode) === null
      ? null
      : `${child.exitCode ?? child.signalCode}: ${output}`;
  const gone = () => new Error(`The mock ended with ${died()}`);
  child.stderr?.on('data', keep);
  const port = await new Promise<number>((resolve, reject) => {
    child.once('exit', () => reject(gone()));
    child.stdout?.on('data', (bytes) => {
      keep(bytes);
      const found = /Base URL +http:\/\/[^:]+:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
  });
  return {
    port,
    died,
    measure: async (question) => {
      // A mock that does not respond within a minute is stuck.
      const response = once(child, 'message', { signal: AbortSignal.timeout(60_000) });
      child.send(question);
      return (await response)[0];
    },
    stop: async () => {
      isStopped = true;
      const ended = (child.exitCode ?? child.signalCode) === null ? once(child, 'exit') : null;
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
