// Generated from spec/ by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';

/** The fields of each object of a success response, in the order of its table. */
export const fields = {
  "ListArticlesResponse": ["data","cursor"],
  "Article": ["id","siteId","title","slug","status","targetKeyword","wordCount","seoScore","publishedAt","createdAt","updatedAt"],
  "GetArticleResponse": ["data"],
  "ListSitesResponse": ["data"],
  "Site": ["id","name","domain","cms","language","createdAt"],
  "GetSiteResponse": ["data"],
  "ListKeywordsResponse": ["data"],
  "Keyword": ["id","siteId","keyword","searchVolume","difficulty","intent","createdAt"],
  "ListAccountsResponse": ["data","summary"],
  "ListAccountsOutput": ["accounts","pendingInvites","billing"],
  "ConnectedAccount": ["accountId","provider","label","name","status","locked","connectedAt"],
  "PendingInvite": ["id","label","provider","maxAccounts","expiresAt"],
  "Billing": ["connected","free","billable","needsPayment"],
  "CreateConnectLinkResponse": ["data","summary"],
  "ConnectAccountOutput": ["connectUrl","expiresAt","provider","label"],
  "CreatePostResponse": ["data","summary"],
  "CreatePostOutput": ["postId","permalink"],
  "ListReviewsResponse": ["data","summary"],
  "ListReviewsOutput": ["reviews","nextCursor","aggregate"],
  "ReviewItem": ["reviewId","author","rating","text","date","replied","replyText"],
  "ReviewsAggregate": ["ratingValue","reviewCount"],
  "ReplyToReviewResponse": ["data","summary"],
  "ReplyReviewOutput": ["repliedAt"],
  "GetInsightsResponse": ["data","summary"],
  "GetInsightsOutput": ["range","metrics"],
  "GetInsightsOutput.range": ["startDate","endDate"],
  "InsightMetric": ["key","label","total","points"],
  "InsightPoint": ["date","value"],
  "ListCallsResponse": ["data","summary"],
  "ListCallsOutput": ["calls","nextCursor"],
} as const;

/** A schema, or the path to an object within one. */
export type ObjectName = keyof typeof fields;

/** closed: the contract forbids extra fields. nested: the object inside one that is closed. open: nothing is said. */
export type Openness = 'closed' | 'nested' | 'open';

/** One object of a response; `*` in its path means every item of a list. */
export interface ObjectPlace {
  readonly path: string;
  readonly of: ObjectName;
  readonly openness: Openness;
}

/** Where the objects of a success response are. */
export const places: Readonly<Record<OperationId, readonly ObjectPlace[]>> = {
  listArticles: [{"path":"","of":"ListArticlesResponse","openness":"open"},{"path":"/data/*","of":"Article","openness":"open"}],
  getArticle: [{"path":"","of":"GetArticleResponse","openness":"open"},{"path":"/data","of":"Article","openness":"open"}],
  listSites: [{"path":"","of":"ListSitesResponse","openness":"open"},{"path":"/data/*","of":"Site","openness":"open"}],
  getSite: [{"path":"","of":"GetSiteResponse","openness":"open"},{"path":"/data","of":"Site","openness":"open"}],
  listKeywords: [{"path":"","of":"ListKeywordsResponse","openness":"open"},{"path":"/data/*","of":"Keyword","openness":"open"}],
  listAccounts: [{"path":"","of":"ListAccountsResponse","openness":"open"},{"path":"/data","of":"ListAccountsOutput","openness":"closed"},{"path":"/data/accounts/*","of":"ConnectedAccount","openness":"nested"},{"path":"/data/pendingInvites/*","of":"PendingInvite","openness":"nested"},{"path":"/data/billing","of":"Billing","openness":"nested"}],
  createConnectLink: [{"path":"","of":"CreateConnectLinkResponse","openness":"open"},{"path":"/data","of":"ConnectAccountOutput","openness":"closed"}],
  createPost: [{"path":"","of":"CreatePostResponse","openness":"open"},{"path":"/data","of":"CreatePostOutput","openness":"closed"}],
  listReviews: [{"path":"","of":"ListReviewsResponse","openness":"open"},{"path":"/data","of":"ListReviewsOutput","openness":"closed"},{"path":"/data/reviews/*","of":"ReviewItem","openness":"closed"},{"path":"/data/aggregate","of":"ReviewsAggregate","openness":"nested"}],
  replyToReview: [{"path":"","of":"ReplyToReviewResponse","openness":"open"},{"path":"/data","of":"ReplyReviewOutput","openness":"closed"}],
  getInsights: [{"path":"","of":"GetInsightsResponse","openness":"open"},{"path":"/data","of":"GetInsightsOutput","openness":"closed"},{"path":"/data/range","of":"GetInsightsOutput.range","openness":"nested"},{"path":"/data/metrics/*","of":"InsightMetric","openness":"nested"},{"path":"/data/metrics/*/points/*","of":"InsightPoint","openness":"nested"}],
  listCalls: [{"path":"","of":"ListCallsResponse","openness":"open"},{"path":"/data","of":"ListCallsOutput","openness":"open"}],
};

/** Fields of articles, sites and keywords that may be null. */
export const nullableFields: readonly string[] = ["targetKeyword","seoScore","publishedAt","searchVolume","difficulty","intent"];

/** Clauses about fields, without their texts: a mock that starts does not load these. */
export const fieldClauses: ReadonlySet<string> = new Set(["2.ids-uuid","2.at-iso","2.plain-strings","2.nullable-marked","2.nullable-unmarked","2.fields-present","2.extra-fields","2.article.id","2.article.site-id","2.article.title","2.article.slug","2.article.status","2.article.target-keyword","2.article.word-count","2.article.seo-score","2.article.published-at","2.article.created-at","2.article.updated-at","2.site.id","2.site.name","2.site.domain","2.site.cms","2.site.language","2.site.created-at","2.site.open-values","2.keyword.id","2.keyword.site-id","2.keyword.keyword","2.keyword.search-volume","2.keyword.difficulty","2.keyword.intent","2.keyword.created-at","2.provider","2.connect-account-input.provider","2.connect-account-input.label","2.connect-account-input.max-accounts","2.connect-account-input.max-accounts-default","2.connect-account-output.closed","2.connect-account-output.connect-url","2.connect-account-output.expires-at","2.connect-account-output.provider","2.connect-account-output.label","2.list-accounts-output.closed","2.list-accounts-output.nested-closed","2.list-accounts-output.accounts","2.list-accounts-output.accounts.account-id","2.list-accounts-output.accounts.provider","2.list-accounts-output.accounts.label","2.list-accounts-output.accounts.name","2.list-accounts-output.accounts.status","2.list-accounts-output.accounts.locked","2.list-accounts-output.accounts.connected-at","2.list-accounts-output.pending-invites","2.list-accounts-output.pending-invites.id","2.list-accounts-output.pending-invites.label","2.list-accounts-output.pending-invites.provider","2.list-accounts-output.pending-invites.max-accounts","2.list-accounts-output.pending-invites.expires-at","2.list-accounts-output.billing","2.list-accounts-output.billing.connected","2.list-accounts-output.billing.free","2.list-accounts-output.billing.billable","2.list-accounts-output.billing.needs-payment","2.create-post-input.account-id","2.create-post-input.account-id-pattern","2.create-post-input.account-id-nil-max","2.create-post-input.text","2.create-post-input.media","2.create-post-input.media.image-url","2.create-post-input.link","2.create-post-output.closed","2.create-post-output.post-id","2.create-post-output.permalink","2.list-reviews-output.closed","2.list-reviews-output.reviews","2.list-reviews-output.next-cursor","2.list-reviews-output.aggregate","2.list-reviews-output.aggregate.rating-value","2.list-reviews-output.aggregate.review-count","2.review-item.closed","2.review-item.review-id","2.review-item.author","2.review-item.rating","2.review-item.text","2.review-item.date","2.review-item.replied","2.review-item.reply-text","2.reply-review-input.account-id","2.reply-review-input.account-id-pattern","2.reply-review-input.review-id","2.reply-review-input.review-id-length","2.reply-review-input.text","2.reply-review-output.closed","2.reply-review-output.replied-at","2.get-insights-output.closed","2.get-insights-output.required","2.get-insights-output.inner-required","2.get-insights-output.range.start-date","2.get-insights-output.range.end-date","2.get-insights-output.metrics.key","2.get-insights-output.metrics.label","2.get-insights-output.metrics.total","2.get-insights-output.metrics.points.date","2.get-insights-output.metrics.points.value","2.call-record","4.articles.list.endpoint","4.articles.list.site-id","4.articles.list.unknown-site","4.articles.list.limit","4.articles.list.limit-ceiling","4.articles.list.cursor","4.articles.list.cursor-value","4.articles.list.end","4.articles.list.walk","4.articles.list.ties","4.articles.list.order","4.articles.list.bad-query","4.articles.list.statuses","4.articles.get.endpoint","4.articles.get.id","4.articles.get.same-id","4.articles.get.not-found","4.articles.get.malformed-id","4.articles.get.statuses","4.sites.list","4.sites.list.statuses","4.sites.get.endpoint","4.sites.get.id","4.sites.get.same-id","4.sites.get.not-found","4.sites.get.malformed-id","4.sites.get.statuses","4.keywords.list.endpoint","4.keywords.list.site-id","4.keywords.list.missing-site-id","4.keywords.list.invalid-site-id","4.keywords.list.error-code","4.keywords.list.unknown-site","4.keywords.list.of-site","4.keywords.list.statuses","4.connect.envelope","4.calls.endpoint","4.calls.shape","4.calls.since","4.calls.limit","4.calls.limit-ceiling","4.calls.summary","4.calls.statuses","4.calls.envelope","4.calls.bad-parameters","4.calls.settled-only","4.calls.exactly-once","4.calls.oldest-first","4.calls.next-cursor-string","4.calls.next-cursor-null","4.calls.since-meaning","4.calls.reread","4.calls.snapshot-order","4.calls.snapshot-repeats","4.calls.snapshot-running","4.calls.snapshot-cursor","4.calls.beyond-shape"]);
