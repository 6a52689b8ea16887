// A bad way to a faithful server: it resets, closes, delays, rejects and responses in its own words, as real ones do.
// Its faults are drawn from a seed, so a run can be repeated.

import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request as openRequest, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type Readable, Transform } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';

/** How the way is bad; what is absent is good. Several at once are allowed. */
export interface NetworkFaults {
  readonly seed?: number;
  readonly latencyMs?: number;
  /** Up to so much more, for each request again. */
  readonly jitterMs?: number;
  /** Share of requests that end in a reset, one half of them after the server has taken them. */
  readonly resetShare?: number;
  /** Which of the requests, counted from 1, is lost, and how. */
  readonly loses?: (count: number, request: IncomingMessage) => 'reset' | 'close' | 'silence' | null;
  /** Lets each connection carry one request, and closes it only when the second comes. */
  readonly closesKept?: boolean;
  readonly uplinkBytesPerS?: number;
  /** Writes `Date` itself, when the response goes out, with a clock that is ahead by so much. */
  readonly dateAheadMs?: number;
  /** Returns an error page for a share of the requests. */
  readonly page?: { readonly share: number; readonly status: number };
  /** Rejects what is more than so many requests at a time with a 503 page. */
  readonly atOnceMax?: number;
  /** After so many requests it is gone. */
  readonly rejectAfter?: number;
  /** After so many requests (0 by default) only this is returned. */
  readonly dead?: {
    readonly as: 'json' | 'page' | 'reset' | 'silence';
    readonly after?: number;
    readonly status?: number;
  };
  /** Paths that always return 504 page. */
  readonly stuck?: RegExp;
  /** An application firewall: a body that is not text gets a page. */
  readonly firewall?: boolean;
}

/** The connection, and its statistics for tests. */
export interface FaultyNetwork {
  readonly port: number;
  readonly baseUrl: string;
  /** `METHOD path` of every request that came, in order. */
  readonly requests: readonly string[];
  /** Most connections that were open at a time. */
  openMax(): number;
  open(): number;
  /** Resolves when no connection is open. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** The state of one way. The order of requests is part of it, so a seed repeats only with the same order. */
interface Way {
  readonly faults: NetworkFaults;
  readonly now: () => number;
  readonly originPort: number;
  readonly agent: Agent;
  readonly random: () => number;
  count: number;
  atOnce: number;
  end(): void;
}

/** `now` is what `Date` is written by. */
export async function startFaultyNetwork(
  originPort: number,
  faults: NetworkFaults,
  now: () => number = Date.now,
): Promise<FaultyNetwork> {
  const sockets = new Set<Socket>();
  const used = new WeakSet<Socket>();
  const requests: string[] = [];
  let openMax = 0;
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    if (faults.closesKept && used.has(request.socket)) return void request.socket.destroy();
    used.add(request.socket);
    void pass(way, request, response).catch(() => request.socket.destroy());
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    openMax = Math.max(openMax, sockets.size);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
  });
  const agent = new Agent({ keepAlive: true });
  const close = async () => {
    agent.destroy();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  const way: Way = {
    faults,
    now,
    originPort,
    agent,
    random: randomFrom(faults.seed ?? 1),
    count: 0,
    atOnce: 0,
    end: () => void close(),
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  if (faults.rejectAfter === 0) await close();
  return {
    port,
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    requests,
    openMax: () => openMax,
    open: () => sockets.size,
    settled: async () => {
      await Promise.all([...sockets].map((socket) => once(socket, 'close')));
    },
    close,
  };
}

/** Faults before a request is forwarded come first: the server must not have seen what the way rejected. */
async function pass(way: Way, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { faults } = way;
  way.count += 1;
  way.atOnce += 1;
  response.on('close', () => {
    way.atOnce -= 1;
  });
  if (faults.rejectAfter !== undefined && way.count > faults.rejectAfter) return way.end();
  const { latencyMs = 0, jitterMs = 0 } = faults;
  const delayMs = latencyMs + jitterMs * way.random();
  const page = pageFor(way, request);
  if (page !== null) return void respondPage(response, page);
  const { dead } = faults;
  if (dead !== undefined && way.count > (dead.after ?? 0)) return respondDead(response, dead);
  if (faults.firewall && (await isBinary(request))) return void respondPage(response, 403);
  const lost = lossOf(way, request);
  if (lost === 'silence') return;
  if (lost === 'reset') return void request.socket.resetAndDestroy();
  if (lost === 'close') return void request.socket.destroy();
  if (delayMs > 0) await pause(delayMs);
  forward(way, { request, response, isLostAfter: lost === 'after' });
}

/** The status of a page that a proxy would put instead of a response; null to let it pass. */
function pageFor({ faults, random, atOnce }: Way, { url = '' }: IncomingMessage): number | null {
  if (faults.stuck?.test(url)) return 504;
  if (faults.atOnceMax !== undefined && atOnce > faults.atOnceMax) return 503;
  return faults.page !== undefined && random() < faults.page.share ? faults.page.status : null;
}

/** `after` loses the response of an executed request, which makes retries of writes dangerous. */
function lossOf(
  { faults, random, count }: Way,
  request: IncomingMessage,
): 'reset' | 'close' | 'silence' | 'after' | null {
  const loss = faults.loses?.(count, request) ?? null;
  if (loss !== null) return loss;
  if (faults.resetShare === undefined || random() >= faults.resetShare) return null;
  return random() < 0.5 ? 'reset' : 'after';
}

/** The response of a working proxy when its service is down. */
function respondDead(response: ServerResponse, { as, status = 503 }: NonNullable<NetworkFaults['dead']>): void {
  if (as === 'silence') return;
  if (as === 'reset') return void response.socket?.resetAndDestroy();
  if (as === 'page') return void respondPage(response, status);
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end('{"error":{"code":"transient","message":"try again later"}}');
}

/** HTML, as proxies response: a client must not take it for a response of the service. */
function respondPage(response: ServerResponse, status: number): void {
  response.writeHead(status, { 'content-type': 'text/html' });
  response.end(`<html><head><title>${status}</title></head><body><h1>${status}</h1></body></html>\r\n`);
}

/** A request on its way through. */
interface Passing {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The server takes it, and its response never comes back. */
  readonly isLostAfter: boolean;
}

/** Without `expect`, which this end has handled, and hop-by-hop headers, which belong to one connection. */
function forward({ faults, now, originPort, agent }: Way, { request, response, isLostAfter }: Passing): void {
  const { method = 'GET', url = '/' } = request;
  const { expect: _expect, ...headers } = request.headers;
  const upstream = openRequest({ host: '127.0.0.1', port: originPort, method, path: url, headers, agent });
  upstream.on('error', () => request.socket.destroy());
  upstream.on('response', (apiResponse) => {
    if (isLostAfter) {
      apiResponse.resume();
      request.socket.resetAndDestroy();
      return;
    }
    response.sendDate = false;
    const { dateAheadMs } = faults;
    const date = dateAheadMs === undefined ? {} : { date: new Date(now() + dateAheadMs).toUTCString() };
    const { connection: _connection, 'keep-alive': _keepAlive, ...kept } = apiResponse.headers;
    response.writeHead(apiResponse.statusCode ?? 502, { ...kept, ...date });
    apiResponse.pipe(response);
  });
  upstream.flushHeaders();
  if (request.readableEnded) upstream.end(bodies.get(request));
  else if (faults.uplinkBytesPerS === undefined) request.pipe(upstream);
  else slowDown(request, faults.uplinkBytesPerS).pipe(upstream);
}

/** Bodies that the firewall has read. */
const bodies = new WeakMap<IncomingMessage, Buffer>();

/** Reads the whole body to know; `bodies` keeps it for the way on. */
async function isBinary(request: IncomingMessage): Promise<boolean> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  bodies.set(request, body);
  return body.some((byte) => byte === 0 || byte > 127);
}

/** mulberry32: small, and the same everywhere. Shares nothing with the generator of the mock that is under test. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const sliceBytes = 16_384;

/** In slices, because a body of one chunk would come all at once after a wait. */
export function slowDown(body: Readable, bytesPerS: number): Readable {
  const slow = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const slices = Array.from({ length: Math.ceil(chunk.length / sliceBytes) }, (_, index) =>
        chunk.subarray(index * sliceBytes, (index + 1) * sliceBytes),
      );
      const next = () => {
        const slice = slices.shift();
        if (slice === undefined) return done();
        slow.push(slice);
        setTimeout(next, (1000 * slice.length) / bytesPerS);
      };
      next();
    },
  });
  return body.pipe(slow);
}
