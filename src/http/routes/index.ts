// The handler of each operation. The mapped type refuses a table with one missing.
import type { Handlers } from '../handler.ts';
import { createConnectLink, listAccounts } from './accounts.ts';
import { getArticle, listArticles } from './articles.ts';
import { listCalls } from './calls.ts';
import { getInsights } from './insights.ts';
import { listKeywords } from './keywords.ts';
import { createPost } from './posts.ts';
import { listReviews, replyToReview } from './reviews.ts';
import { getSite, listSites } from './sites.ts';

export const handlers: Handlers = {
  listArticles,
  getArticle,
  listSites,
  getSite,
  listKeywords,
  createConnectLink,
  listAccounts,
  createPost,
  listReviews,
  replyToReview,
  getInsights,
  listCalls,
};
