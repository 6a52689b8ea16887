// Texts that are too long for the tools, with permission to write: sent to the account that the user named, because of
// an account that nobody has a server may say so before it looks at the text (rulings R1).

import { linkAccounts } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { findTool, link, post, reply } from '../../assertions/mcp-tools.ts';
import { accountOf, tag, textMax, wideText } from '../../assertions/writes.ts';
import { dataOf, isObject, listOf } from '../../exchange/exchange.ts';
import { openDoor } from '../../mcp/door.ts';
import { expectInvalid, expectTaken, once } from '../../mcp/judging.ts';
import { type Check, type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** As the user names it, or the first one without a reply. */
async function reviewOf(probe: Probe): Promise<string> {
  if (probe.settings.review !== null) return probe.settings.review;
  if (probe.settings.isAlone) probe.stop('precondition', 'no list of reviews is read here; name one with --review');
  const reviews = listOf(dataOf(await probe.get('listReviews', { accountId: accountOf(probe) })).reviews);
  const free = reviews.filter(isObject).find(({ replied, replyText }) => replied !== true && replyText === undefined);
  if (typeof free?.reviewId === 'string') return free.reviewId;
  return probe.stop('precondition', 'the account shows no review without a reply; name one with --review');
}

/** What a check of each kind calls, cites and needs. */
const KINDS = {
  post: { tool: post, clause: '8.post-text', needs: 'writes:posts' },
  reply: { tool: reply, clause: '8.reply-text', needs: 'writes:replies' },
} as const;

/** The refusal is the only right answer, so a good server writes nothing. */
function tooLong(kind: keyof typeof KINDS, rest: Pick<Check, 'id' | 'title' | 'cost'>): CheckRow {
  const { tool: wanted, clause, needs } = KINDS[kind];
  const length = textMax[kind] + 1;
  return {
    ...rest,
    cites: [clause],
    needs: ['mcp', 'account', needs],
    after: ['mcp/door'],
    mutates: `a ${kind}, where the limit is broken`,
    run: async (probe) => {
      const door = await openDoor(probe);
      const tool = findTool(door, wanted);
      if (tool === null) return probe.stop('precondition', `no single tool takes ${wanted.inputs.join(', ')}`);
      const text = `${tag(probe)} ${wideText(length)}`.slice(0, length);
      const input = {
        accountId: accountOf(probe),
        ...(kind === 'reply' ? { reviewId: await reviewOf(probe) } : {}),
        text,
      };
      const answered = await door.call(probe, tool.name, input, 'writes');
      expectInvalid(probe, answered, { clause, expected: `${count(length, 'character')} refused` });
    },
  };
}

const longPost = tooLong('post', {
  id: 'mcp/post-too-long',
  title: `The posting tool refuses a text of ${textMax.post + 1} characters to a connected account`,
  cost: { requests: 1, writes: 1 },
});
const longReply = tooLong('reply', {
  id: 'mcp/reply-too-long',
  title: `The replying tool refuses a text of ${textMax.reply + 1} characters to a review of a connected account`,
  cost: { requests: 1, writes: 1, uses: ['reviews'] },
});

export const mcpWritten = defineChecks({ phase: 'writes' }, [longPost, longReply]);

// Labels and numbers of accounts at the edges of the tool that makes links, with permission to make some.

const provider = 'google_business';
const ACCOUNTS_MAX = linkAccounts.max;

/** A twin with plain values shows whether links can be made at all, before a refusal at the edge counts. */
const edges: CheckRow = {
  id: 'mcp/link-edges',
  title: `The linking tool takes labels of ${textMax.label} characters and ${ACCOUNTS_MAX} accounts, and refuses one more of either`,
  cites: ['8.label', '8.max-accounts'],
  needs: ['mcp', 'writes:links'],
  after: ['mcp/door'],
  mutates: 'two connect links',
  cost: { requests: 4, confirms: 1, writes: 5 },
  async run(probe) {
    const door = await openDoor(probe);
    const tool = findTool(door, link);
    if (tool === null) return probe.stop('precondition', 'no single tool takes provider, label and maxAccounts');
    const label = tag(probe);
    const send = (input: Record<string, unknown>) =>
      door.call(probe, tool.name, { provider, label, maxAccounts: 1, ...input }, 'writes');
    const twin = once(() => send({}));
    const longest = `${label} ${wideText(textMax.label)}`.slice(0, textMax.label);
    const longestTaken = { clause: '8.label', expected: `a label of ${textMax.label} characters taken`, twin } as const;
    const mostTaken = { clause: '8.max-accounts', expected: `maxAccounts ${ACCOUNTS_MAX} taken`, twin } as const;
    const atEdge = [
      await expectTaken(probe, await send({ label: longest }), longestTaken),
      await expectTaken(probe, await send({ maxAccounts: ACCOUNTS_MAX }), mostTaken),
    ];
    // Where nothing is taken, a refusal says nothing of the input.
    if (!atEdge.includes(true)) return;
    const long = { clause: '8.label', expected: `a label of ${textMax.label + 1} characters refused` } as const;
    expectInvalid(probe, await send({ label: `${longest}x` }), long);
    const many = { clause: '8.max-accounts', expected: `maxAccounts ${ACCOUNTS_MAX + 1} refused` } as const;
    expectInvalid(probe, await send({ maxAccounts: ACCOUNTS_MAX + 1 }), many);
  },
};

export const mcpLinks = defineChecks({ phase: 'writes' }, [edges]);
