// The operations by path, for the REST endpoint and for tools.
import { callLog } from './calls.ts';
import { createLink, createPost, listAccounts } from './connect.ts';
import { insights } from './insights.ts';
import { getOne, listArticles, listKeywords, listSites } from './lists.ts';
import { listReviews, replyToReview } from './reviews.ts';
import type { ApiRequest, Context, HttpResponse } from './types.ts';

/** Synchronous: the state does not change under it. */
type Handler = (context: Context, req: ApiRequest) => HttpResponse;
type Methods = Readonly<Record<string, Handler>>;

/** "*" matches one path segment. */
const routes: readonly (readonly [string, Methods])[] = [
  ['articles', { GET: listArticles }],
  ['articles/*', { GET: getOne }],
  ['sites', { GET: listSites }],
  ['sites/*', { GET: getOne }],
  ['keywords', { GET: listKeywords }],
  ['connect/accounts', { GET: listAccounts, POST: createLink }],
  ['connect/accounts/*/posts', { POST: createPost }],
  ['connect/accounts/*/reviews', { GET: listReviews }],
  ['connect/accounts/*/reviews/*/reply', { POST: replyToReview }],
  ['connect/accounts/*/insights', { GET: insights }],
  ['connect/calls/log', { GET: callLog }],
];

/** Undefined for a path outside the contract. */
export function findRoute(segments: readonly string[]): Methods | undefined {
  const fits = (pattern: readonly string[]) =>
    pattern.length === segments.length && pattern.every((part, index) => part === '*' || part === segments[index]);
  return routes.find(([pattern]) => fits(pattern.split('/')))?.[1];
}
