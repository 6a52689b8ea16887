// Where the contract leaves room, the mock picks one reading. Each is a row of spec/readings.yaml: a choice sets one by
// hand, grease draws some, a profile holds those of a deployment.
import { defaultReadings, type ReadingId, type Readings, readings } from '../contract/generated/readings.ts';

/** All readings of a mock. */
export type Choices = Readings;

/** Readings that argue for themselves in spec/choices.md, and that a user sets one by one. */
export type ChoiceName = keyof typeof choiceValues;

/** All values of each choice; the default comes first. */
export const choiceValues = {
  unknownSite: readings.unknownSite.values,
  articlesUnknownSite: readings.articlesUnknownSite.values,
  badArticleQuery: readings.badArticleQuery.values,
  malformedId: readings.malformedId.values,
  retryAfter: readings.retryAfter.values,
  reviewEnd: ['null', 'absent'],
  bodyCap: readings.bodyCap.values,
  blockedCount: readings.blockedCount.values,
  snapshotRunning: readings.snapshotRunning.values,
} as const satisfies { readonly [Id in ReadingId]?: readonly string[] };

/** The readings that each entry of spec/choices.md argues for. */
export const defaultChoices: Choices = defaultReadings;

/** Fills in what is not said. A bad query as a whole stands for its parts, unless they are said. */
export function settleChoices(chosen: Partial<Choices>): Choices {
  const parts: Partial<Choices> =
    chosen.badArticleQuery === 'clamp'
      ? { badArticleLimit: 'clamp', badArticleCursor: 'ignore', badArticleSite: 'empty' }
      : {};
  return { ...defaultChoices, ...parts, ...chosen };
}
