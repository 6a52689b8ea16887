// Browsers on other origins may use the API: the answer echoes their origin and names the headers that a client needs
// for waiting. A preflight is answered before the limiters and costs nothing (choice C57). This is open to every page
// by default, because an application under development may run anywhere, and because a page can do nothing without a
// key. A page of the public network that asks for this machine is another matter: the browser is not told that it may.
import { isForeignOrigin } from './host-name.ts';
import type { CoreRequest, CoreResponse } from './message.ts';

/** The headers that a browser may read besides the few that it always may. Cites 8.headers.limit, 8.retry-after. */
const exposedHeaders = 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset';
const allowedHeaders = 'Authorization, Content-Type, Prefer';
const mcpHeaders = 'Mcp-Session-Id, Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Last-Event-ID';
const preflightMaxAgeS = '600';

/** Who may read answers: pages of every origin, of none, or of those that are named. */
export type CorsSetting = boolean | readonly string[] | CorsRules;

export interface CorsRules {
  /** The origins whose pages may read answers; all when absent. */
  readonly origins?: readonly string[] | undefined;
  /** Request headers that a page may send besides `Authorization`, `Content-Type` and `Prefer`. */
  readonly headers?: readonly string[] | undefined;
  /** Whether a page may send credentials (`credentials: 'include'`); where origins are named, they may when absent. */
  readonly credentials?: boolean | undefined;
}

interface Rules {
  /** Null for all. */
  readonly origins: readonly string[] | null;
  readonly headers: readonly string[];
  readonly credentials: boolean;
}

const open: Rules = { origins: null, headers: [], credentials: false };

/** Null where no page may read anything. */
function rulesOf(setting: CorsSetting): Rules | null {
  if (typeof setting === 'boolean') return setting ? open : null;
  const {
    origins,
    headers = [],
    credentials = origins !== undefined,
  } = Array.isArray(setting) ? { origins: setting as readonly string[] } : (setting as CorsRules);
  return { origins: origins ?? null, headers, credentials };
}

/** The answer to an OPTIONS request, or null when the request is another one or the control plane's. */
export function answerOptions(request: CoreRequest, setting: CorsSetting = true): CoreResponse | null {
  if (request.method !== 'OPTIONS' || isPrivate(request.path)) return null;
  const rules = rulesOf(setting);
  const origin = originOf(request, rules);
  const isPreflight = origin !== null && request.headers['access-control-request-method'] !== undefined;
  return { status: 204, headers: isPreflight ? preflightHeaders(request, origin, rules ?? open) : {}, body: '' };
}

/** The response as a page on the request's origin may read it; unchanged when no page asked. */
export function withCors(request: CoreRequest, response: CoreResponse, setting: CorsSetting = true): CoreResponse {
  if (request.headers.origin === undefined || isPrivate(request.path)) return response;
  const rules = rulesOf(setting);
  const origin = originOf(request, rules);
  const { vary } = response.headers;
  // A cache must not give this answer to a page that may read it.
  if (origin === null) return rules?.origins?.length ? withVary(response, vary) : response;
  const headers = {
    ...response.headers,
    'access-control-allow-origin': origin,
    'access-control-expose-headers': exposedHeaders,
    ...credentialsHeader(rules),
  };
  return withVary({ ...response, headers }, vary);
}

function withVary(response: CoreResponse, vary: string | undefined): CoreResponse {
  return { ...response, headers: { ...response.headers, vary: vary === undefined ? 'Origin' : `${vary}, Origin` } };
}

/** Names what the API takes and no more; the MCP door has headers of its own. */
function credentialsHeader(rules: Rules | null): Record<string, string> {
  return rules?.credentials ? { 'access-control-allow-credentials': 'true' } : {};
}

function preflightHeaders({ headers, path }: CoreRequest, origin: string, rules: Rules): Record<string, string> {
  const isMcp = path === '/mcp';
  const allowed = [allowedHeaders, ...(isMcp ? [mcpHeaders] : []), ...rules.headers].join(', ');
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-methods': isMcp ? 'GET, POST, DELETE' : 'GET, POST',
    'access-control-allow-headers': allowed,
    ...credentialsHeader(rules),
    'access-control-max-age': preflightMaxAgeS,
    // A page that calls the loopback from elsewhere has to be let in by name; pages of this machine alone are.
    ...(headers['access-control-request-private-network'] === 'true' && !isForeignOrigin(origin)
      ? { 'access-control-allow-private-network': 'true' }
      : {}),
    vary: 'Origin, Access-Control-Request-Headers',
  };
}

// The control plane can change everything, so no foreign page may read it.
function isPrivate(path: string): boolean {
  return path.startsWith('/__admin');
}

// Only what a browser would send is echoed.
function originOf({ headers: { origin } }: CoreRequest, rules: Rules | null): string | null {
  if (origin === undefined || rules === null) return null;
  if (rules.origins && !rules.origins.includes(origin)) return null;
  return /^(null|[a-z][a-z0-9+.-]*:\/\/[\w.:[\]-]+)$/i.test(origin) ? origin : null;
}
