// Where the contract leaves room, the mock picks one behavior. Each is a row of spec/behaviors.yaml: a choice sets one
// by hand, grease draws some, a profile holds those of a deployment.
import { type BehaviorId, type Behaviors, behaviors, defaultBehaviors } from '../contract/generated/behaviors.ts';

/** All behaviors of a mock. */
export type WorldBehavior = Behaviors;

/** Behaviors that argue for themselves in spec/assumptions.md, and that a user sets one by one. */
export type WorldBehaviorName = keyof typeof behaviorValues;

/** All values of each choice; the default comes first. */
export const behaviorValues = {
  unknownSite: behaviors.unknownSite.values,
  articlesUnknownSite: behaviors.articlesUnknownSite.values,
  badArticleQuery: behaviors.badArticleQuery.values,
  malformedId: behaviors.malformedId.values,
  retryAfter: behaviors.retryAfter.values,
  reviewEnd: ['null', 'absent'],
  bodyCap: behaviors.bodyCap.values,
  blockedCount: behaviors.blockedCount.values,
  snapshotRunning: behaviors.snapshotRunning.values,
} as const satisfies { readonly [Id in BehaviorId]?: readonly string[] };

/** The behaviors that each entry of spec/assumptions.md argues for. */
export const defaultWorldBehavior: WorldBehavior = defaultBehaviors;

/** Fills in what is not said. A invalid query as a whole stands for its parts, unless they are said. */
export function settleBehavior(chosen: Partial<WorldBehavior>): WorldBehavior {
  const parts: Partial<WorldBehavior> =
    chosen.badArticleQuery === 'clamp'
      ? { badArticleLimit: 'clamp', badArticleCursor: 'ignore', badArticleSite: 'empty' }
      : {};
  return { ...defaultWorldBehavior, ...parts, ...chosen };
}
