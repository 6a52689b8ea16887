// Where the mock follows each behavior. The mapped type rejects a behavior without a place; proof/identify shows that
// each place does what its behavior says.
import type { BehaviorId, Behaviors, PlayedId } from '../../contract/generated/behaviors.ts';
import { defaultBehaviors } from '../../contract/generated/behaviors.ts';
import { forInputs } from '../../contract/input-classes.ts';

/**
 * `writer`: the response is written again, see write-body.ts and calibrated mock.ts. The others are decided where the
 * request is: in its input, its route and domain, at the limiters, or when the world is loaded.
 */
type Place = 'input' | 'route' | 'limits' | 'gate' | 'world' | 'writer' | 'mcpEndpoint';

const places: { readonly [Id in PlayedId]: Place } = {
  ...forInputs(() => 'input' as const),
  badArticleQuery: 'input',
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
  articleOrder: 'route',
  articleEnd: 'route',
  articlePageCap: 'route',
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
  fieldOrder: 'writer',
  envelopeOrder: 'writer',
  timestampForm: 'writer',
  plainTimestampForm: 'writer',
  insightDateForm: 'writer',
  insightPoints: 'route',
  insightLagDays: 'route',
  numbers: 'route',
  idCase: 'writer',
  idVersion: 'world',
  extraFields: 'writer',
  records: 'writer',
  permalink: 'writer',
  repliedAt: 'writer',
  keyPrefix: 'world',
  latency: 'mcpEndpoint',
};

/** Those in which responses are written. */
export const writtenBehaviors = (Object.keys(places) as BehaviorId[]).filter((id) => places[id] === 'writer');

/** Whether responses have to be rewritten; without such a behavior they stay unchanged. */
export function needsWriter(chosen: Partial<Behaviors>): boolean {
  return writtenBehaviors.some(
    (id) => chosen[id] !== undefined && chosen[id] !== defaultBehaviors[id] && !isOfRoute(id, chosen),
  );
}

/** The two plain ends of the review pages are the route's; only a mixture is written. */
function isOfRoute(id: BehaviorId, { reviewEnd }: Partial<Behaviors>): boolean {
  return id === 'reviewEnd' && reviewEnd !== 'either';
}
