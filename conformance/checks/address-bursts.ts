// Requests without a good key, sent at once: one for each operation, each bad in another way.
import { operations } from '../../src/contract/generated/operations.ts';
import { type Exchange, isAnswered, isPlatformTrouble } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { contractWindows } from '../pace/lanes.ts';
import type { Probe } from '../probe/probe.ts';

export const { limit, windowMs } = contractWindows.address;
export const QUIET_MS = windowMs + 500;
/** A server that keeps an approximate window needs two of them to forget. */
const LONG_QUIET_MS = 2 * windowMs + 500;
/** In so short a time a refill cannot explain an eleventh request, and the edge of a window hardly can (R44). */
export const SURE_SPAN_MS = 100;
export const LIKELY_SPAN_MS = 900;

/** One for each operation of the contract. */
export const badRequestsMax = Object.keys(operations).length;

const NOBODY = 'casa-conformance-no-such-review';

/**
 * Twelve requests that no key opens, one for each operation. Those without any key are wrong in their input too: the
 * key comes first. The spoilt ones are the good key with one thing changed; another scheme is none of them (R51).
 */
export function badRequests(id: string): RequestSpec[] {
  const review = { accountId: id, reviewId: NOBODY };
  return [
    { key: 'none', operation: 'listKeywords' },
    { key: 'none', operation: 'listAccounts' },
    { key: 'none', operation: 'listCalls', params: { limit: 1 } },
    { key: 'none', operation: 'getInsights', params: { accountId: id, range: '5d' } },
    { key: 'none', operation: 'createPost', params: { accountId: id }, body: {} },
    { spoilt: 'digit', operation: 'listSites' },
    { spoilt: 'short', operation: 'getArticle', params: { id } },
    { spoilt: 'no-prefix', operation: 'replyToReview', params: review, body: {} },
    { spoilt: 'other-prefix', operation: 'createConnectLink', body: {} },
    { key: 'none', operation: 'getSite', params: { id } },
    // Last, because the last are likely the blocked ones: one of each family of endpoints.
    { key: 'wrong', operation: 'listArticles', params: { limit: 1 } },
    { spoilt: 'long', operation: 'listReviews', params: { accountId: id } },
  ];
}

export interface Burst {
  readonly admitted: readonly Exchange[];
  readonly blocked: readonly Exchange[];
  readonly spanMs: number;
}

/** No platform answers a request without a good key: whatever body it has, its 429 is the limiter's. */
export function isBlocked({ status }: Exchange): boolean {
  return status === 429;
}

/** Eleven will do; the twelfth asks the twelfth operation, where the run has a request to spare. */
export async function fire(probe: Probe, times = 1, address?: string): Promise<Burst> {
  const all = badRequests(probe.facts.unknownId).map((spec) => (address === undefined ? spec : { ...spec, address }));
  const each = probe.requestsLeft() >= badRequestsMax ? all : all.filter(({ operation }) => operation !== 'getSite');
  const specs = Array.from({ length: times }, () => each).flat();
  return fireAll(probe, specs, { quietMs: times === 1 ? QUIET_MS : LONG_QUIET_MS, words: 'none with a good key' });
}

interface Manner {
  readonly quietMs: number;
  readonly words: string;
}

export async function fireAll(probe: Probe, specs: readonly RequestSpec[], { quietMs, words }: Manner): Promise<Burst> {
  await probe.sleep(quietMs);
  probe.announce(`Sending ${specs.length} requests at once, ${words}.`);
  const exchanges = await probe.burst(specs);
  const silent = exchanges.find((exchange) => !isAnswered(exchange));
  if (silent) probe.stop('timing', `one of ${specs.length} requests at once got no answer: ${silent.problem}`);
  const troubled = exchanges.find((exchange) => isPlatformTrouble(exchange) && !isBlocked(exchange));
  if (troubled) probe.stop('platform', `one of ${specs.length} requests at once got ${troubled.status}`);
  return {
    admitted: exchanges.filter((exchange) => !isBlocked(exchange)),
    blocked: exchanges.filter(isBlocked),
    spanMs: Math.max(...exchanges.map((e) => e.receivedAt)) - Math.min(...exchanges.map((e) => e.sentAt)),
  };
}
