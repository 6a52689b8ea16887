// The freedoms of a deployment, and the choices of the named variants. All variants are legal and as different as the
// contract allows, so the suite must stay silent on each.
import type { IdCase } from './ids.ts';
import type { PlainTimes, TimeFormat } from './time.ts';

/** The named variants, each with its character. */
const characters = {
  frugal: 'sends as little as the contract allows',
  lavish: 'sends more than requested',
  strict: 'rejects everything it may reject',
  mixed: 'accepts everything it may accept, and changes its formats from value to value',
  offsets: 'has half-hour offsets: every cursor carries a plus sign',
  basic: 'writes the basic form of ISO 8601 without fractions, newest first',
  single: 'writes times to the minute, and has one of each thing',
  empty: 'is an organization that owns nothing yet',
  tied: 'has articles that share a createdAt: the hazard of R17',
  'tied-short': 'has the same ties, and cuts a page short so no tie straddles its edge where that is possible',
  unpaid: 'has paused paid accounts: every write returns 402 before anything else is looked at',
  consuming: 'remembers which calls it delivered: an old position cannot be read again',
};

type Name = keyof typeof characters;

/** The steps of a connect operation whose order the contract leaves open (R1). */
export type Stage = 'schema' | 'existence' | 'payment' | 'state' | 'item';

interface Freedom<Value> {
  readonly plain: Value;
  readonly named: Readonly<Partial<Record<Name, Value>>>;
}

/** A freedom with any value of its type: that of the variant `plain`, and those of other variants. */
const of = <Value>(plain: Value, named: Freedom<Value>['named'] = {}): Freedom<Value> => ({ plain, named });

/** One value of several variants. The type is partial, so two of them in one object keep both values. */
const all = <const Value>(value: Value, names: string) =>
  Object.fromEntries(names.split(' ').map((name) => [name, value])) as Partial<Record<Name, Value>>;

/** A freedom with the given values only; those at the end are of no named variant. */
const either = <
  const Plain,
  const Named extends Partial<Record<Name, unknown>> = object,
  const Others extends readonly unknown[] = [],
>(
  plain: Plain,
  named?: Named,
  ..._others: Others
) => of<Plain | Exclude<Named[keyof Named], undefined> | Others[number]>(plain, named as Freedom<never>['named']);

const freedoms = {
  // The records.
  world: either('full', { single: 'single', empty: 'empty', tied: 'tied', 'tied-short': 'tied' }),
  articleCount: of<number>(57, { frugal: 41, lavish: 130, mixed: 60, single: 1, empty: 0, tied: 48, 'tied-short': 48 }),
  calls: either('many', { frugal: 'one', single: 'one', empty: 'none', tied: 'none', 'tied-short': 'none' }),
  accountOrder: either('usable-first', { basic: 'usable-last' }),
  /** Adds accounts whose platform always limits, fails or is down. */
  platformTrouble: either(false, { lavish: true, basic: true }),
  oddReviewIds: either(false, { lavish: true, mixed: true }),
  /** Ids that are plain strings in the contract are not UUIDs. */
  oddPlainIds: either(false, { mixed: true }),
  paymentStopped: either(false, { unpaid: true }),

  // How values are written.
  timeFormat: of<TimeFormat>('zero', {
    frugal: 'seconds',
    lavish: 'micros',
    strict: 'comma',
    mixed: 'mixed',
    offsets: 'india',
    basic: 'basic',
    single: 'minutes',
    empty: 'local',
    tied: 'local',
    'tied-short': 'pacific',
    unpaid: 'nanos',
    consuming: 'pacific',
  }),
  plainTimes: of<PlainTimes>('iso', { strict: 'rfc1123', mixed: 'epoch', offsets: 'date' }),
  idCase: of<IdCase>('lower', { lavish: 'upper', mixed: 'mixed', offsets: 'upper' }),
  idVersion: either(4, { frugal: 7, lavish: 8, strict: 1, mixed: 5 }),
  nullables: either('some', { frugal: 'absent', lavish: 'none', offsets: 'all' }),
  /** "outer": on Article, Site, Keyword, envelopes and errors; "deep": also inside accounts, billing and so on. */
  extras: either('none', { lavish: 'deep', mixed: 'outer', tied: 'outer', 'tied-short': 'outer' }),
  emptyStrings: either(false, { frugal: true }),
  fractions: either(false, { lavish: true }),
  fieldOrder: either('listed', { lavish: 'reversed' }),
  json: either('compact', { lavish: 'airy', mixed: 'escaped' }),
  contentType: of<string>('application/json', {
    lavish: 'application/vnd.content-service.v1+json; charset=UTF-8',
    mixed: 'Application/JSON;charset="utf-8"',
  }),
  errorContentType: of<string>('application/json', { lavish: 'application/problem+json' }),
  messages: either('plain', { frugal: 'empty', mixed: 'foreign', unpaid: 'foreign' }),

  // HTTP.
  headerCase: either('title', { frugal: 'lower', lavish: 'upper' }),
  transfer: either('length', { mixed: 'chunked' }),
  connection: either('keep', { frugal: 'close' }),
  gzip: either(false, { lavish: true, mixed: true }),
  unknownMethod: either(404, { strict: 405, single: 405 }),
  head: either(false, { lavish: true }),
  capOrder: either('before-key', { strict: 'after-key' }),
  capResponse: either('late', { lavish: 'early' }),
  authScheme: either('strict', { lavish: 'loose', mixed: 'loose' }),
  /** Keys are compared byte by byte, or as hexadecimal digits (R61). */
  keyCase: either('exact', { lavish: 'any' }),
  challenge: either(false, { lavish: true }),
  /** A proxy in front of the service rejects a URL that is not valid, with its own page (R64). */
  invalidUrl: either('read', { lavish: 'page' }),
  trustForwarded: either(false, { mixed: true }),
  duplicates: either('last', { strict: 'reject', mixed: 'first' }),

  // Articles, sites and keywords.
  /** "title" walks by title and looks the cursor's createdAt up; used by no named variant. */
  articleOrder: either('oldest', all('newest', 'lavish strict basic tied consuming'), 'title'),
  /** When the cursor is null: the page is not full, no further item, or only the page is empty. */
  articleEnd: either('not-full', { ...all('exact', 'frugal offsets'), ...all('empty-page', 'lavish basic single') }),
  articlePageCap: of<number>(100, { offsets: 9 }),
  tieEdge: either('lose', { 'tied-short': 'shrink' }),
  /** `by-class`: a limit above the range is clamped, others are rejected. */
  badLimit: either('clamp', { frugal: 'ignore', strict: 'reject', mixed: 'by-class', offsets: 'missing' }),
  badCursor: either('ignore', { strict: 'reject', offsets: 'missing' }),
  badSiteId: either('missing', { strict: 'reject', mixed: 'ignore' }),
  unknownSite: either('missing', { frugal: 'empty', empty: 'empty' }),
  unknownKeywordSite: either('empty', { strict: 'missing' }),
  malformedId: either(400, { frugal: 404 }),
  simpleBadCode: either('invalid_input', { basic: 'bad_request' }),

  // Accounts, posts, reviews and insights.
  precedence: of<readonly Stage[]>(['existence', 'state', 'payment', 'schema', 'item'], {
    strict: ['schema', 'existence', 'state', 'payment', 'item'],
    empty: ['schema', 'payment', 'existence', 'state', 'item'],
    unpaid: ['payment', 'state', 'existence', 'schema', 'item'],
  }),
  malformedAccount: either(404, { strict: 400, empty: 400 }),
  /** GET operations take any UUID; only the inputs of posts and replies carry the version pattern. */
  looseGetIds: either(true, { strict: false }),
  absentCopy: either('accept', { strict: 'reject' }),
  /** An explicit null for an optional field (R63). */
  nullOptional: either('reject', { mixed: 'absent' }),
  unknownFields: either('accept', { strict: 'reject' }),
  blankText: either('accept', { strict: 'reject' }),
  /** Texts with markup, separate accents, joiners, emoji or a blank at the end: the contract states only a length. */
  unusualText: either('accept', { strict: 'reject' }),
  requestType: either('any', { strict: 'json' }),
  lengthUnit: either('utf16', { strict: 'codepoints' }),
  issues: either('top-strings', { lavish: 'error-map', strict: 'nested', unpaid: 'error-array' }),
  reason: either('top', { lavish: 'nested', strict: 'error', unpaid: 'error' }),
  stateCodes: either('second', { frugal: 'first', strict: 'first' }),
  lockedReads: either(true, { frugal: false, strict: false }),
  permalink: either('null', { lavish: 'string' }),
  repliedAt: either('string', { frugal: 'null' }),
  secondReply: either('replace', { strict: 'reject' }),
  /** "Newest information": by the review's last change, which a reply moves, or by its date. */
  reviewOrder: either('updated', {}, 'date'),
  reviewPage: of<number>(7, { frugal: 10, mixed: 4, offsets: 50 }),
  reviewEnd: either('absent', { lavish: 'empty-page', mixed: 'alternate', single: 'null' }),
  reviewCursor: either('base64', { lavish: 'raw', mixed: 'raw' }),
  badReviewCursor: either('reject', { strict: 'reject', mixed: 'ignore' }),
  /** "by-platform": pages of google_business have it, pages of other providers do not. */
  aggregate: either(true, { frugal: false, mixed: 'by-platform' }),
  replyFields: either('when-replied', { frugal: 'none', lavish: 'always', mixed: 'text-only' }),
  insightPoints: either('weekly', { frugal: 'no-metrics', lavish: 'odd', offsets: 'no-points' }, 'daily'),
  insightLagDays: of<number>(1, { offsets: 3 }),
  /** A platform may keep four weeks, and an account may be young. */
  insightDaysKept: of<number>(400),
  insightDates: either('iso', { lavish: 'stamp', mixed: 'compact' }),

  // Calls.
  /** Older calls are dropped, also while a run reads. */
  callsKeptMs: of<number>(Number.POSITIVE_INFINITY),
  /** An older `since` is rejected. */
  sinceKeptMs: of<number>(Number.POSITIVE_INFINITY),
  callShape: either('camel', {
    ...{ frugal: 'bare', lavish: 'epoch' },
    ...{ ...all('nested', 'strict single'), ...all('snake', 'offsets basic') },
  }),
  settleSeconds: of<number>(300, { frugal: 290, lavish: 310 }),
  sinceCompares: either('ended', { lavish: 'visible', mixed: 'visible', single: 'visible', consuming: 'visible' }),
  sinceEdge: either('exclusive', { strict: 'inclusive', basic: 'inclusive' }),
  /** Ties are distinguished by nine fraction digits, or every call is moved to its own millisecond. */
  cursorScheme: either('digits', { lavish: 'bumped', basic: 'bumped' }),
  /** The server remembers what it delivered; reading uses up (R36). */
  consuming: either(false, { consuming: true }),
  callsPageCap: of<number>(200, { offsets: 33 }),
  callsBadLimit: either('clamp', { frugal: 'ignore', strict: 'reject', mixed: 'by-class' }),
  badSince: either('reject', { frugal: 'ignore', mixed: 'ignore' }),
  /** A `since` with an offset (R67). */
  sinceOffset: either('read', { strict: 'reject' }),
  snapshotCursor: either('string', { frugal: 'null' }),
  snapshotOrder: either('start', { lavish: 'activity' }),
  /** Whether the snapshot shows calls that are over but not yet settled. */
  snapshotSettling: either(true, { frugal: false }),
  callSummary: either(false, { lavish: true }),

  // Limits.
  /** "counter" is the two-window approximation; used by no named variant. */
  addressWindow: either(
    'aligned',
    { ...all('sliding', 'strict consuming'), ...all('tokens', 'mixed basic'), offsets: 'from-first' },
    'counter',
  ),
  keyWindow: either('sliding', {}, 'counter'),
  countBlocked: either(false, { strict: true }),
  rateHeaders: either('blocked', all('always', 'lavish strict mixed offsets basic')),
  rateBucket: either('address', { strict: 'key', mixed: 'tightest', basic: 'key' }),
  resetMeans: either('next', { lavish: 'full', basic: 'full' }),
  retryAfter: either('always', { frugal: 'never', strict: 'usually', mixed: 'usually', basic: 'never' }),
  /** The minimum of Retry-After: a longer wait than needed is legal (R62). */
  retryAfterMinS: of<number>(0, { strict: 60 }),

  // The MCP endpoint.
  mcpEndpointResponses: either('json', { ...all('events', 'frugal mixed'), ...all('events-open', 'lavish basic') }),
  mcpEndpointSession: either(false, { lavish: true, strict: true }),
  mcpEndpointVersion: of<string>('2025-11-25', {
    ...{ frugal: '2024-11-05', strict: '2025-03-26' },
    ...all('2025-06-18', 'lavish basic'),
  }),
  /** A JSON-RPC error, a result that calls itself an error with an envelope or in prose, or an envelope alone. */
  mcpEndpointRejection: either('rpc', {
    ...{ mixed: 'envelope', ...all('prose', 'frugal offsets') },
    ...all('result', 'lavish strict'),
  }),
  mcpEndpointShape: either('text', { frugal: 'prose', lavish: 'structured', strict: 'structured' }),
  mcpEndpointTools: either('all', { frugal: 'few', offsets: 'family' }),
  mcpEndpointSchemas: either('full', { frugal: 'bare', lavish: 'nested', mixed: 'nested', offsets: 'bare' }),
  mcpEndpointToolPage: of<number>(100, { lavish: 3 }),
};

export type Variant = {
  -readonly [Id in keyof typeof freedoms]: (typeof freedoms)[Id] extends Freedom<infer Value> ? Value : never;
};

const made = (valueIn: (freedom: Freedom<unknown>) => readonly unknown[]) =>
  Object.fromEntries(Object.entries(freedoms).flatMap(([id, freedom]) => valueIn(freedom).map((value) => [id, value])));

export const plainVariant = made(({ plain }) => [plain]) as Variant;

export const namedVariants = Object.fromEntries(
  Object.keys(characters).map((name) => [name, made(({ named }) => (name in named ? [named[name as Name]] : []))]),
) as Record<Name, Partial<Variant>>;

export type VariantName = 'plain' | Name;

export const variantNames = ['plain', ...Object.keys(characters)] as readonly VariantName[];

/** A name, or fields that replace those of the plain variant. */
export function resolveVariant(behavior: VariantName | Partial<Variant> = 'plain'): Variant {
  if (typeof behavior !== 'string') return { ...plainVariant, ...behavior };
  if (!variantNames.includes(behavior)) throw new Error(`no variant is called ${String(behavior)}`);
  return behavior === 'plain' ? plainVariant : { ...plainVariant, ...namedVariants[behavior] };
}
