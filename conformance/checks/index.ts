// Every check, in the order of the contract.
import { unique } from '../../src/contract/words.ts';
import type { Judged } from '../judge/judge.ts';
import { accounts } from './accounts/accounts.ts';
import { links } from './accounts/links.ts';
import { articleById, singleSites } from './articles/by-id.ts';
import { articles } from './articles/list.ts';
import { articlePages } from './articles/pages.ts';
import { callGate } from './calls/gate.ts';
import { callPolls } from './calls/polls.ts';
import { callSequence } from './calls/sequence.ts';
import { callSnapshots } from './calls/snapshot.ts';
import { insights } from './insights/insights.ts';
import { rangesDiffer } from './insights/ranges.ts';
import { authentication } from './keys/authentication.ts';
import { isolation } from './keys/isolation.ts';
import { isolationHistory, isolationMcp } from './keys/isolation-history.ts';
import { addressBurst } from './limits/address-burst.ts';
import { afterBurst } from './limits/after-burst.ts';
import { bodyCap } from './limits/body-cap.ts';
import { keyLimiter } from './limits/key.ts';
import { remaining } from './limits/key-counts.ts';
import { mcpCalls } from './mcp/calls.ts';
import { mcpConnect } from './mcp/connect.ts';
import { mcpLimits } from './mcp/limits.ts';
import { mcpLists } from './mcp/lists.ts';
import { mcpEndpoint } from './mcp/mcp.ts';
import { posts } from './posts/posts.ts';
import { reviewWalks } from './reviews/pages.ts';
import { repliesWritten } from './reviews/replies-written.ts';
import { reviews } from './reviews/reviews.ts';
import { keywords, sites } from './sites/sites.ts';
import { connect } from './whole-run/connect.ts';
import { listsAgain } from './whole-run/lists-again.ts';
import { noReturn } from './whole-run/no-return.ts';

export const calls: readonly Judged[] = [...callGate, ...callSequence, ...callSnapshots, ...callPolls];

const all: readonly Judged[] = [
  ...[...sites, ...singleSites, ...articles, ...articlePages, ...articleById, ...keywords],
  ...[...accounts, ...links, ...connect, ...posts, ...reviews, ...reviewWalks, ...repliesWritten],
  ...[...insights, rangesDiffer, ...calls, ...listsAgain, noReturn],
  ...[...authentication, isolationHistory, ...isolation],
  ...[...addressBurst, ...afterBurst, ...keyLimiter, remaining, ...bodyCap],
  ...[...mcpEndpoint, ...mcpLists, ...mcpConnect, ...mcpCalls, ...mcpLimits, isolationMcp],
];

export const checks = unique('checks', all, ({ id }) => id);
