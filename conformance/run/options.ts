// The options of a run; the command line and the programmatic entry both end here. Options that are also flags are
// rows of the table in probe/capabilities.ts.

import type { BehaviorId } from '../../src/contract/generated/behaviors.ts';
import { unique } from '../../src/contract/words.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Keys, Target } from '../exchange/request.ts';
import type { CheckResult } from '../judge/result.ts';
import type { KitClock } from '../pace/clock.ts';
import type { TrafficFile } from '../pace/traffic.ts';
import type { AnyRead, Catalog, Plan, Step } from '../plan/plan.ts';
import type { Order } from '../plan/priority.ts';
import type { Options } from '../probe/capabilities.ts';
import type { Check, SharedRead } from '../probe/check.ts';
import type { Abort, Report } from '../report/report.ts';

/** Part of the programmatic interface, `casa-kit/conformance`. */
export interface RunOptions extends Options {
  /** Includes the version segment, `https://host/api/v1`. */
  readonly baseUrl: string;
  /** Checks an MCP endpoint alone: `baseUrl` is its URL. Nothing is sent to the REST API. For `conformance mcp`. */
  readonly mcpEndpoint?: 'mcp';
  readonly keys: Keys;
  /** Short, printable; tags what a run writes. */
  readonly runId: string;
  readonly clock?: KitClock;
  /** Read for proxies; nothing is read from the process by itself. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly trafficFile?: TrafficFile;
  readonly signal?: AbortSignal;
  /**
   * Whether further requests are sent for behaviors that the checks leave open, or for which of them; `conformance
   * calibrate` sends them for all.
   */
  readonly calibrate?: boolean | readonly BehaviorId[];
  /** Targets of reads that are sent once more, in addition to those of the checks. */
  readonly reads?: readonly string[];
  /** Targets of reads before the checks. For `conformance replay` of a defect that only some responses show. */
  readonly readsFirst?: readonly string[];
  /** Instead of the kit's own checks. */
  readonly checks?: readonly Check[];
  /** Instead of the generated order of priority. */
  readonly order?: Order;
  /** Extended checks that earlier runs have sent: a short run begins with the others. */
  readonly sent?: readonly string[];
  readonly onEvent?: (event: RunEvent) => void;
}

// Events during a run.

/**
 * Events for a progress display or a caller. Exchanges in events are unchanged, including keys; results and the report
 * are redacted.
 */
export type RunEvent =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly steps: readonly Step[]; readonly target: string }
  | { readonly kind: 'preflight'; readonly abort: Abort | null }
  | { readonly kind: 'check-start'; readonly check: Check; readonly index: number; readonly total: number }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'waiting'; readonly ms: number; readonly why: string }
  | { readonly kind: 'announce'; readonly text: string }
  | { readonly kind: 'check-end'; readonly result: CheckResult; readonly index: number; readonly total: number }
  | { readonly kind: 'done'; readonly report: Report };

// The target of a run: a deployment, or an MCP endpoint by itself (`conformance mcp`). Recorded traffic has no target
// (har.ts), and our own mock (`--target self`) is a deployment like any other.

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

export function isOfMcpEndpoint({ needs = [] }: Pick<Check, 'needs'>): boolean {
  return needs.includes('mcp');
}

function withoutRest(check: Check): Check {
  const { uses = [], ...cost } = check.cost;
  const atEndpoint = (read: AnyRead) => (typeof read === 'string' ? atMcpEndpoint[read] : read);
  return { ...check, cost: { ...cost, uses: uses.flatMap((read) => atEndpoint(read) ?? []) } };
}
