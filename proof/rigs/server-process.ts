// Servers under test: each in a process of its own, on the first processor where the system can pin it there.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { availableParallelism } from 'node:os';

/** A server that answers. */
export interface ServerProcess {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  /** The output of the server so far. */
  output(): string;
  stop(): Promise<void>;
}

/** How to start a server, and how to know that it is up. */
export interface StartOptions {
  readonly name: string;
  /** Arguments of node. */
  readonly argv: (port: number) => string[];
  /** A request that answers 200 once the server is up. */
  readonly probe: (port: number, output: string) => Promise<boolean>;
  /** For servers that log each request: during a round nobody would read it, and a full pipe would stop them. */
  readonly isSilenced?: boolean;
}

export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

export function pinned(processor: number, argv: string[]): [command: string, argv: string[]] {
  return canPin ? ['taskset', ['-c', String(processor), process.execPath, ...argv]] : [process.execPath, argv];
}

/**
 * `coldMs` is from the start of the process to the first 200. Asked each millisecond, so that it is no coarser than
 * that.
 */
export async function startServer({
  name,
  argv,
  probe,
  isSilenced = false,
}: StartOptions): Promise<ServerProcess & { coldMs: number }> {
  const port = await freePort();
  const startMs = performance.now();
  const child = spawn(...pinned(0, argv(port)), {
    stdio: ['ignore', isSilenced ? 'ignore' : 'pipe', isSilenced ? 'ignore' : 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk) => {
      output += String(chunk);
    });
  }
  while (!(await probe(port, output).catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`${name} ended with ${child.exitCode}: ${output.slice(0, 2000)}`);
    if (performance.now() - startMs > 30_000)
      throw new Error(`${name} did not answer in 30 s: ${output.slice(0, 2000)}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  const coldMs = performance.now() - startMs;
  return { name, port, pid: child.pid as number, coldMs, output: () => output, stop: () => stop(child) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), 5_000);
  await exited;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Resident memory in MiB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}
