// Processes of a set-up: each in a folder of its own, on a port that was free, and ended by its own pid.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

const START_MS_MAX = 20_000;
const STOP_MS_MAX = 5_000;

/** `stop` resolves when the process is gone. */
export interface OwnProcess {
  readonly pid: number;
  stop(): Promise<void>;
}

/** A server program in the foreground. */
export interface OwnCommand {
  readonly command: string;
  readonly args: readonly string[];
  /** The port that it listens on once it is up. */
  readonly port: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Resolves when the port answers; rejects with what the program said when it ends or takes too long. */
export async function startOwn({ command, args, port, env = {} }: OwnCommand): Promise<OwnProcess> {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...env } });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = `${output}${chunk}`.slice(-4000);
    });
  }
  const failed = new Promise<never>((_, reject) => child.once('error', reject));
  const startMs = performance.now();
  while (!(await Promise.race([listens(port), failed]))) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}: ${output}`);
    if (performance.now() - startMs > START_MS_MAX) {
      await stopChild(child);
      throw new Error(`${command} does not listen on ${port}: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  return { pid: child.pid as number, stop: () => stopChild(child) };
}

/** Asks first, and kills after a while. */
async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS_MAX);
  await exited;
  clearTimeout(timer);
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

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}

export function hasCommand(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`], { env: withSystemPaths() }).status === 0;
}

/** Debian keeps servers where only root looks by habit. */
export function withSystemPaths(): Record<string, string | undefined> {
  return { ...process.env, PATH: `${process.env.PATH ?? ''}:/usr/sbin:/sbin` };
}
