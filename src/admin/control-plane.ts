// The admin API under `/__admin`: lets the right ones in and finds the route.

import type { AdminApi } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { adminPath, bodyText, type CoreRequest, type CoreResponse } from '../http/message.ts';
import { matchSegments } from '../http/route.ts';
import { rejectStranger, rejectVisitor } from './guard.ts';
import { type AdminAsk, type AdminCall, EventStreams, fail, type HttpResponse, readBody, readFields } from './reply.ts';
import { routeOf, type VerbRow } from './verb.ts';
import { verbs } from './verbs/index.ts';

/** They hold no data, so any page can link to them. */
const pages: readonly string[] = ['/', '/docs'];

/** Streams live as long as the admin API, snapshots as long as the engine; a reset of the mock leaves both. */
function connect(engine: Engine, options: EngineOptions): (request: CoreRequest) => CoreResponse {
  const { kept: snapshots } = engine;
  const streams = new EventStreams();
  return (request) => {
    const path = request.path.slice(adminPath.length).replace(/\/$/, '') || '/';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const rejection = (pages.includes(path) && method === 'GET' ? rejectVisitor : rejectStranger)(request, options);
    if (rejection) return rejection;
    const response = dispatch(method, path, { engine, options, snapshots, streams, request });
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers, body: '' } : response;
  };
}

export const adminApi: AdminApi = { connect, rejectStranger };

/** The admin API for the process of the mock, without its guard. */
export function askWithin(engine: Engine, origin: string): (asked: AdminAsk) => HttpResponse {
  const request = { method: 'GET', path: '', query: '', headers: {}, body: null, peer: '127.0.0.1', origin };
  const call = { engine, options: {}, snapshots: engine.kept, streams: new EventStreams() };
  return (asked) => {
    const response = dispatch(asked.method, asked.path, { ...call, request: made(request, asked) });
    return { status: response.status, body: JSON.parse(bodyText(response)) };
  };
}

const routes = Object.values(verbs).map((row: VerbRow) => ({ row, ...routeOf(row) }));

/** A path with another method returns 405 with `allow`; an unknown one lists all there are. */
function dispatch(method: string, path: string, call: Omit<AdminCall, 'path' | 'ask' | 'askAgent'>): CoreResponse {
  const fitting = routes.flatMap((route) => {
    const values = matchSegments(route.path.split('/'), path.split('/'));
    return values ? [{ ...route, values }] : [];
  });
  // A fixed path wins over one with a parameter in the same place.
  const found = fitting.filter((route) => route.method === method).sort((a, b) => a.names.length - b.names.length)[0];
  const ask = (asked: AdminAsk) => dispatch(asked.method, asked.path, { ...call, request: made(call.request, asked) });
  const askAgent = async () => (await import('./agent/endpoint.ts')).respondAgent({ request: call.request, ask });
  if (found) return run(found.row, { ...call, path: found.values, ask, askAgent });
  if (fitting.length === 0) return fail(404, `There is no ${adminPath}${path}. Available: ${listPaths()}.`);
  const allow = [...new Set(fitting.map((route) => route.method))].join(', ');
  const rejected = fail(405, `${method} is not supported at ${adminPath}${path}; ${allow} is.`);
  return { ...rejected, headers: { ...rejected.headers, allow } };
}

/** A verb without input ignores the body. */
function run(row: VerbRow, call: AdminCall): CoreResponse {
  if (!row.input) return row.run(call, {});
  const read = (row.route.startsWith('GET') ? readFields : readBody)(call.request, row.input);
  if ('status' in read) return read;
  return read.ok ? row.run(call, read.value) : fail(400, read.problem);
}

function made(request: CoreRequest, { method, path, query = '', body }: AdminAsk): CoreRequest {
  const bytes = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
  return { ...request, method, path: `${adminPath}${path}`, query, body: bytes };
}

function listPaths(): string {
  return [...new Set(routes.map(({ path }) => (path === '/' ? adminPath : adminPath + path)))].join(', ');
}
