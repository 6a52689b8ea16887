// Requests sent at once: one for each operation, each bad in another way but for one that is good.

import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import { count } from '../../src/terminal/count.ts';
import {
  type Exchange,
  isLimiterRejection,
  isObject,
  isPlatformTrouble,
  isUnusable,
  listOf,
  rejectsNamedClient,
} from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { readWhole } from '../exchange/stated-limits.ts';
import { segmentOf } from '../observe/look.ts';
import { contractWindows } from '../pace/lanes.ts';
import type { Probe } from '../probe/probe.ts';
import { pageWithoutLimit } from './article-reads.ts';
import { hasTime, turnOf } from './invalid-inputs.ts';

export const { limit, windowMs } = contractWindows.address;
/** After so long the window is empty, wherever it began. */
export const quietMs = windowMs + 500;
/**
 * A server that keeps an approximate window needs two of them to forget. The unexpected rest is longer than bursts
 * take: no fixed window has an edge in two bursts that lie so far apart.
 */
export const phaseMs = 3500;
const longQuietMs = 2 * windowMs + phaseMs;
/** In so short a time a refill cannot explain an eleventh request, and the edge of a window hardly can (R44). */
export const sureSpanMs = 100;
/** In longer a time a bucket gives back one. */
export const likelySpanMs = 900;

/** One for each operation of the contract. */
export const invalidRequestsMax = Object.keys(operations).length;

/** The same with the one that is good. */
export const burstMax = invalidRequestsMax + 1;

/** One of each pair is left out where the run has no request to spare, by the seed. */
const pairs = [
  ['createPost', 'replyToReview'],
  ['getSite', 'getArticle'],
] as const satisfies readonly (readonly OperationId[])[];

/** How many those are. */
export const sparedMax = pairs.length;

const unknownReview = 'casa-conformance-no-such-review';

/** Ids that a path of the contract takes. */
interface Ids {
  readonly unknown: string;
  readonly article: string;
  readonly site: string;
  readonly account: string;
  /** An account whose insights of 28 days have been read. */
  readonly measured: string | null;
  /** A site whose keywords have been read; undefined when none has. */
  readonly keywordSite: string | undefined;
}

/** Ids from responses to the valid key: a server might check the key of a list and not of its records. */
function idsRead(probe: Probe): Ids {
  const unknown = probe.facts.unknownId;
  const read = probe.history().filter(({ key, status }) => key === 'good' && status === 200);
  const readWith = (...ids: readonly OperationId[]) =>
    read.find(({ operation }) => operation !== null && ids.includes(operation));
  const idIn = (exchange: Exchange | undefined, at: number) => (exchange && segmentOf(exchange, at)) || unknown;
  const ofSite = read.find(({ operation, target }) => operation === 'listKeywords' && !target.includes(unknown));
  const ofMonth = read.find(({ operation, target }) => operation === 'getInsights' && target.endsWith('?range=28d'));
  const sites = readWith('listSites')?.json;
  const [site] = isObject(sites) ? listOf(sites.data) : [];
  return {
    unknown,
    // A server might look for the record before the key, and one that needs no key does not have it either.
    article: hasTime(probe) ? idIn(readWith('getArticle'), 1) : unknown,
    site: hasTime(probe) && isObject(site) && typeof site.id === 'string' ? site.id : unknown,
    account: hasTime(probe) ? idIn(readWith('listReviews', 'getInsights'), 2) : unknown,
    measured: ofMonth === undefined ? null : segmentOf(ofMonth, 2),
    keywordSite: new URLSearchParams(ofSite?.target.split('?')[1]).get('siteId') ?? undefined,
  };
}

/** An ordinary read among the invalid requests: articles/default-limit looks at its response. */
function validRequest(probe: Probe): RequestSpec {
  return { operation: 'listArticles', params: pageWithoutLimit(probe) };
}

/** An invalid range with an invalid key: the service must check the key first. */
export const unknownRange = '5d';

/**
 * Twelve requests that no key opens, one for each operation; reads are of what there is. Some are wrong
 * in their input too: the key comes first. The spoilt ones are the valid key with one thing changed.
 */
export function invalidRequests(probe: Probe): RequestSpec[] {
  const { unknown, article, site, account, measured, keywordSite } = idsRead(probe);
  const range = measured === null || !hasTime(probe) ? unknownRange : '28d';
  const ofCalls = { key: 'none', operation: 'listCalls', params: { limit: hasTime(probe) ? 1 : 'none' } } as const;
  // auth/after-valid-key requests the sites without a key, if the run has it.
  const isSent = probe.history().some(({ key, operation }) => key === 'none' && operation === 'listSites');
  return [
    isSent ? ofCalls : { key: 'none', operation: 'listSites' },
    // A scheme without a key.
    { authorization: 'Bearer', operation: 'listAccounts' },
    { key: 'none', operation: 'listReviews', params: { accountId: account } },
    { key: 'none', operation: 'listKeywords', params: hasTime(probe) ? { siteId: keywordSite } : {} },
    // The same as the good one.
    { ...validRequest(probe), spoilt: 'digit' },
    { spoilt: 'digit', operation: 'getInsights', params: { accountId: measured ?? unknown, range } },
    { spoilt: 'digit', operation: 'getArticle', params: { id: article } },
    { spoilt: 'scheme', operation: 'getSite', params: { id: site } },
    { spoilt: 'long', operation: 'replyToReview', params: { accountId: unknown, reviewId: unknownReview }, body: {} },
    { spoilt: 'other-prefix', operation: 'createPost', params: { accountId: unknown }, body: {} },
    // Last, because the last are likely the blocked ones: one of each family of endpoints.
    { spoilt: 'short', operation: 'createConnectLink', body: {} },
    isSent ? { spoilt: 'digit', operation: 'listCalls', params: { limit: 1 } } : ofCalls,
  ];
}

/** An ordinary read that the run has not sent before, as long as there are insights to read. */
export function nextRead(probe: Probe): RequestSpec {
  const { measured } = idsRead(probe);
  return measured === null ? { operation: 'listSites' } : { operation: 'getInsights', params: { accountId: measured } };
}

export interface Burst {
  readonly admitted: readonly Exchange[];
  readonly blocked: readonly Exchange[];
  /** Responses that never came, or came from a proxy: each may have been admitted. */
  readonly lost: number;
  readonly spanMs: number;
}

/** Any 429 without a valid key is the limiter's. With one, the window of the key can be the cause. */
export function isBlocked(exchange: Exchange): boolean {
  const isOfKey = readWhole(exchange.headers['x-ratelimit-limit']) === contractWindows.key.limit;
  return exchange.status === 429 && (exchange.key !== 'good' || (isLimiterRejection(exchange) && !isOfKey));
}

/** How a burst differs from the usual one. */
interface Manner {
  /** How often each request is sent; once when absent. */
  readonly times?: number;
  readonly address?: string;
  /** Changes the requests; none when absent. */
  change?(specs: readonly RequestSpec[]): readonly RequestSpec[];
}

/**
 * At least ten requests without a valid key and one with it. The others call the other operations, where the plan
 * allows a retry for each. The valid request follows the invalid request that is like it.
 */
export async function fire(probe: Probe, { times = 1, address, change }: Manner = {}): Promise<Burst> {
  const invalid = invalidRequests(probe);
  const isSpared = ({ operation }: RequestSpec) => sparedOf(probe.settings.seed).some((one) => one === operation);
  const some = probe.requestsLeft() > burstMax ? invalid : invalid.filter((spec) => !isSpared(spec));
  const each = [...some.slice(0, validAt), validRequest(probe), ...some.slice(validAt)].map((spec) =>
    address === undefined ? spec : { ...spec, address },
  );
  const specs = Array.from({ length: times }, () => each).flat();
  const words = 'one of them with a valid key';
  return fireAll(probe, change?.(specs) ?? specs, { quietMs: times === 1 ? quietMs : longQuietMs, words });
}

const validAt = 7;

function sparedOf(seed: number): readonly OperationId[] {
  return pairs.map((pair, index) => pair[turnOf(seed >> index, pair.length)] ?? pair[0]);
}

/**
 * Is silent for `quietMs`, announces the burst with the words, and sends it. Never gives back a burst in which nothing
 * got a response: that stops the check.
 */
export async function fireAll(
  probe: Probe,
  specs: readonly RequestSpec[],
  { quietMs, words }: { quietMs: number; words: string },
): Promise<Burst> {
  await probe.sleep(quietMs);
  probe.announce(`Sending ${count(specs.length, 'request')} at once, ${words}.`);
  const isLost = (exchange: Exchange) => isUnusable(exchange) || rejectsNamedClient(exchange);
  const once = await probe.burst(specs);
  // A lost response may have been an admitted one: it is repeated, and the others decide (interpretation R60).
  if (once.some(isLost)) await probe.sleep(quietMs);
  const again = once.some(rejectsNamedClient) ? specs.map(({ headers: _headers, ...spec }) => spec) : specs;
  const all = once.some(isLost) ? await probe.burst(again) : once;
  const exchanges = all.filter((exchange) => !isLost(exchange));
  if (exchanges.length === 0)
    probe.stop('platform', `none of ${count(specs.length, 'simultaneous request')} got a response`);
  const troubled = exchanges.find((exchange) => isPlatformTrouble(exchange) && !isBlocked(exchange));
  if (troubled) probe.stop('platform', `one of ${count(specs.length, 'simultaneous request')} got ${troubled.status}`);
  return {
    admitted: exchanges.filter((exchange) => !isBlocked(exchange)),
    blocked: exchanges.filter(isBlocked),
    lost: all.length - exchanges.length,
    spanMs: Math.max(...exchanges.map((e) => e.receivedAt)) - Math.min(...exchanges.map((e) => e.sentAt)),
  };
}

/** A rate limit that our own pace does not explain: others use the window. */
export function isDisturbed(exchange: Exchange): boolean {
  return !exchange.burst && isLimiterRejection(exchange);
}
