// From node's request to a plain one.
import type { IncomingMessage } from 'node:http';
import { bodyBytesMax } from '../../contract/generated/limits.ts';
import { forwardedOrigin } from '../../http/caller.ts';
import type { CoreRequest, Passage } from '../../http/message.ts';
import type { Intake } from './request-feed.ts';

export interface Arrival {
  readonly peer: string;
  /** Number of the connection; undefined when the request came before the one before it got a response. */
  readonly connection: number | undefined;
  readonly passage: Passage;
  readonly onLeave: NonNullable<CoreRequest['onLeave']>;
  /** Used where the Host header names no host. */
  readonly ownOrigin: string;
  readonly publicUrl: string | null;
  readonly trustProxy: boolean;
}

type Head = Pick<IncomingMessage, 'method' | 'url' | 'headers'>;

/**
 * Splits the target at the first `?`. Nothing is decoded here: the router and the query reader do that, each by its own
 * rules.
 */
export function toCore(incoming: Head, body: Uint8Array | null, arrival: Arrival): CoreRequest {
  const url = originForm(incoming.url ?? '/');
  const split = url.indexOf('?');
  const { headers } = incoming;
  return {
    method: incoming.method ?? 'GET',
    path: split === -1 ? url : url.slice(0, split),
    query: split === -1 ? '' : url.slice(split + 1),
    headers: headers as Record<string, string>,
    body,
    peer: arrival.peer,
    connection: arrival.connection,
    passage: arrival.passage,
    onLeave: arrival.onLeave,
    origin: arrival.publicUrl ?? reachedOrigin(headers, arrival),
  };
}

/** `http://host/path` means `/path` here: HTTP obliges a server to take the form that proxies are sent. */
function originForm(url: string): string {
  if (url.startsWith('/')) return url;
  const match = /^https?:\/\/[^/?#]*(.*)$/i.exec(url);
  if (!match) return url;
  const rest = match[1] as string;
  return rest.startsWith('/') ? rest : `/${rest}`;
}

function reachedOrigin(headers: IncomingMessage['headers'], { ownOrigin, trustProxy }: Arrival): string {
  const origin = originOf(headers.host, ownOrigin);
  return trustProxy ? (forwardedOrigin(headers as CoreRequest['headers'], origin) ?? origin) : origin;
}

let knownHost = '';
let knownOrigin = '';

// Connect links are built on it, so a Host that is not a host must not get into them. Nearly always it is the last one
// again.
function originOf(host: string | undefined, ownOrigin: string): string {
  if (host === undefined) return ownOrigin;
  if (host === knownHost) return knownOrigin;
  if (!/^(\[[0-9a-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(host)) return ownOrigin;
  knownHost = host;
  knownOrigin = `http://${host}`;
  return knownOrigin;
}

/** Decides by the head, as HTTP does; a request with neither header has no body, for every method. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Represents every body over the cap, whose bytes are not needed. */
let tooLarge: Uint8Array | undefined;

/** How much of a rejected body is read and dropped, and for how long, before the connection is cut. */
export interface DrainLimits {
  readonly bytes: number;
  readonly ms: number;
}

/** Far above what a test sends by mistake; a client that sends without end still meets an end. */
export const drainLimits: DrainLimits = { bytes: 64 * 1024 * 1024, ms: 10_000 };

export interface Reading {
  readonly intake: Intake;
  readonly drain?: DrainLimits | undefined;
}

/**
 * Passes the body to the callback when it is complete, or as soon as it is known to be over the cap (assumption C78).
 * The remaining bytes are read and dropped, within limits: a client that writes everything before it reads should get
 * its response instead of a reset.
 */
export function readBody(
  incoming: IncomingMessage,
  done: (body: Uint8Array) => void,
  { intake, drain: limits = drainLimits }: Reading,
): void {
  const declared = Number(incoming.headers['content-length']);
  const nothing = Buffer.alloc(0);
  let body: Buffer = nothing;
  let bytes = 0;
  let drain: NodeJS.Timeout | undefined;
  const reject = () => {
    body = nothing;
    bytes = 0;
    intake.release(incoming);
    drain = setTimeout(() => incoming.socket.destroy(), limits.ms);
    incoming.on('close', () => clearTimeout(drain));
    tooLarge ??= new Uint8Array(bodyBytesMax + 1);
    done(tooLarge);
  };
  incoming.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (drain) {
      if (bytes > limits.bytes) incoming.socket.destroy();
    } else if (bytes > bodyBytesMax) reject();
    else {
      body = append(body, bytes - chunk.length, chunk);
      // Nearly always it has come at once.
      if (bytes !== declared) intake.hold(incoming, incoming.socket, body.length);
    }
  });
  incoming.on('close', () => intake.release(incoming));
  incoming.on('end', () => {
    intake.release(incoming);
    if (!drain) done(body.length === bytes ? body : body.subarray(0, bytes));
  });
  if (declared > bodyBytesMax) reject();
}

// Nearly always there is one chunk, which is then the body. A body in many tiny chunks must not cost an object for
// each.
function append(body: Buffer, bytes: number, chunk: Buffer): Buffer {
  if (bytes === 0) return chunk;
  const needed = bytes + chunk.length;
  const roomy = needed <= body.length ? body : Buffer.allocUnsafe(Math.min(bodyBytesMax, 2 * needed));
  if (roomy !== body) body.copy(roomy, 0, 0, bytes);
  chunk.copy(roomy, bytes);
  return roomy;
}
