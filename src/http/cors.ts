// Browsers on other origins can use the API: the response echoes their origin and exposes the headers for waiting. A
// preflight gets a response before the limiters and costs nothing (assumption C57). This is open to every page by
// default, because an application under development can run anywhere, and because a page needs a key. Requests from a
// page of the public network to this machine are not permitted.
import { isForeignOrigin } from './caller.ts';
import type { CoreRequest, CoreResponse } from './message.ts';

/**
 * The headers that a browser may read in addition to the few that it always may. Cites 8.headers.limit, 8.retry-after.
 */
const exposedHeaders = 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Casa-Unmatched';
const allowedHeaders = 'Authorization, Content-Type, Prefer';
const mcpHeaders = 'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';
const preflightMaxAgeS = '600';

/** Origins that can read responses, with credentials: all (without credentials), none, or a list. */
export type CorsSetting = boolean | readonly string[];

/** The response to an OPTIONS request, or null when the request is another one or the admin API's. */
export function responseOptions(request: CoreRequest, setting: CorsSetting = true): CoreResponse | null {
  if (request.method !== 'OPTIONS' || isPrivate(request.path)) return null;
  const origin = originOf(request, setting);
  const isPreflight = origin !== null && request.headers['access-control-request-method'] !== undefined;
  return { status: 204, headers: isPreflight ? preflightHeaders(request, origin, setting) : {}, body: '' };
}

/** The response as a page on the request's origin may read it; unchanged when no page asked. */
export function withCors(request: CoreRequest, response: CoreResponse, setting: CorsSetting = true): CoreResponse {
  if (request.headers.origin === undefined || isPrivate(request.path)) return response;
  const origin = originOf(request, setting);
  const { vary } = response.headers;
  // A cache must not give this response to a page that may read it.
  if (origin === null) return Array.isArray(setting) && setting.length > 0 ? withVary(response, vary) : response;
  const headers = {
    ...response.headers,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    ...credentialsHeader(setting),
  };
  return withVary({ ...response, headers }, vary);
}

function withVary(response: CoreResponse, vary: string | undefined): CoreResponse {
  return { ...response, headers: { ...response.headers, vary: vary === undefined ? 'Origin' : `${vary}, Origin` } };
}

function credentialsHeader(setting: CorsSetting): Record<string, string> {
  return Array.isArray(setting) ? { 'access-control-allow-credentials': 'true' } : {};
}

/** Any header is allowed, because frameworks add their own to requests. */
function preflightHeaders(request: CoreRequest, origin: string, setting: CorsSetting): Record<string, string> {
  const { headers, path } = request;
  const isMcp = path === '/mcp';
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': isMcp ? 'GET, POST, DELETE' : 'GET, POST',
    'access-control-allow-headers': [allowedHeaders, ...(isMcp ? [mcpHeaders] : []), ...headersAsked(request)].join(
      ', ',
    ),
    ...credentialsHeader(setting),
    'access-control-max-age': preflightMaxAgeS,
    // A page elsewhere that calls the loopback must be permitted by name; pages of this machine are permitted.
    ...(headers['access-control-request-private-network'] === 'true' && !isForeignOrigin(origin)
      ? { 'access-control-allow-private-network': 'true' }
      : {}),
    vary: 'Origin, Access-Control-Request-Headers',
  };
}

/** Returns valid names only: other text of a client must not get into a header of ours. */
function headersAsked({ headers }: CoreRequest): readonly string[] {
  const names = (headers['access-control-request-headers'] ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => /^[\w!#$%&'*+.^`|~-]+$/.test(name));
}

/** One sentence about a preflight that a browser does not accept, with the flag that changes it; else null. */
export function whyRejected(request: CoreRequest, { headers }: CoreResponse): string | null {
  const { origin, 'access-control-request-method': method } = request.headers;
  if (origin === undefined || method === undefined) return null;
  const listed = (name: string) => (headers[`access-control-allow-${name}`] ?? '').split(', ');
  if (headers['access-control-allow-origin'] === undefined) {
    return `The browser rejects this preflight: --cors-origin ${origin} (and no --no-cors) allows pages of ${origin}.`;
  }
  if (!['GET', 'HEAD', 'POST', ...listed('methods')].includes(method)) {
    return `The browser rejects this preflight: the API has no ${method}.`;
  }
  const isPrivate = request.headers['access-control-request-private-network'] === 'true';
  if (isPrivate && headers['access-control-allow-private-network'] === undefined) {
    return `The browser rejects this preflight: a page of the public network may not reach this machine.`;
  }
  return null;
}

// The admin API can change everything, so no foreign page may read it.
function isPrivate(path: string): boolean {
  return path.startsWith('/__admin');
}

// Only what a browser would send is echoed.
function originOf({ headers: { origin } }: CoreRequest, setting: CorsSetting): string | null {
  if (origin === undefined || setting === false) return null;
  if (setting !== true && !setting.includes(origin)) return null;
  return /^(null|[a-z][a-z0-9+.-]*:\/\/[\w.:[\]-]+)$/i.test(origin) ? origin : null;
}
