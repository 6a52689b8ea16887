// Generated from spec/ by `npm run generate`. Do not edit.
import * as z from 'zod/v4';
import { isDateTime } from '../timestamps.ts';

/** ISO 8601, in any of its forms. */
const dateTime = z.string().refine(isDateTime, 'not an ISO 8601 date-time');

export const Article = z.looseObject({
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  siteId: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  title: z.string(),
  slug: z.string(),
  status: z.enum(["planned","generating","draft","scheduled","published","failed"]),
  targetKeyword: z.string().nullable(),
  wordCount: z.number().int(),
  seoScore: z.number().int().nullable(),
  publishedAt: dateTime.nullable(),
  createdAt: dateTime,
  updatedAt: dateTime,
});

export const Site = z.looseObject({
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  name: z.string(),
  domain: z.string(),
  cms: z.string(),
  language: z.string(),
  createdAt: dateTime,
});

export const Keyword = z.looseObject({
  id: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  siteId: z.string().regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i),
  keyword: z.string(),
  searchVolume: z.number().int().nullable(),
  difficulty: z.number().int().nullable(),
  intent: z.string().nullable(),
  createdAt: dateTime,
});

export const ListArticlesResponse = z.looseObject({
  data: z.array(Article),
  cursor: z.string().nullable(),
});

export const GetArticleResponse = z.looseObject({
  data: Article,
});

export const ListSitesResponse = z.looseObject({
  data: z.array(Site),
});

export const GetSiteResponse = z.looseObject({
  data: Site,
});

export const ListKeywordsResponse = z.looseObject({
  data: z.array(Keyword),
});

export const Provider = z.enum(["google_business","facebook_page","tiktok","instagram","google_analytics","google_search_console","google_ads","google_calendar","google_contacts"]);

export const AccountId = z.string().regex(new RegExp("^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}|0{8}-0{4}-0{4}-0{4}-0{12}|[fF]{8}-[fF]{4}-[fF]{4}-[fF]{4}-[fF]{12})$"));

export const ConnectedAccount = z.looseObject({
  accountId: z.string(),
  provider: Provider,
  label: z.string(),
  name: z.string().nullable(),
  status: z.enum(["pending","connected","expired","revoked","pending_api_access"]),
  locked: z.boolean(),
  connectedAt: z.string().nullable(),
});

export const PendingInvite = z.looseObject({
  id: z.string(),
  label: z.string(),
  provider: Provider,
  maxAccounts: z.number().int(),
  expiresAt: z.string(),
});

export const Billing = z.looseObject({
  connected: z.number(),
  free: z.number(),
  billable: z.number(),
  needsPayment: z.boolean(),
});

export const ReviewItem = z.looseObject({
  reviewId: z.string(),
  author: z.string(),
  rating: z.number().nullable(),
  text: z.string(),
  date: z.string(),
  replied: z.boolean().optional(),
  replyText: z.string().optional(),
});

export const ReviewsAggregate = z.looseObject({
  ratingValue: z.number(),
  reviewCount: z.number(),
});

export const InsightPoint = z.looseObject({
  date: z.string(),
  value: z.number(),
});

export const InsightMetric = z.looseObject({
  key: z.string(),
  label: z.string(),
  total: z.number(),
  points: z.array(InsightPoint).optional(),
});

export const ConnectAccountInput = z.looseObject({
  provider: Provider,
  label: z.string().min(1).refine((text) => [...text].length <= 80, 'longer than 80 characters'),
  maxAccounts: z.number().int().min(1).max(20).optional(),
});

export const CreatePostInput = z.looseObject({
  accountId: AccountId,
  text: z.string().min(1).refine((text) => [...text].length <= 5000, 'longer than 5000 characters'),
  media: z.looseObject({
    imageUrl: z.string().refine((text) => URL.canParse(text), 'not a URI'),
  }).optional(),
  link: z.string().refine((text) => URL.canParse(text), 'not a URI').optional(),
});

export const ReplyReviewInput = z.looseObject({
  accountId: AccountId,
  reviewId: z.string().min(1),
  text: z.string().min(1).refine((text) => [...text].length <= 4096, 'longer than 4096 characters'),
});

export const ConnectAccountOutput = z.looseObject({
  connectUrl: z.string(),
  expiresAt: z.string(),
  provider: Provider,
  label: z.string(),
});

export const ListAccountsOutput = z.looseObject({
  accounts: z.array(ConnectedAccount),
  pendingInvites: z.array(PendingInvite),
  billing: Billing,
});

export const CreatePostOutput = z.looseObject({
  postId: z.string(),
  permalink: z.string().nullable(),
});

export const ListReviewsOutput = z.looseObject({
  reviews: z.array(ReviewItem),
  nextCursor: z.string().nullable().optional(),
  aggregate: ReviewsAggregate.optional(),
});

export const ReplyReviewOutput = z.looseObject({
  repliedAt: z.string().nullable(),
});

export const GetInsightsOutput = z.looseObject({
  range: z.looseObject({
    startDate: z.string(),
    endDate: z.string(),
  }),
  metrics: z.array(InsightMetric),
});

export const CreateConnectLinkResponse = z.looseObject({
  data: ConnectAccountOutput,
  summary: z.string(),
});

export const ListAccountsResponse = z.looseObject({
  data: ListAccountsOutput,
  summary: z.string(),
});

export const CreatePostResponse = z.looseObject({
  data: CreatePostOutput,
  summary: z.string(),
});

export const ListReviewsResponse = z.looseObject({
  data: ListReviewsOutput,
  summary: z.string(),
});

export const ReplyToReviewResponse = z.looseObject({
  data: ReplyReviewOutput,
  summary: z.string(),
});

export const GetInsightsResponse = z.looseObject({
  data: GetInsightsOutput,
  summary: z.string(),
});

export const Call = z.record(z.string(), z.unknown());

export const ListCallsOutput = z.looseObject({
  calls: z.array(Call),
  nextCursor: z.string().nullable(),
});

export const ListCallsResponse = z.looseObject({
  data: ListCallsOutput,
  summary: z.string().optional(),
});

export const ToolError = z.looseObject({
  error: z.looseObject({
    code: z.enum(["unauthorized","invalid_input","not_found","not_supported","payment_required","provider_auth","provider_permission","rate_limited","provider_error","transient","payload_too_large"]),
    message: z.string(),
    issues: z.unknown().optional(),
    reason: z.unknown().optional(),
  }),
});

export const SimpleError = z.looseObject({
  error: z.looseObject({
    code: z.string(),
    message: z.string(),
  }),
});

export const LimiterError = z.looseObject({
  error: z.literal("rate_limit_exceeded"),
});

export const McpLimiterError = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).nullable().optional(),
  error: z.looseObject({
    code: z.number().int(),
    message: z.string(),
  }),
});
