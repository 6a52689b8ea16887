// Headers in which a proxy names its client. A limiter that believes them from anybody does not limit an address: a
// client names another one in each request. Only the own proxy of a service may be believed, and on a private network
// the suite can be at its place: there, the entry that a proxy adds to a list stays the same (interpretation R52).
import { type Exchange, isUnusable, namedClient, nameOfResponse } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { about } from '../judge/claims.ts';
import type { Probe } from '../probe/probe.ts';
import { isLoopback } from '../wire/proxy.ts';
import { isBlocked, limit } from './address-bursts.ts';

/** Proxies add an entry to these, so the first one is of the client itself. */
const lists = ['x-forwarded-for', 'forwarded'] as const;
const names = [...lists, 'x-real-ip', 'true-client-ip', 'cf-connecting-ip'] as const;
type Name = (typeof names)[number];

/** The last entry: a service that believes its proxy counts all requests for this client. */
const lastEntry = '203.0.113.84';

function headersWith(probe: Probe, which: readonly Name[], index: number): Record<string, string> {
  const before = probe.history().filter(({ requestHeaders }) => names.some((name) => isOurs(requestHeaders[name])));
  const client = namedClient(before.length + index);
  const entries = isNear(probe) ? [client, lastEntry] : [client];
  const written = (name: Name) => {
    if (name === 'forwarded') return entries.map((entry) => `for=${entry}`).join(', ');
    return name === 'x-forwarded-for' ? entries.join(', ') : client;
  };
  return Object.fromEntries(which.map((name) => [name, written(name)]));
}

const isOurs = (value = '') => value.includes(namedClient());
const namesIn = ({ requestHeaders }: Exchange) => names.filter((name) => isOurs(requestHeaders[name]));

/** Those headers of a request, for one that must count like it. */
export function clientNamedIn(exchange: Exchange): Record<string, string> {
  return Object.fromEntries(namesIn(exchange).map((name) => [name, exchange.requestHeaders[name] ?? '']));
}

/** Whether a request was sent to find out which header is believed. */
export function triesOneHeader(exchange: Exchange): boolean {
  return namesIn(exchange).length === 1;
}

/** Loopback, private addresses, and names that the public DNS does not have. */
function isNear(probe: Probe): boolean {
  const { hostname } = new URL(probe.history()[0]?.url ?? 'http://localhost');
  return probe.settings.isLoopback || isLoopback(hostname) || nearby.test(hostname);
}

const nearby =
  /^(10|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))(\.\d+)+$|^\[f[cde][\da-f]*:|^[^.[]+$|\.(local|internal|test|lan|home\.arpa)$/i;

/**
 * The requests with other clients in them. Those beyond the limit have every header, so they pass where one is
 * believed. Where the suite may be the proxy, all have a list whose last entry is the same: it changes nothing for a
 * service that believes what its proxy has added.
 */
export function withNamedClients(probe: Probe, specs: readonly RequestSpec[]): RequestSpec[] {
  return specs.map((spec, index) => {
    const which = index >= limit ? names : isNear(probe) ? lists : [];
    return which.length === 0 ? spec : { ...spec, headers: headersWith(probe, which, index) };
  });
}

/** More than the limit, so a last entry that is believed does not let all of them pass. */
const perList = limit + 1;
const perHeader = 3;
/** Requests of `findBelieved`. */
export const believedMax = perHeader + lists.length * perList + (names.length - lists.length) * perHeader;

/** While the window is full: whether requests pass that name other clients. Records what it finds. */
export async function findBelieved(probe: Probe): Promise<boolean> {
  const plain = { key: 'none', operation: 'listSites' } as const satisfies RequestSpec;
  const tries = names.flatMap((name) =>
    Array.from({ length: lists.some((list) => list === name) ? perList : perHeader }, () => name),
  );
  const specs = tries.map((name, index) => ({ ...plain, headers: headersWith(probe, [name], index) }));
  const sent = await probe.burst([...specs, ...Array.from({ length: perHeader }, () => plain)], 'none');
  const passes = (exchange: Exchange) => !isBlocked(exchange) && !isUnusable(exchange);
  const believed = names.filter((name) => sent.filter((one) => namesIn(one).includes(name)).every(passes));
  const [name] = believed;
  if (name === undefined || sent.some((one) => namesIn(one).length === 0 && passes(one))) return false;
  const exchange = sent.find((one) => namesIn(one).includes(name)) ?? null;
  const claim = {
    ...about(exchange, '8.address-window', '#status'),
    expected: `429 with another ${believed.map(spell).join(', ')}, as without it`,
    actual: exchange === null ? 'no response' : nameOfResponse(exchange),
  };
  const fix = 'use the address of the connection, or the entry that your own proxy adds';
  const message = `a client avoids the limit by naming another address: ${fix}. Test through a proxy that replaces it`;
  probe.holds(false, { ...claim, message });
  return true;
}

/** The usual spelling, for example `X-Real-IP`. */
function spell(name: Name): string {
  return name.replace(/(^|-)(ip$|cf(?=-)|[a-z])/g, (part) => part.toUpperCase());
}
