// `casa mock` processes and the proxy that sends each request to the next of them.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, type OwnProcess, startOwn, withSystemPaths } from '../networks/own-process.ts';

const startMsMax = 60_000;

export interface ReplicaOptions {
  /** The command as one file. */
  readonly command: string;
  readonly args: readonly string[];
  readonly port: number;
}

/** One replica on a port that it keeps when it is started again. */
export class ReplicaCommand {
  readonly port: number;
  readonly #options: ReplicaOptions;
  #child: ChildProcess | null = null;
  output = '';

  constructor(options: ReplicaOptions) {
    this.#options = options;
    this.port = options.port;
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  /** Resolves with the milliseconds until it was ready. */
  async start(): Promise<number> {
    const { command, args, port } = this.#options;
    const startMs = performance.now();
    const child = spawn(process.execPath, [command, 'mock', '--quiet', '--port', String(port), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        this.output = `${this.output}${chunk}`.slice(-20_000);
      });
    }
    while (!(await this.isReady())) {
      if (child.exitCode !== null) throw new Error(`casa mock ended with ${child.exitCode}: ${this.output}`);
      if (performance.now() - startMs > startMsMax) throw new Error(`casa mock is not ready: ${this.output}`);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - startMs;
  }

  /** Another version in its place, as far as the log can tell: resolves with the exit code, and what it said. */
  async startAnother(more: readonly string[]): Promise<{ code: number | null; said: string }> {
    const { command, args, port } = this.#options;
    const argv = [command, 'mock', '--quiet', '--port', String(port), ...args, ...more];
    const child = spawn(process.execPath, argv, { stdio: ['ignore', 'ignore', 'pipe'], timeout: startMsMax });
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const [code] = (await once(child, 'close')) as [number | null];
    return { code, said };
  }

  async isReady(): Promise<boolean> {
    const shared = this.#options.args.includes('--shared');
    const path = shared ? '/__ready' : '/__admin/health';
    return await fetch(`http://127.0.0.1:${this.port}${path}`).then(
      ({ status }) => status === 200,
      () => false,
    );
  }

  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
    const child = this.#child;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }
}

export async function startReplicas(
  count: number,
  options: Pick<ReplicaOptions, 'command' | 'args'>,
): Promise<ReplicaCommand[]> {
  const replicas: ReplicaCommand[] = [];
  for (let i = 0; i < count; i += 1) replicas.push(new ReplicaCommand({ ...options, port: await freePort() }));
  await Promise.all(replicas.map((replica) => replica.start()));
  return replicas;
}

/** Round robin by HAProxy. A request that reached no replica goes to the next; one that reached one never does. */
export async function startProxy(folder: string, ports: readonly number[]): Promise<OwnProcess & { port: number }> {
  const port = await freePort();
  const servers = ports.map(
    (replica, i) => `  server replica${i + 1} 127.0.0.1:${replica} check inter 200ms fall 1 rise 1`,
  );
  const text = `global
  maxconn 1000
defaults
  mode http
  timeout connect 1s
  timeout client 30s
  timeout server 30s
  option forwardfor
  option redispatch 1
  retries 3
  retry-on conn-failure
frontend front
  bind 127.0.0.1:${port}
  default_backend replicas
backend replicas
  balance roundrobin
  http-reuse never
${servers.join('\n')}
`;
  const file = join(folder, `haproxy-${port}.cfg`);
  writeFileSync(file, text);
  const env = { PATH: withSystemPaths().PATH ?? '', HOME: folder };
  const proxy = await startOwn({ command: 'haproxy', args: ['-db', '-f', file], port, env });
  return { ...proxy, port };
}
