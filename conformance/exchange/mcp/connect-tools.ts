// The connect tools of the MCP endpoint. Their names are not shown, so a tool counts as one only when it takes every
// input of the operation.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { labelLength, linkAccounts, postTextLength, replyTextLength } from '../../../src/contract/generated/limits.ts';
import { type Measure, readInputs } from './inputs.ts';
import type { Tool } from './tools.ts';

/** The contract's bound of one input, and its unit. */
export interface BoundClaim {
  readonly input: string;
  readonly of: Measure;
  readonly clause: ClauseId;
  readonly lower?: number;
  readonly upper: number;
  readonly usual?: number;
}

/** A connect operation, known by its inputs, and the limits that a tool for it may state. */
export interface Operation {
  readonly inputs: readonly string[];
  readonly bounds: readonly BoundClaim[];
}

export const post: Operation = {
  inputs: ['accountId', 'text', 'media', 'link'],
  bounds: [{ input: 'text', of: 'length', clause: '8.post-text', lower: 1, upper: postTextLength.max }],
};
export const reply: Operation = {
  inputs: ['accountId', 'reviewId', 'text'],
  bounds: [{ input: 'text', of: 'length', clause: '8.reply-text', lower: 1, upper: replyTextLength.max }],
};
export const link: Operation = {
  inputs: ['provider', 'label', 'maxAccounts'],
  bounds: [
    { input: 'label', of: 'length', clause: '8.label', lower: 1, upper: labelLength.max },
    {
      input: 'maxAccounts',
      of: 'value',
      clause: '8.max-accounts',
      lower: 1,
      upper: linkAccounts.max,
      usual: linkAccounts.preset,
    },
  ],
};

type Tools = readonly Tool[] | null;

/** The only tool that accepts all inputs of an operation and requires only these. */
export function findTool(tools: Tools, operation: Operation): Tool | null {
  const fitting = fittingTools(tools, operation);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** All tools that could be the operation; more than one, and none is taken. */
function fittingTools(tools: Tools, { inputs }: Operation): readonly Tool[] {
  return (tools ?? []).filter((tool) => {
    const { names, required } = readInputs(tool);
    return inputs.every((input) => names.includes(input)) && required.every((name) => inputs.includes(name));
  });
}

/** Why no tool is taken for any of the operations. */
export function whyNone(tools: Tools, wanted: readonly Operation[]): string {
  const isSeveral = wanted.some((operation) => fittingTools(tools, operation).length > 1);
  const inputs = wanted.map((operation) => operation.inputs.join(', ')).join('; or ');
  return `${isSeveral ? 'several tools of the MCP endpoint take' : 'no tool of the MCP endpoint takes'} ${inputs}`;
}
