// The unspecified behaviors of the mock, each a row of spec/behaviors.yaml: `--behavior` sets one, grease draws some, a
// profile has those of a deployment.
import { type BehaviorId, type Behaviors, behaviors, defaultBehaviors } from '../contract/generated/behaviors.ts';
import { nearestInputs } from '../contract/input-classes.ts';

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

/** Adds the defaults. `badArticleQuery` applies to its parts; an input without a behavior has that of the nearest. */
export function settleBehavior(chosen: Partial<WorldBehavior>): WorldBehavior {
  const parts: Partial<WorldBehavior> =
    chosen.badArticleQuery === 'clamp'
      ? {
          articleLimitAbove: 'clamp',
          articleLimitBelow: 'clamp',
          articleLimitText: 'ignore',
          badArticleCursor: 'ignore',
          badArticleSite: 'empty',
        }
      : {};
  const set: Partial<WorldBehavior> = { ...parts, ...chosen };
  const near = [...nearestInputs(set)].map(([id, other]) => [id, set[other]]);
  return { ...defaultWorldBehavior, ...Object.fromEntries(near), ...set };
}
