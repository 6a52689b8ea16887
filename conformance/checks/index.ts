// Every check, in the order of the contract; phases order the run.
import { unique } from '../../src/contract/words.ts';
import { fromHistory } from '../driver/from-history.ts';
import type { Check } from '../probe/check.ts';
import { accounts } from './accounts/accounts.ts';
import { links } from './accounts/links.ts';
import { linksWritten } from './accounts/links-written.ts';
import { articleById } from './articles/by-id.ts';
import { articleEdges } from './articles/edges.ts';
import { articles } from './articles/list.ts';
import { articlePages } from './articles/pages.ts';
import { articleReads, articleRecords } from './articles/reads.ts';
import { calls } from './calls/index.ts';
import { historyChecks } from './index-history.ts';
import { insights } from './insights/insights.ts';
import { insightsAgain, insightsOfOthers } from './insights/ranges.ts';
import { authentication } from './keys/authentication.ts';
import { isolation } from './keys/isolation.ts';
import { isolationMcp } from './keys/isolation-mcp.ts';
import { isolationCursors, isolationTurns } from './keys/isolation-turns.ts';
import { addressBurst, keyedBursts } from './limits/address-burst.ts';
import { afterBurst } from './limits/after-burst.ts';
import { anyWindows } from './limits/any-window.ts';
import { bodyCap } from './limits/body-cap.ts';
import { keyLimiter } from './limits/key.ts';
import { mcpCalls } from './mcp/calls.ts';
import { mcpImports } from './mcp/imports.ts';
import { mcpLimits } from './mcp/limits.ts';
import { mcpLists } from './mcp/lists.ts';
import { mcpDiscovery } from './mcp/mcp.ts';
import { mcpTexts } from './mcp/texts.ts';
import { mcpLinks, mcpWritten } from './mcp/written.ts';
import { absentCopiesOfWrites, invalidFieldsOfWrites } from './posts/inputs.ts';
import { posts } from './posts/posts.ts';
import { postsWritten } from './posts/written.ts';
import { reviewPages } from './reviews/pages.ts';
import { repliesWritten } from './reviews/replies-written.ts';
import { replies, repliesAfterBursts, reviewLists, reviews } from './reviews/reviews.ts';
import { keywords } from './sites/keywords.ts';
import { sites } from './sites/sites.ts';
import { listsAgain, rareIdForms } from './whole-run/lists-again.ts';
import { thirdReadsOfAll } from './whole-run/third-read.ts';

const watchId = 'calls/watch';
const statesId = 'accounts/refused-states';
const [reviewListing, ...rejectedReviews] = reviewLists;

const all: readonly Check[] = [
  ...fromHistory('discover', sites.slice(0, 1)),
  ...articles,
  ...articlePages,
  ...articleEdges,
  // When the pages have shown what there is.
  ...articleById,
  ...articleReads,
  ...articleRecords,
  ...fromHistory('after bursts', sites.slice(1)),
  ...keywords,
  ...accounts.filter(({ id }) => id !== statesId),
  reviewListing,
  // At once: a cache that ignores the cursor may keep the first page only for some seconds.
  ...reviewPages,
  ...accounts.filter(({ id }) => id === statesId),
  ...rejectedReviews,
  ...reviews,
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
  ...invalidFieldsOfWrites,
  ...rareIdForms,
  ...linksWritten,
  ...postsWritten,
  ...repliesWritten,
  ...isolation,
  ...isolationCursors,
  ...isolationTurns,
  ...isolationMcp,
  ...bodyCap,
  ...repliesAfterBursts,
  ...addressBurst,
  // At once, while the window is full.
  ...afterBurst,
  ...keyedBursts,
  ...authentication,
  ...anyWindows,
  ...keyLimiter,
  ...listsAgain,
  ...thirdReadsOfAll,
  ...mcpDiscovery,
  ...mcpLists,
  ...mcpTexts,
  ...mcpLinks,
  ...mcpWritten,
  ...mcpImports,
  // Last, when the others have looked at their own bursts.
  ...mcpLimits,
  ...fromHistory('after bursts', historyChecks),
];

export const checks = unique('checks', all, ({ id }) => id);
