// The kit's own HTTP/1.1 client. `fetch` hides what the checks are about: source address, exact framing, a response
// that arrives before the body is sent. Redirects are never followed, and no response can cost more than the caps
// below.
import * as http from 'node:http';
import * as https from 'node:https';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { Problem } from '../../exchange/exchange.ts';
import { type Agents, makeAgents, proxyTrouble } from './agents.ts';
import { type Collected, collectBody, decodeBody } from './body.ts';

/** Of a whole run; every cap has a default. */
export interface WireOptions {
  /** For the whole exchange, from connecting to the last byte. */
  readonly timeoutMs: number;
  readonly bodyBytesMax?: number;
  /** After this much in one run each response may have little more: the record is held in memory. */
  readonly runBytesMax?: number;
  /** Accept any certificate. */
  readonly insecure?: boolean;
  /** PEM text of a certificate authority to trust. */
  readonly ca?: string;
  /** PEM texts of a client certificate and its key. */
  readonly cert?: string;
  readonly key?: string;
  /** Where HTTP_PROXY, HTTPS_PROXY and NO_PROXY are read. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** One request as sent; only host, length and accept-encoding are added. */
export interface WireRequest {
  readonly method: string;
  /** `https://host:port`, without a path. */
  readonly origin: string;
  /** Path and query exactly as they go out. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
  /** Instead of the usual time, when less is left. */
  readonly timeoutMs?: number;
  /** Cancels the request. */
  readonly signal?: AbortSignal | undefined;
  /** Local address to send from. */
  readonly address: string | null;
  /** Reads a stream of events piece by piece, and returns whether it is complete. */
  readonly watchEvents?: () => (piece: Buffer) => boolean;
}

/** The result of a request. A network problem is a value, because it says nothing about the contract (R60). */
export interface WireResponse {
  /** 0 when no status line arrived. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly problem: Problem;
  readonly detail: string | null;
  /** No connection came about: the server cannot have taken the request. */
  readonly isUnsent: boolean;
}

/** The one way to a target. It resolves for every outcome, within its time. */
export interface Wire {
  send(request: WireRequest): Promise<WireResponse>;
  close(): void;
}

/** Far more than 100 articles or 200 calls take; sites and keywords have no limit of rows. */
export const usualBodyBytesMax = 8_000_000;
const usualRunBytesMax = 24_000_000;
const lateBodyBytesMax = 1_000_000;
const chunkBytes = 65_536;
/** How long a server may take to say `100 Continue`, or to reject by the length alone. */
const continueMs = 1000;
const headStartMs = 100;
const idempotent = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Counts the bytes of the run, and opens a new connection if an old one may be dead. */
export function openWire(options: WireOptions): Wire {
  const agents = makeAgents(options);
  const { runBytesMax = usualRunBytesMax } = options;
  let received = 0;
  return {
    async send(request) {
      // A kept-alive connection can close while idle. A read can be repeated; a write must not use a closed one.
      if (!idempotent.has(request.method)) agents.renew(request.address);
      const usual = options.bodyBytesMax ?? usualBodyBytesMax;
      const bodyBytesMax = received > runBytesMax ? Math.min(usual, lateBodyBytesMax) : usual;
      const timeoutMs = Math.min(options.timeoutMs, request.timeoutMs ?? Number.POSITIVE_INFINITY);
      const apiResponse = await exchangeOnce(request, agents, { ...options, bodyBytesMax, timeoutMs });
      received += apiResponse.body.byteLength;
      if (apiResponse.isReusedDead) agents.stopReusing();
      else if (apiResponse.problem !== 'none') agents.renew(request.address);
      return apiResponse;
    },
    close: () => agents.close(),
  };
}

type CappedOptions = WireOptions & { readonly bodyBytesMax: number };

/** The response, and the state of its connection for later requests. */
type Outcome = WireResponse & {
  /** A kept connection turned out to be closed. */
  readonly isReusedDead: boolean;
};

/**
 * Settles once, with the first of: a whole response, a broken one, an error before any response, the deadline. A
 * response that has begun outranks an error, because a server may respond early and reset the rest of the body.
 */
function exchangeOnce(request: WireRequest, agents: Agents, options: CappedOptions): Promise<Outcome> {
  return new Promise((resolve) => {
    const outgoing = openRequest(request, agents, options);
    const hasConnected = watchConnecting(outgoing);
    let response: http.IncomingMessage | null = null;
    let settled = false;
    const settle = (apiResponse: Read) => {
      if (settled) return;
      settled = true;
      clearTimeout(deadline);
      const isReusedDead = outgoing.reusedSocket && apiResponse.problem === 'reset';
      resolve({ ...apiResponse, isUnsent: apiResponse.status === 0 && !hasConnected(), isReusedDead });
      if (apiResponse.problem !== 'none' || !outgoing.writableFinished) outgoing.destroy();
    };
    const deadline = setTimeout(() => {
      settle(withoutResponse('timeout', `no complete response within ${options.timeoutMs / 1000} s`, response));
    }, options.timeoutMs);
    outgoing.on('socket', (socket) => agents.watch(socket, request.origin));
    outgoing.on('response', (incoming) => {
      response = incoming;
      const isOver = /^text\/event-stream/i.test(incoming.headers['content-type'] ?? '')
        ? request.watchEvents?.()
        : undefined;
      void collectBody(incoming, options.bodyBytesMax, isOver).then((collected) => {
        settle(toResponse(incoming, collected, options));
      });
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      // An early 413 followed by a reset: the response that has been parsed counts, not the reset.
      if (response !== null) return;
      const problem = problemOf(error);
      const { proxy } = agents.route(request.origin, request.path);
      const fault = !hasConnected()
        ? 'cannot be reached'
        : problem === 'not-http'
          ? 'does not return valid HTTP'
          : null;
      const whose = proxy === null || fault === null ? '' : `${proxyTrouble}${proxy}, which ${fault}: `;
      settle(withoutResponse(problem, `${whose}${describe(error)}`, null));
    });
    outgoing.on('close', () => {
      if (response === null) settle(withoutResponse('reset', 'the connection closed without a response', null));
    });
    void writeBody(outgoing, request, () => response !== null || settled);
  });
}

/** Says whether a connection has come about, its TLS included, so something may have been sent. */
function watchConnecting(outgoing: http.ClientRequest): () => boolean {
  let hasConnected = false;
  outgoing.once('socket', (socket: TLSSocket & { secureConnecting?: boolean }) => {
    const isOpening = socket.connecting || socket.secureConnecting === true;
    hasConnected = !isOpening;
    if (isOpening)
      socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
        hasConnected = true;
      });
  });
  return () => hasConnected;
}

/** The path is sent to the letter, unexpected encodings included: some checks are about exactly those. */
function openRequest(request: WireRequest, agents: Agents, options: WireOptions): http.ClientRequest {
  const secure = request.origin.startsWith('https:');
  const route = agents.route(request.origin, request.path);
  const headers: Record<string, string> = { ...request.headers, ...route.headers };
  headers.host ??= new URL(request.origin).host;
  headers['accept-encoding'] ??= 'identity';
  if (request.body !== null && headers['transfer-encoding'] === undefined) {
    headers['content-length'] ??= String(request.body.byteLength);
  }
  return (secure ? https : http).request({
    method: request.method,
    host: route.host,
    port: route.port,
    path: route.path,
    headers,
    agent: agents.agentFor(request.address, secure),
    rejectUnauthorized: options.insecure !== true,
    ...(options.ca === undefined ? {} : { ca: options.ca }),
    ...(options.cert === undefined ? {} : { cert: options.cert, key: options.key ?? options.cert }),
    ...(isOwnBehavior(request.address, route.host) ? {} : { localAddress: request.address }),
    lookup: agents.lookup,
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
}

/** Of the system, that is: a socket that is bound has to look for a port first, which takes longer than to connect. */
function isOwnBehavior(address: string | null, host: string): address is null {
  return address === null || (address === '127.0.0.1' && host === address);
}

/** Small bodies leave with the headers, in one piece. */
async function writeBody(outgoing: http.ClientRequest, request: WireRequest, isOver: () => boolean): Promise<void> {
  const { body } = request;
  if (body === null || (body.byteLength <= chunkBytes && request.headers.expect === undefined)) {
    outgoing.end(body ?? undefined);
    return;
  }
  await headStart(outgoing, request.headers.expect === undefined ? headStartMs : continueMs);
  // In pieces, with a turn of the loop between them, so an early response is read before a reset discards it.
  for (let offset = 0; offset < body.byteLength && !isOver(); offset += chunkBytes) {
    if (!outgoing.write(body.subarray(offset, offset + chunkBytes))) await drained(outgoing, isOver);
    await nextTurn();
  }
  if (!isOver()) outgoing.end();
}

/** Waits until the socket accepts more, or writing is no longer needed. */
async function drained(outgoing: http.ClientRequest, isOver: () => boolean): Promise<void> {
  await new Promise<void>((resolve) => {
    if (isOver() || outgoing.destroyed) return resolve();
    const events = ['drain', 'response', 'close', 'error'];
    const done = () => {
      for (const event of events) outgoing.off(event, done);
      resolve();
    };
    for (const event of events) outgoing.on(event, done);
  });
}

/**
 * Lets the headers go first, until `100 Continue`, a response, or a moment of silence. A server that rejects by the
 * length alone, and closes, would otherwise run into our body, and its response would be lost with the connection.
 */
async function headStart(outgoing: http.ClientRequest, ms: number): Promise<void> {
  outgoing.flushHeaders();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    for (const event of ['continue', 'response', 'close', 'error']) {
      outgoing.once(event, () => {
        clearTimeout(timer);
        resolve();
      });
    }
  });
}

type Read = Omit<WireResponse, 'isUnsent'>;

/** A cut body is not decompressed: the missing part would look like an encoding error. */
function toResponse(incoming: http.IncomingMessage, collected: Collected, options: CappedOptions): Read {
  const headers = joinHeaders(incoming.headers);
  const base = { status: incoming.statusCode ?? 0, headers };
  if (collected.problem !== 'none') return { ...base, ...collected };
  return { ...base, ...decodeBody(collected.body, headers, options.bodyBytesMax) };
}

/** A status line that did arrive is kept: a timeout in the body is not silence. */
function withoutResponse(problem: Problem, detail: string, response: http.IncomingMessage | null): Read {
  const headers = response === null ? {} : joinHeaders(response.headers);
  return { status: response?.statusCode ?? 0, headers, body: Buffer.alloc(0), problem, detail };
}

/** Several headers of one name are one value, as RFC 9110 allows. */
function joinHeaders(headers: http.IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

/** Names of errors differ between systems and versions; what matters is whose fault it may be. */
function problemOf(error: NodeJS.ErrnoException): Problem {
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) return 'not-http';
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'unresolved';
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL|EINVAL)$/.test(code)) return 'refused';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (/CERT|SELF_SIGNED|^ERR_TLS|^ERR_SSL|^EPROTO$|UNABLE_TO/.test(code)) return 'tls';
  return 'reset';
}

/** The message of the TLS library has numbers and file names in it. */
export const noTlsDetail = 'the port does not accept TLS';

/** In words that a person can act on. */
function describe(error: NodeJS.ErrnoException): string {
  if (error.code === 'EPROTO' && /wrong version number|packet length too long|http request/.test(error.message)) {
    return noTlsDetail;
  }
  // The rest of the TLS library's message are numbers and file names.
  const [, alert] = /:SSL routines:[^:]*:([^:]+):/.exec(error.message) ?? [];
  if (alert !== undefined) return alert;
  if (error.code === 'EADDRNOTAVAIL') return 'this machine does not have the source address';
  return error.message === '' ? (error.code ?? error.name) : error.message;
}
