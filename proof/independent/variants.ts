import type { IdCase } from './ids.ts';
import type { PlainTimes, TimeFormat } from './time.ts';

/** The steps of a connect operation whose order the contract leaves open (R1). */
export type Stage = 'schema' | 'existence' | 'payment' | 'state' | 'item';

/** The records that there are. */
export interface WorldVariant {
  world: 'full' | 'single' | 'empty' | 'tied';
  articleCount: number;
  calls: 'many' | 'one' | 'none';
  accountOrder: 'usable-first' | 'usable-last';
  /** Adds accounts whose platform always limits, fails or is down. */
  platformTrouble: boolean;
  oddReviewIds: boolean;
  /** Ids that are plain strings in the contract are not UUIDs. */
  oddPlainIds: boolean;
  paymentStopped: boolean;
}

/** How values are written. */
export interface WritingVariant {
  timeFormat: TimeFormat;
  plainTimes: PlainTimes;
  idCase: IdCase;
  idVersion: 1 | 4 | 5 | 7 | 8;
  nullables: 'some' | 'all' | 'none' | 'absent';
  /** "outer": on Article, Site, Keyword, envelopes and errors; "deep": also inside accounts, billing and so on. */
  extras: 'none' | 'outer' | 'deep';
  emptyStrings: boolean;
  fractions: boolean;
  memberOrder: 'listed' | 'reversed';
  json: 'compact' | 'airy' | 'escaped';
  contentType: string;
  errorContentType: string;
  messages: 'plain' | 'empty' | 'foreign';
}

export interface HttpVariant {
  headerCase: 'title' | 'lower' | 'upper';
  transfer: 'length' | 'chunked';
  connection: 'keep' | 'close';
  gzip: boolean;
  unknownMethod: 404 | 405;
  head: boolean;
  capOrder: 'before-key' | 'after-key';
  capAnswer: 'early' | 'late';
  authScheme: 'strict' | 'loose';
  challenge: boolean;
  trustForwarded: boolean;
  duplicates: 'first' | 'last' | 'refuse';
}

export interface ListVariant {
  /** "title" walks by title and looks the cursor's createdAt up; used by no named variant. */
  articleOrder: 'newest' | 'oldest' | 'title';
  /** When the cursor is null: no further item, the page is not full, or only the page is empty. */
  articleEnd: 'exact' | 'not-full' | 'empty-page';
  articlePageCap: number;
  tieEdge: 'lose' | 'shrink';
  badLimit: 'refuse' | 'clamp' | 'ignore' | 'missing';
  badCursor: 'refuse' | 'ignore' | 'missing';
  badSiteId: 'refuse' | 'ignore' | 'missing';
  unknownSite: 'empty' | 'missing';
  unknownKeywordSite: 'empty' | 'missing';
  malformedId: 400 | 404;
  simpleBadCode: 'invalid_input' | 'bad_request';
}

export interface ConnectVariant {
  precedence: readonly Stage[];
  malformedAccount: 400 | 404;
  /** GET operations take any UUID; only the inputs of posts and replies carry the version pattern. */
  looseGetIds: boolean;
  absentCopy: 'accept' | 'refuse';
  unknownFields: 'accept' | 'refuse';
  blankText: 'accept' | 'refuse';
  requestType: 'any' | 'json';
  lengthUnit: 'utf16' | 'codepoints';
  issues: 'error-array' | 'error-map' | 'top-strings' | 'nested';
  reason: 'error' | 'top' | 'nested';
  stateCodes: 'first' | 'second';
  lockedReads: boolean;
  permalink: 'string' | 'null';
  repliedAt: 'string' | 'null';
  secondReply: 'replace' | 'refuse';
  /** "Newest information": by the review's date, or by its last change, which a reply moves. */
  reviewOrder: 'date' | 'updated';
  reviewPage: number;
  reviewEnd: 'null' | 'absent' | 'alternate' | 'empty-page';
  reviewCursor: 'raw' | 'base64';
  badReviewCursor: 'refuse' | 'ignore';
  aggregate: boolean;
  replyFields: 'always' | 'when-replied' | 'text-only' | 'none';
  insightPoints: 'daily' | 'weekly' | 'odd' | 'no-points' | 'no-metrics';
  insightLagDays: number;
  /** A platform may keep four weeks, and an account may be young. */
  insightDaysKept: number;
  insightDates: 'iso' | 'compact' | 'stamp';
}

export interface CallVariant {
  /** Older calls are dropped, also while a run reads. */
  callsKeptMs: number;
  /** An older `since` is refused. */
  sinceKeptMs: number;
  callShape: 'camel' | 'snake' | 'epoch' | 'nested' | 'bare';
  settleSeconds: number;
  sinceCompares: 'visible' | 'ended';
  sinceEdge: 'exclusive' | 'inclusive';
  /** Ties told apart by nine fraction digits, or every call moved to a millisecond of its own. */
  cursorScheme: 'digits' | 'bumped';
  /** The server remembers what it delivered; reading uses up (R36). */
  consuming: boolean;
  callsPageCap: number;
  callsBadLimit: 'refuse' | 'clamp' | 'ignore';
  badSince: 'refuse' | 'ignore';
  snapshotCursor: 'null' | 'string';
  snapshotOrder: 'start' | 'activity';
  /** Whether the snapshot shows calls that are over but not yet settled. */
  snapshotSettling: boolean;
  callSummary: boolean;
}

export interface LimitVariant {
  /** "counter" is the two-window approximation; used by no named variant. */
  addressWindow: 'sliding' | 'aligned' | 'from-first' | 'tokens' | 'counter';
  keyWindow: 'sliding' | 'counter';
  countBlocked: boolean;
  rateHeaders: 'always' | 'blocked';
  rateBucket: 'key' | 'address' | 'tightest';
  resetMeans: 'next' | 'full';
  retryAfter: 'always' | 'usually' | 'never';
}

/** How the MCP door speaks, and what it offers. */
export interface DoorVariant {
  doorAnswers: 'json' | 'events' | 'events-open';
  doorSession: boolean;
  doorVersion: '2025-11-25' | '2025-06-18' | '2025-03-26' | '2024-11-05';
  /** A JSON-RPC error, a result that calls itself an error with an envelope or in prose, or an envelope alone. */
  doorRefusal: 'rpc' | 'result' | 'prose' | 'envelope';
  doorShape: 'structured' | 'text' | 'prose';
  doorTools: 'all' | 'family' | 'few';
  doorSchemas: 'full' | 'bare' | 'nested';
  doorToolPage: number;
}

export interface Variant
  extends WorldVariant,
    WritingVariant,
    HttpVariant,
    ListVariant,
    ConnectVariant,
    CallVariant,
    DoorVariant,
    LimitVariant {}

const PLAIN_WRITING: WorldVariant & WritingVariant & HttpVariant = {
  world: 'full',
  articleCount: 57,
  calls: 'many',
  accountOrder: 'usable-first',
  platformTrouble: false,
  oddReviewIds: false,
  oddPlainIds: false,
  paymentStopped: false,
  timeFormat: 'zero',
  plainTimes: 'iso',
  idCase: 'lower',
  idVersion: 4,
  nullables: 'some',
  extras: 'none',
  emptyStrings: false,
  fractions: false,
  memberOrder: 'listed',
  json: 'compact',
  contentType: 'application/json',
  errorContentType: 'application/json',
  messages: 'plain',
  headerCase: 'title',
  transfer: 'length',
  connection: 'keep',
  gzip: false,
  unknownMethod: 404,
  head: false,
  capOrder: 'before-key',
  capAnswer: 'late',
  authScheme: 'strict',
  challenge: false,
  trustForwarded: false,
  duplicates: 'last',
};

const PLAIN_RULES: ListVariant & ConnectVariant & CallVariant & DoorVariant & LimitVariant = {
  articleOrder: 'oldest',
  articleEnd: 'not-full',
  articlePageCap: 100,
  tieEdge: 'lose',
  badLimit: 'clamp',
  badCursor: 'ignore',
  badSiteId: 'missing',
  unknownSite: 'missing',
  unknownKeywordSite: 'empty',
  malformedId: 400,
  simpleBadCode: 'invalid_input',
  precedence: ['existence', 'state', 'payment', 'schema', 'item'],
  malformedAccount: 404,
  looseGetIds: true,
  absentCopy: 'accept',
  unknownFields: 'accept',
  blankText: 'accept',
  requestType: 'any',
  lengthUnit: 'utf16',
  issues: 'top-strings',
  reason: 'top',
  stateCodes: 'second',
  lockedReads: true,
  permalink: 'null',
  repliedAt: 'string',
  secondReply: 'replace',
  reviewOrder: 'updated',
  reviewPage: 7,
  reviewEnd: 'absent',
  reviewCursor: 'base64',
  badReviewCursor: 'refuse',
  aggregate: true,
  replyFields: 'when-replied',
  insightPoints: 'weekly',
  insightLagDays: 1,
  insightDaysKept: 400,
  insightDates: 'iso',
  callsKeptMs: Number.POSITIVE_INFINITY,
  sinceKeptMs: Number.POSITIVE_INFINITY,
  callShape: 'camel',
  settleSeconds: 300,
  sinceCompares: 'ended',
  sinceEdge: 'exclusive',
  cursorScheme: 'digits',
  consuming: false,
  callsPageCap: 200,
  callsBadLimit: 'clamp',
  badSince: 'refuse',
  snapshotCursor: 'string',
  snapshotOrder: 'start',
  snapshotSettling: true,
  callSummary: false,
  addressWindow: 'aligned',
  keyWindow: 'sliding',
  countBlocked: false,
  rateHeaders: 'blocked',
  rateBucket: 'address',
  resetMeans: 'next',
  retryAfter: 'always',
  doorAnswers: 'json',
  doorSession: false,
  doorVersion: '2025-11-25',
  doorRefusal: 'rpc',
  doorShape: 'text',
  doorTools: 'all',
  doorSchemas: 'full',
  doorToolPage: 100,
};

export const PLAIN: Variant = { ...PLAIN_WRITING, ...PLAIN_RULES };
