// Texts that are too long for the tools, with permission to write: sent to the account that the user named, because of
// an account that nobody has a server may say so before it looks at the text (rulings R1).
import { count } from '../../../src/terminal/count.ts';
import { findTool, post, reply } from '../../assertions/mcp-tools.ts';
import { accountOf, tag } from '../../assertions/permitted-writes.ts';
import { textMax, wideText } from '../../assertions/write-answers.ts';
import { dataOf, isObject, listOf } from '../../exchange/exchange.ts';
import { openDoor } from '../../mcp/door.ts';
import { expectInvalid } from '../../mcp/judging.ts';
import { type Check, defineChecks } from '../../probe/check.ts';
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
function tooLong(kind: keyof typeof KINDS, rest: Pick<Check, 'id' | 'title' | 'cost'>): Check {
  const { tool: wanted, clause, needs } = KINDS[kind];
  const length = textMax[kind] + 1;
  return {
    ...rest,
    cites: [clause],
    level: 'must',
    phase: 'writes',
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
