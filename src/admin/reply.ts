// Responses of the admin API. Their envelope is that of the API, so a client needs no second way to read errors.

import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import type { Snapshots } from '../engine/kept-snapshots.ts';
import { manyFields, whyNotParsed } from '../http/json-size.ts';
import { type CoreRequest, type CoreResponse, type Remainder, whyEncoded } from '../http/message.ts';
import { readQuery } from '../http/query.ts';
import type { Read } from '../options/define-options.ts';
import { object, type Shape, type Shaped } from './shape.ts';

export interface AdminCall {
  readonly engine: Engine;
  readonly options: Partial<EngineOptions>;
  readonly snapshots: Snapshots;
  readonly streams: EventStreams;
  readonly request: CoreRequest;
  /** Values of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Another route of the admin API, for the same caller. */
  readonly ask: (request: AdminAsk) => CoreResponse;
  /** The control MCP server, for this request. */
  readonly askAgent: () => Promise<Remainder>;
}

/** A request to a route of the admin API, as the control MCP server makes it. */
export interface AdminAsk {
  readonly method: string;
  /** Below `/__admin`, encoded. */
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON; none when absent. */
  readonly body?: unknown;
}

/** A response whose body is read. */
export interface HttpResponse {
  readonly status: number;
  readonly body: unknown;
}

/** Never kept by a cache, never guessed at by a browser; no page but our own may read it. */
const privateHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const;

/** Indented, because people read it with curl. */
export function reply(body: unknown, status = 200): CoreResponse {
  const headers = { 'content-type': 'application/json; charset=utf-8', ...privateHeaders };
  return { status, headers, body: `${JSON.stringify(body, null, 2)}\n` };
}

/** For what is not JSON, or is JSON already. */
export function replyText(body: string, headers: Readonly<Record<string, string>>): CoreResponse {
  return { status: 200, headers: { ...privateHeaders, ...headers }, body };
}

const codes = {
  400: 'bad_request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  405: 'method_not_allowed',
  409: 'conflict',
  413: 'payload_too_large',
} as const;

/** The codes are our own where the contract has none: the admin API is not part of it. */
export function fail(status: keyof typeof codes, message: string): CoreResponse {
  return reply({ error: { code: codes[status], message } }, status);
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** Reads the body of a request. Returns the rejection of an invalid one. A missing body means `{}`. */
export function readBody({ body, headers }: CoreRequest, shape: Shape): Read<Shaped<Shape>> | CoreResponse {
  if (body && body.length > bodyBytesMax) return fail(413, `The body is over ${bodyBytesMax} bytes.`);
  if (!body || body.length === 0) return object(shape)({}, 'The body');
  const problem = whyEncoded(headers) ?? whyNotParsed(body, manyFields);
  if (problem !== null) return fail(400, `The body ${problem}.`);
  try {
    return object(shape)(JSON.parse(utf8.decode(body)), 'The body');
  } catch {
    return fail(400, 'The body is not valid JSON in UTF-8.');
  }
}

/** The same for the query; where a field takes no text, its text is read as a number or a flag. */
export function readFields({ query }: CoreRequest, shape: Shape): Read<Shaped<Shape>> {
  const values = Object.entries(readQuery(query)).map(([name, text]) => [
    name,
    // Every object has a `__proto__`, and no field of that name.
    Object.hasOwn(shape, name) && shape[name]?.(text, name).ok ? text : readScalar(text),
  ]);
  const read = object(shape)(Object.fromEntries(values), 'The body');
  return read.ok ? read : { ok: false, problem: read.problem.replace('no field', 'no parameter') };
}

/** A query knows texts only; a field that wants a number or a flag gets one. */
function readScalar(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d{1,15}$/.test(text) ? Number(text) : text;
}

// A page or a script that opens one stream after the other must not make the mock send everything a thousand times, so
// the oldest is ended for the newest; the dashboard opens its own again by itself.
const streamsMax = 50;

/** One for a admin API. */
export class EventStreams {
  /** How each is ended; the oldest first. */
  readonly #open = new Set<() => void>();
  /** How many were ended for newer ones. */
  dropped = 0;

  add(end: () => void): void {
    this.#open.add(end);
    if (this.#open.size <= streamsMax) return;
    const oldest = this.#open.values().next().value as () => void;
    this.#open.delete(oldest);
    this.dropped += 1;
    oldest();
  }

  /** For a stream that ended by itself; it is not counted as dropped. */
  remove(end: () => void): void {
    this.#open.delete(end);
  }
}
