// Texts and numbers of the connect tools, and errors of all tools. The names of the connect tools are not shown, so a
// tool counts as one only when it takes every input of the operation.

import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { errorStatus } from '../../../src/contract/generated/errors.ts';
import { count } from '../../../src/terminal/count.ts';
import { findTool, fittingTools, link, type Operation, post, reply } from '../../assertions/mcp-tools.ts';
import { textMax, wideText } from '../../assertions/writes.ts';
import { isObject } from '../../exchange/exchange.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type BoundClaim, expectBounds, expectInvalid, expectTaken, pointerTo } from '../../mcp/assertions.ts';
import { type McpEndpoint, openMcpEndpoint, type Tool } from '../../mcp/endpoint.ts';
import { type Inputs, readInputs } from '../../mcp/inputs.ts';
import { errorShown, isInvalid, type Reply } from '../../mcp/reply.ts';
import { type Check, type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';
import { responseOf } from '../../wire/event-stream.ts';

const operations = [post, reply, link];

const bounds: CheckRow = {
  id: 'mcp/connect-inputs',
  title: 'The schemas of connect tools state the documented limits',
  cites: ['8.post-text', '8.reply-text', '8.label', '8.max-accounts'],
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const mcpEndpoint = await openMcpEndpoint(probe);
    let isStated = false;
    const found = operations.map((operation) => ({ operation, tool: findTool(mcpEndpoint, operation) }));
    for (const { operation, tool } of found) {
      if (tool === null) continue;
      const inputs = readInputs(tool);
      for (const bound of operation.bounds) {
        const isLoose = await isOnlyLoose(probe, { mcpEndpoint, tool, inputs, bound });
        isStated = isLoose || expectBounds(probe, { tool, inputs }, bound) || isStated;
      }
    }
    if (found.every(({ tool }) => tool === null)) probe.stop('precondition', whyNone(mcpEndpoint, operations));
    if (!isStated) probe.doubt('vacuous', 'the schemas of the connect tools state no limits');
  },
};

/** A schema can allow more than the tool accepts. The tool decides, if no permission to write is needed. */
async function isOnlyLoose(
  probe: Probe,
  { mcpEndpoint, tool, inputs, bound }: { mcpEndpoint: McpEndpoint; tool: Tool; inputs: Inputs; bound: BoundClaim },
): Promise<boolean> {
  const { clause, upper = 0 } = bound;
  const stated = inputs.bounds(bound.input, bound.of).upper;
  const edge = edgesOf(probe).find((each) => each.clause === clause);
  if (edge === undefined || stated === null || stated <= upper) return false;
  const reply = await mcpEndpoint.call(probe, tool.name, { ...edge.input, text: wideText(upper + 1) });
  if (!isInvalid(reply)) return false;
  const expected = `at most ${count(upper, 'character')}`;
  const claim = { ...about(tool.exchange, clause, pointerTo(tool, bound.input)), expected };
  probe.warn({ ...claim, actual: `a maximum of ${stated} for ${tool.name}, which rejects ${upper + 1}` });
  return true;
}

/** Why no tool is taken for one of the operations. */
function whyNone(mcpEndpoint: McpEndpoint, wanted: readonly Operation[]): string {
  const isSeveral = wanted.some((operation) => fittingTools(mcpEndpoint, operation).length > 1);
  const inputs = wanted.map((operation) => operation.inputs.join(', ')).join('; or ');
  return `${isSeveral ? 'several tools take' : 'no tool of the door takes'} ${inputs}`;
}

/** A text input at its limit, and the rest of a valid call. */
interface Edge {
  readonly operation: Operation;
  readonly clause: ClauseId;
  readonly max: number;
  readonly input: Readonly<Record<string, unknown>>;
}

/** Checks that differ only in the length of the text. Inconclusive if the endpoint has no such tools. */
function edgeCheck(
  check: (probe: Probe, sent: Sent) => Promise<void>,
  rest: Pick<Check, 'id' | 'title' | 'cost'>,
): CheckRow {
  return {
    ...rest,
    cites: ['8.post-text', '8.reply-text'],
    phase: 'rejections',
    run: async (probe) => {
      const mcpEndpoint = await openMcpEndpoint(probe);
      const edges = edgesOf(probe);
      for (const edge of edges) {
        const fitting = fittingTools(mcpEndpoint, edge.operation);
        const send = (text: string) => mcpEndpoint.call(probe, fitting[0]?.name ?? '', { ...edge.input, text });
        if (fitting.length === 1) await check(probe, { ...edge, send });
        else if (fitting.length > 1) probe.doubt('precondition', whyNone(mcpEndpoint, [edge.operation]));
      }
      const wanted = edges.map(({ operation }) => operation);
      if (wanted.every((one) => findTool(mcpEndpoint, one) === null))
        probe.doubt('precondition', whyNone(mcpEndpoint, wanted));
    },
  };
}

interface Sent extends Edge {
  send(text: string): Promise<Reply>;
}

/** Nobody has the account, so nothing can come of it; a right text is rejected for that reason only. */
function edgesOf(probe: Probe): readonly Edge[] {
  const accountId = probe.facts.unknownId;
  return [
    { operation: post, clause: '8.post-text', max: textMax.post, input: { accountId } },
    { operation: reply, clause: '8.reply-text', max: textMax.reply, input: { accountId, reviewId: 'nobody' } },
  ];
}

/** not_found is the response to hope for: the text has passed, and the account does not exist. */
async function checkLongest(probe: Probe, { clause, max, send }: Sent): Promise<void> {
  const longest = await send(wideText(max));
  const expected = `no rejection of the length ${max}`;
  const claim = { ...about(longest.exchange, clause), expected, actual: longest.words };
  if (longest.code === 'not_found') probe.holds(true, claim);
  else if (isInvalid(longest) && !isInvalid(await send('Hello'))) probe.holds(false, claim);
  else await expectTaken(probe, longest, { clause, expected, controlRequest: () => Promise.resolve(longest) });
}

const longestTaken = edgeCheck(checkLongest, {
  id: 'mcp/text-longest',
  title: 'MCP tools accept posts of 5000 and replies of 4096 characters',
  cost: { requests: 2, confirms: 2 },
});

const tooLongRejected = edgeCheck(
  async (probe, { clause, max, send }) => {
    expectInvalid(probe, await send(wideText(max + 1)), { clause, expected: `a rejection of ${max + 1} characters` });
  },
  {
    id: 'mcp/text-too-long',
    title: 'MCP tools reject posts of 5001 and replies of 4097 characters',
    cost: { requests: 2 },
  },
);

/** Judges every reply of the run that a tool gave, so it comes last and sends nothing. */
const envelope: CheckRow = {
  id: 'mcp/tool-errors',
  title: 'Tool errors have a documented code',
  cites: ['7.envelope.tool-code', '7.envelope.tool', '7.code.invalid-input-issues'],
  phase: 'bursts',
  cost: { requests: 0 },
  async run(probe) {
    const { replies, breakdowns } = await openMcpEndpoint(probe);
    for (const broken of breakdowns) checkBreakdown(probe, broken);
    for (const one of replies) checkShape(probe, one);
    // An error without a message next to its code is something else.
    const withMessage = replies.filter((one) => typeof one.envelope?.message === 'string');
    probe.every(withMessage, ({ envelope: error, exchange }) => ({
      isTrue: Object.hasOwn(errorStatus, String(error?.code)),
      ...about(exchange, '7.envelope.tool-code'),
      expected: 'a documented code',
      actual: show(error?.code),
    }));
  },
};

/** The same call twice: no request may get this (interpretation R1). */
function checkBreakdown(probe: Probe, { exchange, words }: Reply): void {
  const claim = about(exchange, '7.envelope.tool', '#status');
  probe.holds(false, { ...claim, expected: 'a result or a documented error', actual: `${words}, twice` });
}

/** Only for tools that replace the envelope: frameworks have other formats for rejections. */
function checkShape(probe: Probe, one: Reply): void {
  const shown = errorShown(one);
  if (shown === undefined) return;
  const { error } = shown;
  const claim = { ...about(one.exchange, '7.envelope.tool'), actual: show(error) };
  const isWhole = isObject(error) && typeof error.code === 'string' && typeof error.message === 'string';
  const lacksIssues = isWhole && error.code === 'invalid_input' && !hasIssues(one);
  if (!isWhole) probe.warn({ ...claim, expected: '{ error: { code: string, message: string } }' });
  if (lacksIssues) probe.warn({ ...claim, clause: '7.code.invalid-input-issues', expected: 'a field named issues' });
}

/** At any place, also in a text of JSON (interpretation R26). */
function hasIssues({ exchange }: Reply): boolean {
  return /\\*"issues\\*"\s*:/.test(JSON.stringify(responseOf(exchange.json) ?? null));
}

export const mcpTexts = defineChecks({ phase: 'read', needs: ['mcp'], after: ['mcp/door'] }, [
  bounds,
  longestTaken,
  tooLongRejected,
  envelope,
]);
