// A mock in its own process, as a user starts it, with a measuring module in it.
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundledCommand, startCli } from '../../fixtures/test-kit/command.ts';
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
  const large = own.find((flag) => flag.endsWith('/large.json'));
  if (large !== undefined)
    execFileSync(process.execPath, [bundledCommand, ...'seed --articles 100000 --calls 100000 -o'.split(' '), large]);
  const { child, baseUrl, stdout, stderr, ended } = await startCli(own, { node: ['--expose-gc', '--import', inside] });
  let isStopped = false;
  return {
    port: Number(new URL(baseUrl).port),
    died: () => {
      const end = child.exitCode ?? child.signalCode;
      return isStopped || end === null ? null : `${end}: ${(stdout() + stderr()).slice(-4_000)}`;
    },
    measure: async (question) => {
      // A mock that does not respond within a minute is stuck.
      const response = once(child, 'message', { signal: AbortSignal.timeout(60_000) });
      child.send(question);
      return (await response)[0];
    },
    stop: async () => {
      isStopped = true;
      child.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
