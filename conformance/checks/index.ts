// Every check, in the order of the contract.
import { unique } from '../../src/contract/words.ts';
import type { Judged } from '../judge/judge.ts';
import { accounts } from './accounts/accounts.ts';
import { links, linksWritten } from './accounts/links.ts';
import { articleById, singleSites } from './articles/by-id.ts';
import { articles } from './articles/list.ts';
import { articlePages } from './articles/pages.ts';
import { invalid, limit, listing, nextCursor, reread } from './calls/gate.ts';
import { afterLast, final, settled, watch } from './calls/polls.ts';
import { exactlyOnce, sinceForms } from './calls/sequence.ts';
import { oldestFirst, snapshotDelivered, snapshotOrder, snapshotRunning } from './calls/snapshot.ts';
import { complete, insightReads, insights } from './insights/insights.ts';
import { rangesDiffer } from './insights/ranges.ts';
import { authentication } from './keys/authentication.ts';
import { isolation, isolationWritten } from './keys/isolation.ts';
import { isolationHistory, isolationMcp } from './keys/isolation-history.ts';
import { addressBurst, keyedBursts } from './limits/address-burst.ts';
import { afterBurst } from './limits/after-burst.ts';
import { bodyCap } from './limits/body-cap.ts';
import { anyWindow, keyLimiter } from './limits/key.ts';
import { remaining } from './limits/key-counts.ts';
import { mcpCallLimits, mcpCallLog, mcpImported, mcpImports } from './mcp/calls.ts';
import { mcpConnect, mcpWritten } from './mcp/connect.ts';
import { mcpLimits } from './mcp/limits.ts';
import { mcpLists, mcpRejections } from './mcp/lists.ts';
import { mcpCapabilities, mcpDoor, mcpErrors } from './mcp/mcp.ts';
import { absentCopiesOfWrites, posts, postsWritten, repliesAfterBursts } from './posts/posts.ts';
import { reviewWalks } from './reviews/pages.ts';
import { repliesWritten } from './reviews/replies-written.ts';
import { rejectedReviews, reviewListing, reviews } from './reviews/reviews.ts';
import { keywords, sites } from './sites/sites.ts';
import { connect } from './whole-run/connect.ts';
import { listsAgain, rareIds } from './whole-run/lists-again.ts';
import { noReturn } from './whole-run/no-return.ts';

/** In the order in which a run reads the log. */
export const calls: readonly Judged[] = [
  ...[listing, reread, limit, exactlyOnce, sinceForms, nextCursor, oldestFirst],
  ...[snapshotOrder, snapshotDelivered, snapshotRunning, afterLast, invalid, settled],
];

const all: readonly Judged[] = [
  ...sites,
  ...singleSites,
  ...articles,
  ...articlePages,
  ...articleById,
  ...keywords,
  ...accounts,
  ...links,
  ...linksWritten,
  ...connect,
  ...posts,
  ...postsWritten,
  ...absentCopiesOfWrites,
  ...reviewListing,
  ...reviewWalks,
  ...rejectedReviews,
  ...reviews,
  ...repliesAfterBursts,
  ...repliesWritten,
  ...insightReads,
  ...insights,
  rangesDiffer,
  complete,
  ...calls,
  watch,
  final,
  ...rareIds,
  ...listsAgain,
  noReturn,
  ...authentication,
  isolationHistory,
  ...isolation,
  ...isolationWritten,
  ...addressBurst,
  ...afterBurst,
  ...keyedBursts,
  anyWindow,
  ...keyLimiter,
  remaining,
  ...bodyCap,
  ...mcpDoor,
  ...mcpLists,
  ...mcpRejections,
  ...mcpConnect,
  ...mcpWritten,
  ...mcpImports,
  ...mcpImported,
  ...mcpCallLimits,
  ...mcpCallLog,
  ...mcpErrors,
  ...mcpLimits,
  ...mcpCapabilities,
  isolationMcp,
];

export const checks = unique('checks', all, ({ id }) => id);
