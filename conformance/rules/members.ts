// Where each object of the contract stands in an answer, which members it lists, and how open it is. The validators
// know the closed objects; this table knows the open ones too, because an extra member there is a warning or a note
// (R12).
import type { OperationId } from '../../src/contract/generated/operations.ts';
import type * as contract from '../../src/contract/generated/types.ts';

/** closed: the contract forbids extra members. nested: the object inside one that is closed. open: nothing is said. */
type Openness = 'closed' | 'nested' | 'open';

/** One object of an answer. */
export interface Home {
  /** Member names from the root of the body, `*` for every item of a list. */
  readonly path: string;
  readonly members: readonly string[];
  readonly openness: Openness;
  /** Clause ids of the members are this, a dot and the member in kebab case. */
  readonly clauses: string;
}

const listOf =
  <T>() =>
  (members: readonly (keyof T & string)[]) =>
    members;

export const article = listOf<contract.Article>()([
  'id',
  'siteId',
  'title',
  'slug',
  'status',
  'targetKeyword',
  'wordCount',
  'seoScore',
  'publishedAt',
  'createdAt',
  'updatedAt',
]);
export const site = listOf<contract.Site>()(['id', 'name', 'domain', 'cms', 'language', 'createdAt']);
export const keyword = listOf<contract.Keyword>()([
  'id',
  'siteId',
  'keyword',
  'searchVolume',
  'difficulty',
  'intent',
  'createdAt',
]);
const account = listOf<contract.ConnectedAccount>()([
  'accountId',
  'provider',
  'label',
  'name',
  'status',
  'locked',
  'connectedAt',
]);
const invite = listOf<contract.PendingInvite>()(['id', 'label', 'provider', 'maxAccounts', 'expiresAt']);
const billing = listOf<contract.Billing>()(['connected', 'free', 'billable', 'needsPayment']);
const review = listOf<contract.ReviewItem>()(['reviewId', 'author', 'rating', 'text', 'date', 'replied', 'replyText']);
const aggregate = listOf<contract.ReviewsAggregate>()(['ratingValue', 'reviewCount']);
const metric = listOf<contract.InsightMetric>()(['key', 'label', 'total', 'points']);
const point = listOf<contract.InsightPoint>()(['date', 'value']);

const enveloped: Home = { path: '', members: ['data', 'summary'], openness: 'open', clauses: '4.connect.envelope' };

/** Further members are noted. */
function open(path: string, members: readonly string[], clauses: string): Home {
  return { path, members, openness: 'open', clauses };
}

/** Further members fail, by the validator. */
function closed(path: string, members: readonly string[], clauses: string): Home {
  return { path, members, openness: 'closed', clauses };
}

/** Further members warn (ruling R12). */
function nested(path: string, members: readonly string[], clauses: string): Home {
  return { path, members, openness: 'nested', clauses };
}

/** One entry for each operation; a new operation does not compile without it. */
export const homes: { readonly [Id in OperationId]: readonly Home[] } = {
  listArticles: [open('', ['data', 'cursor'], '4.articles.list.endpoint'), open('/data/*', article, '2.article')],
  getArticle: [open('', ['data'], '4.articles.get.endpoint'), open('/data', article, '2.article')],
  listSites: [open('', ['data'], '4.sites.list'), open('/data/*', site, '2.site')],
  getSite: [open('', ['data'], '4.sites.get.endpoint'), open('/data', site, '2.site')],
  listKeywords: [open('', ['data'], '4.keywords.list.endpoint'), open('/data/*', keyword, '2.keyword')],
  createConnectLink: [
    enveloped,
    closed('/data', ['connectUrl', 'expiresAt', 'provider', 'label'], '2.connect-account-output'),
  ],
  listAccounts: [
    enveloped,
    closed('/data', ['accounts', 'pendingInvites', 'billing'], '2.list-accounts-output'),
    nested('/data/accounts/*', account, '2.list-accounts-output.accounts'),
    nested('/data/pendingInvites/*', invite, '2.list-accounts-output.pending-invites'),
    nested('/data/billing', billing, '2.list-accounts-output.billing'),
  ],
  createPost: [enveloped, closed('/data', ['postId', 'permalink'], '2.create-post-output')],
  listReviews: [
    enveloped,
    closed('/data', ['reviews', 'nextCursor', 'aggregate'], '2.list-reviews-output'),
    closed('/data/reviews/*', review, '2.review-item'),
    nested('/data/aggregate', aggregate, '2.list-reviews-output.aggregate'),
  ],
  replyToReview: [enveloped, closed('/data', ['repliedAt'], '2.reply-review-output')],
  getInsights: [
    enveloped,
    closed('/data', ['range', 'metrics'], '2.get-insights-output'),
    nested('/data/range', ['startDate', 'endDate'], '2.get-insights-output.range'),
    nested('/data/metrics/*', metric, '2.get-insights-output.metrics'),
    nested('/data/metrics/*/points/*', point, '2.get-insights-output.metrics.points'),
  ],
  listCalls: [open('', ['data', 'summary'], '4.calls.shape'), open('/data', ['calls', 'nextCursor'], '4.calls.shape')],
};

/** Members that may be null, and whose absence is therefore a warning only (rulings R13). */
export const nullableMembers: ReadonlySet<string> = new Set<keyof contract.Article | keyof contract.Keyword>([
  'targetKeyword',
  'seoScore',
  'publishedAt',
  'searchVolume',
  'difficulty',
  'intent',
]);
