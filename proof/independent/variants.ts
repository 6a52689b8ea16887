// The freedoms of a deployment. Each lists its values; the first one is that of the variant `plain`.
import type { IdCase } from './ids.ts';
import type { PlainTimes, TimeFormat } from './time.ts';

/** The steps of a connect operation whose order the contract leaves open (R1). */
export type Stage = 'schema' | 'existence' | 'payment' | 'state' | 'item';

type Choices = Readonly<Record<string, readonly unknown[]>>;
type Values<Table extends Choices> = { -readonly [Name in keyof Table]: Table[Name][number] };

/** A freedom with any value of its type. */
const open = <Value>(plain: Value): readonly [Value] => [plain];
const yes = [true, false] as const;
const no = [false, true] as const;

const world = {
  world: ['full', 'single', 'empty', 'tied'],
  articleCount: open<number>(57),
  calls: ['many', 'one', 'none'],
  accountOrder: ['usable-first', 'usable-last'],
  /** Adds accounts whose platform always limits, fails or is down. */
  platformTrouble: no,
  oddReviewIds: no,
  /** Ids that are plain strings in the contract are not UUIDs. */
  oddPlainIds: no,
  paymentStopped: no,
} as const;

/** How values are written. */
const writing = {
  timeFormat: open<TimeFormat>('zero'),
  plainTimes: open<PlainTimes>('iso'),
  idCase: open<IdCase>('lower'),
  idVersion: [4, 1, 5, 7, 8],
  nullables: ['some', 'all', 'none', 'absent'],
  /** "outer": on Article, Site, Keyword, envelopes and errors; "deep": also inside accounts, billing and so on. */
  extras: ['none', 'outer', 'deep'],
  emptyStrings: no,
  fractions: no,
  fieldOrder: ['listed', 'reversed'],
  json: ['compact', 'airy', 'escaped'],
  contentType: open<string>('application/json'),
  errorContentType: open<string>('application/json'),
  messages: ['plain', 'empty', 'foreign'],
} as const;

const http = {
  headerCase: ['title', 'lower', 'upper'],
  transfer: ['length', 'chunked'],
  connection: ['keep', 'close'],
  gzip: no,
  unknownMethod: [404, 405],
  head: no,
  capOrder: ['before-key', 'after-key'],
  capResponse: ['late', 'early'],
  authScheme: ['strict', 'loose'],
  /** Keys are compared byte by byte, or as hexadecimal digits (R61). */
  keyCase: ['exact', 'any'],
  challenge: no,
  /** A proxy in front of the service rejects a URL that is not valid, with its own page (R64). */
  invalidUrl: ['read', 'page'],
  trustForwarded: no,
  duplicates: ['last', 'first', 'reject'],
} as const;

const lists = {
  /** "title" walks by title and looks the cursor's createdAt up; used by no named variant. */
  articleOrder: ['oldest', 'newest', 'title'],
  /** When the cursor is null: the page is not full, no further item, or only the page is empty. */
  articleEnd: ['not-full', 'exact', 'empty-page'],
  articlePageCap: open<number>(100),
  tieEdge: ['lose', 'shrink'],
  /** `by-class`: a limit above the range is clamped, others are rejected. */
  badLimit: ['clamp', 'reject', 'ignore', 'missing', 'by-class'],
  badCursor: ['ignore', 'reject', 'missing'],
  badSiteId: ['missing', 'reject', 'ignore'],
  unknownSite: ['missing', 'empty'],
  unknownKeywordSite: ['empty', 'missing'],
  malformedId: [400, 404],
  simpleBadCode: ['invalid_input', 'bad_request'],
} as const;

const connect = {
  precedence: open<readonly Stage[]>(['existence', 'state', 'payment', 'schema', 'item']),
  malformedAccount: [404, 400],
  /** GET operations take any UUID; only the inputs of posts and replies carry the version pattern. */
  looseGetIds: yes,
  absentCopy: ['accept', 'reject'],
  /** An explicit null for an optional field (R63). */
  nullOptional: ['reject', 'absent'],
  unknownFields: ['accept', 'reject'],
  blankText: ['accept', 'reject'],
  /** Texts with markup, separate accents, joiners, emoji or a blank at the end: the contract states only a length. */
  unusualText: ['accept', 'reject'],
  requestType: ['any', 'json'],
  lengthUnit: ['utf16', 'codepoints'],
  issues: ['top-strings', 'error-array', 'error-map', 'nested'],
  reason: ['top', 'error', 'nested'],
  stateCodes: ['second', 'first'],
  lockedReads: yes,
  permalink: ['null', 'string'],
  repliedAt: ['string', 'null'],
  secondReply: ['replace', 'reject'],
  /** "Newest information": by the review's last change, which a reply moves, or by its date. */
  reviewOrder: ['updated', 'date'],
  reviewPage: open<number>(7),
  reviewEnd: ['absent', 'null', 'alternate', 'empty-page'],
  reviewCursor: ['base64', 'raw'],
  badReviewCursor: ['reject', 'ignore'],
  /** "by-platform": pages of google_business have it, pages of other providers do not. */
  aggregate: [true, false, 'by-platform'],
  replyFields: ['when-replied', 'always', 'text-only', 'none'],
  insightPoints: ['weekly', 'daily', 'odd', 'no-points', 'no-metrics'],
  insightLagDays: open<number>(1),
  /** A platform may keep four weeks, and an account may be young. */
  insightDaysKept: open<number>(400),
  insightDates: ['iso', 'compact', 'stamp'],
} as const;

const calls = {
  /** Older calls are dropped, also while a run reads. */
  callsKeptMs: open<number>(Number.POSITIVE_INFINITY),
  /** An older `since` is rejected. */
  sinceKeptMs: open<number>(Number.POSITIVE_INFINITY),
  callShape: ['camel', 'snake', 'epoch', 'nested', 'bare'],
  settleSeconds: open<number>(300),
  sinceCompares: ['ended', 'visible'],
  sinceEdge: ['exclusive', 'inclusive'],
  /** Ties are distinguished by nine fraction digits, or every call is moved to its own millisecond. */
  cursorScheme: ['digits', 'bumped'],
  /** The server remembers what it delivered; reading uses up (R36). */
  consuming: no,
  callsPageCap: open<number>(200),
  callsBadLimit: ['clamp', 'reject', 'ignore', 'by-class'],
  badSince: ['reject', 'ignore'],
  /** A `since` with an offset (R67). */
  sinceOffset: ['read', 'reject'],
  snapshotCursor: ['string', 'null'],
  snapshotOrder: ['start', 'activity'],
  /** Whether the snapshot shows calls that are over but not yet settled. */
  snapshotSettling: yes,
  callSummary: no,
} as const;

const limits = {
  /** "counter" is the two-window approximation; used by no named variant. */
  addressWindow: ['aligned', 'sliding', 'from-first', 'tokens', 'counter'],
  keyWindow: ['sliding', 'counter'],
  countBlocked: no,
  rateHeaders: ['blocked', 'always'],
  rateBucket: ['address', 'key', 'tightest'],
  resetMeans: ['next', 'full'],
  retryAfter: ['always', 'usually', 'never'],
  /** The minimum of Retry-After: a longer wait than needed is legal (R62). */
  retryAfterMinS: open<number>(0),
} as const;

const mcpEndpoint = {
  mcpEndpointResponses: ['json', 'events', 'events-open'],
  mcpEndpointSession: no,
  mcpEndpointVersion: ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
  /** A JSON-RPC error, a result that calls itself an error with an envelope or in prose, or an envelope alone. */
  mcpEndpointRejection: ['rpc', 'result', 'prose', 'envelope'],
  mcpEndpointShape: ['text', 'structured', 'prose'],
  mcpEndpointTools: ['all', 'family', 'few'],
  mcpEndpointSchemas: ['full', 'bare', 'nested'],
  mcpEndpointToolPage: open<number>(100),
} as const;

const choices = { ...world, ...writing, ...http, ...lists, ...connect, ...calls, ...limits, ...mcpEndpoint };

export type LimitVariant = Values<typeof limits>;
export type McpEndpointVariant = Values<typeof mcpEndpoint>;
export type Variant = Values<typeof choices>;

export const plainVariant = Object.fromEntries(
  Object.entries(choices).map(([name, [plain]]) => [name, plain]),
) as Variant;
