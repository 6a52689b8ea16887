// Where each object of the contract is in a response, which fields it lists, and how open it is. The validators know
// the closed objects. This table knows the open ones too: an extra field there is a warning or a note (R12).

import type { OperationId } from '../../src/contract/generated/operations.ts';
import {
  fields,
  nullableFields,
  type ObjectName,
  type Openness,
  places,
} from '../../src/contract/generated/record-fields.ts';

/** One object of a response. */
export interface Home {
  /** Field names from the root of the body, `*` for every item of a list. */
  readonly path: string;
  readonly fields: readonly string[];
  readonly openness: Openness;
  /** Clause ids of the fields are this, a dot and the field in kebab case. */
  readonly clauses: string;
}

const enveloped = '4.connect.envelope';

/** A new object does not compile without its clauses. */
const clausesOf: Readonly<Record<ObjectName, string>> = {
  ListArticlesResponse: '4.articles.list.endpoint',
  GetArticleResponse: '4.articles.get.endpoint',
  Article: '2.article',
  ListSitesResponse: '4.sites.list',
  GetSiteResponse: '4.sites.get.endpoint',
  Site: '2.site',
  ListKeywordsResponse: '4.keywords.list.endpoint',
  Keyword: '2.keyword',
  CreateConnectLinkResponse: enveloped,
  ConnectAccountOutput: '2.connect-account-output',
  ListAccountsResponse: enveloped,
  ListAccountsOutput: '2.list-accounts-output',
  ConnectedAccount: '2.list-accounts-output.accounts',
  PendingInvite: '2.list-accounts-output.pending-invites',
  Billing: '2.list-accounts-output.billing',
  CreatePostResponse: enveloped,
  CreatePostOutput: '2.create-post-output',
  ListReviewsResponse: enveloped,
  ListReviewsOutput: '2.list-reviews-output',
  ReviewItem: '2.review-item',
  ReviewsAggregate: '2.list-reviews-output.aggregate',
  ReplyToReviewResponse: enveloped,
  ReplyReviewOutput: '2.reply-review-output',
  GetInsightsResponse: enveloped,
  GetInsightsOutput: '2.get-insights-output',
  'GetInsightsOutput.range': '2.get-insights-output.range',
  InsightMetric: '2.get-insights-output.metrics',
  InsightPoint: '2.get-insights-output.metrics.points',
  ListCallsResponse: '4.calls.shape',
  ListCallsOutput: '4.calls.shape',
};

/** One entry for each object of each operation. */
export const homes = {} as Record<OperationId, readonly Home[]>;
for (const [operation, objects] of Object.entries(places))
  homes[operation as OperationId] = objects.map(({ of, ...place }) => {
    return { ...place, fields: fields[of], clauses: clausesOf[of] };
  });

/** Fields that may be null, and whose absence is therefore a warning only (interpretation R13). */
export const fieldsThatMayBeNull: ReadonlySet<string> = new Set(nullableFields);
