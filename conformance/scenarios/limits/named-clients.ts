// Requests that name other clients in the headers of proxies.
import { namedClient } from '../../exchange/exchange.ts';
import { clientHeaders, headersNamingClient } from '../../exchange/named-clients.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { isLoopback } from '../../exchange/request.ts';
import { type Asks, burst, type SoFar } from '../scenario.ts';
import { limit } from './requests.ts';

/** The last entry: a service that believes its proxy counts all requests for this client. */
const lastEntry = '203.0.113.84';

/** The values of headers that name a client that no earlier request has named. */
function naming(run: SoFar, headers: typeof clientHeaders, index: number): Record<string, string> {
  const before = run.history().exchanges.filter((one) => headersNamingClient(one).length > 0);
  const client = namedClient(before.length + index);
  const clients = isNear(run) ? [client, lastEntry] : [client];
  return Object.fromEntries(headers.map(({ name, write }) => [name, write(clients)]));
}

/** Loopback, private addresses, and names that the public DNS does not have. */
function isNear(run: SoFar): boolean {
  const { hostname } = new URL(run.history().exchanges[0]?.url ?? 'http://localhost');
  return run.isLoopback || isLoopback(hostname) || nearby.test(hostname);
}

const nearby =
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$|^\[f[cde][\da-f]*:|^[^.[]+$|\.(local|internal|test|lan|home\.arpa)$/i;

/**
 * The requests with other clients in them. Those beyond the limit have every header, so they pass where one is
 * believed. Where the suite may be the proxy, all have a list whose last entry is the same: it changes nothing for a
 * service that believes what its proxy has added.
 */
export function withNamedClients(run: SoFar, specs: readonly RequestSpec[]): RequestSpec[] {
  const lists = isNear(run) ? clientHeaders.filter(({ isList }) => isList) : [];
  return specs.map((spec, index) => {
    const headers = index >= limit ? clientHeaders : lists;
    return headers.length === 0 ? spec : { ...spec, headers: naming(run, headers, index) };
  });
}

/** Of a list more than the limit, so a last entry that is believed does not let all of them pass. */
const triesOf = ({ isList }: { readonly isList: boolean }) => (isList ? limit + 1 : perHeader);
const perHeader = 3;
export const triesMax = perHeader + clientHeaders.reduce((sum, header) => sum + triesOf(header), 0);

/** While the window is full: requests that name other clients in one header each, and some that name none. */
export function* tryHeaders(run: SoFar): Asks<void> {
  const plain = { key: 'none', operation: 'listSites', label: 'a client named in one header' } as const;
  const tries = clientHeaders.flatMap((header) => Array.from({ length: triesOf(header) }, () => header));
  const specs = tries.map((header, index) => ({ ...plain, headers: naming(run, [header], index) }));
  yield* burst([...specs, ...Array.from({ length: perHeader }, () => plain)], 'none');
}
