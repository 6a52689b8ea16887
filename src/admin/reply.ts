// Answers of the control plane. Their envelope is that of the API, so that a client needs no second way to read errors.

import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import type { Snapshots } from '../engine/kept-snapshots.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import type { EventStreams } from './event-streams.ts';

/** Everything a route may need. */
export interface AdminCall {
  readonly engine: Engine;
  readonly options: EngineOptions;
  readonly snapshots: Snapshots;
  readonly streams: EventStreams;
  readonly request: CoreRequest;
  /** Values of the path, decoded. */
  readonly path: Readonly<Record<string, string>>;
  /** Another route of the plane, on behalf of the same caller. */
  readonly ask: (request: AdminAsk) => CoreResponse;
}

/** A request to a route of the plane, as the agent door makes it. */
export interface AdminAsk {
  readonly method: string;
  /** Below `/__admin`, encoded. */
  readonly path: string;
  readonly query?: string;
  /** Sent as JSON; none when absent. */
  readonly body?: unknown;
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

/** The codes are our own where the contract has none: the plane is not part of it. */
export function fail(status: keyof typeof codes, message: string): CoreResponse {
  return reply({ error: { code: codes[status], message } }, status);
}
