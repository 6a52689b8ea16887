// Variants whose world is the point: little data, none, ties, or an organization that may not write.
import type { Variant } from './variants.ts';

/** Times to the minute; one of each thing. */
export const single = {
  world: 'single',
  articleCount: 1,
  calls: 'one',
  timeFormat: 'minutes',
  articleEnd: 'empty-page',
  unknownMethod: 405,
  callShape: 'nested',
  sinceCompares: 'visible',
  reviewEnd: 'null',
} as const satisfies Partial<Variant>;

/** An organization that owns nothing yet. */
export const empty = {
  world: 'empty',
  articleCount: 0,
  calls: 'none',
  timeFormat: 'local',
  unknownSite: 'empty',
  malformedAccount: 400,
  precedence: ['schema', 'payment', 'existence', 'state', 'item'],
} as const satisfies Partial<Variant>;

/** Articles that share a createdAt: the hazard of R17. */
export const tied = {
  world: 'tied',
  articleCount: 48,
  timeFormat: 'local',
  articleOrder: 'newest',
  tieEdge: 'lose',
  extras: 'outer',
  calls: 'none',
} as const satisfies Partial<Variant>;

/** The same ties, but a page is cut short so that no tie straddles its edge where that is possible. */
export const tiedShort = {
  ...tied,
  tieEdge: 'shrink',
  articleOrder: 'oldest',
  timeFormat: 'pacific',
} as const satisfies Partial<Variant>;

/** Paid accounts are paused: every write answers 402 before anything else is looked at. */
export const unpaid = {
  paymentStopped: true,
  precedence: ['payment', 'state', 'existence', 'schema', 'item'],
  timeFormat: 'nanos',
  reason: 'error',
  issues: 'error-array',
  messages: 'foreign',
} as const satisfies Partial<Variant>;

/** The server remembers which calls it delivered; an old position cannot be read again. */
export const consuming = {
  consuming: true,
  sinceCompares: 'visible',
  timeFormat: 'pacific',
  articleOrder: 'newest',
  addressWindow: 'sliding',
} as const satisfies Partial<Variant>;
