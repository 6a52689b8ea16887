// Headers in which a proxy names its client. A limiter that believes them from anybody does not limit an address: a
// client names another one in each request. Only the own proxy of a service may be believed, and on a private network
// the suite can be at its place: there, the entry that a proxy adds to a list stays the same (interpretation R52).
import { type Exchange, namedClient } from './exchange.ts';

interface ClientHeader {
  readonly name: string;
  /** Proxies add an entry, so the first one is of the client itself. */
  readonly isList: boolean;
  write(clients: readonly string[]): string;
}

export const clientHeaders: readonly ClientHeader[] = [
  { name: 'x-forwarded-for', isList: true, write: (clients) => clients.join(', ') },
  { name: 'forwarded', isList: true, write: (clients) => clients.map((client) => `for=${client}`).join(', ') },
  ...['x-real-ip', 'true-client-ip', 'cf-connecting-ip'].map((name) => ({
    name,
    isList: false,
    write: ([client = '']: readonly string[]) => client,
  })),
];

const isOurs = (value = '') => value.includes(namedClient());

/** Those of a request that the run has written. */
export function headersNamingClient({ requestHeaders }: Exchange): readonly ClientHeader[] {
  return clientHeaders.filter(({ name }) => isOurs(requestHeaders[name]));
}

/** The same with their values, for a request that must count like it. */
export function clientNamedIn(exchange: Exchange): Record<string, string> {
  const headers = headersNamingClient(exchange);
  return Object.fromEntries(headers.map(({ name }) => [name, exchange.requestHeaders[name] ?? '']));
}
