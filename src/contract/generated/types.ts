// Generated from spec/ by `npm run generate`. Do not edit.
export type Article = {
  id: string;
  siteId: string;
  title: string;
  slug: string;
  status: "planned" | "generating" | "draft" | "scheduled" | "published" | "failed";
  targetKeyword: string | null;
  wordCount: number;
  seoScore: number | null;
  publishedAt: string | null;
  createdAt: string;
  updatedAt: string;
};

export type Site = {
  id: string;
  name: string;
  domain: string;
  cms: string;
  language: string;
  createdAt: string;
};

export type Keyword = {
  id: string;
  siteId: string;
  keyword: string;
  searchVolume: number | null;
  difficulty: number | null;
  intent: string | null;
  createdAt: string;
};

export type ListArticlesResponse = {
  data: Array<Article>;
  cursor: string | null;
};

export type GetArticleResponse = {
  data: Article;
};

export type ListSitesResponse = {
  data: Array<Site>;
};

export type GetSiteResponse = {
  data: Site;
};

export type ListKeywordsResponse = {
  data: Array<Keyword>;
};

export type Provider = "google_business" | "facebook_page" | "tiktok" | "instagram" | "google_analytics" | "google_search_console" | "google_ads" | "google_calendar" | "google_contacts";

export type AccountId = string;

export type ConnectedAccount = {
  accountId: string;
  provider: Provider;
  label: string;
  name: string | null;
  status: "pending" | "connected" | "expired" | "revoked" | "pending_api_access";
  locked: boolean;
  connectedAt: string | null;
};

export type PendingInvite = {
  id: string;
  label: string;
  provider: Provider;
  maxAccounts: number;
  expiresAt: string;
};

export type Billing = {
  connected: number;
  free: number;
  billable: number;
  needsPayment: boolean;
};

export type ReviewItem = {
  reviewId: string;
  author: string;
  rating: number | null;
  text: string;
  date: string;
  replied?: boolean;
  replyText?: string;
};

export type ReviewsAggregate = {
  ratingValue: number;
  reviewCount: number;
};

export type InsightPoint = {
  date: string;
  value: number;
};

export type InsightMetric = {
  key: string;
  label: string;
  total: number;
  points?: Array<InsightPoint>;
};

export type ConnectAccountInput = {
  provider: Provider;
  label: string;
  maxAccounts?: number;
};

export type CreatePostInput = {
  accountId: AccountId;
  text: string;
  media?: {
    imageUrl: string;
  };
  link?: string;
};

export type ReplyReviewInput = {
  accountId: AccountId;
  reviewId: string;
  text: string;
};

export type ConnectAccountOutput = {
  connectUrl: string;
  expiresAt: string;
  provider: Provider;
  label: string;
};

export type ListAccountsOutput = {
  accounts: Array<ConnectedAccount>;
  pendingInvites: Array<PendingInvite>;
  billing: Billing;
};

export type CreatePostOutput = {
  postId: string;
  permalink: string | null;
};

export type ListReviewsOutput = {
  reviews: Array<ReviewItem>;
  nextCursor?: string | null;
  aggregate?: ReviewsAggregate;
};

export type ReplyReviewOutput = {
  repliedAt: string | null;
};

export type GetInsightsOutput = {
  range: {
    startDate: string;
    endDate: string;
  };
  metrics: Array<InsightMetric>;
};

export type CreateConnectLinkResponse = {
  data: ConnectAccountOutput;
  summary: string;
};

export type ListAccountsResponse = {
  data: ListAccountsOutput;
  summary: string;
};

export type CreatePostResponse = {
  data: CreatePostOutput;
  summary: string;
};

export type ListReviewsResponse = {
  data: ListReviewsOutput;
  summary: string;
};

export type ReplyToReviewResponse = {
  data: ReplyReviewOutput;
  summary: string;
};

export type GetInsightsResponse = {
  data: GetInsightsOutput;
  summary: string;
};

export type Call = Record<string, unknown>;

export type ListCallsOutput = {
  calls: Array<Call>;
  nextCursor: string | null;
};

export type ListCallsResponse = {
  data: ListCallsOutput;
  summary?: string;
};

export type ToolError = {
  error: {
    code: "unauthorized" | "invalid_input" | "not_found" | "not_supported" | "payment_required" | "provider_auth" | "provider_permission" | "rate_limited" | "provider_error" | "transient" | "payload_too_large";
    message: string;
    issues?: unknown;
    reason?: unknown;
  };
};

export type SimpleError = {
  error: {
    code: string;
    message: string;
  };
};

export type LimiterError = {
  error: "rate_limit_exceeded";
};

export type McpLimiterError = {
  jsonrpc: "2.0";
  id?: string | number | null;
  error: {
    code: number;
    message: string;
  };
};

/** What a handler receives: path values, query values with defaults put in, and the body. */
export interface InputMap {
  listArticles: { siteId?: string; limit: number; cursor?: string };
  getArticle: { id: string };
  listSites: Record<never, never>;
  getSite: { id: string };
  listKeywords: { siteId: string };
  listAccounts: Record<never, never>;
  createConnectLink: ConnectAccountInput & Record<never, never>;
  createPost: CreatePostInput & { accountId: string };
  listReviews: { accountId: string; cursor?: string };
  replyToReview: ReplyReviewInput & { accountId: string; reviewId: string };
  getInsights: { accountId: string; range: "7d" | "28d" | "90d" };
  listCalls: { since?: string; limit: number };
}

/** What an operation returns 200. */
export interface OutputMap {
  listArticles: ListArticlesResponse;
  getArticle: GetArticleResponse;
  listSites: ListSitesResponse;
  getSite: GetSiteResponse;
  listKeywords: ListKeywordsResponse;
  listAccounts: ListAccountsResponse;
  createConnectLink: CreateConnectLinkResponse;
  createPost: CreatePostResponse;
  listReviews: ListReviewsResponse;
  replyToReview: ReplyToReviewResponse;
  getInsights: GetInsightsResponse;
  listCalls: ListCallsResponse;
}
