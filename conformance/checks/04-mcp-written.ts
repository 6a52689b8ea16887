// Texts that are too long for the tools, with permission to write: sent to the account that the user named, because to nobody's account
// a server may answer that it does not exist before it looks at the text (rulings R1).

import { isObject } from '../exchange/exchange.ts';
import { openDoor } from '../mcp/door.ts';
import { expectInvalid } from '../mcp/judging.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { findTool, post, reply } from './04-mcp-texts.ts';
import { textMax, wideText } from './writing.ts';

function accountOf(probe: Probe): string {
  return probe.settings.account ?? probe.stop('precondition', 'no --account');
}

/** Carries the id of the run, should it be taken after all. */
function textOf(probe: Probe, length: number): string {
  return `casa-kit ${probe.settings.runId} ${wideText(length)}`.slice(0, length);
}

/** As the user names it, or the first one without a reply. */
async function reviewOf(probe: Probe): Promise<string> {
  if (probe.settings.review !== null) return probe.settings.review;
  const { json } = await probe.get('listReviews', { accountId: accountOf(probe) });
  const { data } = (json ?? {}) as { data?: { reviews?: unknown } };
  const reviews: unknown[] = Array.isArray(data?.reviews) ? data.reviews : [];
  const free = reviews.filter(isObject).find(({ replied, replyText }) => replied !== true && replyText === undefined);
  if (typeof free?.reviewId === 'string') return free.reviewId;
  return probe.stop('precondition', 'the account shows no review without a reply; name one with --review');
}

const longPost: Check = {
  id: 'mcp/post-too-long',
  title: 'The posting tool refuses a text of 5001 characters to a connected account',
  cites: ['8.post-text'],
  level: 'must',
  phase: 'writes',
  needs: ['mcp', 'account', 'writes:posts'],
  after: ['mcp/door'],
  mutates: 'a post, where the limit is broken',
  cost: { requests: 1, writes: 1 },
  async run(probe) {
    const door = await openDoor(probe);
    const tool = findTool(door, post);
    if (tool === null) return probe.stop('precondition', 'no single tool takes accountId, text, media and link');
    const input = { accountId: accountOf(probe), text: textOf(probe, textMax.post + 1) };
    const expected = `${textMax.post + 1} characters refused`;
    expectInvalid(probe, await door.call(probe, tool.name, input, 'writes'), { clause: '8.post-text', expected });
  },
};

const longReply: Check = {
  id: 'mcp/reply-too-long',
  title: 'The replying tool refuses a text of 4097 characters to a review of a connected account',
  cites: ['8.reply-text'],
  level: 'must',
  phase: 'writes',
  needs: ['mcp', 'account', 'writes:replies'],
  after: ['mcp/door'],
  mutates: 'a reply, where the limit is broken',
  cost: { requests: 1, writes: 1, uses: ['reviews'] },
  async run(probe) {
    const door = await openDoor(probe);
    const tool = findTool(door, reply);
    if (tool === null) return probe.stop('precondition', 'no single tool takes accountId, reviewId and text');
    const reviewId = await reviewOf(probe);
    const input = { accountId: accountOf(probe), reviewId, text: textOf(probe, textMax.reply + 1) };
    const expected = `${textMax.reply + 1} characters refused`;
    expectInvalid(probe, await door.call(probe, tool.name, input, 'writes'), { clause: '8.reply-text', expected });
  },
};

export const mcpWritten = defineChecks([longPost, longReply]);
