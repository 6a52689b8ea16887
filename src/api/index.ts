// Exports of `casa-kit/api`: the types of the API, and a client.
import type { CallRecord } from '../contract/basis.ts';
import type { ListCallsOutput, ListReviewsOutput } from '../contract/generated/types.ts';

export type {
  Article,
  Billing,
  Call,
  ConnectAccountInput,
  ConnectAccountOutput,
  ConnectedAccount,
  CreateConnectLinkResponse,
  CreatePostInput,
  CreatePostOutput,
  CreatePostResponse,
  GetArticleResponse,
  GetInsightsOutput,
  GetInsightsResponse,
  GetSiteResponse,
  InputMap,
  InsightMetric,
  InsightPoint,
  Keyword,
  LimiterError,
  ListAccountsOutput,
  ListAccountsResponse,
  ListArticlesResponse,
  ListCallsResponse,
  ListKeywordsResponse,
  ListReviewsResponse,
  ListSitesResponse,
  OutputMap,
  PendingInvite,
  Provider,
  ReplyReviewInput,
  ReplyReviewOutput,
  ReplyToReviewResponse,
  ReviewItem as Review,
  ReviewsAggregate,
  SimpleError,
  Site,
  ToolError,
} from '../contract/generated/types.ts';
export { ApiError, type ApiErrorBody, type ApiErrorCode } from './api-error.ts';
export { type CallOptions, type Client, type ClientOptions, createClient } from './client.ts';
export { keepPosition, type PollOptions, type PositionStore } from './poll-calls.ts';
export type { Retry, Sleep } from './send.ts';

/**
 * The fields of a call that the mock sends by default. The contract shows none of them, so all are optional: test for
 * those that you use, because your deployment can have others.
 *
 * @example
 * for await (const call of api.calls({ store })) show((call as AssumedCall).outcome ?? 'unknown');
 */
export type AssumedCall = Partial<CallRecord>;
/** A page of the call log. */
export type CallsLogPage = ListCallsOutput;
/** A page of reviews. */
export type ReviewsPage = ListReviewsOutput;
