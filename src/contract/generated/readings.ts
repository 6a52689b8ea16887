// Generated from spec/ by `npm run generate`. Do not edit.
import type { Quantiles, Shape } from '../shape.ts';
import type { ClauseId } from './clauses.ts';
import type { RulingId } from './rulings.ts';

/** One dimension in which two deployments may legally differ. */
export interface Reading {
  readonly about: string;
  readonly ruling: RulingId;
  readonly clauses: readonly ClauseId[];
  readonly kind: 'choice' | 'form' | 'shape' | 'order' | 'size' | 'rate' | 'timing';
  /** The legal values of a choice, an order or a rate; the default comes first. */
  readonly values?: readonly string[];
  readonly range?: readonly [min: number, max: number];
  /** Values that cannot be told from outside, each with its reason. */
  readonly blind?: Readonly<Record<string, string>>;
  /** How the kit learns it, or why it cannot. */
  readonly seen?: string;
  readonly unseen?: string;
}

/** A value for each dimension: how one deployment reads what the contract leaves open. */
export interface Readings {
  /** R21: what GET /keywords answers for a site that the organization does not have. */
  readonly unknownSite: "not_found" | "empty";
  /** R21: what GET /articles answers for a site that the organization does not have. */
  readonly articlesUnknownSite: "empty" | "not_found";
  /** R19: bad query values of GET /articles, all at once. */
  readonly badArticleQuery: "refuse" | "clamp";
  /** R19: a limit of GET /articles outside 1 to 100. */
  readonly badArticleLimit: "refuse" | "clamp" | "ignore" | "not_found";
  /** R19: a cursor of GET /articles that is no instant. */
  readonly badArticleCursor: "refuse" | "ignore" | "not_found";
  /** R19: a siteId of GET /articles that is no UUID. */
  readonly badArticleSite: "refuse" | "empty" | "ignore" | "not_found";
  /** R20: an id that is no UUID in GET /articles/{id} and GET /sites/{id}. */
  readonly malformedId: "not_found" | "invalid_input";
  /** R1: an accountId that is no UUID in the path of a GET. */
  readonly malformedAccount: "invalid_input" | "not_found";
  /** R5: a query parameter that is given twice. */
  readonly duplicates: "first" | "last" | "refuse";
  /** R22: the code of a 400 of GET /keywords. */
  readonly simpleBadCode: string;
  /** R26: the place and the entries of issues in a 400. */
  readonly issues: Shape | null;
  /** R22: whether a 400 of articles, sites and keywords carries issues. */
  readonly simpleIssues: "present" | "absent";
  /** R1: whether the message of an error says something. */
  readonly errorMessages: "text" | "empty";
  /** R28: what reads of a pending account answer. */
  readonly pendingCode: "provider_auth" | "provider_permission" | "payment_required" | "not_found" | "not_supported" | "provider_error" | "served";
  /** R28: what reads of an expired account answer; not_found denies what the list shows, and is warned of. */
  readonly expiredCode: "provider_auth" | "provider_permission" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: what reads of a revoked account answer. */
  readonly revokedCode: "provider_auth" | "provider_permission" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: what reads of an account that waits for API access answer. */
  readonly pendingApiCode: "provider_permission" | "provider_auth" | "payment_required" | "not_supported" | "provider_error" | "served";
  /** R28: whether a locked account can be read. */
  readonly lockedReads: "served" | "refused";
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
  readonly badReviewCursor: "refuse" | "ignore" | "not_found";
  /** R16: the order of GET /articles. */
  readonly articleOrder: "newest" | "oldest";
  /** R18: when the cursor of GET /articles is null. */
  readonly articleEnd: "exact" | "not-full" | "empty-page";
  /** R17: the most articles on a page, whatever the limit asks for. */
  readonly articlePageCap: number;
  /** R38: a limit of the call log outside 1 to 200. */
  readonly callsBadLimit: "refuse" | "clamp" | "ignore";
  /** R38: a since of the call log that is no instant. */
  readonly badSince: "refuse" | "ignore";
  /** R38: the most calls on a page, whatever the limit asks for. */
  readonly callsPageCap: number;
  /** R33: whether the call log carries summary. */
  readonly callSummary: "present" | "absent";
  /** R34: the members of a call. */
  readonly callRecord: Shape | null;
  /** R35: how the cursor of the call log is written. */
  readonly callCursor: string;
  /** R40: nextCursor of the snapshot. */
  readonly snapshotCursor: "null" | "string";
  /** R39: whether the snapshot shows running calls. */
  readonly snapshotRunning: "show" | "hide";
  /** R49: whether the body cap is judged before or after the key. */
  readonly bodyCap: "after-key" | "before-key";
  /** R45: whether refused requests spend the window. */
  readonly blockedCount: "no" | "yes";
  /** R46: how often a blocked answer carries Retry-After. */
  readonly retryAfter: "usually" | "always" | "never";
  /** R42: which answers carry the limit headers. */
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
  /** R4: the order of the members of articles, sites, keywords, accounts and reviews. */
  readonly memberOrder: "listed" | "reversed" | "sorted";
  /** R4: where data stands in a success that has cursor or summary too. */
  readonly envelopeOrder: "data-first" | "data-last";
  /** R8: how createdAt, updatedAt and publishedAt are written. */
  readonly instantForm: string;
  /** R7: how expiresAt, connectedAt, repliedAt and the date of a review are written. */
  readonly plainInstantForm: string;
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
  /** R12: members that the contract does not list, where R12 only notes them. */
  readonly extraMembers: Shape | null;
  /** R12: whether a new post has a permalink. */
  readonly permalink: "string" | "null";
  /** R7: whether a reply tells when it was made. */
  readonly repliedAt: "string" | "null";
  /** R51: the fixed prefix of keys. */
  readonly keyPrefix: string;
  /** R46: how long answers take. */
  readonly latency: Quantiles | null;
}

export const readings = {
  unknownSite: {"about":"what GET /keywords answers for a site that the organization does not have","ruling":"R21","clauses":["4.keywords.list.unknown-site"],"kind":"choice","values":["not_found","empty"],"seen":"GET /keywords with a siteId that GET /sites does not list"},
  articlesUnknownSite: {"about":"what GET /articles answers for a site that the organization does not have","ruling":"R21","clauses":["4.articles.list.unknown-site"],"kind":"choice","values":["empty","not_found"],"seen":"GET /articles with a siteId that GET /sites does not list"},
  badArticleQuery: {"about":"bad query values of GET /articles, all at once","ruling":"R19","clauses":["4.articles.list.bad-query"],"kind":"choice","values":["refuse","clamp"],"unseen":"badArticleLimit, badArticleCursor and badArticleSite tell it one by one"},
  badArticleLimit: {"about":"a limit of GET /articles outside 1 to 100","ruling":"R19","clauses":["4.articles.list.bad-query"],"kind":"choice","values":["refuse","clamp","ignore","not_found"],"seen":"GET /articles with such a limit"},
  badArticleCursor: {"about":"a cursor of GET /articles that is no instant","ruling":"R19","clauses":["4.articles.list.bad-query"],"kind":"choice","values":["refuse","ignore","not_found"],"seen":"GET /articles with such a cursor"},
  badArticleSite: {"about":"a siteId of GET /articles that is no UUID","ruling":"R19","clauses":["4.articles.list.bad-query"],"kind":"choice","values":["refuse","empty","ignore","not_found"],"seen":"GET /articles with such a siteId"},
  malformedId: {"about":"an id that is no UUID in GET /articles/{id} and GET /sites/{id}","ruling":"R20","clauses":["4.articles.get.malformed-id","4.sites.get.malformed-id"],"kind":"choice","values":["not_found","invalid_input"],"seen":"such a GET"},
  malformedAccount: {"about":"an accountId that is no UUID in the path of a GET","ruling":"R1","clauses":["5.precedence"],"kind":"choice","values":["invalid_input","not_found"],"seen":"GET of reviews or insights of such an account"},
  duplicates: {"about":"a query parameter that is given twice","ruling":"R5","clauses":["4.duplicate-parameters"],"kind":"choice","values":["first","last","refuse"],"seen":"GET /articles?limit=1&limit=2"},
  simpleBadCode: {"about":"the code of a 400 of GET /keywords","ruling":"R22","clauses":["4.keywords.list.error-code"],"kind":"form","seen":"a 400 of that endpoint"},
  issues: {"about":"the place and the entries of issues in a 400","ruling":"R26","clauses":["7.issues-shape"],"kind":"shape","seen":"a 400 invalid_input of a connect operation, or else of a list"},
  simpleIssues: {"about":"whether a 400 of articles, sites and keywords carries issues","ruling":"R22","clauses":["4.keywords.list.error-code"],"kind":"choice","values":["present","absent"],"seen":"a 400 of those endpoints"},
  errorMessages: {"about":"whether the message of an error says something","ruling":"R1","clauses":["7.envelope.branch-on-code"],"kind":"choice","values":["text","empty"],"seen":"every error"},
  pendingCode: {"about":"what reads of a pending account answer","ruling":"R28","clauses":["3.transitions"],"kind":"choice","values":["provider_auth","provider_permission","payment_required","not_found","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  expiredCode: {"about":"what reads of an expired account answer; not_found denies what the list shows, and is warned of","ruling":"R28","clauses":["3.transitions"],"kind":"choice","values":["provider_auth","provider_permission","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  revokedCode: {"about":"what reads of a revoked account answer","ruling":"R28","clauses":["3.transitions"],"kind":"choice","values":["provider_auth","provider_permission","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  pendingApiCode: {"about":"what reads of an account that waits for API access answer","ruling":"R28","clauses":["3.transitions"],"kind":"choice","values":["provider_permission","provider_auth","payment_required","not_supported","provider_error","served"],"seen":"GET of reviews or insights of such an account"},
  lockedReads: {"about":"whether a locked account can be read","ruling":"R28","clauses":["3.account.locked-effect"],"kind":"choice","values":["served","refused"],"seen":"GET of reviews or insights of a connected account that is locked"},
  reviewEnd: {"about":"how the last page of reviews ends","ruling":"R14","clauses":["2.list-reviews-output.next-cursor"],"kind":"choice","values":["null","absent","either"],"seen":"the last pages of reviews"},
  reviewLastPage: {"about":"whether the last page of reviews is an empty one behind the last review","ruling":"R14","clauses":["4.rules.reviews-stop"],"kind":"choice","values":["exact","empty"],"seen":"the last pages of reviews"},
  reviewPageSize: {"about":"how many reviews a page holds","ruling":"R23","clauses":["4.connect.list-reviews.order"],"kind":"size","range":[1,1000],"seen":"pages of reviews that are not the last"},
  reviewAggregate: {"about":"whether pages of reviews carry aggregate","ruling":"R12","clauses":["2.list-reviews-output.aggregate"],"kind":"choice","values":["present","absent"],"seen":"pages with reviews"},
  reviewReplied: {"about":"which of replied and replyText a review carries","ruling":"R12","clauses":["2.review-item.replied"],"kind":"choice","values":["always","when-replied","text-only","none"],"seen":"the reviews of all pages"},
  reviewIdForm: {"about":"how a review id is written","ruling":"R9","clauses":["2.review-item.review-id"],"kind":"form","seen":"the reviews of all pages"},
  inviteIdForm: {"about":"how the id of an invite is written","ruling":"R9","clauses":["2.list-accounts-output.pending-invites.id"],"kind":"form","seen":"the pending invites"},
  reviewCursor: {"about":"how the cursor of reviews is written","ruling":"R14","clauses":["2.list-reviews-output.next-cursor"],"kind":"choice","values":["text","base64","digits"],"seen":"pages of reviews that are not the last"},
  badReviewCursor: {"about":"a cursor of reviews that was never given out","ruling":"R5","clauses":["4.connect.list-reviews.cursor"],"kind":"choice","values":["refuse","ignore","not_found"],"seen":"GET of reviews with such a cursor"},
  articleOrder: {"about":"the order of GET /articles","ruling":"R16","clauses":["4.articles.list.order"],"kind":"order","values":["newest","oldest"],"seen":"pages with two articles and more"},
  articleEnd: {"about":"when the cursor of GET /articles is null","ruling":"R18","clauses":["4.articles.list.end"],"kind":"choice","values":["exact","not-full","empty-page"],"seen":"the last pages, and a page that holds all articles exactly"},
  articlePageCap: {"about":"the most articles on a page, whatever the limit asks for","ruling":"R17","clauses":["4.articles.list.end"],"kind":"size","range":[1,100],"seen":"a page of limit=100 that goes on"},
  callsBadLimit: {"about":"a limit of the call log outside 1 to 200","ruling":"R38","clauses":["4.calls.bad-parameters"],"kind":"choice","values":["refuse","clamp","ignore"],"seen":"the call log with such a limit"},
  badSince: {"about":"a since of the call log that is no instant","ruling":"R38","clauses":["4.calls.bad-parameters"],"kind":"choice","values":["refuse","ignore"],"seen":"the call log with such a since"},
  callsPageCap: {"about":"the most calls on a page, whatever the limit asks for","ruling":"R38","clauses":["4.calls.bad-parameters"],"kind":"size","range":[1,200],"seen":"a page of the call log with since and limit=200 that goes on"},
  callSummary: {"about":"whether the call log carries summary","ruling":"R33","clauses":["4.calls.summary"],"kind":"choice","values":["present","absent"],"seen":"every page of the call log"},
  callRecord: {"about":"the members of a call","ruling":"R34","clauses":["2.call-record"],"kind":"shape","seen":"every call of the log"},
  callCursor: {"about":"how the cursor of the call log is written","ruling":"R35","clauses":["4.calls.since-meaning"],"kind":"form","seen":"pages of the call log with a cursor"},
  snapshotCursor: {"about":"nextCursor of the snapshot","ruling":"R40","clauses":["4.calls.snapshot-cursor"],"kind":"choice","values":["null","string"],"seen":"every snapshot with calls"},
  snapshotRunning: {"about":"whether the snapshot shows running calls","ruling":"R39","clauses":["4.calls.snapshot-running"],"kind":"choice","values":["show","hide"],"blind":{"hide":"that no running call is shown may mean that none runs"},"seen":"a snapshot with a call that has no end yet"},
  bodyCap: {"about":"whether the body cap is judged before or after the key","ruling":"R49","clauses":["8.body-order"],"kind":"choice","values":["after-key","before-key"],"unseen":"it takes 2,500,001 bytes without a key, which no audit sends"},
  blockedCount: {"about":"whether refused requests spend the window","ruling":"R45","clauses":["8.blocked-count"],"kind":"choice","values":["no","yes"],"unseen":"to see it a run would have to be refused on purpose, again and again"},
  retryAfter: {"about":"how often a blocked answer carries Retry-After","ruling":"R46","clauses":["8.retry-after"],"kind":"rate","values":["usually","always","never"],"blind":{"usually":"the answers of a burst or two may all carry it"},"seen":"answers of the limiter"},
  rateHeaders: {"about":"which answers carry the limit headers","ruling":"R42","clauses":["8.headers.when"],"kind":"choice","values":["always","blocked"],"seen":"every answer"},
  rateBucket: {"about":"which window the headers describe when none blocked","ruling":"R43","clauses":["8.headers.bucket"],"kind":"choice","values":["key","address","tightest"],"blind":{"tightest":"evenly paced requests leave the address window the fuller of the two"},"seen":"the limits that the headers of answers state"},
  resetMeans: {"about":"whether Reset tells when one more request passes, or when the window is whole again","ruling":"R43","clauses":["8.headers.bucket"],"kind":"choice","values":["next","full"],"seen":"Reset on answers of one bucket that follow each other"},
  addressWindow: {"about":"the kind of the address window","ruling":"R44","clauses":["8.address-window-kind"],"kind":"choice","values":["sliding","aligned","tokens"],"seen":"Reset and Retry-After of the address limiter's answers"},
  challenge: {"about":"whether a 401 for the key carries WWW-Authenticate","ruling":"R1","clauses":["5.scheme-form"],"kind":"choice","values":["present","absent"],"seen":"every 401 unauthorized"},
  challengeForm: {"about":"scheme and parameters of WWW-Authenticate","ruling":"R1","clauses":["5.scheme-form"],"kind":"form","seen":"every 401 unauthorized with that header; values of parameters are not kept"},
  contentType: {"about":"the media type of a success","ruling":"R4","clauses":["4.json"],"kind":"form","seen":"every success"},
  errorContentType: {"about":"the media type of an error","ruling":"R4","clauses":["4.json"],"kind":"form","seen":"every error"},
  jsonLayout: {"about":"the blanks in a JSON body","ruling":"R4","clauses":["4.json"],"kind":"choice","values":["compact","spaced","indented"],"seen":"every body"},
  jsonEscapes: {"about":"whether characters beyond ASCII are escaped","ruling":"R4","clauses":["4.json"],"kind":"choice","values":["raw","escaped"],"seen":"bodies with such characters"},
  memberOrder: {"about":"the order of the members of articles, sites, keywords, accounts and reviews","ruling":"R4","clauses":["4.json"],"kind":"order","values":["listed","reversed","sorted"],"seen":"every such record"},
  envelopeOrder: {"about":"where data stands in a success that has cursor or summary too","ruling":"R4","clauses":["4.json"],"kind":"order","values":["data-first","data-last"],"seen":"every such success"},
  instantForm: {"about":"how createdAt, updatedAt and publishedAt are written","ruling":"R8","clauses":["2.at-iso"],"kind":"form","seen":"articles, sites and keywords"},
  plainInstantForm: {"about":"how expiresAt, connectedAt, repliedAt and the date of a review are written","ruling":"R7","clauses":["2.plain-strings"],"kind":"form","seen":"accounts, invites and reviews"},
  insightDateForm: {"about":"how the dates of insights are written","ruling":"R7","clauses":["2.plain-strings"],"kind":"form","seen":"ranges and points of insights"},
  insightPoints: {"about":"how the points of a metric follow each other","ruling":"R32","clauses":["4.connect.insights.points"],"kind":"choice","values":["daily","weekly","none","no-metrics"],"seen":"the metrics of insights"},
  insightLagDays: {"about":"how many days before today the range of insights ends","ruling":"R32","clauses":["4.connect.insights.points"],"kind":"size","range":[0,30],"seen":"the end of the range against the service's own clock"},
  numbers: {"about":"whether counts of insights have fractions","ruling":"R15","clauses":["2.get-insights-output.metrics.total"],"kind":"choice","values":["whole","fractions"],"seen":"totals and points of insights"},
  idCase: {"about":"the case of UUIDs","ruling":"R9","clauses":["2.ids-uuid"],"kind":"choice","values":["lower","upper","mixed"],"seen":"ids of articles, sites, keywords and accounts"},
  idVersion: {"about":"the version of UUIDs","ruling":"R9","clauses":["2.ids-uuid"],"kind":"choice","values":["4","1","2","3","5","6","7","8"],"seen":"ids of articles, sites and keywords"},
  extraMembers: {"about":"members that the contract does not list, where R12 only notes them","ruling":"R12","clauses":["2.extra-fields"],"kind":"shape","seen":"articles, sites, keywords, envelopes, errors of the tool envelope (error) and of the simple one (simpleError)"},
  permalink: {"about":"whether a new post has a permalink","ruling":"R12","clauses":["2.create-post-output.permalink"],"kind":"choice","values":["string","null"],"seen":"posts that a run with --allow-writes=posts makes"},
  repliedAt: {"about":"whether a reply tells when it was made","ruling":"R7","clauses":["2.reply-review-output.replied-at"],"kind":"choice","values":["string","null"],"seen":"replies that a run with --allow-writes=replies makes"},
  keyPrefix: {"about":"the fixed prefix of keys","ruling":"R51","clauses":["5.key-form"],"kind":"form","seen":"the key of the run, when it has the form of the contract; no other part of it is kept"},
  latency: {"about":"how long answers take","ruling":"R46","clauses":["8.headers.when"],"kind":"timing","seen":"every answer outside a burst"},
} as const satisfies { readonly [Id in keyof Readings]: Reading };

export type ReadingId = keyof Readings;

/** The readings that the kit learns from answers. */
export type SeenId = "unknownSite" | "articlesUnknownSite" | "badArticleLimit" | "badArticleCursor" | "badArticleSite" | "malformedId" | "malformedAccount" | "duplicates" | "simpleBadCode" | "issues" | "simpleIssues" | "errorMessages" | "pendingCode" | "expiredCode" | "revokedCode" | "pendingApiCode" | "lockedReads" | "reviewEnd" | "reviewLastPage" | "reviewPageSize" | "reviewAggregate" | "reviewReplied" | "reviewIdForm" | "inviteIdForm" | "reviewCursor" | "badReviewCursor" | "articleOrder" | "articleEnd" | "articlePageCap" | "callsBadLimit" | "badSince" | "callsPageCap" | "callSummary" | "callRecord" | "callCursor" | "snapshotCursor" | "snapshotRunning" | "retryAfter" | "rateHeaders" | "rateBucket" | "resetMeans" | "addressWindow" | "challenge" | "challengeForm" | "contentType" | "errorContentType" | "jsonLayout" | "jsonEscapes" | "memberOrder" | "envelopeOrder" | "instantForm" | "plainInstantForm" | "insightDateForm" | "insightPoints" | "insightLagDays" | "numbers" | "idCase" | "idVersion" | "extraMembers" | "permalink" | "repliedAt" | "keyPrefix" | "latency";

/** The readings that the mock follows. */
export type PlayedId = "unknownSite" | "articlesUnknownSite" | "badArticleQuery" | "badArticleLimit" | "badArticleCursor" | "badArticleSite" | "malformedId" | "malformedAccount" | "duplicates" | "simpleBadCode" | "issues" | "simpleIssues" | "errorMessages" | "pendingCode" | "expiredCode" | "revokedCode" | "pendingApiCode" | "lockedReads" | "reviewEnd" | "reviewLastPage" | "reviewPageSize" | "reviewAggregate" | "reviewReplied" | "reviewIdForm" | "inviteIdForm" | "reviewCursor" | "badReviewCursor" | "articleOrder" | "articleEnd" | "articlePageCap" | "callsBadLimit" | "badSince" | "callsPageCap" | "callSummary" | "callRecord" | "callCursor" | "snapshotCursor" | "snapshotRunning" | "bodyCap" | "blockedCount" | "retryAfter" | "rateHeaders" | "rateBucket" | "resetMeans" | "addressWindow" | "challenge" | "challengeForm" | "contentType" | "errorContentType" | "jsonLayout" | "jsonEscapes" | "memberOrder" | "envelopeOrder" | "instantForm" | "plainInstantForm" | "insightDateForm" | "insightPoints" | "insightLagDays" | "numbers" | "idCase" | "idVersion" | "extraMembers" | "permalink" | "repliedAt" | "keyPrefix" | "latency";

/** What grease varies by chance, although it is no reading. */
export type ChanceId = "summary" | "message" | "shortPages" | "reviewIds";

/** What the mock does unless told otherwise. */
export const defaultReadings: Readings = {
  unknownSite: "not_found",
  articlesUnknownSite: "empty",
  badArticleQuery: "refuse",
  badArticleLimit: "refuse",
  badArticleCursor: "refuse",
  badArticleSite: "refuse",
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
  badReviewCursor: "refuse",
  articleOrder: "newest",
  articleEnd: "exact",
  articlePageCap: 100,
  callsBadLimit: "refuse",
  badSince: "refuse",
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
  memberOrder: "listed",
  envelopeOrder: "data-first",
  instantForm: "YYYY-MM-DDThh:mm:ss.fffZ",
  plainInstantForm: "YYYY-MM-DDThh:mm:ss.fffZ",
  insightDateForm: "YYYY-MM-DD",
  insightPoints: "daily",
  insightLagDays: 0,
  numbers: "whole",
  idCase: "lower",
  idVersion: "4",
  extraMembers: null,
  permalink: "string",
  repliedAt: "string",
  keyPrefix: "casa",
  latency: null,
};
