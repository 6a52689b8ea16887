// Processes of a test: each on a port that was free, and ended by its own pid.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { availableParallelism } from 'node:os';

const startMsMax = 60_000;
const stopMsMax = 30_000;

/** A server program in the foreground. */
export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The port that it listens on once it is up. */
  readonly port: number;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Whether it is up, by its output so far; by default, whether it takes a connection. */
  readonly isReady?: (output: string) => Promise<boolean>;
  /** Interval of polls; `coldMs` has the same precision. */
  readonly pollMs?: number;
}

/** A process that is up; both ways to end it resolve when it is gone. */
export interface OwnProcess {
  readonly pid: number;
  /** From the start of the process until it was ready. */
  readonly coldMs: number;
  output(): string;
  /** Asks first, and kills after a while. */
  stop(): Promise<void>;
  kill(): Promise<void>;
}

/** Resolves when it is ready, and rejects with its output when it ends or takes too long. */
export async function startOwn(own: OwnCommand): Promise<OwnProcess> {
  const { command, args, port, env = {}, isReady = () => listens(port), pollMs = 20 } = own;
  const startMs = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4000);
    });
  }
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const isUp = () => isReady(output).catch(() => false);
  while (!(await Promise.race([isUp(), failed]))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${output}`);
    if (performance.now() - startMs > startMsMax) {
      await end(child, 'SIGKILL');
      throw new Error(`${command} is not up on ${port}: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  const coldMs = performance.now() - startMs;
  const [stop, kill] = (['SIGTERM', 'SIGKILL'] as const).map((signal) => () => end(child, signal)) as [
    OwnProcess['stop'],
    OwnProcess['kill'],
  ];
  return { pid: child.pid as number, coldMs, output: () => output, stop, kill };
}

async function end(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  const timer = setTimeout(() => child.kill('SIGKILL'), stopMsMax);
  await exited;
  clearTimeout(timer);
}

/** A server of node that a benchmark compares. */
export interface ServerProcess extends OwnProcess {
  readonly name: string;
  readonly port: number;
}

/** How to start a server, and how to know that it is up. */
export interface StartOptions {
  readonly name: string;
  /** Arguments of node. */
  readonly argv: (port: number) => readonly string[];
  /** A request that gets 200 once the server is up. */
  readonly probe: (port: number, output: string) => Promise<boolean>;
}

export const canPin = availableParallelism() > 1 && spawnSync('taskset', ['--version']).status === 0;

function pinned(processor: number, argv: readonly string[]): [command: string, argv: string[]] {
  return canPin ? ['taskset', ['-c', String(processor), process.execPath, ...argv]] : [process.execPath, [...argv]];
}

/** On the first processor, where the system can pin it there. */
export async function startServer({ name, argv, probe }: StartOptions): Promise<ServerProcess> {
  const port = await freePort();
  const [command, args] = pinned(0, argv(port));
  const own = await startOwn({ command, args, port, pollMs: 1, isReady: (output) => probe(port, output) });
  return { ...own, name, port };
}

/** Free a moment ago; another process may take it, which is rare enough for a test. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listens(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect').finally(() => socket.destroy());
  return true;
}

/** Resident memory in MiB. */
export function residentMb(pid: number): number {
  const kb = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

export function hasCommand(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`], { env: withSystemPaths() }).status === 0;
}

/** Debian keeps servers where only root looks by habit. */
export function withSystemPaths(): Record<string, string | undefined> {
  return { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
}
