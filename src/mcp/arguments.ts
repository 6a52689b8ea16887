// The arguments of a tool call, held against the tool's own schema: the limits of sections 4 and 8. Lengths are code
// points. Cites 8.length-unit, 7.code.invalid-input-issues, 4.connect.insights.range-default. Assumption C146.

import { importRowsMax } from '../contract/generated/limits.ts';
import { operations, type QueryParameter } from '../contract/generated/operations.ts';
import * as validators from '../contract/generated/tool-validators.js';
import { type OwnToolName, tools } from '../contract/generated/tools.ts';
import type { Validator } from '../contract/generated/validators.js';
import { invalidInput, issuesMax, type Outcome, ok } from '../domain/outcome.ts';
import { findIssues } from '../http/input.ts';
import type { AnyOperation, ToolMatch, ToolOperation } from '../http/route.ts';
import type { Message, ToolCall } from './message.ts';

/**
 * The arguments as the schema wants them, defaults put in; or every problem of them at once, as REST reports a body.
 * Throws only when the generated validators and the list of tools do not belong together.
 */
export function readArguments({ tool, values, problem }: ToolCall): Outcome<Record<string, unknown>> {
  if (problem) return invalidInput([problem]);
  const { input: schema, defaults } = tools[tool];
  const validate = toolValidators[schema];
  if (!validate) throw new Error(`No validator is compiled for ${schema}.`);
  const { looked, others } = bounded(values);
  // The one `not` among the schemas says what a validator cannot put into words. Cites 8.import.either.
  const issues = findIssues(validate, looked).map((issue) =>
    issue.rule === 'not' ? { ...issue, message: 'Send either csv or rows, never both.' } : issue,
  );
  // A caller in the process can pass undefined fields, which JSON does not have. Spread, they would hide the defaults.
  const given = Object.entries(values).filter(([, value]) => value !== undefined);
  return issues.length > 0 ? invalidInput(issues, others) : ok({ ...defaults, ...Object.fromEntries(given) });
}

/** In the place of a row that is not looked at. */
const anyRow = { phone: '000' };

/**
 * The checked part, and the number of problems in the rest. One row too many is enough to say so, and each problem that
 * is described costs a microsecond: of a hundred thousand rows, or of rows with a hundred thousand bad fields, the
 * others are counted.
 */
function bounded(values: ToolCall['values']): { looked: ToolCall['values']; others: number } {
  const { rows } = values;
  if (!Array.isArray(rows)) return { looked: values, others: 0 };
  let problems = 0;
  let others = 0;
  const looked = rows.slice(0, importRowsMax + 1).map((row: unknown) => {
    const isLookedAt = problems < issuesMax;
    const found = countBad(row);
    problems += found;
    if (isLookedAt || found === 0) return row;
    others += found;
    return anyRow;
  });
  return { looked: { ...values, rows: looked }, others };
}

/** Where a row has an object or a list instead of a text. */
function countBad(row: unknown): number {
  if (row === null || typeof row !== 'object' || Array.isArray(row)) return 1;
  let count = 0;
  for (const name in row) {
    const value = (row as Record<string, unknown>)[name];
    if (value !== null && typeof value === 'object') count += 1;
  }
  return count;
}

// The route of a message: the REST operation of the tool with its path, so faults, request log, grease, strictness and
// violations see one operation for REST and MCP.

/** By the name of the schema: the contract names them, so the compiler cannot know them one by one. */
const toolValidators = validators as unknown as Readonly<Record<string, Validator>>;

/** `protocol`: the SDK makes the response (the handshake, lists, calls of unknown tools). */
export function routeMessage({ call }: Message): ToolMatch | 'protocol' {
  if (!call) return 'protocol';
  const tool = tools[call.tool];
  // Tools of the connect part have REST operations; for the others, one is created below.
  const operation = tool.operation === null ? ownOperations[tool.name as OwnToolName] : operations[tool.operation];
  return { operation, path: pathValues(operation, call), tool: tool.name };
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

// Their responses are those of the connect operations: the tool envelope is stated for all tools. Cites
// 7.envelope.tool.
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
