// An MCP exchange as its REST equivalent: a call of `calls_log` is a GET of the call log. Violations and the log of
// changes use it, so a client of both endpoints is one client. Ids of messages are left out: a repeated request has
// another id and is the same request.
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import type { Trace } from '../http/service.ts';
import type { Message } from './message.ts';

export interface RestView {
  readonly request: CoreRequest;
  readonly response: CoreResponse;
}

/** The three forms that the view is made of. */
export interface McpExchange {
  /** The request in the form of REST. */
  readonly asked: CoreRequest;
  /** The response in the form of REST. */
  readonly response: CoreResponse;
  /** The response as it leaves. */
  readonly finished: CoreResponse;
}

/**
 * Headers and network faults are those that really left; status and body are those of REST, because the protocol
 * returns 200 to a rejected call.
 */
export function describeAsRest({ asked, response, finished }: McpExchange): RestView {
  const { headers, network, latencyMs } = finished;
  return { request: asked, response: { ...response, headers, network, latencyMs } };
}

type RestRequest = Partial<Pick<CoreRequest, 'method' | 'path' | 'query' | 'body'>>;

/**
 * A message that is not a call has no REST form: the body has its method and parameters, to distinguish two different
 * ones from a repetition.
 */
export function describeRequest({ call, value, method }: Message, { routing }: Trace): RestRequest {
  if (!call || typeof routing === 'string') return { body: encode([method, (value as { params?: unknown })?.params]) };
  const { operation, path } = routing;
  if (operation.path === '') return { method: operation.method, body: encode([call.tool, call.values]) };
  const segments = operation.segments.map((segment) =>
    segment.startsWith('{') ? encodeURIComponent(path[segment.slice(1, -1)] ?? '') : segment,
  );
  const query = operation.query.flatMap(({ name }) => {
    const given = Object.hasOwn(call.values, name) ? call.values[name] : undefined;
    return given === undefined ? [] : [`${name}=${encodeURIComponent(asText(given))}`];
  });
  return {
    method: operation.method,
    path: `${basePath}/${segments.join('/')}`,
    query: query.join('&'),
    body: operation.body === null ? null : encode(call.values),
  };
}

// An object instead of a text is read as an empty text.
function asText(value: unknown): string {
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
