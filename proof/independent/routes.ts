// The eleven paths of section 4.
import { callLog } from './calls.ts';
import { createLink, createPost, listAccounts } from './connect.ts';
import { insights } from './insights.ts';
import { getArticle, getSite, listArticles, listKeywords, listSites } from './lists.ts';
import { listReviews, replyToReview } from './reviews.ts';
import type { Answer, Ask, Context } from './types.ts';

/** Synchronous: the state does not change under it. */
export type Handler = (context: Context, ask: Ask) => Answer;
export type Methods = Readonly<Record<string, Handler>>;

/** "*" stands for one path segment, whatever it holds. */
const ROUTES: readonly (readonly [string, Methods])[] = [
  ['articles', { GET: listArticles }],
  ['articles/*', { GET: getArticle }],
  ['sites', { GET: listSites }],
  ['sites/*', { GET: getSite }],
  ['keywords', { GET: listKeywords }],
  ['connect/accounts', { GET: listAccounts, POST: createLink }],
  ['connect/accounts/*/posts', { POST: createPost }],
  ['connect/accounts/*/reviews', { GET: listReviews }],
  ['connect/accounts/*/reviews/*/reply', { POST: replyToReview }],
  ['connect/accounts/*/insights', { GET: insights }],
  ['connect/calls/log', { GET: callLog }],
];

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return pattern.length === segments.length && pattern.every((part, index) => part === '*' || part === segments[index]);
}

/** Undefined for a path outside the contract. */
export function findRoute(segments: readonly string[]): Methods | undefined {
  return ROUTES.find(([pattern]) => fits(pattern.split('/'), segments))?.[1];
}
