// Redis, replicas of the bundled command and HAProxy as the example configures it: processes on ports that were free,
// which may be killed and started again.
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@redis/client';
import { bundledCommand } from '../../fixtures/test-kit/command.ts';
import { freePort, type OwnProcess, startOwn, withSystemPaths } from '../../fixtures/test-kit/own-process.ts';
import type { RedisClient } from '../../src/cli/replicas/redis-log.ts';

const example = new URL('../../examples/shared-compose/', import.meta.url);

const services: Service[] = [];
const folders: string[] = [];

/** Ends all that was started here, and removes its files. */
export async function endAll(): Promise<void> {
  for (const service of services.splice(0).reverse()) await service.end('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'casa-replicas-'));
  folders.push(folder);
  return folder;
}

export class Service {
  readonly port: number;
  readonly #argv: readonly string[];
  readonly #isReady: () => Promise<boolean>;
  #process: OwnProcess | null = null;

  constructor(port: number, argv: readonly string[], isReady: () => Promise<boolean>) {
    this.port = port;
    this.#argv = argv;
    this.#isReady = isReady;
    services.push(this);
  }

  async start(): Promise<void> {
    const [command = '', ...args] = this.#argv;
    const given = { command, args, port: this.port, env: withSystemPaths(), isReady: this.#isReady };
    this.#process = await startOwn(given);
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    await (signal === 'SIGTERM' ? this.#process?.stop() : this.#process?.kill());
  }
}

/** When an entry is on the disk: never, within a second, or before it gets a response. */
export type Durability = 'off' | 'everysec' | 'always';

export type Redis = Awaited<ReturnType<typeof startRedis>>;

export async function startRedis(durability: Durability, more: readonly string[] = []) {
  const port = await freePort();
  const open = async () => {
    const socket = { reconnectStrategy: false as const };
    const client = createClient({ url: `redis://127.0.0.1:${port}`, RESP: 2, socket }) as RedisClient;
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const isReady = async () => {
    const client = await open();
    await client.sendCommand(['PING']).finally(() => client.destroy());
    return true;
  };
  const aof = durability === 'off' ? ['--appendonly', 'no'] : ['--appendonly', 'yes', '--appendfsync', durability];
  const own = ['--port', String(port), '--bind', '127.0.0.1', '--dir', newFolder(), '--save', '', '--daemonize', 'no'];
  const service = new Service(port, ['redis-server', ...own, ...aof, ...more], isReady);
  await service.start();
  return Object.assign(service, { open, url: (name: string) => `redis://127.0.0.1:${port}/${name}` });
}

/** Each keeps its port when it is started again. */
export async function startReplicas(count: number, args: readonly string[]): Promise<Service[]> {
  const path = args.some((arg) => arg.startsWith('--shared')) ? '/__ready' : '/openapi.json';
  const replicas: Service[] = [];
  for (let i = 0; i < count; i += 1) {
    const port = await freePort();
    const argv = [process.execPath, bundledCommand, 'mock', ...args, '--quiet', '--host', '127.0.0.1'];
    replicas.push(new Service(port, [...argv, '--port', String(port)], () => responds(port, path)));
  }
  await Promise.all(replicas.map((replica) => replica.start()));
  return replicas;
}

/** The example's own configuration, with these replicas for the names that Docker resolves. */
export async function startProxy(replicas: readonly Service[]): Promise<Service> {
  const folder = newFolder();
  const port = await freePort();
  const servers = replicas.map(({ port: to }, i) => `  server replica${i + 1} 127.0.0.1:${to}`);
  const text = readFileSync(new URL('haproxy.cfg', example), 'utf8')
    .replace(/resolvers docker\n.*\n/, '')
    .replace('resolvers docker init-addr none', '')
    .replace(/ {2}server-template .*/, servers.join('\n'))
    .replace('bind :4010', `bind 127.0.0.1:${port}`);
  const file = join(folder, 'haproxy.cfg');
  writeFileSync(file, text);
  copyFileSync(new URL('unavailable.http', example), join(folder, 'unavailable.http'));
  const proxy = new Service(port, ['haproxy', '-db', '-f', file], () => responds(port, '/__ready'));
  await proxy.start();
  return proxy;
}

async function responds(port: number, path: string): Promise<boolean> {
  return (await send(port, `GET ${path}`)).status === 200;
}

type RequestOptions = { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> };

/** `line` is a method and a path. */
export function send(port: number, line: string, { body, headers }: RequestOptions = {}): Promise<Response> {
  const [method = '', path = ''] = line.split(' ');
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...type, ...headers }, ...(body !== undefined && { body: JSON.stringify(body) }) };
  return fetch(`http://127.0.0.1:${port}${path}`, { ...init, signal: AbortSignal.timeout(10_000) });
}
