// Deployments that are all legal and as different as the contract allows. The kit has to stay silent on each of them.
import { plainVariant, type Variant } from './variants.ts';

/** Sends as little as the contract allows. */
const frugal = {
  timeFormat: 'seconds',
  idVersion: 7,
  nullables: 'absent',
  emptyStrings: true,
  messages: 'empty',
  headerCase: 'lower',
  connection: 'close',
  articleCount: 41,
  articleEnd: 'exact',
  unknownSite: 'empty',
  malformedId: 404,
  badLimit: 'ignore',
  stateCodes: 'first',
  lockedReads: false,
  repliedAt: 'null',
  aggregate: false,
  replyFields: 'none',
  reviewPage: 10,
  insightPoints: 'no-metrics',
  calls: 'one',
  callShape: 'bare',
  settleSeconds: 290,
  snapshotCursor: 'null',
  snapshotSettling: false,
  callsBadLimit: 'ignore',
  badSince: 'ignore',
  retryAfter: 'never',
  mcpEndpointResponses: 'events',
  mcpEndpointVersion: '2024-11-05',
  mcpEndpointRejection: 'prose',
  mcpEndpointShape: 'prose',
  mcpEndpointTools: 'few',
  mcpEndpointSchemas: 'bare',
} as const satisfies Partial<Variant>;

/** Sends more than requested. */
const lavish = {
  timeFormat: 'micros',
  idCase: 'upper',
  idVersion: 8,
  nullables: 'none',
  extras: 'deep',
  fractions: true,
  fieldOrder: 'reversed',
  json: 'airy',
  contentType: 'application/vnd.content-service.v1+json; charset=UTF-8',
  errorContentType: 'application/problem+json',
  headerCase: 'upper',
  gzip: true,
  head: true,
  challenge: true,
  invalidUrl: 'page',
  authScheme: 'loose',
  keyCase: 'any',
  capResponse: 'early',
  oddReviewIds: true,
  platformTrouble: true,
  articleCount: 130,
  articleOrder: 'newest',
  articleEnd: 'empty-page',
  issues: 'error-map',
  reason: 'nested',
  permalink: 'string',
  reviewEnd: 'empty-page',
  reviewCursor: 'raw',
  replyFields: 'always',
  insightPoints: 'odd',
  insightDates: 'stamp',
  callShape: 'epoch',
  settleSeconds: 310,
  sinceCompares: 'visible',
  cursorScheme: 'bumped',
  snapshotOrder: 'activity',
  callSummary: true,
  rateHeaders: 'always',
  rateBucket: 'address',
  resetMeans: 'full',
  mcpEndpointResponses: 'events-open',
  mcpEndpointSession: true,
  mcpEndpointVersion: '2025-06-18',
  mcpEndpointRejection: 'result',
  mcpEndpointShape: 'structured',
  mcpEndpointSchemas: 'nested',
  mcpEndpointToolPage: 3,
} as const satisfies Partial<Variant>;

/** Rejects everything it may reject. */
const strict = {
  timeFormat: 'comma',
  idVersion: 1,
  plainTimes: 'rfc1123',
  unknownMethod: 405,
  duplicates: 'reject',
  articleOrder: 'newest',
  badLimit: 'reject',
  badCursor: 'reject',
  badSiteId: 'reject',
  unknownKeywordSite: 'missing',
  precedence: ['schema', 'existence', 'state', 'payment', 'item'],
  malformedAccount: 400,
  looseGetIds: false,
  absentCopy: 'reject',
  unknownFields: 'reject',
  blankText: 'reject',
  unusualText: 'reject',
  requestType: 'json',
  lengthUnit: 'codepoints',
  issues: 'nested',
  reason: 'error',
  stateCodes: 'first',
  lockedReads: false,
  secondReply: 'reject',
  badReviewCursor: 'reject',
  capOrder: 'after-key',
  callShape: 'nested',
  sinceEdge: 'inclusive',
  callsBadLimit: 'reject',
  sinceOffset: 'reject',
  addressWindow: 'sliding',
  countBlocked: true,
  retryAfterMinS: 60,
  rateHeaders: 'always',
  rateBucket: 'key',
  retryAfter: 'usually',
  mcpEndpointSession: true,
  mcpEndpointVersion: '2025-03-26',
  mcpEndpointRejection: 'result',
  mcpEndpointShape: 'structured',
} as const satisfies Partial<Variant>;

/** Forgives everything it may forgive and changes its handwriting from value to value. */
const mixed = {
  timeFormat: 'mixed',
  idCase: 'mixed',
  idVersion: 5,
  plainTimes: 'epoch',
  extras: 'outer',
  json: 'escaped',
  messages: 'foreign',
  contentType: 'Application/JSON;charset="utf-8"',
  transfer: 'chunked',
  gzip: true,
  trustForwarded: true,
  authScheme: 'loose',
  duplicates: 'first',
  articleCount: 60,
  badLimit: 'by-class',
  badSiteId: 'ignore',
  nullOptional: 'absent',
  badReviewCursor: 'ignore',
  oddReviewIds: true,
  oddPlainIds: true,
  reviewEnd: 'alternate',
  reviewCursor: 'raw',
  aggregate: 'by-platform',
  replyFields: 'text-only',
  reviewPage: 4,
  insightDates: 'compact',
  sinceCompares: 'visible',
  badSince: 'ignore',
  callsBadLimit: 'by-class',
  addressWindow: 'tokens',
  rateHeaders: 'always',
  rateBucket: 'tightest',
  retryAfter: 'usually',
  mcpEndpointResponses: 'events',
  mcpEndpointRejection: 'envelope',
  mcpEndpointSchemas: 'nested',
} as const satisfies Partial<Variant>;

/** Half-hour offsets: every cursor carries a plus sign. */
const offsets = {
  timeFormat: 'india',
  idCase: 'upper',
  nullables: 'all',
  articleEnd: 'exact',
  articlePageCap: 9,
  badLimit: 'missing',
  badCursor: 'missing',
  reviewPage: 50,
  plainTimes: 'date',
  insightPoints: 'no-points',
  insightLagDays: 3,
  callShape: 'snake',
  callsPageCap: 33,
  addressWindow: 'from-first',
  rateHeaders: 'always',
  rateBucket: 'address',
  mcpEndpointRejection: 'prose',
  mcpEndpointTools: 'family',
  mcpEndpointSchemas: 'bare',
} as const satisfies Partial<Variant>;

/** ISO 8601 basic form, no fractions, walked newest first. */
const basic = {
  timeFormat: 'basic',
  articleOrder: 'newest',
  articleEnd: 'empty-page',
  accountOrder: 'usable-last',
  platformTrouble: true,
  simpleBadCode: 'bad_request',
  cursorScheme: 'bumped',
  sinceEdge: 'inclusive',
  callShape: 'snake',
  addressWindow: 'tokens',
  retryAfter: 'never',
  rateHeaders: 'always',
  rateBucket: 'key',
  resetMeans: 'full',
  mcpEndpointResponses: 'events-open',
  mcpEndpointVersion: '2025-06-18',
} as const satisfies Partial<Variant>;

/** Times to the minute; one of each thing. */
const single = {
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
const empty = {
  world: 'empty',
  articleCount: 0,
  calls: 'none',
  timeFormat: 'local',
  unknownSite: 'empty',
  malformedAccount: 400,
  precedence: ['schema', 'payment', 'existence', 'state', 'item'],
} as const satisfies Partial<Variant>;

/** Articles that share a createdAt: the hazard of R17. */
const tied = {
  world: 'tied',
  articleCount: 48,
  timeFormat: 'local',
  articleOrder: 'newest',
  tieEdge: 'lose',
  extras: 'outer',
  calls: 'none',
} as const satisfies Partial<Variant>;

/** The same ties, but a page is cut short so no tie straddles its edge where that is possible. */
const tiedShort = {
  ...tied,
  tieEdge: 'shrink',
  articleOrder: 'oldest',
  timeFormat: 'pacific',
} as const satisfies Partial<Variant>;

/** Paid accounts are paused: every write returns 402 before anything else is looked at. */
const unpaid = {
  paymentStopped: true,
  precedence: ['payment', 'state', 'existence', 'schema', 'item'],
  timeFormat: 'nanos',
  reason: 'error',
  issues: 'error-array',
  messages: 'foreign',
} as const satisfies Partial<Variant>;

/** The server remembers which calls it delivered; an old position cannot be read again. */
const consuming = {
  consuming: true,
  sinceCompares: 'visible',
  timeFormat: 'pacific',
  articleOrder: 'newest',
  addressWindow: 'sliding',
} as const satisfies Partial<Variant>;

export const namedVariants = {
  frugal,
  lavish,
  strict,
  mixed,
  offsets,
  basic,
  single,
  empty,
  tied,
  'tied-short': tiedShort,
  unpaid,
  consuming,
};

export type VariantName = 'plain' | keyof typeof namedVariants;

export const variantNames: readonly VariantName[] = [
  'plain',
  ...(Object.keys(namedVariants) as (keyof typeof namedVariants)[]),
];

/** A name, or fields that replace those of the plain variant. */
export function resolveVariant(behavior: VariantName | Partial<Variant> = 'plain'): Variant {
  if (typeof behavior !== 'string') return { ...plainVariant, ...behavior };
  if (behavior === 'plain') return plainVariant;
  const named: Partial<Variant> | undefined = namedVariants[behavior];
  if (named === undefined) throw new Error(`no variant is called ${String(behavior)}`);
  return { ...plainVariant, ...named };
}
