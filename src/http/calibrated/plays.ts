// Where the mock follows each behavior. The mapped type rejects a behavior without a place; proof/identify shows that
// each place does what its behavior says.

import type { BehaviorId, Behaviors, PlayedId } from '../../contract/generated/behaviors.ts';
import { defaultBehaviors } from '../../contract/generated/behaviors.ts';
import { forInputs } from '../../contract/input-classes.ts';
import { type Split, words } from '../../contract/words.ts';

/**
 * `writer`: the response is written again, see write-body.ts and calibrated mock.ts. The others are decided where the
 * request is: in its input, its route and domain, at the limiters, or when the world is loaded.
 */
type Layer = 'input' | 'route' | 'limits' | 'gate' | 'world' | 'writer' | 'mcpEndpoint';

const at = <const Ids extends string>(layer: Layer, ids: Ids) =>
  Object.fromEntries(words(ids).map((id) => [id, layer])) as Record<Split<Ids>[number], Layer>;

const layers: { readonly [Id in PlayedId]: Layer } = {
  ...forInputs(() => 'input' as const),
  ...at('input', 'badArticleQuery duplicates'),
  ...at('writer', 'simpleBadCode issues simpleIssues errorMessages reviewEnd reviewReplied inviteIdForm'),
  ...at('writer', 'callSummary callRecord callCursor rateHeaders rateBucket challenge challengeForm contentType'),
  ...at('writer', 'errorContentType timestampForm'),
  ...at('writer', 'plainTimestampForm insightDateForm idCase extraFields records permalink repliedAt'),
  ...at('route', 'pendingCode expiredCode revokedCode pendingApiCode lockedReads reviewLastPage reviewPageSize'),
  ...at('route', 'reviewAggregate reviewCursor articleOrder articleEnd articlePageCap callsPageCap'),
  ...at('route', 'otherMethod snapshotCursor snapshotRunning insightPoints insightLagDays numbers'),
  ...at('world', 'reviewIdForm idVersion keyPrefix'),
  ...at('gate', 'bodyCap'),
  ...at('limits', 'blockedCount retryAfter resetMeans addressWindow'),
  ...at('mcpEndpoint', 'latency'),
};

/** Those in which responses are written. */
export const writtenBehaviors = (Object.keys(layers) as BehaviorId[]).filter((id) => layers[id] === 'writer');

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
