// An exchange at this door as it would have looked at the other one: a call of `calls_log` is a GET of the call log. Verdicts
// on clients and the log of changes go by it, so that one client which uses both doors is one client. Ids of messages are
// left out: a request that is sent again has another id and is the same request.
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { basePath } from '../http/route.ts';
import type { Trace } from '../http/service.ts';
import type { Message } from './message.ts';

export interface RestView {
  readonly request: CoreRequest;
  readonly response: CoreResponse;
}

export interface McpExchange {
  readonly request: CoreRequest;
  readonly message: Message;
  readonly trace: Trace;
  /** The answer in the form of REST. */
  readonly answer: CoreResponse;
  /** The answer as it leaves. */
  readonly finished: CoreResponse;
}

export function describeAsRest({ request, message, trace, answer, finished }: McpExchange): RestView {
  const { headers, network, latencyMs } = finished;
  return {
    request: { ...request, ...describeRequest(message, trace) },
    response: { ...answer, headers, network, latencyMs },
  };
}

type Asked = Partial<Pick<CoreRequest, 'method' | 'path' | 'query' | 'body'>>;

function describeRequest({ call, value, method }: Message, { routing }: Trace): Asked {
  if (!call || typeof routing === 'string') return { body: encode([method, (value as { params?: unknown })?.params]) };
  const { operation, path } = routing;
  if (operation.path === '') return { method: operation.method, body: encode([call.tool, call.values]) };
  const segments = operation.segments.map((segment) =>
    segment.startsWith('{') ? encodeURIComponent(path[segment.slice(1, -1)] ?? '') : segment,
  );
  const query = operation.query.flatMap(({ name }) => {
    const given = Object.hasOwn(call.values, name) ? call.values[name] : undefined;
    return given === undefined ? [] : [`${name}=${encodeURIComponent(String(given))}`];
  });
  return {
    method: operation.method,
    path: `${basePath}/${segments.join('/')}`,
    query: query.join('&'),
    body: operation.body === null ? null : encode(call.values),
  };
}

function encode(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}
