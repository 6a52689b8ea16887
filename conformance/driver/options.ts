// The options of a run; the command line and the programmatic entry both end here. Options that are also flags are
// rows of the table in scenarios/capabilities.ts.

import type { BehaviorId } from '../../src/contract/generated/behaviors.ts';
import { unique } from '../../src/contract/words.ts';
import { checks } from '../checks/index.ts';
import { rules } from '../checks/rules/index.ts';
import type { Exchange } from '../exchange/exchange.ts';
import type { Keys, Target } from '../exchange/request.ts';
import type { Judged } from '../judge/judge.ts';
import type { CheckResult } from '../judge/result.ts';
import type { Abort, Report } from '../report/report.ts';
import type { Options } from '../scenarios/capabilities.ts';
import { scenarios } from '../scenarios/index.ts';
import type { Catalog, Plan } from '../scenarios/plan/plan.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { KitClock } from './pace/clock.ts';
import type { TrafficFile } from './pace/traffic.ts';

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
  /** Scenarios that are sent although no chosen check judges them, and targets of reads before all. For a replay. */
  readonly asks?: readonly string[];
  readonly readsFirst?: readonly string[];
  /** Instead of the kit's own checks and scenarios. */
  readonly checks?: readonly Judged[];
  readonly scenarios?: readonly Scenario[];
  /** Scenarios that earlier runs have sent: after the first minute, a short run continues with the others. */
  readonly sent?: readonly string[];
  readonly onEvent?: (event: RunEvent) => void;
}

// Events during a run.

/**
 * Events for a progress display or a caller. Exchanges in events are unchanged, including keys; results and the report
 * are redacted.
 */
export type RunEvent =
  | { readonly kind: 'plan'; readonly plan: Plan; readonly target: string }
  | { readonly kind: 'preflight'; readonly abort: Abort | null }
  | { readonly kind: 'scenario'; readonly id: string; readonly index: number; readonly total: number }
  | { readonly kind: 'exchange'; readonly exchange: Exchange }
  | { readonly kind: 'waiting'; readonly ms: number; readonly why: string }
  | { readonly kind: 'announce'; readonly text: string }
  /** A check that fails, as soon as its finding is confirmed. */
  | { readonly kind: 'failure'; readonly result: CheckResult }
  /** The result of each check and rule, at the end. */
  | { readonly kind: 'check-end'; readonly result: CheckResult }
  | { readonly kind: 'done'; readonly report: Report };

// The target of a run: a deployment, or an MCP endpoint by itself (`conformance mcp`). Recorded traffic has no target
// (har.ts), and our own mock (`--target self`) is a deployment like any other.

/** The suite's own. */
export const ownCatalog: Catalog = { checks, scenarios, rules };

/** Reads the addresses of the options, which are valid. */
export function targetOf({
  mcpEndpoint,
  baseUrl,
  mcpUrl,
}: Pick<RunOptions, 'mcpEndpoint' | 'baseUrl' | 'mcpUrl'>): Target {
  if (mcpEndpoint === 'mcp') return { kind: mcpEndpoint, baseUrl: new URL(baseUrl), mcpUrl: new URL(baseUrl) };
  return { kind: 'deployment', baseUrl: new URL(baseUrl), mcpUrl: mcpUrl === undefined ? null : new URL(mcpUrl) };
}

/** An MCP endpoint alone has the checks whose scenarios need only that endpoint. */
export function catalogOf({ kind }: Target, { checks, rules, scenarios }: Catalog): Catalog {
  // A caller may bring checks along, and results go by their ids.
  unique('checks or rules', [...checks, ...rules], ({ id }) => id);
  if (kind === 'deployment') return { checks, rules, scenarios };
  const ofEndpoint = new Set(scenarios.filter(({ needs }) => needs?.includes('mcp')).map(({ id }) => id));
  const isOfEndpoint = ({ scenarios: own = [] }: Judged) => own.length > 0 && own.every((id) => ofEndpoint.has(id));
  const [ofMcp, others] = partition(checks, isOfEndpoint);
  const [rulesOfMcp, otherRules] = partition(rules, ({ isForMcp }) => isForMcp === true);
  return { checks: ofMcp, rules: rulesOfMcp, scenarios, others: [...others, ...otherRules].map(({ id }) => id) };
}

function partition<One>(all: readonly One[], isFirst: (one: One) => boolean): [One[], One[]] {
  return [all.filter(isFirst), all.filter((one) => !isFirst(one))];
}
