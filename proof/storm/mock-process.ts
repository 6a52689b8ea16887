// A mock in a process of its own, as a user starts it, with a measuring module beside it.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundledCommand } from '../rigs/command.ts';
import type { Measured } from './inside.ts';

const inside = new URL('./inside.ts', import.meta.url).href;
const startMs = 30_000;

/** A mock under attack. */
export interface MockProcess {
  readonly port: number;
  measure(): Promise<Measured>;
  /** How it ended, when it did without being asked to. */
  readonly died: () => string | null;
  stop(): Promise<void>;
}

/** Its output is read and thrown away, as by a terminal that nobody looks at. */
export async function startMockProcess(flags: readonly string[]): Promise<MockProcess> {
  const argv = ['--expose-gc', '--import', inside, bundledCommand, 'mock', '--port', '0', ...flags];
  const child = spawn(process.execPath, argv, {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  const keep = (bytes: Buffer) => {
    said = `${said}${bytes}`.slice(-4_000);
  };
  let died: string | null = null;
  let isAsked = false;
  child.stderr?.on('data', keep);
  child.once('exit', (code, signal) => {
    if (!isAsked) died = `${signal ?? `exit ${code}`}: ${said.slice(-1_000)}`;
  });
  const port = await portOf(child, keep);
  return {
    port,
    died: () => died,
    measure: () => measure(child),
    stop: async () => {
      isAsked = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** From the banner, as a person reads it. */
function portOf(child: ChildProcess, keep: (bytes: Buffer) => void): Promise<number> {
  return new Promise((resolve, reject) => {
    let banner = '';
    const timer = setTimeout(() => reject(new Error(`The mock does not start: ${banner}`)), startMs);
    child.once('exit', (code) => reject(new Error(`The mock ended with ${code}: ${banner}`)));
    child.stdout?.on('data', (bytes: Buffer) => {
      keep(bytes);
      if (banner.length > 10_000) return;
      banner += bytes;
      const port = /Base URL +http:\/\/[^:]+:(\d+)/.exec(banner)?.[1];
      if (port === undefined) return;
      clearTimeout(timer);
      resolve(Number(port));
    });
  });
}

/** Rejects when nothing comes for a minute: the mock is then stuck, which is itself a finding. */
function measure(child: ChildProcess): Promise<Measured> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The mock does not answer: its event loop is blocked.')), 60_000);
    child.once('message', (measured) => {
      clearTimeout(timer);
      resolve(measured as Measured);
    });
    child.once('exit', () => reject(new Error('The mock is gone.')));
    child.send('measure');
  });
}
