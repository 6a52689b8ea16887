// Texts and numbers of the connect tools, and errors of all tools. The names of the connect tools are not shown, so a tool counts
// as one only when it takes every input of the operation.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { errorStatus } from '../../src/contract/generated/errors.ts';
import { type Check, defineChecks } from '../check.ts';
import { show } from '../ledger.ts';
import { type Door, openDoor, type Tool } from '../mcp/door.ts';
import { readInputs } from '../mcp/inputs.ts';
import { type BoundClaim, expectBounds, expectInvalid, expectTaken } from '../mcp/judging.ts';
import { isInvalid, type Reply } from '../mcp/reply.ts';
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
export const link: Operation = {
  inputs: ['provider', 'label', 'maxAccounts'],
  bounds: [
    { input: 'label', of: 'length', clause: '8.label', lower: 1, upper: textMax.label },
    { input: 'maxAccounts', of: 'value', clause: '8.max-accounts', lower: 1, upper: 20, usual: 1 },
  ],
};

/** The one tool that takes all inputs of an operation and needs no other. */
export function findTool({ tools }: Door, { inputs }: Operation): Tool | null {
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

function edgeCheck(
  judge: (probe: Probe, sent: Sent) => Promise<void>,
  rest: Pick<Check, 'id' | 'title' | 'cost'>,
): Check {
  return {
    ...rest,
    cites: ['8.post-text', '8.reply-text'],
    level: 'must',
    phase: 'refusals',
    needs: ['mcp'],
    after: ['mcp/door'],
    run: async (probe) => {
      const door = await openDoor(probe);
      for (const edge of edgesOf(probe)) {
        const tool = findTool(door, edge.operation);
        const send = (text: string) => door.call(probe, tool?.name ?? '', { ...edge.input, text });
        if (tool !== null) await judge(probe, { ...edge, send });
      }
    },
  };
}

interface Sent extends Edge {
  send(text: string): Promise<Reply>;
}

/** The account is nobody's, so nothing can come of it; a right text is refused for that reason only. */
function edgesOf(probe: Probe): readonly Edge[] {
  const accountId = probe.facts.unknownId;
  return [
    { operation: post, clause: '8.post-text', max: textMax.post, input: { accountId } },
    { operation: reply, clause: '8.reply-text', max: textMax.reply, input: { accountId, reviewId: 'nobody' } },
  ];
}

async function judgeLongest(probe: Probe, { clause, max, send }: Sent): Promise<void> {
  const longest = await send(wideText(max));
  const expected = `${max} characters are not too long`;
  const claim = { clause, pointer: '', expected, actual: longest.words, exchange: longest.exchange } as const;
  if (longest.code === 'not_found') probe.holds(true, claim);
  else if (isInvalid(longest) && !isInvalid(await send('Hello'))) probe.holds(false, claim);
  else await expectTaken(probe, longest, { clause, expected, twin: () => Promise.resolve(longest) });
}

const longestTaken = edgeCheck(judgeLongest, {
  id: 'mcp/text-longest',
  title: 'A post of 5000 characters and a reply of 4096 are not too long for their tools',
  cost: { requests: 2, confirms: 2 },
});

const tooLongRefused = edgeCheck(
  async (probe, { clause, max, send }) => {
    expectInvalid(probe, await send(wideText(max + 1)), { clause, expected: `${max + 1} characters refused` });
  },
  {
    id: 'mcp/text-too-long',
    title: 'A post of 5001 characters and a reply of 4097 are refused by their tools',
    cost: { requests: 2 },
  },
);

const envelope: Check = {
  id: 'mcp/tool-errors',
  title: 'A code in the error of a tool is one of the contract',
  cites: ['7.envelope.tool-code'],
  level: 'must',
  phase: 'bursts',
  needs: ['mcp'],
  after: ['mcp/door'],
  cost: { requests: 0 },
  async run(probe) {
    const { replies } = await openDoor(probe);
    // Whatever has no message beside its code is something else.
    const told = replies.filter((one) => typeof one.envelope?.message === 'string');
    probe.every(told, ({ envelope: error, exchange }) => ({
      isTrue: Object.hasOwn(errorStatus, String(error?.code)),
      clause: '7.envelope.tool-code',
      expected: 'one of the enumerated codes',
      actual: show(error?.code),
      exchange,
    }));
  },
};

export const mcpTexts = defineChecks([bounds, longestTaken, tooLongRefused, envelope]);
