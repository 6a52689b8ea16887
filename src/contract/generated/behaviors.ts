// Generated from spec/ by `npm run generate`. Do not edit.
import type { Quantiles, Shape } from '../shape.ts';
import type { ClauseId } from './clauses.ts';
import type { InterpretationId } from './interpretations.ts';
import type { OperationId } from './operations.ts';

/** The class "unknown" is a UUID that names no record; input-classes.ts finds the others. */
export type InputClass = "unknown" | "above" | "zero" | "negative" | "text" | "empty" | "fraction" | "future";

/** The class of input that a behavior reacts to. */
export interface InputRow {
  readonly operations: readonly OperationId[];
  readonly name: string;
  readonly class: InputClass;
  /** The text that calibration sends. */
  readonly send: string;
  /** The behavior that a mock uses if a profile lacks this one. */
  readonly nearest?: string;
}

/** All operations, those with the tool envelope, or those that write. */
export type OperationGroup = "all" | "tool" | "write";

/** A column of the parity card. */
export type Aspect = "shape" | "rejections" | "order" | "effects" | "limits" | "time";

/** One dimension in which two deployments may legally differ. */
export interface Behavior {
  readonly about: string;
  readonly interpretation: InterpretationId;
  readonly clauses: readonly ClauseId[];
  readonly kind: 'behavior' | 'form' | 'shape' | 'order' | 'size' | 'rate' | 'timing';
  readonly input?: InputRow;
  /** The fields of success responses that it changes, as Article.createdAt. */
  readonly fields?: readonly string[];
  /** Its column and rows of the parity card, where the input or the fields do not say them. */
  readonly aspect?: Aspect;
  readonly operations?: readonly OperationId[] | OperationGroup;
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
  /** R21: response of GET /keywords for an unknown site. */
  readonly unknownSite: "not_found" | "empty";
  /** R21: response of GET /articles for an unknown site. */
  readonly articlesUnknownSite: "empty" | "not_found";
  /** R19: response of GET /articles to every invalid limit, cursor or siteId; the next ten override it. */
  readonly badArticleQuery: "reject" | "clamp";
  /** R19: response of GET /articles to a limit above 100. */
  readonly articleLimitAbove: "reject" | "clamp" | "ignore" | "not_found";
  /** R19: response of GET /articles to a limit of 0. */
  readonly articleLimitBelow: "reject" | "clamp" | "ignore" | "not_found";
  /** R19: response of GET /articles to a limit below 0. */
  readonly articleLimitNegative: "reject" | "clamp" | "ignore" | "not_found";
  /** R19: response of GET /articles to a limit that is not a number. */
  readonly articleLimitText: "reject" | "ignore" | "not_found";
  /** R19: response of GET /articles to an empty limit. */
  readonly articleLimitEmpty: "reject" | "clamp" | "ignore" | "not_found";
  /** R19: response of GET /articles to a limit with a fraction. */
  readonly articleLimitFraction: "reject" | "truncate" | "ignore" | "not_found";
  /** R19: response of GET /articles to a cursor that is not a timestamp. */
  readonly badArticleCursor: "reject" | "ignore" | "not_found";
  /** R19: response of GET /articles to an empty cursor. */
  readonly emptyArticleCursor: "reject" | "ignore" | "not_found";
  /** R19: response of GET /articles to a siteId that is not a UUID. */
  readonly badArticleSite: "reject" | "empty" | "ignore" | "not_found";
  /** R19: response of GET /articles to an empty siteId. */
  readonly emptyArticleSite: "reject" | "empty" | "ignore" | "not_found";
  /** R20: response of GET /sites/{id} to a malformed id. */
  readonly malformedId: "not_found" | "invalid_input";
  /** R20: response of GET /articles/{id} to a malformed id. */
  readonly malformedArticleId: "not_found" | "invalid_input";
  /** R5: response to a listed path with another method. */
  readonly otherMethod: "method_not_allowed" | "not_found";
  /** R1: response of a GET to a malformed accountId in the path. */
  readonly malformedAccount: "invalid_input" | "not_found";
  /** R5: value of a query parameter that is repeated. */
  readonly duplicates: "first" | "last" | "reject";
  /** R22: error code of a 400 of GET /keywords. */
  readonly simpleBadCode: string;
  /** R26: position and entries of issues in a 400. */
  readonly issues: Shape | null;
  /** R22: issues in a 400 of articles, sites and keywords. */
  readonly simpleIssues: "present" | "absent";
  /** R1: text of error messages. */
  readonly errorMessages: "text" | "empty";
  /** R28: error code of reads of a pending account. */
  readonly pendingCode: "provider_auth" | "provider_permission" | "payment_required" | "not_found" | "not_supported" | "provider_error" | "served";
  /** R28: error code of reads of an expired account. */
  readonly expiredCode: "provider_auth" | "provider_permission" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: error code of reads of a revoked account. */
  readonly revokedCode: "provider_auth" | "provider_permission" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: error code of reads of an account that waits for API access. */
  readonly pendingApiCode: "provider_permission" | "provider_auth" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: reads of a locked account. */
  readonly lockedReads: "served" | "rejected";
  /** R14: cursor of the last page of reviews. */
  readonly reviewEnd: "null" | "absent" | "either";
  /** R14: whether the last page of reviews contains reviews (exact) or is empty. */
  readonly reviewLastPage: "exact" | "empty";
  /** R23: number of reviews on a page. */
  readonly reviewPageSize: number;
  /** R12: aggregate on pages of reviews. */
  readonly reviewAggregate: "present" | "absent";
  /** R12: fields replied and replyText of a review. */
  readonly reviewReplied: "always" | "when-replied" | "text-only" | "none" | "always-without-text" | "when-replied-without-text";
  /** R9: format of review ids. */
  readonly reviewIdForm: string;
  /** R9: format of invite ids. */
  readonly inviteIdForm: string;
  /** R14: format of the cursor of reviews. */
  readonly reviewCursor: "text" | "base64" | "digits";
  /** R5: response to an unknown cursor of reviews. */
  readonly badReviewCursor: "reject" | "ignore" | "not_found";
  /** R5: response to an empty cursor of reviews. */
  readonly emptyReviewCursor: "reject" | "ignore" | "not_found";
  /** R5: response of insights to an empty range. */
  readonly emptyRange: "reject" | "ignore";
  /** R16: order of GET /articles. */
  readonly articleOrder: "newest" | "oldest";
  /** R18: page of GET /articles on which the cursor is null. */
  readonly articleEnd: "exact" | "not-full" | "empty-page";
  /** R17: maximum number of articles on a page, for any limit. */
  readonly articlePageCap: number;
  /** R38: response of the call log to a limit above 200. */
  readonly callsLimitAbove: "reject" | "clamp" | "ignore";
  /** R38: response of the call log to a limit of 0. */
  readonly callsLimitBelow: "reject" | "clamp" | "ignore";
  /** R38: response of the call log to a limit below 0. */
  readonly callsLimitNegative: "reject" | "clamp" | "ignore";
  /** R38: response of the call log to a limit that is not a number. */
  readonly callsLimitText: "reject" | "ignore";
  /** R38: response of the call log to an empty limit. */
  readonly callsLimitEmpty: "reject" | "clamp" | "ignore";
  /** R38: response of the call log to a limit with a fraction. */
  readonly callsLimitFraction: "reject" | "truncate" | "ignore";
  /** R38: response of the call log to a since that is not a timestamp. */
  readonly badSince: "reject" | "ignore";
  /** R38: response of the call log to an empty since. */
  readonly emptySince: "reject" | "ignore";
  /** R38: response of the call log to a since in the future. */
  readonly futureSince: "empty" | "reject";
  /** R38: maximum number of calls on a page, for any limit. */
  readonly callsPageCap: number;
  /** R33: summary in the call log. */
  readonly callSummary: "present" | "absent";
  /** R34: fields of a call. */
  readonly callRecord: Shape | null;
  /** R35: format of the cursor of the call log. */
  readonly callCursor: string;
  /** R40: nextCursor of the call log without since. */
  readonly snapshotCursor: "null" | "string";
  /** R39: running calls in the call log without since. */
  readonly snapshotRunning: "show" | "hide";
  /** R49: whether the body size is checked before or after the key. */
  readonly bodyCap: "after-key" | "before-key";
  /** R45: whether rejected requests count against the rate limit. */
  readonly blockedCount: "no" | "yes";
  /** R46: how often a 429 of a rate limit has Retry-After (usually means four of five). */
  readonly retryAfter: "usually" | "always" | "never";
  /** R42: responses with rate-limit headers (all, or only a 429 of a rate limit). */
  readonly rateHeaders: "always" | "blocked";
  /** R43: rate limit that the headers of an accepted request describe. */
  readonly rateBucket: "key" | "address" | "tightest";
  /** R43: meaning of X-RateLimit-Reset (time of the next allowed request, or of the full limit). */
  readonly resetMeans: "next" | "full";
  /** R44: algorithm of the rate limit per address. */
  readonly addressWindow: "sliding" | "aligned" | "tokens";
  /** R1: WWW-Authenticate in a 401 for the key. */
  readonly challenge: "present" | "absent";
  /** R1: scheme and parameters of WWW-Authenticate. */
  readonly challengeForm: string;
  /** R4: media type of success responses. */
  readonly contentType: string;
  /** R4: media type of error responses. */
  readonly errorContentType: string;
  /** R8: format of createdAt, updatedAt and publishedAt. */
  readonly timestampForm: string;
  /** R7: format of expiresAt, connectedAt, repliedAt and review dates. */
  readonly plainTimestampForm: string;
  /** R7: format of the dates of insights. */
  readonly insightDateForm: string;
  /** R32: interval between the points of a metric. */
  readonly insightPoints: "daily" | "weekly" | "none" | "no-metrics";
  /** R32: last day of the range of insights, in days before today. */
  readonly insightLagDays: number;
  /** R15: fractions in counts of insights. */
  readonly numbers: "whole" | "fractions";
  /** R9: case of UUIDs. */
  readonly idCase: "lower" | "upper" | "mixed";
  /** R9: version of UUIDs. */
  readonly idVersion: "4" | "1" | "2" | "3" | "5" | "6" | "7" | "8";
  /** R12: additional fields, where R12 only notes them. */
  readonly extraFields: Shape | null;
  /** R13: formats of listed fields, and how many of them are null, left out or empty. */
  readonly records: Shape | null;
  /** R12: permalink of a new post. */
  readonly permalink: "string" | "null";
  /** R7: timestamp of a reply. */
  readonly repliedAt: "string" | "null";
  /** R51: fixed prefix of keys. */
  readonly keyPrefix: string;
  /** R46: how long responses take. */
  readonly latency: Quantiles | null;
}

export const behaviors = {
  unknownSite: {"about":"response of GET /keywords for an unknown site","interpretation":"R21","clauses":["4.keywords.list.unknown-site"],"input":{"operations":["listKeywords"],"name":"siteId","class":"unknown","send":"unknown"},"kind":"behavior","values":["not_found","empty"],"seen":"GET /keywords with a siteId that GET /sites does not list"},
  articlesUnknownSite: {"about":"response of GET /articles for an unknown site","interpretation":"R21","clauses":["4.articles.list.unknown-site"],"input":{"operations":["listArticles"],"name":"siteId","class":"unknown","send":"unknown"},"kind":"behavior","values":["empty","not_found"],"seen":"GET /articles with a siteId that GET /sites does not list"},
  badArticleQuery: {"about":"response of GET /articles to every invalid limit, cursor or siteId; the next ten override it","interpretation":"R19","clauses":["4.articles.list.bad-query"],"kind":"behavior","values":["reject","clamp"],"unseen":"not tested: each parameter has a separate entry"},
  articleLimitAbove: {"about":"response of GET /articles to a limit above 100","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"limit","class":"above","send":"101"},"kind":"behavior","values":["reject","clamp","ignore","not_found"],"seen":"GET /articles with a limit of this kind"},
  articleLimitBelow: {"about":"response of GET /articles to a limit of 0","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"limit","class":"zero","send":"0","nearest":"articleLimitNegative"},"kind":"behavior","values":["reject","clamp","ignore","not_found"],"seen":"GET /articles with a limit of this kind"},
  articleLimitNegative: {"about":"response of GET /articles to a limit below 0","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"limit","class":"negative","send":"-1","nearest":"articleLimitBelow"},"kind":"behavior","values":["reject","clamp","ignore","not_found"],"seen":"GET /articles with a limit of this kind"},
  articleLimitText: {"about":"response of GET /articles to a limit that is not a number","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"limit","class":"text","send":"abc","nearest":"articleLimitEmpty"},"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET /articles with a limit of this kind"},
  articleLimitEmpty: {"about":"response of GET /articles to an empty limit","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"limit","class":"empty","send":"","nearest":"articleLimitText"},"kind":"behavior","values":["reject","clamp","ignore","not_found"],"seen":"GET /articles with a limit of this kind"},
  articleLimitFraction: {"about":"response of GET /articles to a limit with a fraction","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"limit","class":"fraction","send":"1.5","nearest":"articleLimitText"},"kind":"behavior","values":["reject","truncate","ignore","not_found"],"seen":"GET /articles with a limit of this kind"},
  badArticleCursor: {"about":"response of GET /articles to a cursor that is not a timestamp","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"cursor","class":"text","send":"no-such-thing"},"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET /articles with a cursor of this kind"},
  emptyArticleCursor: {"about":"response of GET /articles to an empty cursor","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"cursor","class":"empty","send":"","nearest":"badArticleCursor"},"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET /articles with a cursor of this kind"},
  badArticleSite: {"about":"response of GET /articles to a siteId that is not a UUID","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"siteId","class":"text","send":"no-such-thing"},"kind":"behavior","values":["reject","empty","ignore","not_found"],"seen":"GET /articles with a siteId of this kind"},
  emptyArticleSite: {"about":"response of GET /articles to an empty siteId","interpretation":"R19","clauses":["4.articles.list.bad-query"],"input":{"operations":["listArticles"],"name":"siteId","class":"empty","send":"","nearest":"badArticleSite"},"kind":"behavior","values":["reject","empty","ignore","not_found"],"seen":"GET /articles with a siteId of this kind"},
  malformedId: {"about":"response of GET /sites/{id} to a malformed id","interpretation":"R20","clauses":["4.sites.get.malformed-id"],"input":{"operations":["getSite"],"name":"id","class":"text","send":"no-such-thing","nearest":"malformedArticleId"},"kind":"behavior","values":["not_found","invalid_input"],"seen":"a GET with a malformed id"},
  malformedArticleId: {"about":"response of GET /articles/{id} to a malformed id","interpretation":"R20","clauses":["4.articles.get.malformed-id"],"input":{"operations":["getArticle"],"name":"id","class":"text","send":"no-such-thing","nearest":"malformedId"},"kind":"behavior","values":["not_found","invalid_input"],"seen":"a GET with a malformed id"},
  otherMethod: {"about":"response to a listed path with another method","interpretation":"R5","clauses":["4.unknown-method"],"aspect":"rejections","operations":"all","kind":"behavior","values":["method_not_allowed","not_found"],"seen":"a DELETE of a site that does not exist"},
  malformedAccount: {"about":"response of a GET to a malformed accountId in the path","interpretation":"R1","clauses":["5.precedence"],"input":{"operations":["getInsights","listReviews"],"name":"accountId","class":"text","send":"no-such-thing"},"kind":"behavior","values":["invalid_input","not_found"],"seen":"GET of reviews or insights with a malformed accountId"},
  duplicates: {"about":"value of a query parameter that is repeated","interpretation":"R5","clauses":["4.duplicate-parameters"],"aspect":"rejections","operations":["listArticles"],"kind":"behavior","values":["first","last","reject"],"seen":"GET /articles?limit=1&limit=2"},
  simpleBadCode: {"about":"error code of a 400 of GET /keywords","interpretation":"R22","clauses":["4.keywords.list.error-code"],"aspect":"rejections","operations":["listKeywords","listArticles"],"kind":"form","seen":"a 400 of GET /keywords"},
  issues: {"about":"position and entries of issues in a 400","interpretation":"R26","clauses":["7.issues-shape"],"aspect":"rejections","operations":"tool","kind":"shape","seen":"a 400 invalid_input of a connect operation, or else of a list"},
  simpleIssues: {"about":"issues in a 400 of articles, sites and keywords","interpretation":"R22","clauses":["4.keywords.list.error-code"],"aspect":"rejections","operations":["listKeywords","listArticles"],"kind":"behavior","values":["present","absent"],"seen":"a 400 of articles, sites or keywords"},
  errorMessages: {"about":"text of error messages","interpretation":"R1","clauses":["7.envelope.branch-on-code"],"aspect":"rejections","operations":"all","kind":"behavior","values":["text","empty"],"seen":"an error response"},
  pendingCode: {"about":"error code of reads of a pending account","interpretation":"R28","clauses":["3.transitions"],"aspect":"rejections","operations":["listReviews","getInsights"],"kind":"behavior","values":["provider_auth","provider_permission","payment_required","not_found","not_supported","provider_error","served"],"seen":"GET of reviews or insights of an account with this status"},
  expiredCode: {"about":"error code of reads of an expired account","interpretation":"R28","clauses":["3.transitions"],"aspect":"rejections","operations":["listReviews","getInsights"],"kind":"behavior","values":["provider_auth","provider_permission","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of an account with this status"},
  revokedCode: {"about":"error code of reads of a revoked account","interpretation":"R28","clauses":["3.transitions"],"aspect":"rejections","operations":["listReviews","getInsights"],"kind":"behavior","values":["provider_auth","provider_permission","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of an account with this status"},
  pendingApiCode: {"about":"error code of reads of an account that waits for API access","interpretation":"R28","clauses":["3.transitions"],"aspect":"rejections","operations":["listReviews","getInsights"],"kind":"behavior","values":["provider_permission","provider_auth","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of an account with this status"},
  lockedReads: {"about":"reads of a locked account","interpretation":"R28","clauses":["3.account.locked-effect"],"aspect":"rejections","operations":["listReviews","getInsights"],"kind":"behavior","values":["served","rejected"],"seen":"GET of reviews or insights of a connected account that is locked"},
  reviewEnd: {"about":"cursor of the last page of reviews","interpretation":"R14","clauses":["2.list-reviews-output.next-cursor"],"fields":["ListReviewsOutput.nextCursor"],"aspect":"order","kind":"behavior","values":["null","absent","either"],"seen":"the last pages of reviews"},
  reviewLastPage: {"about":"whether the last page of reviews contains reviews (exact) or is empty","interpretation":"R14","clauses":["4.rules.reviews-stop"],"aspect":"order","operations":["listReviews"],"kind":"behavior","values":["exact","empty"],"seen":"the last pages of reviews"},
  reviewPageSize: {"about":"number of reviews on a page","interpretation":"R23","clauses":["4.connect.list-reviews.order"],"aspect":"order","operations":["listReviews"],"kind":"size","range":[1,1000],"seen":"pages of reviews that are not the last"},
  reviewAggregate: {"about":"aggregate on pages of reviews","interpretation":"R12","clauses":["2.list-reviews-output.aggregate"],"fields":["ListReviewsOutput.aggregate"],"kind":"behavior","values":["present","absent"],"seen":"pages with reviews"},
  reviewReplied: {"about":"fields replied and replyText of a review","interpretation":"R12","clauses":["2.review-item.replied"],"fields":["ReviewItem.replied","ReviewItem.replyText"],"kind":"behavior","values":["always","when-replied","text-only","none","always-without-text","when-replied-without-text"],"seen":"the reviews of all pages"},
  reviewIdForm: {"about":"format of review ids","interpretation":"R9","clauses":["2.review-item.review-id"],"fields":["ReviewItem.reviewId"],"kind":"form","seen":"the reviews of all pages"},
  inviteIdForm: {"about":"format of invite ids","interpretation":"R9","clauses":["2.list-accounts-output.pending-invites.id"],"fields":["PendingInvite.id"],"kind":"form","seen":"the pending invites"},
  reviewCursor: {"about":"format of the cursor of reviews","interpretation":"R14","clauses":["2.list-reviews-output.next-cursor"],"fields":["ListReviewsOutput.nextCursor"],"aspect":"order","kind":"behavior","values":["text","base64","digits"],"seen":"pages of reviews that are not the last"},
  badReviewCursor: {"about":"response to an unknown cursor of reviews","interpretation":"R5","clauses":["4.connect.list-reviews.cursor"],"input":{"operations":["listReviews"],"name":"cursor","class":"text","send":"no-such-thing"},"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET of reviews with a cursor of this kind"},
  emptyReviewCursor: {"about":"response to an empty cursor of reviews","interpretation":"R5","clauses":["4.connect.list-reviews.cursor"],"input":{"operations":["listReviews"],"name":"cursor","class":"empty","send":"","nearest":"badReviewCursor"},"kind":"behavior","values":["reject","ignore","not_found"],"seen":"GET of reviews with a cursor of this kind"},
  emptyRange: {"about":"response of insights to an empty range","interpretation":"R5","clauses":["4.connect.insights.range"],"input":{"operations":["getInsights"],"name":"range","class":"empty","send":""},"kind":"behavior","values":["reject","ignore"],"seen":"GET of insights with an empty range"},
  articleOrder: {"about":"order of GET /articles","interpretation":"R16","clauses":["4.articles.list.order"],"aspect":"order","operations":["listArticles"],"kind":"order","values":["newest","oldest"],"seen":"pages with two articles and more"},
  articleEnd: {"about":"page of GET /articles on which the cursor is null","interpretation":"R18","clauses":["4.articles.list.end"],"fields":["ListArticlesResponse.cursor"],"aspect":"order","kind":"behavior","values":["exact","not-full","empty-page"],"seen":"the last pages, and a page that ends with the last article"},
  articlePageCap: {"about":"maximum number of articles on a page, for any limit","interpretation":"R17","clauses":["4.articles.list.end"],"aspect":"order","operations":["listArticles"],"kind":"size","range":[1,100],"seen":"a page of GET /articles?limit=100 that is not the last"},
  callsLimitAbove: {"about":"response of the call log to a limit above 200","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"limit","class":"above","send":"201"},"kind":"behavior","values":["reject","clamp","ignore"],"seen":"the call log with a limit of this kind"},
  callsLimitBelow: {"about":"response of the call log to a limit of 0","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"limit","class":"zero","send":"0","nearest":"callsLimitNegative"},"kind":"behavior","values":["reject","clamp","ignore"],"seen":"the call log with a limit of this kind"},
  callsLimitNegative: {"about":"response of the call log to a limit below 0","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"limit","class":"negative","send":"-1","nearest":"callsLimitBelow"},"kind":"behavior","values":["reject","clamp","ignore"],"seen":"the call log with a limit of this kind"},
  callsLimitText: {"about":"response of the call log to a limit that is not a number","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"limit","class":"text","send":"abc","nearest":"callsLimitEmpty"},"kind":"behavior","values":["reject","ignore"],"seen":"the call log with a limit of this kind"},
  callsLimitEmpty: {"about":"response of the call log to an empty limit","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"limit","class":"empty","send":"","nearest":"callsLimitText"},"kind":"behavior","values":["reject","clamp","ignore"],"seen":"the call log with a limit of this kind"},
  callsLimitFraction: {"about":"response of the call log to a limit with a fraction","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"limit","class":"fraction","send":"1.5","nearest":"callsLimitText"},"kind":"behavior","values":["reject","truncate","ignore"],"seen":"the call log with a limit of this kind"},
  badSince: {"about":"response of the call log to a since that is not a timestamp","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"since","class":"text","send":"no-such-thing"},"kind":"behavior","values":["reject","ignore"],"seen":"the call log with a since of this kind"},
  emptySince: {"about":"response of the call log to an empty since","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"since","class":"empty","send":"","nearest":"badSince"},"kind":"behavior","values":["reject","ignore"],"seen":"the call log with a since of this kind"},
  futureSince: {"about":"response of the call log to a since in the future","interpretation":"R38","clauses":["4.calls.bad-parameters"],"input":{"operations":["listCalls"],"name":"since","class":"future","send":"2096-02-29T12:00:00.000Z"},"kind":"behavior","values":["empty","reject"],"seen":"the call log with a since of this kind"},
  callsPageCap: {"about":"maximum number of calls on a page, for any limit","interpretation":"R38","clauses":["4.calls.bad-parameters"],"aspect":"order","operations":["listCalls"],"kind":"size","range":[1,200],"seen":"a page of the call log with since and limit=200 that is not the last"},
  callSummary: {"about":"summary in the call log","interpretation":"R33","clauses":["4.calls.summary"],"fields":["ListCallsResponse.summary"],"kind":"behavior","values":["present","absent"],"seen":"every page of the call log"},
  callRecord: {"about":"fields of a call","interpretation":"R34","clauses":["2.call-record"],"fields":["ListCallsOutput.calls"],"kind":"shape","seen":"every call of the log"},
  callCursor: {"about":"format of the cursor of the call log","interpretation":"R35","clauses":["4.calls.since-meaning"],"fields":["ListCallsOutput.nextCursor"],"aspect":"order","kind":"form","seen":"pages of the call log with a cursor"},
  snapshotCursor: {"about":"nextCursor of the call log without since","interpretation":"R40","clauses":["4.calls.snapshot-cursor"],"fields":["ListCallsOutput.nextCursor"],"aspect":"order","kind":"behavior","values":["null","string"],"seen":"the call log without since, with calls"},
  snapshotRunning: {"about":"running calls in the call log without since","interpretation":"R39","clauses":["4.calls.snapshot-running"],"aspect":"time","operations":["listCalls"],"kind":"behavior","values":["show","hide"],"blind":{"hide":"that no running call is shown may mean that none runs"},"seen":"the call log without since, with a running call"},
  bodyCap: {"about":"whether the body size is checked before or after the key","interpretation":"R49","clauses":["8.body-order"],"aspect":"limits","operations":"write","kind":"behavior","values":["after-key","before-key"],"unseen":"not tested: this needs a body of 2,500,001 bytes without a key"},
  blockedCount: {"about":"whether rejected requests count against the rate limit","interpretation":"R45","clauses":["8.blocked-count"],"aspect":"limits","operations":"all","kind":"behavior","values":["no","yes"],"unseen":"not tested: this needs many rejected requests"},
  retryAfter: {"about":"how often a 429 of a rate limit has Retry-After (usually means four of five)","interpretation":"R46","clauses":["8.retry-after"],"aspect":"limits","operations":"all","kind":"rate","values":["usually","always","never"],"blind":{"usually":"the responses of a burst or two may all carry it"},"seen":"a 429 of a rate limit"},
  rateHeaders: {"about":"responses with rate-limit headers (all, or only a 429 of a rate limit)","interpretation":"R42","clauses":["8.headers.when"],"aspect":"limits","operations":"all","kind":"behavior","values":["always","blocked"],"seen":"every response"},
  rateBucket: {"about":"rate limit that the headers of an accepted request describe","interpretation":"R43","clauses":["8.headers.bucket"],"aspect":"limits","operations":"all","kind":"behavior","values":["key","address","tightest"],"blind":{"tightest":"evenly paced requests leave the address window the fuller of the two"},"seen":"X-RateLimit-Limit in responses"},
  resetMeans: {"about":"meaning of X-RateLimit-Reset (time of the next allowed request, or of the full limit)","interpretation":"R43","clauses":["8.headers.bucket"],"aspect":"limits","operations":"all","kind":"behavior","values":["next","full"],"seen":"X-RateLimit-Reset in successive responses of one rate limit"},
  addressWindow: {"about":"algorithm of the rate limit per address","interpretation":"R44","clauses":["8.address-window-kind"],"aspect":"limits","operations":"all","kind":"behavior","values":["sliding","aligned","tokens"],"seen":"X-RateLimit-Reset and Retry-After in responses of the address limit"},
  challenge: {"about":"WWW-Authenticate in a 401 for the key","interpretation":"R1","clauses":["5.scheme-form"],"aspect":"rejections","operations":"all","kind":"behavior","values":["present","absent"],"seen":"a 401 unauthorized"},
  challengeForm: {"about":"scheme and parameters of WWW-Authenticate","interpretation":"R1","clauses":["5.scheme-form"],"aspect":"rejections","operations":"all","kind":"form","seen":"a 401 unauthorized with WWW-Authenticate; values of parameters are not stored"},
  contentType: {"about":"media type of success responses","interpretation":"R4","clauses":["4.json"],"aspect":"shape","operations":"all","kind":"form","seen":"a success response"},
  errorContentType: {"about":"media type of error responses","interpretation":"R4","clauses":["4.json"],"aspect":"rejections","operations":"all","kind":"form","seen":"an error response"},
  timestampForm: {"about":"format of createdAt, updatedAt and publishedAt","interpretation":"R8","clauses":["2.at-iso"],"fields":["Article.createdAt","Article.updatedAt","Article.publishedAt","Site.createdAt","Keyword.createdAt","ListArticlesResponse.cursor"],"kind":"form","seen":"articles, sites and keywords"},
  plainTimestampForm: {"about":"format of expiresAt, connectedAt, repliedAt and review dates","interpretation":"R7","clauses":["2.plain-strings"],"fields":["ConnectedAccount.connectedAt","PendingInvite.expiresAt","ConnectAccountOutput.expiresAt","ReplyReviewOutput.repliedAt","ReviewItem.date"],"kind":"form","seen":"accounts, invites and reviews"},
  insightDateForm: {"about":"format of the dates of insights","interpretation":"R7","clauses":["2.plain-strings"],"fields":["GetInsightsOutput.range.startDate","GetInsightsOutput.range.endDate","InsightPoint.date"],"kind":"form","seen":"ranges and points of insights"},
  insightPoints: {"about":"interval between the points of a metric","interpretation":"R32","clauses":["4.connect.insights.points"],"fields":["InsightMetric.points"],"kind":"behavior","values":["daily","weekly","none","no-metrics"],"seen":"the metrics of insights"},
  insightLagDays: {"about":"last day of the range of insights, in days before today","interpretation":"R32","clauses":["4.connect.insights.points"],"fields":["GetInsightsOutput.range.startDate","GetInsightsOutput.range.endDate"],"aspect":"time","kind":"size","range":[0,30],"seen":"the end of the range, and the clock of the service"},
  numbers: {"about":"fractions in counts of insights","interpretation":"R15","clauses":["2.get-insights-output.metrics.total"],"fields":["InsightMetric.total","InsightPoint.value"],"kind":"behavior","values":["whole","fractions"],"seen":"totals and points of insights"},
  idCase: {"about":"case of UUIDs","interpretation":"R9","clauses":["2.ids-uuid"],"fields":["Article.id","Article.siteId","Site.id","Keyword.id","Keyword.siteId","ConnectedAccount.accountId"],"kind":"behavior","values":["lower","upper","mixed"],"seen":"ids of articles, sites, keywords and accounts"},
  idVersion: {"about":"version of UUIDs","interpretation":"R9","clauses":["2.ids-uuid"],"aspect":"shape","operations":["listArticles","getArticle","listSites","getSite","listKeywords"],"kind":"behavior","values":["4","1","2","3","5","6","7","8"],"seen":"ids of articles, sites and keywords"},
  extraFields: {"about":"additional fields, where R12 only notes them","interpretation":"R12","clauses":["2.extra-fields"],"aspect":"shape","operations":"all","kind":"shape","seen":"articles, sites, keywords, envelopes, errors of the tool envelope (error) and of the simple one (simpleError)"},
  records: {"about":"formats of listed fields, and how many of them are null, left out or empty","interpretation":"R13","clauses":["2.nullable-marked"],"fields":["Article.targetKeyword","Article.seoScore","Article.publishedAt","Keyword.searchVolume","Keyword.difficulty","Keyword.intent","ConnectedAccount.name","ConnectedAccount.connectedAt","ReviewItem.rating","ReviewItem.text","ListReviewsOutput.aggregate","Site.cms","Site.language","CreateConnectLinkResponse.summary","ListAccountsResponse.summary","CreatePostResponse.summary","ListReviewsResponse.summary","ReplyToReviewResponse.summary","GetInsightsResponse.summary"],"kind":"shape","seen":"articles, sites, keywords, accounts, invites, reviews, new links, replies and summaries"},
  permalink: {"about":"permalink of a new post","interpretation":"R12","clauses":["2.create-post-output.permalink"],"fields":["CreatePostOutput.permalink"],"aspect":"effects","kind":"behavior","values":["string","null"],"seen":"posts that a run with --allow-writes=posts makes"},
  repliedAt: {"about":"timestamp of a reply","interpretation":"R7","clauses":["2.reply-review-output.replied-at"],"fields":["ReplyReviewOutput.repliedAt"],"aspect":"effects","kind":"behavior","values":["string","null"],"seen":"replies that a run with --allow-writes=replies makes"},
  keyPrefix: {"about":"fixed prefix of keys","interpretation":"R51","clauses":["5.key-form"],"kind":"form","seen":"the key of the run, when it has the form of the contract; no other part of it is kept"},
  latency: {"about":"how long responses take","interpretation":"R46","clauses":["8.headers.when"],"aspect":"time","operations":"all","kind":"timing","seen":"every response outside a burst"},
} as const satisfies { readonly [Id in keyof Behaviors]: Behavior };

/** Details that the mock assumes and no behavior covers, in the same form. */
export const assumedDetails: Readonly<
  Record<string, Pick<Behavior, 'about' | 'interpretation' | 'aspect' | 'operations' | 'fields'>>
> = {"metrics":{"about":"number, keys and labels of the metrics, and their values","interpretation":"R32","aspect":"shape","operations":["getInsights"],"fields":["GetInsightsOutput.metrics","InsightMetric.key","InsightMetric.label"]},"newIds":{"about":"format of post ids and connect links","interpretation":"R9","aspect":"effects","operations":["createPost","createConnectLink"],"fields":["CreatePostOutput.postId","ConnectAccountOutput.connectUrl"]},"decimals":{"about":"fractions in ratings and in the billing position","interpretation":"R15","aspect":"shape","operations":["listReviews","listAccounts"],"fields":["ReviewsAggregate.ratingValue","Billing.connected","Billing.free","Billing.billable"]},"issueTexts":{"about":"messages, paths and rules in issues","interpretation":"R26","aspect":"rejections","operations":"tool"},"reasons":{"about":"values of reason in a 402","interpretation":"R27","aspect":"rejections","operations":"tool"},"inputs":{"about":"unknown fields, blank text, null for an optional field, and other content types","interpretation":"R5","aspect":"rejections","operations":"write"},"writesByStatus":{"about":"writes to accounts that are not connected","interpretation":"R28","aspect":"rejections","operations":["createPost","replyToReview"]},"invites":{"about":"whether a link becomes an invite, and how accounts change the billing position","interpretation":"R30","aspect":"effects","operations":["createConnectLink"]},"secondReply":{"about":"effect of a second reply to a review","interpretation":"R31","aspect":"effects","operations":["replyToReview"]},"settling":{"about":"time between the end of a call and its delivery","interpretation":"R39","aspect":"time","operations":["listCalls"]}};

export type BehaviorId = keyof Behaviors;

/** The behaviors that the kit learns from responses. */
export type SeenId = "unknownSite" | "articlesUnknownSite" | "articleLimitAbove" | "articleLimitBelow" | "articleLimitNegative" | "articleLimitText" | "articleLimitEmpty" | "articleLimitFraction" | "badArticleCursor" | "emptyArticleCursor" | "badArticleSite" | "emptyArticleSite" | "malformedId" | "malformedArticleId" | "otherMethod" | "malformedAccount" | "duplicates" | "simpleBadCode" | "issues" | "simpleIssues" | "errorMessages" | "pendingCode" | "expiredCode" | "revokedCode" | "pendingApiCode" | "lockedReads" | "reviewEnd" | "reviewLastPage" | "reviewPageSize" | "reviewAggregate" | "reviewReplied" | "reviewIdForm" | "inviteIdForm" | "reviewCursor" | "badReviewCursor" | "emptyReviewCursor" | "emptyRange" | "articleOrder" | "articleEnd" | "articlePageCap" | "callsLimitAbove" | "callsLimitBelow" | "callsLimitNegative" | "callsLimitText" | "callsLimitEmpty" | "callsLimitFraction" | "badSince" | "emptySince" | "futureSince" | "callsPageCap" | "callSummary" | "callRecord" | "callCursor" | "snapshotCursor" | "snapshotRunning" | "retryAfter" | "rateHeaders" | "rateBucket" | "resetMeans" | "addressWindow" | "challenge" | "challengeForm" | "contentType" | "errorContentType" | "timestampForm" | "plainTimestampForm" | "insightDateForm" | "insightPoints" | "insightLagDays" | "numbers" | "idCase" | "idVersion" | "extraFields" | "records" | "permalink" | "repliedAt" | "keyPrefix" | "latency";

/** The behaviors that the mock follows. */
export type PlayedId = "unknownSite" | "articlesUnknownSite" | "badArticleQuery" | "articleLimitAbove" | "articleLimitBelow" | "articleLimitNegative" | "articleLimitText" | "articleLimitEmpty" | "articleLimitFraction" | "badArticleCursor" | "emptyArticleCursor" | "badArticleSite" | "emptyArticleSite" | "malformedId" | "malformedArticleId" | "otherMethod" | "malformedAccount" | "duplicates" | "simpleBadCode" | "issues" | "simpleIssues" | "errorMessages" | "pendingCode" | "expiredCode" | "revokedCode" | "pendingApiCode" | "lockedReads" | "reviewEnd" | "reviewLastPage" | "reviewPageSize" | "reviewAggregate" | "reviewReplied" | "reviewIdForm" | "inviteIdForm" | "reviewCursor" | "badReviewCursor" | "emptyReviewCursor" | "emptyRange" | "articleOrder" | "articleEnd" | "articlePageCap" | "callsLimitAbove" | "callsLimitBelow" | "callsLimitNegative" | "callsLimitText" | "callsLimitEmpty" | "callsLimitFraction" | "badSince" | "emptySince" | "futureSince" | "callsPageCap" | "callSummary" | "callRecord" | "callCursor" | "snapshotCursor" | "snapshotRunning" | "bodyCap" | "blockedCount" | "retryAfter" | "rateHeaders" | "rateBucket" | "resetMeans" | "addressWindow" | "challenge" | "challengeForm" | "contentType" | "errorContentType" | "timestampForm" | "plainTimestampForm" | "insightDateForm" | "insightPoints" | "insightLagDays" | "numbers" | "idCase" | "idVersion" | "extraFields" | "records" | "permalink" | "repliedAt" | "keyPrefix" | "latency";

/** A variation of grease that is not a behavior. */
export type ChanceId = "summary" | "message" | "shortPages" | "reviewIds";

/** The behaviors of the mock by default. */
export const defaultBehaviors: Behaviors = {
  unknownSite: "not_found",
  articlesUnknownSite: "empty",
  badArticleQuery: "reject",
  articleLimitAbove: "reject",
  articleLimitBelow: "reject",
  articleLimitNegative: "reject",
  articleLimitText: "reject",
  articleLimitEmpty: "reject",
  articleLimitFraction: "reject",
  badArticleCursor: "reject",
  emptyArticleCursor: "reject",
  badArticleSite: "reject",
  emptyArticleSite: "reject",
  malformedId: "not_found",
  malformedArticleId: "not_found",
  otherMethod: "method_not_allowed",
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
  emptyReviewCursor: "reject",
  emptyRange: "reject",
  articleOrder: "newest",
  articleEnd: "exact",
  articlePageCap: 100,
  callsLimitAbove: "reject",
  callsLimitBelow: "reject",
  callsLimitNegative: "reject",
  callsLimitText: "reject",
  callsLimitEmpty: "reject",
  callsLimitFraction: "reject",
  badSince: "reject",
  emptySince: "reject",
  futureSince: "empty",
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
  timestampForm: "YYYY-MM-DDThh:mm:ss.fffZ",
  plainTimestampForm: "YYYY-MM-DDThh:mm:ss.fffZ",
  insightDateForm: "YYYY-MM-DD",
  insightPoints: "daily",
  insightLagDays: 0,
  numbers: "whole",
  idCase: "lower",
  idVersion: "4",
  extraFields: null,
  records: null,
  permalink: "string",
  repliedAt: "string",
  keyPrefix: "casa",
  latency: null,
};
