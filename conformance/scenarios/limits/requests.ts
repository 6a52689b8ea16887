// The requests of a burst: one for each operation that no key opens, and one that is valid.
import { addressWindow } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Burst, burstOf, isLostIn, secondAttempt } from '../../exchange/bursts.ts';
import { rejectsNamedClient } from '../../exchange/exchange.ts';
import { type History, ofKey, responsesTo } from '../../exchange/history.ts';
import { segmentOf } from '../../exchange/look.ts';
import { rowsAt } from '../../exchange/records.ts';
import type { RequestSpec } from '../../exchange/request.ts';
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
    // A scheme without a key.
    { authorization: 'Bearer', operation: 'listAccounts' },
    { key: 'none', operation: 'listReviews', params: { accountId: account } },
    { key: 'none', operation: 'listKeywords', params: isKnown ? { siteId: site } : {} },
    // The same as the valid one.
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

/** Their number. */
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

/** One for each operation, and a valid one. */
export function burstRequests(history: History): RequestSpec[] {
  return invalidRequests(history).toSpliced(validAt, 0, validRequest);
}

export const burstMax = invalidMax + 1;

interface Sent {
  readonly specs: readonly RequestSpec[];
  readonly words?: string;
  /** The silence before it. */
  readonly quietMs?: number;
}

/** Sends a burst of that name, after a silence. */
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
