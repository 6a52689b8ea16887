// Generated from spec/ by `npm run generate`. Do not edit.
import type { OperationId } from './operations.ts';
import type { AccountId, Provider } from './types.ts';

export type ToolName = "connect_account" | "list_accounts" | "create_post" | "list_reviews" | "reply_review" | "get_insights" | "calls_log" | "inbox_list" | "customers_list" | "dialer_import_contacts";

/** Tools without a REST operation. */
export type OwnToolName = "inbox_list" | "customers_list" | "dialer_import_contacts";

/** Those of them that change the world. */
export type OwnWriteToolName = "dialer_import_contacts";

export interface Tool {
  readonly name: ToolName;
  /** The REST operation that the tool is under another name; null for a tool of the MCP endpoint alone. */
  readonly operation: OperationId | null;
  /** Whether a tool without a REST operation only reads. */
  readonly readOnly?: boolean;
  /** Names of schemas. */
  readonly input: string;
  readonly output: string;
  /** Values of the arguments that a call leaves out. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

export const tools: { readonly [Name in ToolName]: Tool } = {
  connect_account: {"name":"connect_account","operation":"createConnectLink","input":"ConnectAccountInput","defaults":{"maxAccounts":1},"output":"CreateConnectLinkResponse"},
  list_accounts: {"name":"list_accounts","operation":"listAccounts","input":"NoInput","defaults":{},"output":"ListAccountsResponse"},
  create_post: {"name":"create_post","operation":"createPost","input":"CreatePostInput","defaults":{},"output":"CreatePostResponse"},
  list_reviews: {"name":"list_reviews","operation":"listReviews","input":"ListReviewsInput","defaults":{},"output":"ListReviewsResponse"},
  reply_review: {"name":"reply_review","operation":"replyToReview","input":"ReplyReviewInput","defaults":{},"output":"ReplyToReviewResponse"},
  get_insights: {"name":"get_insights","operation":"getInsights","input":"GetInsightsInput","defaults":{"range":"28d"},"output":"GetInsightsResponse"},
  calls_log: {"name":"calls_log","operation":"listCalls","input":"CallsLogInput","defaults":{"limit":50},"output":"ListCallsResponse"},
  inbox_list: {"name":"inbox_list","operation":null,"readOnly":true,"input":"InboxListInput","defaults":{},"output":"InboxListResponse"},
  customers_list: {"name":"customers_list","operation":null,"readOnly":true,"input":"CustomersListInput","defaults":{"max":20},"output":"CustomersListResponse"},
  dialer_import_contacts: {"name":"dialer_import_contacts","operation":null,"readOnly":false,"input":"DialerImportContactsInput","defaults":{},"output":"DialerImportContactsResponse"},
};

export type NoInput = Record<string, unknown>;

export type ListReviewsInput = {
  accountId: AccountId;
  cursor?: string;
};

export type GetInsightsInput = {
  accountId: AccountId;
  range?: "7d" | "28d" | "90d";
};

export type CallsLogInput = {
  since?: string;
  limit?: number;
};

export type InboxListInput = {
  cursor?: string;
};

export type CustomersListInput = {
  max?: number;
};

export type ContactRow = {
  phone: string;
  name?: string | null;
  email?: string | null;
};

export type DialerImportContactsInput = {
  csv?: string;
  rows?: Array<ContactRow>;
};

export type InboxMessage = {
  messageId: string;
  accountId: string;
  provider: Provider;
  from: string;
  text: string;
  receivedAt: string;
  read: boolean;
};

export type InboxListResponse = {
  data: {
    messages: Array<InboxMessage>;
    nextCursor: string | null;
  };
  summary: string;
};

export type Customer = {
  customerId: string;
  name: string;
  phone: string | null;
  email: string | null;
  createdAt: string;
};

export type CustomersListResponse = {
  data: {
    customers: Array<Customer>;
    nextCursor: string | null;
  };
  summary: string;
};

export type DialerImportContactsResponse = {
  data: {
    imported: number;
    updated: number;
    total: number;
  };
  summary: string;
};
