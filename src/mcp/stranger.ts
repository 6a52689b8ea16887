// Pages from elsewhere stay out, as the protocol asks of every server on HTTP: a page may have pointed its own name at
// this machine. Only a browser names an origin, or says which site a request comes from, so other clients may call the
// door whatever they like (assumption C151).
import { isForeignOrigin, isOwnOrigin, isTrustedHost } from '../http/host-name.ts';
import type { CoreRequest, CoreResponse } from '../http/message.ts';
import { rpcError } from './rpc-error.ts';

/** The rejection, or null for a request that may pass. */
export function rejectStranger({ headers }: CoreRequest, knownHosts: readonly string[]): CoreResponse | null {
  const stranger = foreignPage(headers, knownHosts);
  if (stranger === null) return null;
  const message = `A page of ${stranger.slice(0, 200)} may not use the MCP endpoint; pages on localhost and private addresses may.`;
  return rpcError({ status: 403 }, { id: null, message });
}

/** Where the page is from; null when no page asks, or one that may. */
function foreignPage(headers: CoreRequest['headers'], knownHosts: readonly string[]): string | null {
  const { origin, host, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) {
    return isOwnOrigin(origin, host) || !isForeignOrigin(origin, knownHosts) ? null : origin;
  }
  // A read within its own site has no origin: a name that was pointed here shows in Host alone.
  if (site === undefined) return null;
  if (site === 'cross-site') return 'another site';
  return host === undefined || isTrustedHost(host, knownHosts) ? null : host;
}
