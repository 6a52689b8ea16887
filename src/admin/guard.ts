// The guard of the admin API. By default, only this machine has access. Pages of other origins are rejected, also
// with DNS rebinding.
import { isLoopback, isOwnHost } from '../http/caller.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { fail } from './reply.ts';

/** With a token, the admin API accepts everyone who sends it; without one, only this machine. */
export interface GuardOptions {
  readonly adminToken?: string | null | undefined;
  readonly adminHosts?: readonly string[] | undefined;
}

/** The rejection, or null for a request that may pass. */
export function rejectStranger(request: CoreRequest, options: GuardOptions): CoreResponse | null {
  if (!isOwnPage(request)) return fail(403, 'Pages of other origins cannot use the admin API.');
  const { adminToken } = options;
  if (!adminToken) return rejectFarOff(request, options);
  if (isSame(sentToken(request), adminToken)) return null;
  return fail(401, 'Send the admin token: Authorization: Bearer TOKEN, or x-casa-admin-token.');
}

/** The same for the dashboard's page: it holds no data, so any page can link to it. */
export function rejectVisitor(request: CoreRequest, options: GuardOptions): CoreResponse | null {
  return options.adminToken ? null : rejectFarOff(request, options);
}

/** The peer's address, and the name that it used: a page can point its own name at this machine. */
function rejectFarOff(request: CoreRequest, { adminHosts = [] }: GuardOptions): CoreResponse | null {
  if (!isLoopback(request.peer) || isRelayed(request)) {
    return fail(
      403,
      'The admin API accepts requests from this machine only. To allow other hosts, start the mock with --admin-token.',
    );
  }
  // A request without Host comes from no browser.
  return request.headers.host === undefined || isOwnHost(request.headers.host, adminHosts)
    ? null
    : fail(403, 'The admin API accepts requests to localhost, a loopback address or the host of --host only.');
}

// A browser names the origin of the page that asks, on everything but plain reads, and says of those whether they
// cross.
function isOwnPage({ headers }: CoreRequest): boolean {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin.replace(/^https?:\/\//i, '').toLowerCase() === host?.toLowerCase();
}

// Behind a proxy on this machine everybody would look like this machine. Any header of a proxy says that there is one;
// what it says of the client is the client's own word, unless it names addresses and all of them are loopback ones.
function isRelayed({ headers }: CoreRequest): boolean {
  return Object.keys(headers).some((name) => {
    const value = headers[name];
    if (value === undefined) return false;
    if (name === 'x-forwarded-for') return value.split(',').some((address) => !isLoopback(address.trim()));
    return ofProxies.test(name);
  });
}

const ofProxies =
  /^(via|forwarded|cdn-loop|cf-.+|x-envoy-.+|x-(original-)?forwarded-.+|(.+-)?(client|connecting|real|user)-?ip)$/;

/** Two headers, because a proxy in front may use `Authorization` for itself. */
function sentToken({ headers }: CoreRequest): string {
  return headers['x-casa-admin-token'] ?? /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1] ?? '';
}

// Takes as long for a nearly right token as for a wrong one.
function isSame(sent: string, token: string): boolean {
  let difference = sent.length ^ token.length;
  for (let i = 0; i < token.length; i += 1) difference |= (sent.charCodeAt(i) || 0) ^ token.charCodeAt(i);
  return difference === 0;
}
