// Texts that are too long for the tools, with permission to write: sent to the user's account, because a server can
// reject an unknown account before it validates the text (interpretation R1).

import { linkAccounts } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { findTool, link, post, reply } from '../../assertions/mcp-tools.ts';
import { accountOf, tag, textMax, wideText } from '../../assertions/writes.ts';
import { dataOf, isObject, listOf } from '../../exchange/exchange.ts';
import { expectInvalid, expectTaken, once } from '../../mcp/assertions.ts';
import { openMcpEndpoint } from '../../mcp/endpoint.ts';
import { type Check, type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** As the user names it, or the first one without a reply. */
async function reviewOf(probe: Probe): Promise<string> {
  if (probe.settings.review !== null) return probe.settings.review;
  if (probe.settings.isAlone) probe.stop('precondition', 'needs --review, because this run reads no reviews');
  const reviews = listOf(dataOf(await probe.get('listReviews', { accountId: accountOf(probe) })).reviews);
  const free = reviews.filter(isObject).find(({ replied, replyText }) => replied !== true && replyText === undefined);
  if (typeof free?.reviewId === 'string') return free.reviewId;
  return probe.stop('precondition', 'the account has no review without a reply; name one with --review');
}

const kinds = {
  post: { tool: post, clause: '8.post-text', needs: 'writes:posts' },
  reply: { tool: reply, clause: '8.reply-text', needs: 'writes:replies' },
} as const;

/** The rejection is the only legal response, so a correct server writes nothing. */
function tooLong(kind: keyof typeof kinds, rest: Pick<Check, 'id' | 'title' | 'cost'>): CheckRow {
  const { tool: wanted, clause, needs } = kinds[kind];
  const length = textMax[kind] + 1;
  return {
    ...rest,
    cites: [clause],
    needs: ['mcp', 'account', needs],
    after: ['mcp/door'],
    mutates: `a ${kind}, if the limit is violated`,
    run: async (probe) => {
      const mcpEndpoint = await openMcpEndpoint(probe);
      const tool = findTool(mcpEndpoint, wanted);
      if (tool === null) return probe.stop('precondition', `no single tool accepts ${wanted.inputs.join(', ')}`);
      const text = `${tag(probe)} ${wideText(length)}`.slice(0, length);
      const input = {
        accountId: accountOf(probe),
        ...(kind === 'reply' ? { reviewId: await reviewOf(probe) } : {}),
        text,
      };
      const reply = await mcpEndpoint.call(probe, tool.name, input, 'writes');
      expectInvalid(probe, reply, { clause, expected: `a rejection of ${count(length, 'character')}` });
    },
  };
}

const longPost = tooLong('post', {
  id: 'mcp/post-too-long',
  title: 'The post tool rejects a text of 5001 characters',
  cost: { requests: 1, writes: 1 },
});
const longReply = tooLong('reply', {
  id: 'mcp/reply-too-long',
  title: 'The reply tool rejects a text of 4097 characters',
  cost: { requests: 1, writes: 1, uses: ['reviews'] },
});

export const mcpWritten = defineChecks({ phase: 'writes' }, [longPost, longReply]);

// Labels and numbers of accounts at the edges of the tool that makes links, with permission to make some.

const provider = 'google_business';
const accountsMax = linkAccounts.max;

/** A control request with plain values shows whether links can be made, before a rejection at the limit counts. */
const edges: CheckRow = {
  id: 'mcp/link-edges',
  title: 'The link tool accepts the maximum values and rejects larger ones',
  cites: ['8.label', '8.max-accounts'],
  needs: ['mcp', 'writes:links'],
  after: ['mcp/door'],
  mutates: 'two connect links',
  cost: { requests: 4, confirms: 1, writes: 5 },
  async run(probe) {
    const mcpEndpoint = await openMcpEndpoint(probe);
    const tool = findTool(mcpEndpoint, link);
    if (tool === null) return probe.stop('precondition', 'no single tool accepts provider, label and maxAccounts');
    const label = tag(probe);
    const send = (input: Record<string, unknown>) =>
      mcpEndpoint.call(probe, tool.name, { provider, label, maxAccounts: 1, ...input }, 'writes');
    const controlRequest = once(() => send({}));
    const longest = `${label} ${wideText(textMax.label)}`.slice(0, textMax.label);
    const longestTaken = {
      clause: '8.label',
      expected: `a result for a label of ${textMax.label} characters`,
      controlRequest,
    } as const;
    const mostTaken = {
      clause: '8.max-accounts',
      expected: `a result for maxAccounts ${accountsMax}`,
      controlRequest,
    } as const;
    const atEdge = [
      await expectTaken(probe, await send({ label: longest }), longestTaken),
      await expectTaken(probe, await send({ maxAccounts: accountsMax }), mostTaken),
    ];
    // If no input is accepted, a rejection says nothing about this one.
    if (!atEdge.includes(true)) return;
    const long = { clause: '8.label', expected: `a rejection of a label of ${textMax.label + 1} characters` } as const;
    expectInvalid(probe, await send({ label: `${longest}x` }), long);
    const many = { clause: '8.max-accounts', expected: `a rejection of maxAccounts ${accountsMax + 1}` } as const;
    expectInvalid(probe, await send({ maxAccounts: accountsMax + 1 }), many);
  },
};

export const mcpLinks = defineChecks({ phase: 'writes' }, [edges]);
