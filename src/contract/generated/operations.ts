// Generated from spec/ by `npm run generate`. Do not edit.
import type { ClauseId } from './clauses.ts';

export type OperationId = "listArticles" | "getArticle" | "listSites" | "getSite" | "listKeywords" | "listAccounts" | "createConnectLink" | "createPost" | "listReviews" | "replyToReview" | "getInsights" | "listCalls";

/** Operations that change the world. */
export type WriteOperationId = "createConnectLink" | "createPost" | "replyToReview";

export interface QueryParameter {
  readonly name: string;
  readonly type: 'string' | 'integer';
  readonly required: boolean;
  readonly default?: string | number;
}

export interface Operation {
  readonly id: OperationId;
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly segments: readonly string[];
  /** Which error envelope the contract gives this family of endpoints. */
  readonly envelope: 'simple' | 'tool';
  readonly query: readonly QueryParameter[];
  readonly body: string | null;
  readonly output: string;
  readonly statuses: readonly number[];
  readonly cites: readonly ClauseId[];
}

export const operations: { readonly [Id in OperationId]: Operation } = {
  listArticles: {"id":"listArticles","method":"GET","path":"/articles","segments":["articles"],"envelope":"simple","query":[{"name":"siteId","type":"string","required":false},{"name":"limit","type":"integer","required":false,"default":20},{"name":"cursor","type":"string","required":false}],"body":null,"output":"ListArticlesResponse","statuses":[200,400,401,404,429],"cites":["4.articles.list.endpoint","4.articles.list.site-id","4.articles.list.unknown-site","4.articles.list.limit","4.articles.list.limit-ceiling","4.articles.list.cursor","4.articles.list.cursor-value","4.articles.list.end","4.articles.list.walk","4.articles.list.bad-query","4.articles.list.statuses","8.articles-limit"]},
  getArticle: {"id":"getArticle","method":"GET","path":"/articles/{id}","segments":["articles","{id}"],"envelope":"simple","query":[],"body":null,"output":"GetArticleResponse","statuses":[200,400,401,404,429],"cites":["4.articles.get.endpoint","4.articles.get.id","4.articles.get.same-id","4.articles.get.not-found","4.articles.get.malformed-id","4.articles.get.statuses"]},
  listSites: {"id":"listSites","method":"GET","path":"/sites","segments":["sites"],"envelope":"simple","query":[],"body":null,"output":"ListSitesResponse","statuses":[200,401,429],"cites":["4.sites.list","4.sites.list.statuses"]},
  getSite: {"id":"getSite","method":"GET","path":"/sites/{id}","segments":["sites","{id}"],"envelope":"simple","query":[],"body":null,"output":"GetSiteResponse","statuses":[200,400,401,404,429],"cites":["4.sites.get.endpoint","4.sites.get.id","4.sites.get.same-id","4.sites.get.not-found","4.sites.get.malformed-id","4.sites.get.statuses"]},
  listKeywords: {"id":"listKeywords","method":"GET","path":"/keywords","segments":["keywords"],"envelope":"simple","query":[{"name":"siteId","type":"string","required":true}],"body":null,"output":"ListKeywordsResponse","statuses":[200,400,401,404,429],"cites":["4.keywords.list.endpoint","4.keywords.list.site-id","4.keywords.list.missing-site-id","4.keywords.list.invalid-site-id","4.keywords.list.unknown-site","4.keywords.list.of-site","4.keywords.list.statuses"]},
  listAccounts: {"id":"listAccounts","method":"GET","path":"/connect/accounts","segments":["connect","accounts"],"envelope":"tool","query":[],"body":null,"output":"ListAccountsResponse","statuses":[200,400,401,402,403,404,413,429,502,503],"cites":["4.connect.list-accounts.endpoint","4.connect.list-accounts.content","4.connect.envelope","4.connect.statuses","4.connect.statuses-unlisted","4.connect.limiter-429"]},
  createConnectLink: {"id":"createConnectLink","method":"POST","path":"/connect/accounts","segments":["connect","accounts"],"envelope":"tool","query":[],"body":"ConnectAccountInput","output":"CreateConnectLinkResponse","statuses":[200,400,401,402,403,404,413,429,502,503],"cites":["4.connect.create-link.endpoint","4.connect.create-link.body","4.connect.create-link.invalid","3.link.single-use","3.link.single-use-max-accounts","4.connect.envelope","4.connect.statuses","4.connect.statuses-unlisted","4.connect.limiter-429"]},
  createPost: {"id":"createPost","method":"POST","path":"/connect/accounts/{accountId}/posts","segments":["connect","accounts","{accountId}","posts"],"envelope":"tool","query":[],"body":"CreatePostInput","output":"CreatePostResponse","statuses":[200,400,401,402,403,404,413,429,502,503],"cites":["4.connect.create-post.endpoint","4.connect.create-post.body","4.connect.create-post.invalid","4.rules.path-wins","4.connect.account-id","4.connect.unknown-account","4.connect.envelope","4.connect.statuses","4.connect.statuses-unlisted","4.connect.limiter-429"]},
  listReviews: {"id":"listReviews","method":"GET","path":"/connect/accounts/{accountId}/reviews","segments":["connect","accounts","{accountId}","reviews"],"envelope":"tool","query":[{"name":"cursor","type":"string","required":false}],"body":null,"output":"ListReviewsResponse","statuses":[200,400,401,402,403,404,413,429,502,503],"cites":["4.connect.list-reviews.endpoint","4.connect.list-reviews.cursor","4.connect.list-reviews.order","4.rules.reviews-pagination","4.rules.reviews-stop","4.rules.reviews-walk","4.connect.account-id","4.connect.unknown-account","4.connect.envelope","4.connect.statuses","4.connect.statuses-unlisted","4.connect.limiter-429"]},
  replyToReview: {"id":"replyToReview","method":"POST","path":"/connect/accounts/{accountId}/reviews/{reviewId}/reply","segments":["connect","accounts","{accountId}","reviews","{reviewId}","reply"],"envelope":"tool","query":[],"body":"ReplyReviewInput","output":"ReplyToReviewResponse","statuses":[200,400,401,402,403,404,413,429,502,503],"cites":["4.connect.reply.endpoint","4.connect.reply.review-id","4.connect.reply.body","4.connect.reply.invalid","4.connect.reply.unknown-review","4.rules.path-wins","4.connect.account-id","4.connect.unknown-account","4.connect.envelope","4.connect.statuses","4.connect.statuses-unlisted","4.connect.limiter-429"]},
  getInsights: {"id":"getInsights","method":"GET","path":"/connect/accounts/{accountId}/insights","segments":["connect","accounts","{accountId}","insights"],"envelope":"tool","query":[{"name":"range","type":"string","required":false,"default":"28d"}],"body":null,"output":"GetInsightsResponse","statuses":[200,400,401,402,403,404,413,429,502,503],"cites":["4.connect.insights.endpoint","4.connect.insights.range","4.connect.insights.range-default","4.connect.insights.bad-range","4.connect.account-id","4.connect.unknown-account","4.connect.envelope","4.connect.statuses","4.connect.statuses-unlisted","4.connect.limiter-429"]},
  listCalls: {"id":"listCalls","method":"GET","path":"/connect/calls/log","segments":["connect","calls","log"],"envelope":"tool","query":[{"name":"since","type":"string","required":false},{"name":"limit","type":"integer","required":false,"default":50}],"body":null,"output":"ListCallsResponse","statuses":[200,400,401,402,403,413,429,502,503],"cites":["4.calls.endpoint","4.calls.since","4.calls.limit","4.calls.limit-ceiling","4.calls.shape","4.calls.statuses","4.calls.envelope","4.calls.settled-only","4.calls.exactly-once","4.calls.oldest-first","4.calls.next-cursor-string","4.calls.next-cursor-null","4.calls.snapshot-order","4.calls.snapshot-repeats","4.calls.snapshot-running","3.call.snapshot-visibility","3.call.final-outcome","8.calls-limit"]},
};

export const apiVersion = "1.0.0";
