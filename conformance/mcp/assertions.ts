// Assertions about tools, for the checks of the MCP endpoint.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { words } from '../../src/contract/words.ts';
import { count } from '../../src/terminal/count.ts';
import { isObject } from '../exchange/exchange.ts';
import { show } from '../judge/ledger.ts';
import type { Probe } from '../probe/probe.ts';
import { type McpEndpoint, openMcpEndpoint, type Tool } from './endpoint.ts';
import { type Bounds, defaultOf, type Inputs, type Measure } from './inputs.ts';
import { isInvalid, otherReason, type Reply, rowsOf } from './reply.ts';

/** The tools that the contract names; those of the connect operations are found by their inputs. */
export const familyNames = words('list_reviews inbox_list customers_list calls_log dialer_import_contacts');

/** The MCP endpoint and one of its tools; the contract does not require the tool (interpretation R53). */
export async function openAt(
  probe: Probe,
  name: (typeof familyNames)[number],
): Promise<{ mcpEndpoint: McpEndpoint; tool: Tool }> {
  const mcpEndpoint = await openMcpEndpoint(probe);
  const tool = mcpEndpoint.tools.find((candidate) => candidate.name === name);
  return tool ? { mcpEndpoint, tool } : probe.stop('precondition', nameMissing(mcpEndpoint, name));
}

/** Some servers put the name of the service before that of the tool. */
function nameMissing({ tools }: McpEndpoint, name: string): string {
  const like = tools.filter((tool) => tool.name.endsWith(name)).map((tool) => tool.name);
  return `the MCP endpoint has no tool ${name}${like.length === 0 ? '' : `; ${like[0]} looks like it, but has another name`}`;
}

/** One input that contains all others: its fields are not checked. */
export function isWrapped(inputs: Inputs): boolean {
  const [name = '', ...others] = inputs.names;
  return others.length === 0 && inputs.of(name).some(({ properties }) => isObject(properties));
}

/** The contract's bound of one input, and its unit. */
export interface BoundClaim {
  readonly input: string;
  readonly of: Measure;
  readonly clause: ClauseId;
  readonly lower?: number;
  readonly upper?: number;
  readonly usual?: number;
}

/** A schema may leave bounds out, which is noted; the bounds that it states must be those of the contract. */
export function expectBounds(
  probe: Probe,
  { tool, inputs }: { tool: Tool; inputs: Inputs },
  claim: BoundClaim,
): boolean {
  const stated = inputs.bounds(claim.input, claim.of);
  const words = { value: '', length: ' characters', items: ' rows' }[claim.of];
  const { clause, input } = claim;
  const about = { clause, proves: [], pointer: pointerTo(tool, input), exchange: tool.exchange } as const;
  const expectBound = (name: 'at least' | 'at most', value: Bounds['upper'], expected: number | undefined) => {
    if (value === null || expected === undefined) return;
    const phrase = (n: number) => `${name} ${n}${words}`;
    probe.holds(value === expected, {
      ...about,
      expected: phrase(expected),
      actual: `${phrase(value)} for ${input} of ${tool.name}`,
    });
  };
  expectBound('at least', stated.lower, claim.lower);
  expectBound('at most', stated.upper, claim.upper);
  const usual = defaultOf(inputs.of(claim.input));
  const isBound = stated.lower !== null || stated.upper !== null;
  if (claim.usual === undefined || usual === undefined || usual === null) return isBound;
  const expected = `the default ${claim.usual} for ${input} of ${tool.name}`;
  probe.holds(usual === claim.usual, { ...about, expected, actual: show(usual) });
  return true;
}

/** Into the response of tools/list, where a reader of the report finds the schema. */
export function pointerTo({ name, exchange }: Tool, input: string): string {
  const { result } = (exchange.json ?? {}) as { result?: { tools?: { name?: unknown }[] } };
  const index = result?.tools?.findIndex((tool) => tool?.name === name) ?? 0;
  return `/result/tools/${index}/inputSchema/properties/${input}`;
}

/** A valid input. A rejection as invalid fails, unless the harmless control request is rejected too. */
export async function expectTaken(
  probe: Probe,
  reply: Reply,
  { clause, expected, controlRequest }: { clause: ClauseId; expected: string; controlRequest: () => Promise<Reply> },
): Promise<boolean> {
  const why = otherReason(reply);
  if (why !== null) {
    probe.doubt(reply.exchange.status >= 500 ? 'platform' : 'precondition', `${why} instead of ${expected}`);
    return false;
  }
  const claim = { clause, pointer: '', expected, actual: reply.words, exchange: reply.exchange };
  if (reply.outcome === 'taken') return probe.holds(true, claim);
  if ((await controlRequest()).outcome === 'taken') return probe.holds(false, claim);
  probe.doubt('precondition', `${reply.words} instead of ${expected}, and also for the simplest input`);
  return false;
}

/** An invalid input must be rejected as such; text alone counts, and a rejection for another reason proves nothing. */
export function expectInvalid(
  probe: Probe,
  reply: Reply,
  { clause, expected }: { clause: ClauseId; expected: string },
): boolean {
  const why = otherReason(reply);
  const isUnclear = reply.outcome === 'taken' && reply.data === undefined;
  if (why !== null || isUnclear) {
    const reason = reply.exchange.status >= 500 ? 'platform' : 'precondition';
    const told = why === null ? 'a response without readable data' : why;
    probe.doubt(reason, `${told} instead of ${expected}`);
    return false;
  }
  const claim = { clause, proves: isInvalid(reply) ? [clause] : [], pointer: '', expected } as const;
  return probe.holds(reply.outcome === 'rejected', { ...claim, actual: reply.words, exchange: reply.exchange });
}

/** Runs at most once, on demand. */
export function once<T>(work: () => Promise<T>): () => Promise<T> {
  let begun: Promise<T> | null = null;
  return () => {
    begun ??= work();
    return begun;
  };
}

/** The maximum number of rows of a tool. */
interface RowClaim {
  readonly most: number;
  readonly clause: '8.customers-max' | '8.calls-limit';
  /** Few rows say little. */
  readonly proves?: readonly [];
}

/** Says nothing where the rows cannot be found: payloads are not shown (interpretation R53). */
export function expectRowsUpTo(probe: Probe, reply: Reply, { most, ...claim }: RowClaim): void {
  const rows = rowsOf(reply);
  if (rows === null) return;
  const expected = `at most ${most} for ${show(reply.input)}`;
  probe.holds(rows.length <= most, { ...claim, expected, actual: count(rows.length, 'row'), exchange: reply.exchange });
}
