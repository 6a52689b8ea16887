// Every check, in the order of the contract.
import { unique } from '../../src/contract/words.ts';
import type { Judged } from '../judge/judge.ts';
import { accounts } from './accounts/accounts.ts';
import { links } from './accounts/links.ts';
import { articleById, singleSites } from './articles/by-id.ts';
import { articlePages, articles } from './articles/list.ts';
import { agreeing } from './articles/reads.ts';
import { callGate } from './calls/gate.ts';
import { callPolls } from './calls/polls.ts';
import { callSequence } from './calls/sequence.ts';
import { callSnapshots } from './calls/snapshot.ts';
import { insights, rangesDiffer } from './insights/insights.ts';
import { isolationHistory, isolationMcp } from './keys/isolation-history.ts';
import { authentication, isolation } from './keys/keys.ts';
import { addressBurst, afterBurst } from './limits/address-burst.ts';
import { bodyCap } from './limits/body-cap.ts';
import { keyLimiter, remaining } from './limits/key.ts';
import { mcpCalls } from './mcp/calls.ts';
import { mcpEndpoint, mcpLimits } from './mcp/mcp.ts';
import { mcpConnect, mcpLists } from './mcp/tools.ts';
import { posts } from './posts/posts.ts';
import { repliesWritten } from './reviews/replies-written.ts';
import { reviews, reviewWalks } from './reviews/reviews.ts';
import { keywords, sites } from './sites/sites.ts';
import { noReturn } from './whole-run/no-return.ts';
import { connect, listsAgain } from './whole-run/whole-run.ts';

export const calls: readonly Judged[] = [...callGate, ...callSequence, ...callSnapshots, ...callPolls];

const all: readonly Judged[] = [
  ...[...sites, ...singleSites, ...articles, ...articlePages, ...articleById, agreeing, ...keywords],
  ...[...accounts, ...links, ...connect, ...posts, ...reviews, ...reviewWalks, ...repliesWritten],
  ...[...insights, rangesDiffer, ...calls, ...listsAgain, noReturn],
  ...[...authentication, isolationHistory, ...isolation],
  ...[...addressBurst, ...afterBurst, ...keyLimiter, remaining, ...bodyCap],
  ...[...mcpEndpoint, ...mcpLists, ...mcpConnect, ...mcpCalls, ...mcpLimits, isolationMcp],
];

export const checks = unique('checks', all, ({ id }) => id);
