// Every check, in the order of the contract; phases order the run.
import { unique } from '../../src/contract/unique.ts';
import type { Check } from '../probe/check.ts';
import { mcpDoor } from './01-mcp-door.ts';
import { absentCopiesOfWrites } from './04-absent-copies.ts';
import { accounts } from './04-accounts.ts';
import { articleById } from './04-article-by-id.ts';
import { articleEdges } from './04-article-edges.ts';
import { articlePages } from './04-article-pages.ts';
import { articleReads } from './04-article-reads.ts';
import { articleRecords } from './04-article-records.ts';
import { articles } from './04-articles.ts';
import { calls } from './04-calls.ts';
import { insights } from './04-insights.ts';
import { insightsAgain } from './04-insights-again.ts';
import { insightsOfOthers } from './04-insights-others.ts';
import { keywords } from './04-keywords.ts';
import { links } from './04-links.ts';
import { linksWritten } from './04-links-written.ts';
import { mcpCalls } from './04-mcp-calls.ts';
import { mcpLinks } from './04-mcp-links.ts';
import { mcpLists } from './04-mcp-lists.ts';
import { mcpTexts } from './04-mcp-texts.ts';
import { mcpWritten } from './04-mcp-written.ts';
import { posts } from './04-posts.ts';
import { postsWritten } from './04-posts-written.ts';
import { replies, repliesBehind } from './04-replies.ts';
import { repliesWritten } from './04-replies-written.ts';
import { reviews } from './04-reviews.ts';
import { sites } from './04-sites.ts';
import { wrongMembersOfWrites } from './04-wrong-members.ts';
import { authentication } from './05-authentication.ts';
import { isolation } from './05-isolation.ts';
import { listsAgain } from './07-lists-again.ts';
import { returningRows } from './07-returning-rows.ts';
import { thirdReadsOfAll } from './07-third-reads.ts';
import { wholeRun } from './07-whole-run.ts';
import { addressLimiter } from './08-address-limiter.ts';
import { anyWindows } from './08-any-window.ts';
import { bodyCap } from './08-body-cap.ts';
import { keyCounts } from './08-key-counts.ts';
import { keyLimiter } from './08-key-limiter.ts';
import { mcpImports } from './08-mcp-imports.ts';
import { mcpLimits } from './08-mcp-limits.ts';

const watchId = 'calls/watch';
const statesId = 'accounts/refused-states';
const [reviewList, ...laterReviews] = reviews;

const all: readonly Check[] = [
  ...articles,
  ...articlePages,
  // When the pages have shown what there is.
  ...articleById,
  ...articleEdges,
  ...articleReads,
  ...articleRecords,
  ...sites,
  ...keywords,
  ...accounts.filter(({ id }) => id !== statesId),
  reviewList,
  // What is refused, and good reviews behind it.
  ...accounts.filter(({ id }) => id === statesId),
  ...laterReviews,
  ...insights,
  ...insightsAgain,
  ...insightsOfOthers,
  ...calls.filter(({ id }) => id !== watchId),
  // Before the minutes of the watch, when calls are still settling.
  ...mcpCalls,
  ...calls.filter(({ id }) => id === watchId),
  ...links,
  ...posts,
  ...replies,
  ...absentCopiesOfWrites,
  ...wrongMembersOfWrites,
  ...linksWritten,
  ...postsWritten,
  ...repliesWritten,
  ...isolation,
  ...bodyCap,
  ...repliesBehind,
  ...addressLimiter,
  ...authentication,
  ...anyWindows,
  ...keyLimiter,
  ...listsAgain,
  ...keyCounts,
  ...wholeRun,
  ...thirdReadsOfAll,
  ...returningRows,
  ...mcpDoor,
  ...mcpLists,
  ...mcpTexts,
  ...mcpLinks,
  ...mcpWritten,
  ...mcpImports,
  // Last, when the others have looked at their own bursts.
  ...mcpLimits,
];

export const checks = unique('checks', all, ({ id }) => id);
