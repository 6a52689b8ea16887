// A server of Redis for one run: on a free port, with its data in a folder of its own, killed by its own pid.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createClient } from '@redis/client';
import type { RedisClient } from '../../src/cli/shared/redis-log.ts';
import { freePort } from '../networks/own-process.ts';

/** When an entry is on the disk: never, within a second, or before it is answered. */
export type Durability = 'off' | 'everysec' | 'always';

const startMsMax = 20_000;

export class RedisServer {
  readonly port: number;
  readonly #args: readonly string[];
  #child: ChildProcess | null = null;

  private constructor(port: number, args: readonly string[]) {
    this.port = port;
    this.#args = args;
  }

  static async start(folder: string, durability: Durability, more: readonly string[] = []): Promise<RedisServer> {
    const port = await freePort();
    const aof = durability === 'off' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', durability];
    const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', '', '--daemonize', 'no'];
    const server = new RedisServer(port, [...own, ...aof, ...more]);
    await server.run();
    return server;
  }

  url(name: string): string {
    return `redis://127.0.0.1:${this.port}/${name}`;
  }

  /** Again, with the data that it has. */
  async run(): Promise<void> {
    const child = spawn('redis-server', [...this.#args], { stdio: 'ignore' });
    this.#child = child;
    const startMs = performance.now();
    while (!(await this.#answers())) {
      if (child.exitCode !== null) throw new Error(`redis-server ended with ${child.exitCode}`);
      if (performance.now() - startMs > startMsMax) throw new Error('redis-server does not answer');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** As a failure does it. */
  async kill(): Promise<void> {
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    await this.#end('SIGTERM');
  }

  async open(): Promise<RedisClient> {
    const client = createClient({
      url: `redis://127.0.0.1:${this.port}`,
      RESP: 2,
      socket: { reconnectStrategy: false },
    }) as RedisClient;
    client.on('error', () => {});
    await client.connect();
    return client;
  }

  async #answers(): Promise<boolean> {
    try {
      const client = await this.open();
      await client.sendCommand(['PING']);
      client.destroy();
      return true;
    } catch {
      return false;
    }
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}
