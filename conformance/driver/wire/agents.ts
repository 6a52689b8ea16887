// Connections: one keep-alive pool for each source address, one remote address for the whole run, proxies by
// environment.
import { lookup as resolveName } from 'node:dns';
import * as http from 'node:http';
import * as https from 'node:https';
import { createServer, isIP, type LookupFunction, type Socket } from 'node:net';
import * as tls from 'node:tls';
import { percentDecoded } from '../../../src/contract/percent.ts';
import { UsageError } from '../../../src/terminal/usage-error.ts';
import { isLoopback } from '../../exchange/request.ts';

/** `env` is handed in, so tests have proxies without touching the process. */
interface AgentOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

/** Where the bytes go: to the target itself, or to a proxy with the whole URL as path. */
export interface Route {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The proxy for plain HTTP. */
  readonly proxy: string | null;
}

/**
 * The connections of one run. Which of them carries a request may matter to a limiter and to a proxy, so nothing here
 * is left to chance.
 */
export type Agents = ReturnType<typeof makeAgents>;

/** How the detail of a request begins that came no further than a proxy of the environment. */
export const proxyTrouble = 'the proxy of ';

/** Requests leave one by one: one idle connection of an address serves them all. */
const idleMax = 1;
const poolsMax = 3;

/** At most three pools are kept, so fifty source addresses do not hold fifty connections of a small server. */
export function makeAgents(options: AgentOptions) {
  const pools = new Map<string, http.Agent>();
  const retired = new Set<http.Agent>();
  let keepAlive = true;
  const pinned = new Map<string, string>();
  const poolName = (address: string | null, secure: boolean) => `${secure ? 'https' : 'http'} ${address ?? ''}`;
  /** Idle connections are closed at once, the others as soon as their request has its response. */
  const retire = (name: string) => {
    const pool = pools.get(name);
    if (pool === undefined) return;
    pools.delete(name);
    pool.maxFreeSockets = 0;
    for (const socket of Object.values(pool.freeSockets).flat()) socket?.destroy();
    if (Object.keys(pool.sockets).length > 0) retired.add(pool);
  };
  return {
    agentFor(address: string | null, secure: boolean): http.Agent {
      const name = poolName(address, secure);
      const settings = { keepAlive, maxFreeSockets: idleMax };
      const pool = pools.get(name) ?? (secure ? tunnelAgent(options, settings) : new http.Agent(settings));
      // The one that is used last is the youngest: beyond a few, the pools that have waited longest are closed.
      pools.delete(name);
      pools.set(name, pool);
      for (const other of [...pools.keys()].slice(0, -poolsMax)) retire(other);
      return pool;
    },
    /** Closes the idle connections of an address, one of which has turned out dead or may be about to. */
    renew(address: string | null) {
      for (const secure of [true, false]) retire(poolName(address, secure));
    },
    /** From now on each request has a separate connection: a proxy in between closes the kept ones. */
    stopReusing() {
      keepAlive = false;
      for (const name of [...pools.keys()]) retire(name);
    },
    route: (origin: string, path: string) => routeOf(new URL(origin), path, options.env ?? {}),
    /** Remembers which of the host's addresses responded. */
    watch(socket: Socket, origin: string) {
      if (!socket.connecting) return;
      // One limiter instance, one window: a second address of the host might keep its own count (interpretation R52).
      socket.once('connect', () => {
        if (socket.remoteAddress) pinned.set(bareHost(new URL(origin)), socket.remoteAddress);
      });
    },
    lookup: ((hostname, lookupOptions, callback) => {
      const address = pinned.get(hostname);
      const family = address?.includes(':') ? 6 : 4;
      if (address === undefined) resolveName(hostname, lookupOptions, callback);
      else if (lookupOptions.all) callback(null, [{ address, family }]);
      else callback(null, address, family);
    }) satisfies LookupFunction,
    close() {
      for (const pool of [...pools.values(), ...retired]) pool.destroy();
    },
  };
}

/** HTTPS has no proxy here: its proxy is reached by CONNECT, in `tunnelAgent`. */
function routeOf(url: URL, path: string, env: Readonly<Record<string, string | undefined>>): Route {
  const secure = url.protocol === 'https:';
  const port = Number(url.port) || (secure ? 443 : 80);
  const proxy = secure ? null : findProxy(url, env);
  if (proxy === null) return { host: bareHost(url), port, path, headers: {}, proxy: null };
  return {
    host: proxy.host,
    port: proxy.port,
    path: `${url.protocol}//${url.host}${path}`,
    headers: { host: url.host, ...proxy.headers },
    proxy: proxy.name,
  };
}

/** An https agent that uses CONNECT if the environment names a proxy for the host. */
function tunnelAgent(options: AgentOptions, settings: https.AgentOptions): https.Agent {
  const agent = new https.Agent(settings);
  const connectDirectly = agent.createConnection.bind(agent);
  agent.createConnection = (connectOptions, callback) => {
    const host = String(connectOptions.host ?? '');
    const port = Number(connectOptions.port ?? 443);
    const url = new URL(`https://${host.includes(':') ? `[${host}]` : host}:${port}`);
    const proxy = findProxy(url, options.env ?? {});
    if (proxy === null) return connectDirectly(connectOptions, callback);
    const connect = http.request({
      method: 'CONNECT',
      host: proxy.host,
      port: proxy.port,
      path: `${url.hostname}:${port}`,
      headers: { host: `${url.hostname}:${port}`, ...proxy.headers },
      timeout: options.timeoutMs,
    });
    const fail = (message: string) =>
      callback?.(new Error(`${proxyTrouble}${proxy.name}, which ${message}`), undefined as never);
    connect.on('connect', (response, socket) => {
      if (response.statusCode !== 200) return fail(`rejects the tunnel with status ${response.statusCode}`);
      const secured = tls.connect({ ...(connectOptions as tls.ConnectionOptions), socket, servername: host });
      callback?.(null, secured);
    });
    connect.on('error', (error) => fail(`cannot be reached: ${error.message}`));
    connect.end();
    return undefined;
  };
  return agent;
}

/** IPv6 has brackets in a URL, and none in a socket. */
function bareHost(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

// Whether a port uses TLS: tested only if plain HTTP got no response, to report a base URL with the wrong scheme.

const timeoutMs = 3000;

/** Never rejects; false also if the port sends nothing for three seconds. */
export function speaksTls({ hostname, port }: URL): Promise<boolean> {
  return new Promise((resolve) => {
    const host = hostname.replace(/^\[|\]$/g, '');
    // Only the handshake matters here; no data is sent, so the certificate need not be trusted.
    const socket = tls.connect({ host, port: Number(port) || 80, rejectUnauthorized: false, timeout: timeoutMs });
    const end = (response: boolean) => {
      socket.destroy();
      resolve(response);
    };
    socket.once('secureConnect', () => end(true));
    socket.once('error', () => end(false));
    socket.once('timeout', () => end(false));
    socket.once('close', () => end(false));
  });
}

// Addresses of --source-address, tried before the first request: one that this machine does not have would make a
// target look unreachable.

/** Throws a UsageError that names the first address that cannot be used. */
export async function tryAddresses(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    if (isIP(address) === 0) throw new UsageError(`--source-address "${address}" is not an IP address.`);
    const problem = await bind(address);
    if (problem === null) continue;
    throw new UsageError(
      `--source-address ${address} is not an address of this machine (${problem}): use one of its addresses.`,
    );
  }
}

/** The code of what went wrong; null when the address can be used. */
function bind(address: string): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(0, address, () => server.close(() => resolve(null)));
  });
}

// HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY, as curl reads them. This machine is never reached through a proxy.

export interface Proxy {
  /** The variable that names it, and where it is, for a person. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly headers: Readonly<Record<string, string>>;
}

/** Lower-case names come first, as in curl. */
type Env = Readonly<Record<string, string | undefined>>;

/** Throws a UsageError when the environment names a proxy of a kind that the kit cannot use. */
export function findProxy(url: URL, env: Env): Proxy | null {
  const read = (name: string) => env[name.toLowerCase()] ?? env[name];
  const variable = [url.protocol === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY', 'ALL_PROXY'].find(read);
  const setting = variable === undefined ? undefined : read(variable);
  if (!variable || !setting || isLoopback(url.hostname) || isExempt(url, read('NO_PROXY') ?? '')) return null;
  const written = setting.includes('://') ? setting : `http://${setting}`;
  const proxy = URL.canParse(written) ? new URL(written) : null;
  if (proxy === null || !/^https?:$/.test(proxy.protocol)) throw new UsageError(unusable(variable, written, url));
  const credentials = `${percentDecoded(proxy.username)}:${percentDecoded(proxy.password)}`;
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  return {
    name: `${variable} (${proxy.host})`,
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: Number(proxy.port) || 80,
    headers: proxy.username === '' ? {} : { 'proxy-authorization': authorization },
  };
}

/** Says both ways out: another proxy, or none. */
function unusable(variable: string, setting: string, { host }: URL): string {
  const scheme = setting.split('://')[0];
  const way = `set an http:// proxy, or bypass the proxy with NO_PROXY=${host}`;
  return `${variable} names a ${scheme}:// proxy, and casa-kit supports HTTP proxies only: ${way}.`;
}

/** Entries are host names, with or without a leading dot and a port; `*` means every host. */
function isExempt(url: URL, list: string): boolean {
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const [name = '', port] = entry.replace(/^\*?\./, '').split(':');
      if (port !== undefined && port !== url.port) return false;
      return url.hostname === name || url.hostname.endsWith(`.${name}`);
    });
}
