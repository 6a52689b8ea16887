// The route of a message: the REST operation of the tool with its path, so faults, request log, grease, strictness and
// violations see one operation for REST and MCP.
import { operations, type QueryParameter } from '../contract/generated/operations.ts';
import * as validators from '../contract/generated/tool-validators.js';
import { type OwnToolName, type Tool, tools } from '../contract/generated/tools.ts';
import type { Validator } from '../contract/generated/validators.js';
import type { AnyOperation, ToolMatch, ToolOperation } from '../http/route.ts';
import type { Message, ToolCall } from './message.ts';

/** By the name of the schema: the contract names them, so the compiler cannot know them one by one. */
export const toolValidators = validators as unknown as Readonly<Record<string, Validator>>;

/** `protocol`: the SDK responds (the handshake, lists, calls of unknown tools). */
export function routeMessage({ call }: Message): ToolMatch | 'protocol' {
  if (!call) return 'protocol';
  const tool = tools[call.tool];
  const operation = operationOf(tool);
  return { operation, path: pathValues(operation, call), tool: tool.name };
}

/** Tools of the connect part have REST operations; for the others, one is created below. */
function operationOf(tool: Tool): AnyOperation {
  return tool.operation === null ? ownOperations[tool.name as OwnToolName] : operations[tool.operation];
}

// The validation rejects arguments that are not texts.
function pathValues({ segments }: AnyOperation, { values }: ToolCall): Record<string, string> {
  const names = segments.filter((segment) => segment.startsWith('{')).map((segment) => segment.slice(1, -1));
  const given = names.flatMap((name) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return Object.fromEntries(given);
}

const ownOperations: { readonly [Name in OwnToolName]: ToolOperation } = {
  inbox_list: describe('inbox_list', { name: 'cursor', type: 'string', required: false }),
  customers_list: describe('customers_list', { name: 'max', type: 'integer', required: false }),
  dialer_import_contacts: describe('dialer_import_contacts', { name: 'csv', type: 'string', required: false }),
};

// They response as the connect operations do: the tool envelope is stated for all tools. Cites 7.envelope.tool.
function describe(id: OwnToolName, input: QueryParameter): ToolOperation {
  const { output, readOnly } = tools[id];
  const { envelope, statuses } = operations.listAccounts;
  return {
    id,
    method: readOnly ? 'GET' : 'POST',
    path: '',
    segments: [],
    envelope,
    query: [input],
    body: null,
    output,
    statuses,
    cites: [],
    accepts: toolValidators[output] as Validator,
  };
}
