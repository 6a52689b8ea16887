// Texts and numbers of the connect tools: the limits that their schemas state, and those that they keep.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { count } from '../../../src/terminal/count.ts';
import type { History } from '../../exchange/history.ts';
import { type BoundClaim, findTool, link, type Operation, post, readInputs, reply } from '../../exchange/mcp/inputs.ts';
import { isInvalid, type Reply } from '../../exchange/mcp/reply.ts';
import { repliesIn, type Tool, toolsIn } from '../../exchange/mcp/tools.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { hasBounds, isInputRejected, isTaken, pointerTo } from '../../judge/mcp.ts';

const limits: Judged = {
  id: 'mcp/connect-inputs',
  title: 'Connect tools accept texts and numbers up to the documented limits, and no larger ones',
  clauses: ['8.post-text', '8.reply-text', '8.label', '8.max-accounts'],
  scenarios: ['mcp/open', 'mcp/texts'],
  *judge(history) {
    for (const operation of [post, reply, link]) {
      const tool = findTool(toolsIn(history), operation);
      if (tool === null) continue;
      for (const bound of operation.bounds) yield* isStated(tool, bound, repliesIn(history, tool.name));
    }
    yield* areKept(history, [post, reply]);
  },
};

/** A schema can allow more than the tool accepts: then the tool decides. */
function* isStated(tool: Tool, bound: BoundClaim, replies: readonly Reply[]): Iterable<Judgment> {
  const { input, of, clause, upper } = bound;
  const inputs = readInputs(tool);
  const stated = inputs.bounds(input, of).upper;
  const isOver = ({ input: given }: Reply) => (sizeOf(given[input], of) ?? 0) > upper;
  const isLoose = stated !== null && stated > upper && replies.some((one) => isOver(one) && isInvalid(one));
  if (!isLoose) {
    yield* hasBounds({ tool, inputs }, bound);
    return;
  }
  const claim = { ...about(tool.exchange, clause, pointerTo(tool, input)), expected: `at most ${upper}` };
  const actual = `a maximum of ${stated} for ${tool.name}, which rejects more`;
  yield { ...claim, actual, severity: 'warn' };
}

function sizeOf(value: unknown, of: BoundClaim['of']): number | null {
  if (of === 'length') return typeof value === 'string' ? value.length : null;
  return typeof value === 'number' ? value : null;
}

function* areKept(history: History, operations: readonly Operation[]): Iterable<Judgment> {
  for (const operation of operations) {
    const tool = findTool(toolsIn(history), operation);
    const replies = tool === null ? [] : repliesIn(history, tool.name);
    for (const bound of operation.bounds) yield* isKept(replies, bound);
  }
}

function* isKept(replies: readonly Reply[], { input, of, clause, upper }: BoundClaim): Iterable<Judgment> {
  const sized = replies.flatMap((reply) => {
    const size = sizeOf(reply.input[input], of);
    return size === null ? [] : [{ reply, size }];
  });
  for (const { reply, size } of sized.filter((one) => one.size >= upper)) {
    const what = of === 'length' ? `a ${input} of ${count(size, 'character')}` : `${input} ${size}`;
    const claim = { clause, expected: `${size > upper ? 'a rejection' : 'a result'} for ${what}` };
    // The text has passed, and the account does not exist.
    const isFound = reply.code !== 'not_found';
    const controls = sized.filter((one) => one.size <= upper).map((one) => one.reply);
    if (size > upper) yield* isInputRejected(reply, claim);
    else if (isFound) yield* isTaken(reply, claim, controls);
    else yield { ...about(reply.exchange, clause), ...claim, actual: reply.words, isTrue: true };
  }
}

type Written = readonly [id: string, title: string, scenario: string, operation: Operation];
const written: readonly Written[] = [
  ['mcp/post-too-long', 'The post tool rejects a text of 5001 characters', 'mcp/long-post', post],
  ['mcp/reply-too-long', 'The reply tool rejects a text of 4097 characters', 'mcp/long-reply', reply],
  ['mcp/link-edges', 'The link tool accepts the maximum values and rejects larger ones', 'mcp/links', link],
];

const ofTool = ([id, title, scenario, operation]: Written): Judged => ({
  ...{ id, title, scenarios: [scenario] },
  clauses: operation.bounds.map(({ clause }) => clause) as [ClauseId],
  judge: (history) => areKept(history, [operation]),
});

export const mcpConnect: readonly Judged[] = [limits, ...written.map(ofTool)];
