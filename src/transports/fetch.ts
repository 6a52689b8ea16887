// The web-standard transport: a function from Request to Response, for service workers, Bun, Deno and tests without a
// socket.
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { CoreRequest, CoreResponse, Passage } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import { openTransports, Passages, type TransportEngine, type TransportOptions } from './transport.ts';

/** Settings for information that a socket would provide (the peer) and for its timeouts. */
export interface FetchHandlerOptions extends TransportOptions {
  /** The address that the address limiter counts for every request; `127.0.0.1` when absent. */
  readonly peer?: string | undefined;
  /** How long a slow body takes in all; 5000 when absent. */
  readonly slowBodyMs?: number | undefined;
  /** After how long a response that never comes turns into a failure; 120000 when absent. */
  readonly timeoutMs?: number | undefined;
  /** Where clients reach the API, without a slash at the end; `/api/v1` of each request's origin when absent. */
  readonly baseUrl?: string | undefined;
}

/** `delivered` settles when the asker has the response, where that is later than when the handler gives it. */
export type FetchHandler = (request: Request, delivered?: Promise<unknown>) => Promise<Response>;

/**
 * Makes a fetch handler. Where a network fault leaves nothing to respond with, the promise rejects with a `TypeError`,
 * as that of `fetch` does.
 */
export function createFetchHandler(engine: TransportEngine, options: FetchHandlerOptions = {}): FetchHandler {
  const { peer = '127.0.0.1', slowBodyMs = 5_000, timeoutMs = 120_000, baseUrl } = options;
  const transport = openTransports(engine, { cors: options.cors, onBug: options.onBug ?? printBug });
  const apiResponse = async (request: Request, passage: Passage): Promise<Response> => {
    const { signal } = request;
    const coreRequest = await toCore(request, peer);
    const response = await transport({
      ...coreRequest,
      ...(baseUrl !== undefined && atBase(coreRequest, baseUrl)),
      passage,
    });
    if (response.latencyMs) await wait(response.latencyMs, signal);
    switch (response.network) {
      case 'reset':
      case 'empty':
        throw failure(response.network);
      case 'timeout':
        await wait(timeoutMs, signal);
        throw failure(response.network);
      case 'truncated':
        return toResponse(response, request, breakOff(bytesOf(response.body)));
      case 'slow':
        return toResponse(response, request, trickle(bytesOf(response.body), slowBodyMs, signal));
      default:
        return toResponse(response, request, response.stream ? streamOf(response, signal) : response.body);
    }
  };
  // Nothing is between the caller and the mock, so it is known which responses arrived.
  const passages = new Passages({ exact: true });
  return async (request, delivered) => {
    const passage = passages.begin();
    const end = () => passages.end(passage);
    delivered?.then(end, end);
    try {
      return await apiResponse(request, passage);
    } finally {
      if (!delivered) end();
    }
  };
}

/** Reads the whole body first: the engine never waits, so requests are checked in one order. */
async function toCore(request: Request, peer: string): Promise<CoreRequest> {
  const url = new URL(request.url);
  return {
    method: request.method,
    path: url.pathname,
    query: url.search.slice(1),
    headers: Object.fromEntries(request.headers),
    body: await readBody(request),
    peer,
    origin: url.origin,
  };
}

// The mock has these in addition to the API, also where the base URL of the API is the whole origin.
const besideApi = /^\/(?:__admin(?:\/.*)?|mcp|openapi\.json|connect\/[0-9a-f]{32}\/?)?$/;

/** The path as the engine knows it, where the API has another base path. */
function atBase({ path, origin }: CoreRequest, baseUrl: string): Partial<CoreRequest> {
  const start = baseUrl.slice(new URL(baseUrl).origin.length);
  const isOfApi = baseUrl.startsWith(origin) && path.startsWith(`${start}/`) && !besideApi.test(path);
  return isOfApi ? { path: `${basePath}${path.slice(start.length)}`, baseUrl } : { baseUrl };
}

/** At most one byte more than the cap is kept; the rest is not read. */
async function readBody(request: Request): Promise<Uint8Array | null> {
  if (request.body === null) return null;
  if (Number(request.headers.get('content-length')) > bodyBytesMax) return new Uint8Array(bodyBytesMax + 1);
  // Some browsers have no stream of a request's body; they have the whole of it at hand.
  if (request.body === undefined) return wholeBody(request);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = request.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    chunks.push(part.value);
    bytes += part.value.length;
    if (bytes > bodyBytesMax) {
      // A stream that rejects the cancellation is not an error of the mock.
      reader.cancel().catch(() => {});
      return new Uint8Array(bodyBytesMax + 1);
    }
  }
  return chunks.length === 1 ? (chunks[0] ?? null) : new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** An empty body and none look the same here; both count as none. */
async function wholeBody(request: Request): Promise<Uint8Array | null> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return bytes.length === 0 ? null : bytes;
}

type Body = string | Uint8Array | ReadableStream<Uint8Array>;

function toResponse({ status, headers }: CoreResponse, { method }: Request, body: Body): Response {
  // Statuses without a body reject one, even an empty one.
  const isBare = status === 204 || status === 304 || method === 'HEAD';
  return new Response(isBare ? null : (body as BodyInit), { status, headers });
}

function bytesOf(body: string | Uint8Array): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

/** Half of the body, then an error. */
function breakOff(body: Uint8Array): ReadableStream<Uint8Array> {
  let given = false;
  return new ReadableStream({
    pull(controller) {
      if (given) controller.error(failure('truncated'));
      else if (body.length > 1) controller.enqueue(body.slice(0, body.length >> 1));
      else controller.error(failure('truncated'));
      given = true;
    },
  });
}

const slowPieces = 20;

/** Equal pieces at equal gaps, `slowBodyMs` in all, until the reader cancels or the request is aborted. */
function trickle(body: Uint8Array, slowBodyMs: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  const pieceBytes = Math.max(1, Math.ceil(body.length / slowPieces));
  const end = new AbortController();
  const leave = () => end.abort(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener('abort', leave, { once: true });
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await wait(slowBodyMs / slowPieces, end.signal);
      if (sent < body.length) controller.enqueue(body.slice(sent, sent + pieceBytes));
      sent += pieceBytes;
      if (sent >= body.length) controller.close();
    },
    cancel: leave,
  });
}

/** A reader of events with this backlog is disconnected. */
const streamBacklogMax = 10_000;

/** Server-sent events, until the reader cancels or the request is aborted. */
function streamOf(response: CoreResponse, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let stop: (() => void) | undefined;
  let over = false;
  const end = () => {
    over = true;
    stop?.();
    stop = undefined;
  };
  return new ReadableStream({
    start(controller) {
      const push = (text: string) => {
        if (over) return;
        controller.enqueue(encoder.encode(text));
        if ((controller.desiredSize ?? 0) >= -streamBacklogMax) return;
        end();
        controller.error(failure('the reader is too slow'));
      };
      if (response.body.length > 0) controller.enqueue(bytesOf(response.body));
      stop = response.stream?.(push, () => {
        if (over) return;
        end();
        controller.close();
      });
      signal.addEventListener('abort', () => {
        if (over) return;
        end();
        controller.error(signal.reason);
      });
    },
    cancel: end,
  });
}

/** Rejects with the signal's reason as soon as it aborts, as `fetch` does. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const leave = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', leave);
      resolve();
    }, ms);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
  });
}

/**
 * The message is that of a browser's `fetch`, so a client which looks for it finds it; the cause says that the
 * mock did it on purpose.
 */
function failure(kind: string): TypeError {
  return new TypeError('Failed to fetch', { cause: new NetworkFailure(kind) });
}

export class NetworkFailure extends Error {
  readonly kind: string;

  constructor(kind: string) {
    super(`A network fault of the mock: ${kind}.`);
    this.kind = kind;
  }
}

function printBug(error: unknown): void {
  console.error(`casa: a bug of casa-kit returned 500: ${error instanceof Error ? error.message : String(error)}`);
}
