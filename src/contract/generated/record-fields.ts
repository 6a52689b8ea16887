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
