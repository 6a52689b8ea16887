// The admin API under `/__admin`: lets the right ones in and finds the route.

import type { AdminApi } from '../engine/create-engine.ts';
import type { Engine } from '../engine/engine.ts';
import type { EngineOptions } from '../engine/engine-options.ts';
import { adminPath, type CoreRequest, type CoreResponse } from '../http/message.ts';
import { matchSegments } from '../http/route.ts';
import { rejectStranger, rejectVisitor } from './guard.ts';
import { type AdminAsk, type AdminCall, EventStreams, fail } from './reply.ts';
import { type AdminRoute, adminRoutes } from './routes.ts';

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

/** A path with another method returns 405 with `allow`; an unknown one lists all there are. */
function dispatch(method: string, path: string, call: Omit<AdminCall, 'path' | 'ask'>): CoreResponse {
  const fitting = adminRoutes.flatMap((route) => {
    const values = matchSegments(route.path.split('/'), path.split('/'));
    return values ? [{ route, values }] : [];
  });
  const found = fitting.find(({ route }) => route.method === method);
  const ask = (asked: AdminAsk) => dispatch(asked.method, asked.path, { ...call, request: made(call.request, asked) });
  if (found) return found.route.respond({ ...call, path: found.values, ask });
  if (fitting.length === 0) return fail(404, `There is no ${adminPath}${path}. Available: ${listPaths(adminRoutes)}.`);
  const allow = [...new Set(fitting.map(({ route }) => route.method))].join(', ');
  const rejected = fail(405, `${method} is not supported at ${adminPath}${path}; ${allow} is.`);
  return { ...rejected, headers: { ...rejected.headers, allow } };
}

function made(request: CoreRequest, { method, path, query = '', body }: AdminAsk): CoreRequest {
  const bytes = body === undefined ? null : new TextEncoder().encode(JSON.stringify(body));
  return { ...request, method, path: `${adminPath}${path}`, query, body: bytes };
}

function listPaths(routes: readonly AdminRoute[]): string {
  const paths = routes.map(({ path }) => (path === '/' ? adminPath : adminPath + path));
  return [...new Set(paths)].join(', ');
}
