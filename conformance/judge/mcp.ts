// Expectations about tools and their replies, as judgments.
import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { count } from '../../src/terminal/count.ts';
import { isObject } from '../exchange/exchange.ts';
import type { History } from '../exchange/history.ts';
import { type BoundClaim, type Bounds, defaultOf, type Inputs, readInputs } from '../exchange/mcp/inputs.ts';
import { isInvalid, otherReason, type Reply, rowsOf } from '../exchange/mcp/reply.ts';
import { type FamilyName, nameMissing, type Tool, toolIn, toolsIn } from '../exchange/mcp/tools.ts';
import { about } from './expect.ts';
import type { Judgment } from './judge.ts';
import { type Claim, show } from './ledger.ts';

/** An expectation about a reply. */
type ReplyClaim = Pick<Claim, 'clause' | 'expected'>;

/** The inputs of a tool that the contract names. Yields why they cannot be read. */
export function* readTool(
  history: History,
  name: FamilyName,
): Generator<Judgment, { readonly tool: Tool; readonly inputs: Inputs } | null> {
  // The check of the endpoint itself reports why it did not open.
  if (toolsIn(history) === null) return null;
  const tool = toolIn(history, name);
  if (tool === undefined) {
    yield { doubt: 'precondition', message: nameMissing(history, name) };
    return null;
  }
  const inputs = readInputs(tool);
  if (!isWrapped(inputs)) return { tool, inputs };
  yield { doubt: 'precondition', message: `${name} has one input that contains all others` };
  return null;
}

/** One input that contains all others: its fields are not checked. */
function isWrapped(inputs: Inputs): boolean {
  const [name = '', ...others] = inputs.names;
  return others.length === 0 && inputs.of(name).some(({ properties }) => isObject(properties));
}

/** A schema can omit all inputs; one that lists inputs lists each. */
export const listsInputs = ({ names, isClosed }: Inputs) => names.length > 0 || isClosed;

/** An input of that name, which may be left out. Strict schemas require every input and use null for an omitted one. */
export function* isOptional(
  { tool, inputs }: { readonly tool: Tool; readonly inputs: Inputs },
  { input, clause }: { readonly input: string; readonly clause: ClauseId },
): Iterable<Judgment> {
  const claim = about(tool.exchange, clause, pointerTo(tool, input));
  const actual = inputs.names.join(', ') || 'no inputs';
  const isThere = inputs.names.includes(input);
  yield { ...claim, expected: `an input named ${input}`, actual, isTrue: isThere };
  if (!isThere) return;
  const optional = { ...claim, expected: `an optional ${input}`, actual: `a required ${input}` };
  const isRequired = inputs.required.includes(input);
  if (isRequired && inputs.mayBeNull(input)) yield { ...optional, severity: 'warn' };
  else yield { ...optional, isTrue: !isRequired };
}

/** A schema may leave bounds out; the bounds that it states must be those of the contract. */
export function* hasBounds(
  { tool, inputs }: { readonly tool: Tool; readonly inputs: Inputs },
  { input, of, clause, lower, upper, usual }: BoundClaim,
): Iterable<Judgment> {
  const stated = inputs.bounds(input, of);
  const words = { value: '', length: ' characters', items: ' rows' }[of];
  const claim = { ...about(tool.exchange, clause, pointerTo(tool, input)), proves: [] };
  const rows: [string, Bounds['upper'], number | undefined][] = [
    ['at least', stated.lower, lower],
    ['at most', stated.upper, upper],
  ];
  for (const [name, value, wanted] of rows) {
    if (value === null || wanted === undefined) continue;
    const actual = `${name} ${value}${words} for ${input} of ${tool.name}`;
    yield { ...claim, expected: `${name} ${wanted}${words}`, actual, isTrue: value === wanted };
  }
  const preset = defaultOf(inputs.of(input));
  if (usual === undefined || preset === undefined || preset === null) return;
  const expected = `the default ${usual} for ${input} of ${tool.name}`;
  yield { ...claim, expected, actual: show(preset), isTrue: preset === usual };
}

/** Into the response of tools/list, where a reader of the report finds the schema. */
export function pointerTo({ name, exchange }: Tool, input: string): string {
  const { result } = (exchange.json ?? {}) as { result?: { tools?: { name?: unknown }[] } };
  const index = result?.tools?.findIndex((tool) => tool?.name === name) ?? 0;
  return `/result/tools/${index}/inputSchema/properties/${input}`;
}

/** A valid input. A rejection fails only if the tool has accepted another one, even for an unknown record. */
export function* isTaken(
  reply: Reply,
  { clause, expected }: ReplyClaim,
  controls: readonly Reply[],
): Generator<Judgment, boolean> {
  const why = otherReason(reply);
  const isTrue = reply.outcome === 'taken';
  const hasControl = controls.some(({ outcome, code }) => outcome === 'taken' || code === 'not_found');
  if (why === null && (isTrue || hasControl)) {
    yield { ...about(reply.exchange, clause), expected, actual: reply.words, isTrue };
    return isTrue;
  }
  const doubt = why !== null && reply.exchange.status >= 500 ? 'platform' : 'precondition';
  const alike = why === null ? ', and also for the simplest input' : '';
  yield { doubt, message: `${why ?? reply.words} instead of ${expected}${alike}` };
  return false;
}

/** An invalid input must be rejected as such; text alone counts, and a rejection for another reason proves nothing. */
export function* isInputRejected(reply: Reply, { clause, expected }: ReplyClaim): Iterable<Judgment> {
  const isUnclear = reply.outcome === 'taken' && reply.data === undefined;
  const why = isUnclear ? 'a response without readable data' : otherReason(reply);
  if (why !== null) {
    yield {
      doubt: reply.exchange.status >= 500 ? 'platform' : 'precondition',
      message: `${why} instead of ${expected}`,
    };
    return;
  }
  const claim = { ...about(reply.exchange, clause), proves: isInvalid(reply) ? [clause] : [], expected };
  yield { ...claim, actual: reply.words, isTrue: reply.outcome === 'rejected' };
}

type RowClaim = Pick<Claim, 'clause' | 'proves'> & { readonly most: number };

/** Says nothing where the rows cannot be found: payloads are not shown (interpretation R53). */
export function* hasRowsUpTo(reply: Reply, { most, ...claim }: RowClaim): Iterable<Judgment> {
  const rows = rowsOf(reply);
  if (rows === null) return;
  const expected = `at most ${most} for ${show(reply.input)}`;
  const { exchange } = reply;
  yield { ...claim, expected, actual: count(rows.length, 'row'), exchange, isTrue: rows.length <= most };
}
