// The contract says some things twice, and some in general and again for each case. A finding about one is a finding
// about the other.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';

/** The beginnings of a clause id that end with a dot. */
type PrefixOf<Id> = Id extends `${infer Head}.${infer Tail}` ? `${Head}.` | `${Head}.${PrefixOf<Tail>}` : never;

/** A clause, and other clauses with the same fact: clause ids, or prefixes. */
const elsewhere: Readonly<Partial<Record<ClauseId, readonly (ClauseId | PrefixOf<ClauseId>)[]>>> = {
  '1.http-json': ['4.json'],
  // An MCP endpoint that rejects the valid key cannot be opened.
  '1.mcp-door': ['5.bearer-header'],
  '1.organization-scope': ['1.foreign-record', '5.key-organization', '4.sites.list'],
  '1.unknown-record': [
    '1.foreign-record',
    '4.articles.get.not-found',
    '4.sites.get.not-found',
    '4.connect.unknown-account',
  ],
  '5.key-organization': ['1.organization-scope', '1.foreign-record', '4.sites.list'],
  // The general sentences over the tables of articles, sites and keywords.
  '2.ids-uuid': ['2.article.', '2.site.', '2.keyword.'],
  '2.at-iso': ['2.article.', '2.site.', '2.keyword.'],
  '2.nullable-unmarked': ['2.article.', '2.site.', '2.keyword.'],
  '2.fields-present': ['2.article.', '2.site.', '2.keyword.'],
  '2.connect-account-output.provider': ['2.provider'],
  '2.list-accounts-output.accounts.provider': ['2.provider'],
  '2.list-accounts-output.pending-invites.provider': ['2.provider'],
  // Section 8 repeats what section 2 says of inputs and section 4 of parameters.
  '8.label': ['2.connect-account-input.label'],
  '8.max-accounts': ['2.connect-account-input.max-accounts'],
  '8.post-text': ['2.create-post-input.text'],
  '8.reply-text': ['2.reply-review-input.text'],
  '8.articles-limit': ['4.articles.list.limit', '4.articles.list.limit-ceiling'],
  '8.calls-limit': ['4.calls.limit', '4.calls.limit-ceiling'],
  '4.articles.list.limit': ['8.articles-limit', '4.articles.list.limit-ceiling'],
  '4.calls.limit': ['8.calls-limit', '4.calls.limit-ceiling'],
  '7.code.payload-too-large': ['8.body-rest'],
  // A row of an endpoint promises what its input table allows: a right input rejected breaks both.
  '2.connect-account-input.max-accounts': ['8.max-accounts', '4.connect.create-link.endpoint'],
  '2.create-post-input.media': ['4.connect.create-post.endpoint'],
  '2.create-post-input.link': ['4.connect.create-post.endpoint'],
  '4.connect.list-reviews.cursor': ['4.connect.list-reviews.endpoint', '4.rules.reviews-walk'],
  '4.connect.insights.range': ['4.connect.insights.range-default'],
  '4.calls.since': ['4.calls.endpoint', '4.calls.exactly-once'],
  '4.keywords.list.site-id': ['4.keywords.list.endpoint'],
  // A text that is not an input responses `invalid_input`: the endpoint's row, and each row of its input's table.
  '4.connect.create-link.invalid': ['4.connect.create-link.body', '2.connect-account-input.'],
  '4.connect.create-post.invalid': ['4.connect.create-post.body', '2.create-post-input.'],
  '4.connect.reply.invalid': ['4.connect.reply.body', '2.reply-review-input.'],
  '4.connect.reply.review-id': ['4.connect.reply.endpoint'],
  '2.reply-review-input.review-id-length': ['4.connect.reply.review-id'],
  '2.create-post-input.media.image-url': ['2.create-post-input.media'],
  // Contacts within their number are rejected for the length of their text; who takes csv or rows does not take both.
  '8.import.csv-characters': ['8.import.csv-contacts'],
  '4.tools.dialer-import-contacts': ['8.import.either'],
  // An early end loses the rows after it.
  '4.articles.list.end': ['4.articles.list.walk'],
  '4.articles.list.walk': ['4.articles.list.end'],
  // A cursor is only the way from page to page.
  '4.articles.list.cursor': ['4.articles.list.walk'],
  '2.list-reviews-output.next-cursor': ['4.rules.reviews-walk', '4.connect.list-reviews.cursor'],
  '4.calls.next-cursor-string': ['4.calls.since'],
  // No key, an invalid key, a revoked key: `unauthorized` in each case, and on every endpoint.
  '4.bearer': ['5.bearer-header'],
  '5.missing-key': ['4.bearer'],
  '5.invalid-key': ['4.bearer'],
  '7.code.unauthorized': ['5.missing-key', '5.invalid-key', '5.revoked-key', '4.bearer'],
  '7.code.status-agrees': ['7.code.'],
  '4.calls.envelope': ['7.envelope.tool', '7.envelope.tool-code'],
  // Seen from outside, headers that speak of another window, or of requests that are left, are how these show.
  '8.key-window': ['8.headers.reset'],
  '8.headers.remaining': ['8.key-window'],
  '7.code.rate-limited': ['8.headers.remaining'],
};

/** Whether a finding implies the violation: the same clause, a part of it, or the same fact. */
export function impliesViolation(found: string, broken: string): boolean {
  if (found === broken || found.startsWith(`${broken}.`)) return true;
  const places = elsewhere[broken as ClauseId] ?? [];
  return places.some((place) => (place.endsWith('.') ? found.startsWith(place) : found === place));
}

/** Whether findings about the two clauses can be about one defect: one states the other's fact, or a part of it. */
export function isSameFact(one: string, other: string): boolean {
  return impliesViolation(one, other) || impliesViolation(other, one);
}
