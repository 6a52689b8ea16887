// The connect tools of the MCP endpoint. Their names are not shown, so a tool counts as one only when it takes every
// input of the operation.
import { linkAccounts } from '../../src/contract/generated/limits.ts';
import type { BoundClaim } from '../mcp/assertions.ts';
import type { McpEndpoint, Tool } from '../mcp/endpoint.ts';
import { readInputs } from '../mcp/inputs.ts';
import { textMax } from './writes.ts';

/** A connect operation, known by its inputs, and the limits that a tool for it may state. */
export interface Operation {
  readonly inputs: readonly string[];
  readonly bounds: readonly BoundClaim[];
}

export const post: Operation = {
  inputs: ['accountId', 'text', 'media', 'link'],
  bounds: [{ input: 'text', of: 'length', clause: '8.post-text', lower: 1, upper: textMax.post }],
};
export const reply: Operation = {
  inputs: ['accountId', 'reviewId', 'text'],
  bounds: [{ input: 'text', of: 'length', clause: '8.reply-text', lower: 1, upper: textMax.reply }],
};
export const link: Operation = {
  inputs: ['provider', 'label', 'maxAccounts'],
  bounds: [
    { input: 'label', of: 'length', clause: '8.label', lower: 1, upper: textMax.label },
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

/** The only tool that accepts all inputs of an operation and requires only these. */
export function findTool(mcpEndpoint: McpEndpoint, operation: Operation): Tool | null {
  const fitting = fittingTools(mcpEndpoint, operation);
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

/** All tools that could be the operation; more than one, and none is taken. */
export function fittingTools({ tools }: McpEndpoint, { inputs }: Operation): Tool[] {
  return tools.filter((tool) => {
    const { names, required } = readInputs(tool);
    return inputs.every((input) => names.includes(input)) && required.every((name) => inputs.includes(name));
  });
}
