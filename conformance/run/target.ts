// The target of a run: a deployment, or an MCP endpoint by itself (`conformance mcp`). Recorded traffic has no target
// (har.ts), and our own mock (`--target self`) is a deployment like any other.
import { unique } from '../../src/contract/unique.ts';
import type { Target } from '../exchange/request.ts';
import type { Catalog } from '../plan/selection.ts';
import type { Check, SharedRead } from '../probe/check.ts';
import type { RunOptions } from './options.ts';

/** Reads the addresses of the options, which are valid. */
export function targetOf({
  mcpEndpoint,
  baseUrl,
  mcpUrl,
}: Pick<RunOptions, 'mcpEndpoint' | 'baseUrl' | 'mcpUrl'>): Target {
  if (mcpEndpoint === 'mcp') return { kind: mcpEndpoint, baseUrl: new URL(baseUrl), mcpUrl: new URL(baseUrl) };
  return { kind: 'deployment', baseUrl: new URL(baseUrl), mcpUrl: mcpUrl === undefined ? null : new URL(mcpUrl) };
}

/** Reads of the MCP endpoint that replace those of the REST API. */
const atMcpEndpoint: Readonly<Partial<Record<SharedRead, SharedRead>>> = {
  'call gate': 'calls at the MCP endpoint',
  'call log': 'call log at the MCP endpoint',
};

/** The checks and rules that apply to a target. */
export function catalogOf({ kind }: Target, { checks, rules }: Catalog): Catalog {
  // A caller may bring checks along, and results go by their ids.
  unique('checks or rules', [...checks, ...rules], ({ id }) => id);
  if (kind === 'deployment') return { checks, rules };
  const others = [...checks.filter((check) => !isOfMcpEndpoint(check)), ...rules.filter(({ isForMcp }) => !isForMcp)];
  return {
    checks: checks.filter(isOfMcpEndpoint).map(withoutRest),
    rules: rules.filter(({ isForMcp }) => isForMcp),
    others: others.map(({ id }) => id),
  };
}

/** Whether a check checks the MCP endpoint. */
export function isOfMcpEndpoint({ needs = [] }: Pick<Check, 'needs'>): boolean {
  return needs.includes('mcp');
}

/** The cost of a check at the MCP endpoint only. */
function withoutRest(check: Check): Check {
  const { uses = [], ...cost } = check.cost;
  return { ...check, cost: { ...cost, uses: uses.flatMap((read) => atMcpEndpoint[read] ?? []) } };
}
