// Texts and numbers of the connect tools, and errors of all tools. The names of the connect tools are not shown, so a tool counts
// as one only when it takes every input of the operation.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { errorStatus } from '../../src/contract/generated/errors.ts';
import { type Check, defineChecks } from '../check.ts';
import { show } from '../ledger.ts';
import { type Door, openDoor, type Tool } from '../mcp/door.ts';
import { readInputs } from '../mcp/inputs.ts';
import { type BoundClaim, expectBounds, expectInvalid, expectTaken } from '../mcp/judging.ts';
import { isInvalid } from '../mcp/reply.ts';
import type { Probe } from '../probe.ts';
import { textMax, wideText } from './writing.ts';

interface Operation {
  readonly inputs: readonly string[];
  readonly bounds: readonly BoundClaim[];
}

const post: Operation = {
  inputs: ['accountId', 'text', 'media', 'link'],
  bounds: [{ input: 'text', of: 'length', clause: '8.post-text', lower: 1, upper: textMax.post }],
};
const reply: Operation = {
  inputs: ['accountId', 'reviewId', 'text'],
  bounds: [{ input: 'text', of: 'length', clause: '8.reply-text', lower: 1, upper: textMax.reply }],
};
const link: Operation = {
  inputs: ['provider', 'label', 'maxAccounts'],
  bounds: [
    { input: 'label', of: 'length', clause: '8.label', lower: 1, upper: textMax.label },
    { input: 'maxAccounts', of: 'value', clause: '8.max-accounts', lower: 1, upper: 20, usual: 1 },
  ],
};

/** The one tool that takes all inputs of an operation and needs no other. */
function findTool({ tools }: Door, { inputs }: Operation): Tool | null {
  const fitting = tools.filter((tool) => {
    const { names, required } = readInputs(tool);
    return inputs.every((input) => names.includes(input)) && required.every((name) => inputs.includes(name));
  });
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

const bounds: Check = {
  id: 'mcp/connect-inputs',
  title: 'Lengths and numbers that the connect tools state are those of the contract',
  cites: ['8.post-text', '8.reply-text', '8.label', '8.max-accounts'],
  level: 'must',
  phase: 'read',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const door = await openDoor(probe);
    for (const operation of [post, reply, link]) {
      const tool = findTool(door, operation);
      if (tool === null) continue;
      for (const bound of operation.bounds) expectBounds(probe, { tool, inputs: readInputs(tool) }, bound);
    }
  },
};

interface Edge {
  readonly operation: Operation;
  readonly clause: ClauseId;
  readonly max: number;
  readonly input: Readonly<Record<string, unknown>>;
}

const edges: Check = {
  id: 'mcp/text-edges',
  title: 'A post of 5000 characters and a reply of 4096 are not too long, and one character more is',
  cites: ['8.post-text', '8.reply-text'],
  level: 'must',
  phase: 'refusals',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 6 },
  async run(probe) {
    const door = await openDoor(probe);
    const accountId = probe.facts.unknownId;
    const all: readonly Edge[] = [
      { operation: post, clause: '8.post-text', max: textMax.post, input: { accountId } },
      { operation: reply, clause: '8.reply-text', max: textMax.reply, input: { accountId, reviewId: 'nobody' } },
    ];
    for (const edge of all) await judgeEdge(probe, door, edge);
  },
};

/** The account is nobody's, so nothing can come of it; a right text is refused for that reason only. */
async function judgeEdge(probe: Probe, door: Door, { operation, clause, max, input }: Edge): Promise<void> {
  const tool = findTool(door, operation);
  if (tool === null) return;
  const send = (text: string) => door.call(probe, tool.name, { ...input, text });
  const atMost = await send(wideText(max));
  const claim = { clause, pointer: '', actual: atMost.words, exchange: atMost.exchange } as const;
  const expected = `${max} characters are not too long`;
  if (atMost.code === 'not_found') probe.holds(true, { ...claim, expected });
  else if (isInvalid(atMost) && !isInvalid(await send('Hello'))) probe.holds(false, { ...claim, expected });
  else await expectTaken(probe, atMost, { clause, expected, twin: () => Promise.resolve(atMost) });
  const tooMany = await send(wideText(max + 1));
  expectInvalid(probe, tooMany, { clause, expected: `${max + 1} characters refused` });
}

const envelope: Check = {
  id: 'mcp/tool-errors',
  title: 'A code in the error of a tool is one of the contract',
  cites: ['7.envelope.tool-code', '7.envelope.tool'],
  level: 'must',
  phase: 'bursts',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const { replies } = await openDoor(probe);
    const told = replies.filter((one) => one.envelope !== null);
    probe.every(told, ({ envelope: error, exchange }) => ({
      isTrue: Object.hasOwn(errorStatus, String(error?.code)),
      clause: '7.envelope.tool-code',
      expected: 'one of the enumerated codes',
      actual: show(error?.code),
      exchange,
    }));
  },
};

export const mcpTexts = defineChecks([bounds, edges, envelope]);
