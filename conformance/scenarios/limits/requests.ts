// The requests of a burst: one for each operation that no key opens, and one that is valid.
import { addressWindow } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Burst, burstOf, isLostIn, secondAttempt } from '../../exchange/bursts.ts';
import { type Exchange, namedClient, rejectsNamedClient } from '../../exchange/exchange.ts';
import { type History, ofKey, responsesTo } from '../../exchange/history.ts';
import { segmentOf } from '../../exchange/look.ts';
import { rowsAt } from '../../exchange/records.ts';
import { isLoopback, type RequestSpec } from '../../exchange/request.ts';
import { type Asks, announce, burst, type SoFar, wait } from '../scenario.ts';

export const { limit, windowMs } = addressWindow;
/** After so long the window is empty, wherever it began. */
export const quietMs = windowMs + 500;

/** An invalid range with an invalid key: the service must check the key first. */
export const unknownRange = '5d';
const unknownReview = 'casa-conformance-no-such-review';

const validRequest = { operation: 'listArticles' } as const satisfies RequestSpec;

/** Ids from responses to the valid key: a server might check the key of a list and not of its records. */
function idsRead(history: History) {
  const [article] = responsesTo(history, 'getArticle').filter(({ status }) => status === 200);
  const ofMonth = responsesTo(history, 'getInsights').filter(({ target }) => target.endsWith('?range=28d'));
  const measured = ofMonth.find(({ status }) => status === 200);
  const sites = responsesTo(history, 'listSites').flatMap((one) => rowsAt(one, '/data', ['id']) ?? []);
  return {
    article: article && segmentOf(article, 1),
    site: sites[0]?.id,
    /** Its insights of 28 days have been read. */
    account: measured && segmentOf(measured, 2),
  };
}

/**
 * Some are wrong in their input too: the key comes first. The spoilt ones are the valid key with one thing changed.
 * With known records only the key is wrong: a server might look for the record before the key, and one that needs no
 * key does not have an unknown one either.
 */
export function invalidRequests(history: History, records: 'unknown' | 'known' = 'unknown'): RequestSpec[] {
  const ids = idsRead(history);
  const isKnown = records === 'known';
  const { unknownId: unknown } = history.given;
  const { article = unknown, site = unknown, account = unknown } = isKnown ? ids : {};
  const range = account === unknown ? unknownRange : '28d';
  const ofCalls = { key: 'none', operation: 'listCalls', params: { limit: isKnown ? 1 : 'none' } } as const;
  // auth/after-valid-key requests the sites without a key, if the run has it.
  const isSent = ofKey(history, 'none').some(({ operation }) => operation === 'listSites');
  return [
    isSent ? ofCalls : { key: 'none', operation: 'listSites' },
    { authorization: 'Bearer', operation: 'listAccounts' },
    { key: 'none', operation: 'listReviews', params: { accountId: account } },
    { key: 'none', operation: 'listKeywords', params: isKnown ? { siteId: site } : {} },
    { ...validRequest, spoilt: 'digit' },
    { spoilt: 'digit', operation: 'getInsights', params: { accountId: ids.account ?? unknown, range } },
    { spoilt: 'digit', operation: 'getArticle', params: { id: article } },
    { spoilt: 'scheme', operation: 'getSite', params: { id: site } },
    { spoilt: 'long', operation: 'replyToReview', params: { accountId: unknown, reviewId: unknownReview }, body: {} },
    { spoilt: 'other-prefix', operation: 'createPost', params: { accountId: unknown }, body: {} },
    // Last, because the last are likely the blocked ones: one of each family of endpoints.
    { spoilt: 'short', operation: 'createConnectLink', body: {} },
    isSent ? { spoilt: 'digit', operation: 'listCalls', params: { limit: 1 } } : ofCalls,
  ];
}

export const invalidMax = 12;

/** An ordinary read that the run has not sent before, as long as there are insights to read. */
export function nextRead(history: History): RequestSpec {
  const { account } = idsRead(history);
  return account === undefined
    ? { operation: 'listSites' }
    : { operation: 'getInsights', params: { accountId: account } };
}

/** The valid request follows the invalid request that is like it. */
const validAt = 7;

export function burstRequests(history: History): RequestSpec[] {
  return invalidRequests(history).toSpliced(validAt, 0, validRequest);
}

export const burstMax = invalidMax + 1;

type Sent = { readonly specs: readonly RequestSpec[]; readonly words?: string; readonly quietMs?: number };

export function* fire(run: SoFar, name: string, { specs, ...how }: Sent): Asks<Burst | null> {
  const { words = 'one of them with a valid key', quietMs: silenceMs = quietMs } = how;
  yield* wait(silenceMs);
  yield* announce(`Sending ${count(specs.length, 'request')} at once, ${words}.`);
  const once = yield* burst(specs.map((spec) => ({ ...spec, label: name })));
  // A lost response may have been an admitted one: it is repeated, and the others decide (interpretation R60).
  if (once.some(isLostIn)) {
    yield* wait(silenceMs);
    const isByHeader = once.some(rejectsNamedClient);
    const label = secondAttempt(name);
    yield* burst(specs.map(({ headers, ...spec }) => ({ ...spec, ...(isByHeader ? {} : { headers }), label })));
  }
  return burstOf(run.history(), name);
}

// Headers in which a proxy names its client. A limiter that believes them from anybody does not limit an address: a
// client names another one in each request. Only the own proxy of a service may be believed, and on a private network
// the suite can be at its place: there, the entry that a proxy adds to a list stays the same (interpretation R52).

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

export function headersNamingClient({ requestHeaders }: Exchange): readonly ClientHeader[] {
  return clientHeaders.filter(({ name }) => isOurs(requestHeaders[name]));
}

/** The same with their values, for a request that must count like it. */
export function clientNamedIn(exchange: Exchange): Record<string, string> {
  const headers = headersNamingClient(exchange);
  return Object.fromEntries(headers.map(({ name }) => [name, exchange.requestHeaders[name] ?? '']));
}

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
