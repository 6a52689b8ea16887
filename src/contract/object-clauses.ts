// The clauses of each object of a success response, and of its fields.

import type { ClauseId } from './generated/clauses.ts';
import { fieldClauses, type ObjectName } from './generated/record-fields.ts';
import { kebab } from './words.ts';

const enveloped = '4.connect.envelope';

/** A new object does not compile without its clauses. */
export const objectClauses: Readonly<Record<ObjectName, string>> = {
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

/** Returns the clause of a field, or that of its object. */
export function clauseOf(object: ObjectName, field: string): ClauseId {
  const own = `${objectClauses[object]}.${kebab(field)}`;
  return (fieldClauses.has(own) ? own : objectClauses[object]) as ClauseId;
}
