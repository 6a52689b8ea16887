// Where the mock follows each reading. The mapped type refuses a reading without a place; proof/identify shows that
// each place does what its reading says.
import type { PlayedId, ReadingId, Readings } from '../../contract/generated/readings.ts';
import { defaultReadings } from '../../contract/generated/readings.ts';

/**
 * `writer`: the answer is written anew, see write-body.ts and twin.ts. The others are decided where the request is:
 * in its input, its route and domain, at the limiters, or when the world is loaded.
 */
type Place = 'input' | 'route' | 'limits' | 'gate' | 'world' | 'writer' | 'door';

const places: { readonly [Id in PlayedId]: Place } = {
  unknownSite: 'route',
  articlesUnknownSite: 'route',
  badArticleQuery: 'input',
  badArticleLimit: 'input',
  badArticleCursor: 'input',
  badArticleSite: 'input',
  malformedId: 'input',
  malformedAccount: 'input',
  duplicates: 'input',
  simpleBadCode: 'writer',
  issues: 'writer',
  simpleIssues: 'writer',
  errorMessages: 'writer',
  pendingCode: 'route',
  expiredCode: 'route',
  revokedCode: 'route',
  pendingApiCode: 'route',
  lockedReads: 'route',
  reviewEnd: 'writer',
  reviewLastPage: 'route',
  reviewPageSize: 'route',
  reviewAggregate: 'route',
  reviewReplied: 'writer',
  reviewIdForm: 'world',
  inviteIdForm: 'writer',
  reviewCursor: 'route',
  badReviewCursor: 'route',
  articleOrder: 'route',
  articleEnd: 'route',
  articlePageCap: 'route',
  callsBadLimit: 'input',
  badSince: 'input',
  callsPageCap: 'route',
  callSummary: 'writer',
  callRecord: 'writer',
  callCursor: 'writer',
  snapshotCursor: 'route',
  snapshotRunning: 'route',
  bodyCap: 'gate',
  blockedCount: 'limits',
  retryAfter: 'limits',
  rateHeaders: 'writer',
  rateBucket: 'writer',
  resetMeans: 'limits',
  addressWindow: 'limits',
  challenge: 'writer',
  challengeForm: 'writer',
  contentType: 'writer',
  errorContentType: 'writer',
  jsonLayout: 'writer',
  jsonEscapes: 'writer',
  memberOrder: 'writer',
  envelopeOrder: 'writer',
  instantForm: 'writer',
  plainInstantForm: 'writer',
  insightDateForm: 'writer',
  insightPoints: 'route',
  insightLagDays: 'route',
  numbers: 'route',
  idCase: 'writer',
  idVersion: 'world',
  extraMembers: 'writer',
  permalink: 'writer',
  repliedAt: 'writer',
  keyPrefix: 'world',
  latency: 'door',
};

/** Those in which answers are written. */
export const writtenReadings = (Object.keys(places) as ReadingId[]).filter((id) => places[id] === 'writer');

/** Whether answers have to be written anew: a mock without such a reading leaves them as they are. */
export function needsWriter(chosen: Partial<Readings>): boolean {
  return writtenReadings.some(
    (id) => chosen[id] !== undefined && chosen[id] !== defaultReadings[id] && !isOfRoute(id, chosen),
  );
}

/** The two plain ends of the review pages are the route's; only a mixture is written. */
function isOfRoute(id: ReadingId, { reviewEnd }: Partial<Readings>): boolean {
  return id === 'reviewEnd' && reviewEnd !== 'either';
}
