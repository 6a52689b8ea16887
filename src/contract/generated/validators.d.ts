// Generated from spec/ by `npm run generate`. Do not edit.
/** One broken rule: where in the value, which keyword, and what it asks. */
export interface SchemaError {
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
}

export interface Validator {
  (value: unknown): boolean;
  errors?: readonly SchemaError[] | null;
}

export declare const Article: Validator;
export declare const Site: Validator;
export declare const Keyword: Validator;
export declare const ListArticlesResponse: Validator;
export declare const GetArticleResponse: Validator;
export declare const ListSitesResponse: Validator;
export declare const GetSiteResponse: Validator;
export declare const ListKeywordsResponse: Validator;
export declare const Provider: Validator;
export declare const AccountId: Validator;
export declare const ConnectedAccount: Validator;
export declare const PendingInvite: Validator;
export declare const Billing: Validator;
export declare const ReviewItem: Validator;
export declare const ReviewsAggregate: Validator;
export declare const InsightPoint: Validator;
export declare const InsightMetric: Validator;
export declare const ConnectAccountInput: Validator;
export declare const CreatePostInput: Validator;
export declare const ReplyReviewInput: Validator;
export declare const ConnectAccountOutput: Validator;
export declare const ListAccountsOutput: Validator;
export declare const CreatePostOutput: Validator;
export declare const ListReviewsOutput: Validator;
export declare const ReplyReviewOutput: Validator;
export declare const GetInsightsOutput: Validator;
export declare const CreateConnectLinkResponse: Validator;
export declare const ListAccountsResponse: Validator;
export declare const CreatePostResponse: Validator;
export declare const ListReviewsResponse: Validator;
export declare const ReplyToReviewResponse: Validator;
export declare const GetInsightsResponse: Validator;
export declare const Call: Validator;
export declare const ListCallsOutput: Validator;
export declare const ListCallsResponse: Validator;
export declare const ToolError: Validator;
export declare const SimpleError: Validator;
export declare const LimiterError: Validator;
export declare const McpLimiterError: Validator;
export declare const listArticlesQuery: Validator;
export declare const getArticleQuery: Validator;
export declare const listSitesQuery: Validator;
export declare const getSiteQuery: Validator;
export declare const listKeywordsQuery: Validator;
export declare const listAccountsQuery: Validator;
export declare const createConnectLinkQuery: Validator;
export declare const createPostQuery: Validator;
export declare const listReviewsQuery: Validator;
export declare const replyToReviewQuery: Validator;
export declare const getInsightsQuery: Validator;
export declare const listCallsQuery: Validator;
