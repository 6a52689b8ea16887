// A mock in a process of its own that tells how long one request kept its thread.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { bundledCommand } from '../rigs/command.ts';

const inside = new URL('./inside-blocks.ts', import.meta.url).href;

/** A request whose cost is measured. */
export interface Asked {
  readonly path: string;
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** `blockMs` is processor time of the mock's main thread, the longest stretch without a turn of the event loop. */
export interface BlockedMock {
  ask(asked: Asked): Promise<{ status: number; bytes: number; blockMs: number; text: string }>;
  /** Waits until the mock has nothing left to do, such as collecting what earlier requests left behind. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

const key = 'casa_0123456789abcdef0123456789abcdef';

/** One request at a time: the figure would otherwise be that of several. */
export async function startBlockedMock(flags: readonly string[]): Promise<BlockedMock> {
  const argv = ['--import', inside, bundledCommand, 'mock', '--port', '0', '--relaxed', '--quiet', ...flags];
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  let said = '';
  const base = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`The mock does not start: ${said}`)));
    child.stdout?.on('data', (bytes) => {
      said += bytes;
      const url = /Base URL +(http:\/\/[^/]+)/.exec(said)?.[1];
      if (url !== undefined) resolve(url);
    });
  });
  return {
    async ask({ path, method = 'GET', body, headers = {} }) {
      child.send('forget');
      const response = await fetch(base + path, {
        method,
        ...(body === undefined ? {} : { body: body as BodyInit }),
        headers: {
          ...(path.startsWith('/__admin') ? {} : { authorization: `Bearer ${key}` }),
          'content-type': 'application/json',
          ...headers,
        },
      });
      const text = await response.text();
      return { status: response.status, bytes: text.length, blockMs: await worstOf(child), text };
    },
    async settle() {
      for (let quiet = 0; quiet < 3; ) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        quiet = (await worstOf(child)) < 2 ? quiet + 1 : 0;
      }
    },
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The worst since it was last asked or forgotten. */
async function worstOf(child: ChildProcess): Promise<number> {
  const answered = once(child, 'message');
  child.send('worst');
  const [worst] = (await answered) as [number];
  return worst;
}
