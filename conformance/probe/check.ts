// Types of the suite: checks, results and findings.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import type { Judged } from '../judge/judge.ts';
import type { Level } from '../judge/result.ts';
import type { Capability } from './capabilities.ts';
import type { Probe } from './probe.ts';

/**
 * Checks run phase by phase: first those that read the target, last those that can disturb its other users. Valid reads
 * follow the bursts too, because a rejection can have a lasting effect.
 */
export const phases = ['discover', 'read', 'rejections', 'log', 'writes', 'bursts', 'after bursts'] as const;
export type Phase = (typeof phases)[number];

/** Reads that several checks share; the first check that needs one sends it. plan.ts has the costs. */
export type SharedRead =
  | 'sites'
  | 'articles'
  | 'articles without limit'
  | 'accounts'
  | 'reviews'
  | 'review pages'
  | 'insights'
  | 'insights ranges'
  | 'insights without range'
  | 'call row'
  | 'call gate'
  | 'call log'
  | 'call cut'
  | 'calls after the cut'
  | 'call snapshot'
  | 'calls at the MCP endpoint'
  | 'call log at the MCP endpoint'
  | 'lists of the second key'
  | 'call snapshot of the second key'
  | 'responses without a key'
  | 'responses to an unknown key'
  | 'responses to an unknown key and invalid parameters';

/** A scenario, as the plan needs it. */
export interface Asked {
  readonly id: string;
  readonly cost: { readonly least: number; readonly most: number };
}

/**
 * The plan adds these up before the first request; a test verifies the cost of every check. They are upper bounds, so
 * the sum is one.
 */
export interface Cost {
  /** Most new requests the check sends to a service in order, next to the shared reads it uses. */
  readonly requests: number;
  /** Of these, how many it sends only while the run has requests to spare. */
  readonly optional?: number;
  /** Most requests that come on top when what it sees looks wrong. */
  readonly confirms?: number;
  /** Fewest it sends when nothing is missing and nothing can be learnt; 0 when absent. */
  readonly least?: number;
  readonly uses?: readonly (SharedRead | Asked)[];
  /** Shared reads that are no longer needed by later checks. */
  readonly gives?: readonly SharedRead[];
  /** Additional requests if enough are left: the check then sends all requests instead of a sample. */
  readonly withTime?: Pick<Cost, 'requests' | 'optional' | 'confirms' | 'uses'>;
  /** Most of the requests that a target may take as a post, a reply or a link. */
  readonly writes?: number;
  /** Most time it waits beyond the pace of requests. */
  readonly seconds?: number;
  /** Least time it waits beyond the pace of requests; 0 when absent. */
  readonly leastSeconds?: number;
  /** Its requests keep no even pace: `seconds` and `leastSeconds` hold all the time that they take. */
  readonly ownPace?: boolean;
  /** It waits until the window of the address is open again: its requests and later ones can leave at once. */
  readonly opensWindow?: boolean;
}

/** A test of a deployment: data for plan, listing and reports, and a few lines of code. */
export interface Check {
  /** `area/name`; stable, never reused. */
  readonly id: string;
  /** A sentence that is true when the check passes. */
  readonly title: string;
  readonly cites: readonly [ClauseId, ...ClauseId[]];
  readonly level: Level;
  readonly phase: Phase;
  readonly needs?: readonly Capability[];
  /** Ids of checks that must pass first; otherwise this one is inconclusive. */
  readonly after?: readonly string[];
  /** Ids of checks whose failure has the same cause: one root cause is one finding. */
  readonly unless?: readonly string[];
  /** The trace that it leaves on the target, in one sentence. */
  readonly mutates?: string;
  /** It can run before the bursts too, if the window after them has too few requests left. */
  readonly mayComeEarlier?: boolean;
  readonly cost: Cost;
  run(probe: Probe): Promise<void>;
}

/** The check as it costs where requests are not scarce. */
export function withTime(check: Check): Check {
  const { withTime: more, ...cost } = check.cost;
  if (more === undefined) return check;
  const confirms = (cost.confirms ?? 0) + (more.confirms ?? 0);
  const uses = [...(cost.uses ?? []), ...(more.uses ?? [])];
  const [requests, optional] = [cost.requests + more.requests, more.optional ?? 0];
  return { ...check, cost: { ...cost, requests, optional, confirms, uses } };
}

/** A check as its file writes it: what most checks of the file have in common is stated once. */
export type CheckRow = Omit<Check, 'level' | 'phase'> & Partial<Pick<Check, 'level' | 'phase'>>;

/** A check is a `must` by default. */
export function defineChecks<const T extends readonly CheckRow[]>(
  usual: Pick<Check, 'phase'> & Partial<Pick<Check, 'level' | 'needs' | 'after'>>,
  rows: T,
): { readonly [Index in keyof T]: Check } {
  return rows.map((row) => ({ level: 'must', ...usual, ...row })) as { readonly [Index in keyof T]: Check };
}

/** A check that reads the history. */
export type HistoryCheck = Judged & Partial<Pick<Check, 'needs' | 'after' | 'unless'>>;
