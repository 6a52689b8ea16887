// Generated from spec/ by `npm run generate`. Do not edit.
import type { Quantiles, Shape } from '../shape.ts';
import type { ClauseId } from './clauses.ts';
import type { InterpretationId } from './interpretations.ts';

/** One dimension in which two deployments may legally differ. */
export interface Behavior {
  readonly about: string;
  readonly interpretation: InterpretationId;
  readonly clauses: readonly ClauseId[];
  readonly kind: 'behavior' | 'form' | 'shape' | 'order' | 'size' | 'rate' | 'timing';
  /** The legal values of a behavior, an order or a rate; the default comes first. */
  readonly values?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  /** Values that is inconclusive from outside, each with its reason. */
  readonly blind?: Readonly<Record<string, string>>;
  /** How the kit learns it, or why it cannot. */
  readonly seen?: string;
  readonly unseen?: string;
}

/** A value for each dimension: how one deployment reads what the contract leaves open. */
export interface Behaviors {
  /** R21: what GET /keywords responses for a site that the organization does not have. */
  readonly unknownSite: "not_found" | "empty";
  /** R21: what GET /articles responses for a site that the organization does not have. */
  readonly articlesUnknownSite: "empty" | "not_found";
  /** R19: invalid query values of GET /articles, all at once. */
  readonly badArticleQuery: "reject" | "clamp";
  /** R19: a limit of GET /articles outside 1 to 100. */
  readonly badArticleLimit: "reject" | "clamp" | "ignore" | "not_found";
  /** R19: a cursor of GET /articles that is no timestamp. */
  readonly badArticleCursor: "reject" | "ignore" | "not_found";
  /** R19: a siteId of GET /articles that is no UUID. */
  readonly badArticleSite: "reject" | "empty" | "ignore" | "not_found";
  /** R20: an id that is no UUID in GET /articles/{id} and GET /sites/{id}. */
  readonly malformedId: "not_found" | "invalid_input";
  /** R1: an accountId that is no UUID in the path of a GET. */
  readonly malformedAccount: "invalid_input" | "not_found";
  /** R5: a query parameter that is given twice. */
  readonly duplicates: "first" | "last" | "reject";
  /** R22: the code of a 400 of GET /keywords. */
  readonly simpleBadCode: string;
  /** R26: the place and the entries of issues in a 400. */
  readonly issues: Shape | null;
  /** R22: whether a 400 of articles, sites and keywords carries issues. */
  readonly simpleIssues: "present" | "absent";
  /** R1: whether the message of an error says something. */
  readonly errorMessages: "text" | "empty";
  /** R28: what reads of a pending account response. */
  readonly pendingCode: "provider_auth" | "provider_permission" | "payment_required" | "not_found" | "not_supported" | "provider_error" | "served";
  /** R28: what reads of an expired account response; not_found denies what the list shows, and is warned of. */
  readonly expiredCode: "provider_auth" | "provider_permission" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: what reads of a revoked account response. */
  readonly revokedCode: "provider_auth" | "provider_permission" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: what reads of an account that waits for API access response. */
  readonly pendingApiCode: "provider_permission" | "provider_auth" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: whether a locked account can be read. */
  readonly lockedReads: "served" | "rejected";
  /** R14: how the last page of reviews ends. */
  readonly reviewEnd: "null" | "absent" | "either";
  /** R14: whether the last page of reviews is an empty one behind the last review. */
  readonly reviewLastPage: "exact" | "empty";
  /** R23: how many reviews a page holds. */
  readonly reviewPageSize: number;
  /** R12: whether pages of reviews carry aggregate. */
  readonly reviewAggregate: "present" | "absent";
  /** R12: which of replied and replyText a review carries. */
  readonly reviewReplied: "always" | "when-replied" | "text-only" | "none";
  /** R9: how a review id is written. */
  readonly reviewIdForm: string;
  /** R9: how the id of an invite is written. */
  readonly inviteIdForm: string;
  /** R14: how the cursor of reviews is written. */
  readonly reviewCursor: "text" | "base64" | "digits";
  /** R5: a cursor of reviews that was never given out. */
  readonly badReviewCursor: "reject" | "ignore" | "not_found";
  /** R16: the order of GET /articles. */
  readonly articleOrder: "newest" | "oldest";
  /** R18: when the cursor of GET /articles is null. */
  readonly articleEnd: "exact" | "not-full" | "empty-page";
  /** R17: the most articles on a page, whatever the limit asks for. */
  readonly articlePageCap: number;
  /** R38: a limit of the call log outside 1 to 200. */
  readonly callsBadLimit: "reject" | "clamp" | "ignore";
  /** R38: a since of the call log that is no timestamp. */
  readonly badSince: "reject" | "ignore";
  /** R38: the most calls on a page, whatever the limit asks for. */
  readonly callsPageCap: number;
  /** R33: whether the call log carries summary. */
  readonly callSummary: "present" | "absent";
  /** R34: the fields of a call. */
  readonly callRecord: Shape | null;
  /** R35: how the cursor of the call log is written. */
  readonly callCursor: string;
  /** R40: nextCursor of the snapshot. */
  readonly snapshotCursor: "null" | "string";
  /** R39: whether the snapshot shows running calls. */
  readonly snapshotRunning: "show" | "hide";
  /** R49: whether the body cap is checked before or after the key. */
  readonly bodyCap: "after-key" | "before-key";
  /** R45: whether rejected requests spend the window. */
  readonly blockedCount: "no" | "yes";
  /** R46: how often a blocked response carries Retry-After. */
  readonly retryAfter: "usually" | "always" | "never";
  /** R42: which responses carry the limit headers. */
  readonly rateHeaders: "always" | "blocked";
  /** R43: which window the headers describe when none blocked. */
  readonly rateBucket: "key" | "address" | "tightest";
  /** R43: whether Reset tells when one more request passes, or when the window is whole again. */
  readonly resetMeans: "next" | "full";
  /** R44: the kind of the address window. */
  readonly addressWindow: "sliding" | "aligned" | "tokens";
  /** R1: whether a 401 for the key carries WWW-Authenticate. */
  readonly challenge: "present" | "absent";
  /** R1: scheme and parameters of WWW-Authenticate. */
  readonly challengeForm: string;
  /** R4: the media type of a success. */
  readonly contentType: string;
  /** R4: the media type of an error. */
  readonly errorContentType: string;
  /** R4: the blanks in a JSON body. */
  readonly jsonLayout: "compact" | "spaced" | "indented";
  /** R4: whether characters beyond ASCII are escaped. */
  readonly jsonEscapes: "raw" | "escaped";
  /** R4: the order of the fields of articles, sites, keywords, accounts and reviews. */
  readonly fieldOrder: "listed" | "reversed" | "sorted";
  /** R4: where data stands in a success that has cursor or summary too. */
  readonly envelopeOrder: "data-first" | "data-last";
  /** R8: how createdAt, updatedAt and publishedAt are written. */
  readonly timestampForm: string;
  /** R7: how expiresAt, connectedAt, repliedAt and the date of a review are written. */
  readonly plainTimestampForm: string;
  /** R7: how the dates of insights are written. */
  readonly insightDateForm: string;
  /** R32: how the points of a metric follow each other. */
  readonly insightPoints: "daily" | "weekly" | "none" | "no-metrics";
  /** R32: how many days before today the range of insights ends. */
  readonly insightLagDays: number;
  /** R15: whether counts of insights have fractions. */
  readonly numbers: "whole" | "fractions";
  /** R9: the case of UUIDs. */
  readonly idCase: "lower" | "upper" | "mixed";
  /** R9: the version of UUIDs. */
  readonly idVersion: "4" | "1" | "2" | "3" | "5" | "6" | "7" | "8";
  /** R12: fields that the contract does not list, where R12 only notes them. */
  readonly extraFields: Shape | null;
  /** R12: whether a new post has a permalink. */
  readonly permalink: "string" | "null";
  /** R7: whether a reply tells when it was made. */
  readonly repliedAt: "string" | "null";
  /** R51: the fixed prefix of keys. */
  readonly keyPrefix: string;
  /** R46: how long responses take. */
  readonly latency: Quantiles | null;
}

export const behaviors = {
  unknownSite: {"about":"what GET /keywords responses for a site that the organization does not have","interpretation":"R21","clauses":["4.keywords.list.unknown-site"],"kind":"behavior","values":["not_found","empty"],"seen":"GET /keywords with a siteId that GET /sites does not list"},
  articlesUnknownSite: {"about":"what GET /articles responses for a site that the organization does not have","interpretation":"R21","clauses":["4.articles.list.unknown-site"],"kind":"behavior","values":["empty","not_found"],"seen":"GET /articles with a siteId that GET /sites does not list"},
  badArticleQuery: {"about":"invalid query values of GET /articles, all at once","interpretation":"R19","clauses":["4.articles.list.bad-query"],"kind":"behavior","values":["reject","clamp"],"unseen":"badArticleLimit, badArticleCursor and badArticleSite tell it one by one"},
  badArticleLimit: {"about":"a limit of GET /articles outside 1 to 100","interpretation":"R19","clauses":["4.articles.list.bad-query"],"kind":"behavior","values":["reject","clamp","ignore","not_found"],"seen":"GET /articles with such a limit"},
  badArticleCursor: {"about":"a cursor of GET /articles that is no timestamp","interpretation":"R19","clauses":["4.articles.list.bad-query"],"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET /articles with such a cursor"},
  badArticleSite: {"about":"a siteId of GET /articles that is no UUID","interpretation":"R19","clauses":["4.articles.list.bad-query"],"kind":"behavior","values":["reject","empty","ignore","not_found"],"seen":"GET /articles with such a siteId"},
  malformedId: {"about":"an id that is no UUID in GET /articles/{id} and GET /sites/{id}","interpretation":"R20","clauses":["4.articles.get.malformed-id","4.sites.get.malformed-id"],"kind":"behavior","values":["not_found","invalid_input"],"seen":"such a GET"},
  malformedAccount: {"about":"an accountId that is no UUID in the path of a GET","interpretation":"R1","clauses":["5.precedence"],"kind":"behavior","values":["invalid_input","not_found"],"seen":"GET of reviews or insights of such an account"},
  duplicates: {"about":"a query parameter that is given twice","interpretation":"R5","clauses":["4.duplicate-parameters"],"kind":"behavior","values":["first","last","reject"],"seen":"GET /articles?limit=1&limit=2"},
  simpleBadCode: {"about":"the code of a 400 of GET /keywords","interpretation":"R22","clauses":["4.keywords.list.error-code"],"kind":"form","seen":"a 400 of that endpoint"},
  issues: {"about":"the place and the entries of issues in a 400","interpretation":"R26","clauses":["7.issues-shape"],"kind":"shape","seen":"a 400 invalid_input of a connect operation, or else of a list"},
  simpleIssues: {"about":"whether a 400 of articles, sites and keywords carries issues","interpretation":"R22","clauses":["4.keywords.list.error-code"],"kind":"behavior","values":["present","absent"],"seen":"a 400 of those endpoints"},
  errorMessages: {"about":"whether the message of an error says something","interpretation":"R1","clauses":["7.envelope.branch-on-code"],"kind":"behavior","values":["text","empty"],"seen":"every error"},
  pendingCode: {"about":"what reads of a pending account response","interpretation":"R28","clauses":["3.transitions"],"kind":"behavior","values":["provider_auth","provider_permission","payment_required","not_found","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  expiredCode: {"about":"what reads of an expired account response; not_found denies what the list shows, and is warned of","interpretation":"R28","clauses":["3.transitions"],"kind":"behavior","values":["provider_auth","provider_permission","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  revokedCode: {"about":"what reads of a revoked account response","interpretation":"R28","clauses":["3.transitions"],"kind":"behavior","values":["provider_auth","provider_permission","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  pendingApiCode: {"about":"what reads of an account that waits for API access response","interpretation":"R28","clauses":["3.transitions"],"kind":"behavior","values":["provider_permission","provider_auth","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  lockedReads: {"about":"whether a locked account can be read","interpretation":"R28","clauses":["3.account.locked-effect"],"kind":"behavior","values":["served","rejected"],"seen":"GET of reviews or insights of a connected account that is locked"},
  reviewEnd: {"about":"how the last page of reviews ends","interpretation":"R14","clauses":["2.list-reviews-output.next-cursor"],"kind":"behavior","values":["null","absent","either"],"seen":"the last pages of reviews"},
  reviewLastPage: {"about":"whether the last page of reviews is an empty one behind the last review","interpretation":"R14","clauses":["4.rules.reviews-stop"],"kind":"behavior","values":["exact","empty"],"seen":"the last pages of reviews"},
  reviewPageSize: {"about":"how many reviews a page holds","interpretation":"R23","clauses":["4.connect.list-reviews.order"],"kind":"size","range":[1,1000],"seen":"pages of reviews that are not the last"},
  reviewAggregate: {"about":"whether pages of reviews carry aggregate","interpretation":"R12","clauses":["2.list-reviews-output.aggregate"],"kind":"behavior","values":["present","absent"],"seen":"pages with reviews"},
  reviewReplied: {"about":"which of replied and replyText a review carries","interpretation":"R12","clauses":["2.review-item.replied"],"kind":"behavior","values":["always","when-replied","text-only","none"],"seen":"the reviews of all pages"},
  reviewIdForm: {"about":"how a review id is written","interpretation":"R9","clauses":["2.review-item.review-id"],"kind":"form","seen":"the reviews of all pages"},
  inviteIdForm: {"about":"how the id of an invite is written","interpretation":"R9","clauses":["2.list-accounts-output.pending-invites.id"],"kind":"form","seen":"the pending invites"},
  reviewCursor: {"about":"how the cursor of reviews is written","interpretation":"R14","clauses":["2.list-reviews-output.next-cursor"],"kind":"behavior","values":["text","base64","digits"],"seen":"pages of reviews that are not the last"},
  badReviewCursor: {"about":"a cursor of reviews that was never given out","interpretation":"R5","clauses":["4.connect.list-reviews.cursor"],"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET of reviews with such a cursor"},
  articleOrder: {"about":"the order of GET /articles","interpretation":"R16","clauses":["4.articles.list.order"],"kind":"order","values":["newest","oldest"],"seen":"pages with two articles and more"},
  articleEnd: {"about":"when the cursor of GET /articles is null","interpretation":"R18","clauses":["4.articles.list.end"],"kind":"behavior","values":["exact","not-full","empty-page"],"seen":"the last pages, and a page that holds all articles exactly"},
  articlePageCap: {"about":"the most articles on a page, whatever the limit asks for","interpretation":"R17","clauses":["4.articles.list.end"],"kind":"size","range":[1,100],"seen":"a page of limit=100 that goes on"},
  callsBadLimit: {"about":"a limit of the call log outside 1 to 200","interpretation":"R38","clauses":["4.calls.bad-parameters"],"kind":"behavior","values":["reject","clamp","ignore"],"seen":"the call log with such a limit"},
  badSince: {"about":"a since of the call log that is no timestamp","interpretation":"R38","clauses":["4.calls.bad-parameters"],"kind":"behavior","values":["reject","ignore"],"seen":"the call log with such a since"},
  callsPageCap: {"about":"the most calls on a page, whatever the limit asks for","interpretation":"R38","clauses":["4.calls.bad-parameters"],"kind":"size","range":[1,200],"seen":"a page of the call log with since and limit=200 that goes on"},
  callSummary: {"about":"whether the call log carries summary","interpretation":"R33","clauses":["4.calls.summary"],"kind":"behavior","values":["present","absent"],"seen":"every page of the call log"},
  callRecord: {"about":"the fields of a call","interpretation":"R34","clauses":["2.call-record"],"kind":"shape","seen":"every call of the log"},
  callCursor: {"about":"how the cursor of the call log is written","interpretation":"R35","clauses":["4.calls.since-meaning"],"kind":"form","seen":"pages of the call log with a cursor"},
  snapshotCursor: {"about":"nextCursor of the snapshot","interpretation":"R40","clauses":["4.calls.snapshot-cursor"],"kind":"behavior","values":["null","string"],"seen":"every snapshot with calls"},
  snapshotRunning: {"about":"whether the snapshot shows running calls","interpretation":"R39","clauses":["4.calls.snapshot-running"],"kind":"behavior","values":["show","hide"],"blind":{"hide":"that no running call is shown may mean that none runs"},"seen":"a snapshot with a call that has no end yet"},
  bodyCap: {"about":"whether the body cap is checked before or after the key","interpretation":"R49","clauses":["8.body-order"],"kind":"behavior","values":["after-key","before-key"],"unseen":"it takes 2,500,001 bytes without a key, which no audit sends"},
  blockedCount: {"about":"whether rejected requests spend the window","interpretation":"R45","clauses":["8.blocked-count"],"kind":"behavior","values":["no","yes"],"unseen":"to see it a run would have to be rejected on purpose, again and again"},
  retryAfter: {"about":"how often a blocked response carries Retry-After","interpretation":"R46","clauses":["8.retry-after"],"kind":"rate","values":["usually","always","never"],"blind":{"usually":"the responses of a burst or two may all carry it"},"seen":"responses of the limiter"},
  rateHeaders: {"about":"which responses carry the limit headers","interpretation":"R42","clauses":["8.headers.when"],"kind":"behavior","values":["always","blocked"],"seen":"every response"},
  rateBucket: {"about":"which window the headers describe when none blocked","interpretation":"R43","clauses":["8.headers.bucket"],"kind":"behavior","values":["key","address","tightest"],"blind":{"tightest":"evenly paced requests leave the address window the fuller of the two"},"seen":"the limits that the headers of responses state"},
  resetMeans: {"about":"whether Reset tells when one more request passes, or when the window is whole again","interpretation":"R43","clauses":["8.headers.bucket"],"kind":"behavior","values":["next","full"],"seen":"Reset on responses of one bucket that follow each other"},
  addressWindow: {"about":"the kind of the address window","interpretation":"R44","clauses":["8.address-window-kind"],"kind":"behavior","values":["sliding","aligned","tokens"],"seen":"Reset and Retry-After of the address limiter's responses"},
  challenge: {"about":"whether a 401 for the key carries WWW-Authenticate","interpretation":"R1","clauses":["5.scheme-form"],"kind":"behavior","values":["present","absent"],"seen":"every 401 unauthorized"},
  challengeForm: {"about":"scheme and parameters of WWW-Authenticate","interpretation":"R1","clauses":["5.scheme-form"],"kind":"form","seen":"every 401 unauthorized with that header; values of parameters are not kept"},
  contentType: {"about":"the media type of a success","interpretation":"R4","clauses":["4.json"],"kind":"form","seen":"every success"},
  errorContentType: {"about":"the media type of an error","interpretation":"R4","clauses":["4.json"],"kind":"form","seen":"every error"},
  jsonLayout: {"about":"the blanks in a JSON body","interpretation":"R4","clauses":["4.json"],"kind":"behavior","values":["compact","spaced","indented"],"seen":"every body"},
  jsonEscapes: {"about":"whether characters beyond ASCII are escaped","interpretation":"R4","clauses":["4.json"],"kind":"behavior","values":["raw","escaped"],"seen":"bodies with such characters"},
  fieldOrder: {"about":"the order of the fields of articles, sites, keywords, accounts and reviews","interpretation":"R4","clauses":["4.json"],"kind":"order","values":["listed","reversed","sorted"],"seen":"every such record"},
  envelopeOrder: {"about":"where data stands in a success that has cursor or summary too","interpretation":"R4","clauses":["4.json"],"kind":"order","values":["data-first","data-last"],"seen":"every such success"},
  timestampForm: {"about":"how createdAt, updatedAt and publishedAt are written","interpretation":"R8","clauses":["2.at-iso"],"kind":"form","seen":"articles, sites and keywords"},
  plainTimestampForm: {"about":"how expiresAt, connectedAt, repliedAt and the date of a review are written","interpretation":"R7","clauses":["2.plain-strings"],"kind":"form","seen":"accounts, invites and reviews"},
  insightDateForm: {"about":"how the dates of insights are written","interpretation":"R7","clauses":["2.plain-strings"],"kind":"form","seen":"ranges and points of insights"},
  insightPoints: {"about":"how the points of a metric follow each other","interpretation":"R32","clauses":["4.connect.insights.points"],"kind":"behavior","values":["daily","weekly","none","no-metrics"],"seen":"the metrics of insights"},
  insightLagDays: {"about":"how many days before today the range of insights ends","interpretation":"R32","clauses":["4.connect.insights.points"],"kind":"size","range":[0,30],"seen":"the end of the range against the service's own clock"},
  numbers: {"about":"whether counts of insights have fractions","interpretation":"R15","clauses":["2.get-insights-output.metrics.total"],"kind":"behavior","values":["whole","fractions"],"seen":"totals and points of insights"},
  idCase: {"about":"the case of UUIDs","interpretation":"R9","clauses":["2.ids-uuid"],"kind":"behavior","values":["lower","upper","mixed"],"seen":"ids of articles, sites, keywords and accounts"},
  idVersion: {"about":"the version of UUIDs","interpretation":"R9","clauses":["2.ids-uuid"],"kind":"behavior","values":["4","1","2","3","5","6","7","8"],"seen":"ids of articles, sites and keywords"},
  extraFields: {"about":"fields that the contract does not list, where R12 only notes them","interpretation":"R12","clauses":["2.extra-fields"],"kind":"shape","seen":"articles, sites, keywords, envelopes, errors of the tool envelope (error) and of the simple one (simpleError)"},
  permalink: {"about":"whether a new post has a permalink","interpretation":"R12","clauses":["2.create-post-output.permalink"],"kind":"behavior","values":["string","null"],"seen":"posts that a run with --allow-writes=posts makes"},
  repliedAt: {"about":"whether a reply tells when it was made","interpretation":"R7","clauses":["2.reply-review-output.replied-at"],"kind":"behavior","values":["string","null"],"seen":"replies that a run with --allow-writes=replies makes"},
  keyPrefix: {"about":"the fixed prefix of keys","interpretation":"R51","clauses":["5.key-form"],"kind":"form","seen":"the key of the run, when it has the form of the contract; no other part of it is kept"},
  latency: {"about":"how long responses take","interpretation":"R46","clauses":["8.headers.when"],"kind":"timing","seen":"every response outside a burst"},
} as const satisfies { readonly [Id in keyof Behaviors]: Behavior };

export type BehaviorId = keyof Behaviors;

/** The behaviors that the kit learns from responses. */
export type SeenId = "unknownSite" | "articlesUnknownSite" | "badArticleLimit" | "badArticleCursor" | "badArticleSite" | "malformedId" | "malformedAccount" | "duplicates" | "simpleBadCode" | "issues" | "simpleIssues" | "errorMessages" | "pendingCode" | "expiredCode" | "revokedCode" | "pendingApiCode" | "lockedReads" | "reviewEnd" | "reviewLastPage" | "reviewPageSize" | "reviewAggregate" | "reviewReplied" | "reviewIdForm" | "inviteIdForm" | "reviewCursor" | "badReviewCursor" | "articleOrder" | "articleEnd" | "articlePageCap" | "callsBadLimit" | "badSince" | "callsPageCap" | "callSummary" | "callRecord" | "callCursor" | "snapshotCursor" | "snapshotRunning" | "retryAfter" | "rateHeaders" | "rateBucket" | "resetMeans" | "addressWindow" | "challenge" | "challengeForm" | "contentType" | "errorContentType" | "jsonLayout" | "jsonEscapes" | "fieldOrder" | "envelopeOrder" | "timestampForm" | "plainTimestampForm" | "insightDateForm" | "insightPoints" | "insightLagDays" | "numbers" | "idCase" | "idVersion" | "extraFields" | "permalink" | "repliedAt" | "keyPrefix" | "latency";

/** The behaviors that the mock follows. */
export type PlayedId = "unknownSite" | "articlesUnknownSite" | "badArticleQuery" | "badArticleLimit" | "badArticleCursor" | "badArticleSite" | "malformedId" | "malformedAccount" | "duplicates" | "simpleBadCode" | "issues" | "simpleIssues" | "errorMessages" | "pendingCode" | "expiredCode" | "revokedCode" | "pendingApiCode" | "lockedReads" | "reviewEnd" | "reviewLastPage" | "reviewPageSize" | "reviewAggregate" | "reviewReplied" | "reviewIdForm" | "inviteIdForm" | "reviewCursor" | "badReviewCursor" | "articleOrder" | "articleEnd" | "articlePageCap" | "callsBadLimit" | "badSince" | "callsPageCap" | "callSummary" | "callRecord" | "callCursor" | "snapshotCursor" | "snapshotRunning" | "bodyCap" | "blockedCount" | "retryAfter" | "rateHeaders" | "rateBucket" | "resetMeans" | "addressWindow" | "challenge" | "challengeForm" | "contentType" | "errorContentType" | "jsonLayout" | "jsonEscapes" | "fieldOrder" | "envelopeOrder" | "timestampForm" | "plainTimestampForm" | "insightDateForm" | "insightPoints" | "insightLagDays" | "numbers" | "idCase" | "idVersion" | "extraFields" | "permalink" | "repliedAt" | "keyPrefix" | "latency";

/** A variation of grease that is not a behavior. */
export type ChanceId = "summary" | "message" | "shortPages" | "reviewIds";

/** The behaviors of the mock by default. */
export const defaultBehaviors: Behaviors = {
  unknownSite: "not_found",
  articlesUnknownSite: "empty",
  badArticleQuery: "reject",
  badArticleLimit: "reject",
  badArticleCursor: "reject",
  badArticleSite: "reject",
  malformedId: "not_found",
  malformedAccount: "invalid_input",
  duplicates: "first",
  simpleBadCode: "invalid_input",
  issues: null,
  simpleIssues: "present",
  errorMessages: "text",
  pendingCode: "provider_auth",
  expiredCode: "provider_auth",
  revokedCode: "provider_auth",
  pendingApiCode: "provider_permission",
  lockedReads: "served",
  reviewEnd: "null",
  reviewLastPage: "exact",
  reviewPageSize: 10,
  reviewAggregate: "present",
  reviewReplied: "always",
  reviewIdForm: "opaque",
  inviteIdForm: "uuid",
  reviewCursor: "text",
  badReviewCursor: "reject",
  articleOrder: "newest",
  articleEnd: "exact",
  articlePageCap: 100,
  callsBadLimit: "reject",
  badSince: "reject",
  callsPageCap: 200,
  callSummary: "present",
  callRecord: null,
  callCursor: "YYYY-MM-DDThh:mm:ss.fffffffffZ",
  snapshotCursor: "null",
  snapshotRunning: "show",
  bodyCap: "after-key",
  blockedCount: "no",
  retryAfter: "usually",
  rateHeaders: "always",
  rateBucket: "key",
  resetMeans: "next",
  addressWindow: "sliding",
  challenge: "present",
  challengeForm: "Bearer",
  contentType: "application/json; charset=utf-8",
  errorContentType: "application/json; charset=utf-8",
  jsonLayout: "compact",
  jsonEscapes: "raw",
  fieldOrder: "listed",
  envelopeOrder: "data-first",
  timestampForm: "YYYY-MM-DDThh:mm:ss.fffZ",
  plainTimestampForm: "YYYY-MM-DDThh:mm:ss.fffZ",
  insightDateForm: "YYYY-MM-DD",
  insightPoints: "daily",
  insightLagDays: 0,
  numbers: "whole",
  idCase: "lower",
  idVersion: "4",
  extraFields: null,
  permalink: "string",
  repliedAt: "string",
  keyPrefix: "casa",
  latency: null,
};
