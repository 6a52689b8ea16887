// The control plane under `/__admin`: lets the right ones in and finds the route.

import type { Engine, EngineOptions } from '../engine/engine.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { refuseStranger, refuseVisitor } from './guard.ts';
import { type AdminCall, fail } from './reply.ts';
import { type AdminRoute, adminRoutes } from './routes.ts';
import { Snapshots } from './snapshots.ts';

export const adminPath = '/__admin';

export function createControlPlane(engine: Engine, options: EngineOptions): (request: CoreRequest) => CoreResponse {
  const snapshots = new Snapshots();
  return (request) => {
    const path = request.path.slice(adminPath.length).replace(/\/$/, '') || '/';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const refusal = (path === '/' && method === 'GET' ? refuseVisitor : refuseStranger)(request, options);
    if (refusal) return refusal;
    const response = dispatch(method, path, { engine, options, snapshots, request });
    return request.method === 'HEAD' ? { status: response.status, headers: response.headers, body: '' } : response;
  };
}

function dispatch(method: string, path: string, call: Omit<AdminCall, 'path'>): CoreResponse {
  const fitting = adminRoutes.flatMap((route) => {
    const values = matchPath(route.path, path);
    return values ? [{ route, values }] : [];
  });
  const found = fitting.find(({ route }) => route.method === method);
  if (found) return found.route.answer({ ...call, path: found.values });
  if (fitting.length === 0) return fail(404, `There is no ${adminPath}${path}; there are ${listPaths(adminRoutes)}.`);
  const allow = [...new Set(fitting.map(({ route }) => route.method))].join(', ');
  const refused = fail(405, `${method} is not offered at ${adminPath}${path}; ${allow} is.`);
  return { ...refused, headers: { ...refused.headers, allow } };
}

function matchPath(template: string, path: string): Record<string, string> | null {
  const [names, parts] = [template.split('/'), path.split('/')];
  if (names.length !== parts.length) return null;
  const values: Record<string, string> = {};
  for (const [i, name] of names.entries()) {
    const part = parts[i] as string;
    if (!name.startsWith('{')) {
      if (name !== part) return null;
    } else {
      const value = decode(part);
      if (!value) return null;
      values[name.slice(1, -1)] = value;
    }
  }
  return values;
}

function decode(part: string): string | null {
  try {
    return decodeURIComponent(part);
  } catch {
    return null;
  }
}

function listPaths(routes: readonly AdminRoute[]): string {
  const paths = routes.map(({ path }) => (path === '/' ? adminPath : adminPath + path));
  return [...new Set(paths)].join(', ');
}
