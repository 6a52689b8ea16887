// Which checks a run with a limited number of requests runs. The order of the first minute is written by hand, from
// runs against servers of other authors: their defects are mostly errors. The order of all others is generated: those
// that detect the most known defects per request come first (`npm run priorities`).

import type { Check } from '../probe/check.ts';
import firstMinute from './first-minute.json' with { type: 'json' };
import curve from './generated/curve.json' with { type: 'json' };
import priorities from './generated/priorities.json' with { type: 'json' };
import { type Expectation, isBasic, isOfAudit, type Plan } from './plan.ts';

/** The requests of one minute at the contract's limits. Cites 8.key-window. */
export const requestsPerMinute = 60;

/** A step of the order: an extended check, or all inputs of a basic check instead of a sample. */
export interface PriorityStep {
  readonly check: string;
  /** Requests that it usually sends. */
  readonly requests: number;
}

/** The basic checks, and the steps for which requests may be left. The most useful ones come first. */
export interface Order {
  readonly basic: readonly string[];
  readonly steps: readonly PriorityStep[];
}

/** The order of the kit. */
export const usualOrder: Order = { basic: firstMinute, ...priorities };

/** The inputs that a check sends. */
export type Depth = 'sample' | 'all';

export interface Choice {
  /** null without a limit. */
  readonly requestsMax: number | null;
  readonly order: Order;
  /** The number of the run: consecutive runs take turns with the steps that do not fit into each of them. */
  readonly turn: number;
  /** Checks that earlier runs have sent; instead of the turn. */
  readonly sent?: readonly string[] | undefined;
}

/**
 * Returns the checks to run. Without a limit, all checks send all inputs. Checks that a permission opens always do:
 * they have their own line in the plan.
 */
export function depthsOf(
  checks: readonly Check[],
  { requestsMax, order, ...rest }: Choice,
): ReadonlyMap<string, Depth> {
  const depths = new Map<string, Depth>();
  for (const check of checks) {
    const isFree = requestsMax === null || !isOfAudit(check);
    if (isFree || isBasic(check)) depths.set(check.id, isFree ? 'all' : 'sample');
  }
  if (requestsMax === null) return depths;
  const further = furtherSteps(checks, order.steps);
  const extended = new Map(checks.filter((check) => !isBasic(check)).map((check) => [check.id, check]));
  const groupOf = (step: PriorityStep): PriorityStep[] => {
    const leaders = further.filter(
      ({ check }) => extended.has(check) && extended.get(step.check)?.after?.includes(check),
    );
    return [...leaders.flatMap(groupOf), step];
  };
  const chosen = stepsWithin({ all: further, groupOf }, requestsMax - requestsPerMinute, rest);
  for (const { check } of chosen) depths.set(check, 'all');
  if (chosen.length === further.length) for (const id of depths.keys()) depths.set(id, 'all');
  return depths;
}

/** Checks that are not in the order yet come last. */
function furtherSteps(checks: readonly Check[], order: readonly PriorityStep[]): PriorityStep[] {
  const further = checks.filter((check) => isOfAudit(check) && (!isBasic(check) || check.cost.withTime !== undefined));
  const ids = new Set(further.map(({ id }) => id));
  const known = order.filter(({ check }) => ids.has(check));
  const rest = further.filter(({ id }) => !known.some(({ check }) => check === id));
  return [...known, ...rest.map(({ id, cost }) => ({ check: id, requests: (cost.withTime ?? cost).requests }))];
}

/** Steps to choose from. */
interface Steps {
  readonly all: readonly PriorityStep[];
  /** A step and those that it follows: it says nothing without them. */
  groupOf(step: PriorityStep): readonly PriorityStep[];
}

/** The share of the requests that each run spends on the same steps; with the rest, runs take turns. */
const fixedShare = 0.5;

/**
 * Half of the requests go to the best steps, the other half to those whose turn it is. With a history, all go to steps
 * that were not sent yet: eight nights have more requests than all steps together.
 */
function stepsWithin(steps: Steps, requests: number, { turn, sent }: Pick<Choice, 'turn' | 'sent'>) {
  const fixed = sent === undefined ? fill(steps, requests * fixedShare) : [];
  const others = { ...steps, all: steps.all.filter((step) => !fixed.includes(step)) };
  const isSent = ({ check }: PriorityStep) => sent?.includes(check) === true;
  const own = sent === undefined ? partOf(others, requests, fixed, turn) : others.all.filter((step) => !isSent(step));
  return fill({ ...steps, all: [...own, ...others.all] }, requests, fixed);
}

/** Divides the steps into parts that fit in addition to the chosen ones, and returns one of them. */
function partOf(steps: Steps, requests: number, chosen: readonly PriorityStep[], turn: number): PriorityStep[] {
  const parts: PriorityStep[][] = [];
  for (let open = steps.all; open.length > 0; ) {
    const part = fill({ ...steps, all: open }, requests, chosen).slice(chosen.length);
    if (part.length === 0) break;
    parts.push(part);
    open = open.filter((step) => !part.includes(step));
  }
  return parts[turn % Math.max(1, parts.length)] ?? [];
}

/** Returns the chosen steps, and the first others that fit too. */
export function fill({ all, groupOf }: Steps, requests: number, chosen: readonly PriorityStep[] = []): PriorityStep[] {
  const filled = [...chosen];
  for (const step of all) {
    const group = groupOf(step).filter((one) => !filled.includes(one));
    if (sumOf(filled) + sumOf(group) <= requests) filled.push(...group);
  }
  return filled;
}

function sumOf(all: readonly PriorityStep[]): number {
  return all.reduce((total, { requests }) => total + requests, 0);
}

/** Nightly runs start at the same minute, so both parts of a seed count. */
export function turnOfRun(seed: number): number {
  const minutesPerDay = 24 * 60;
  return Math.floor(seed / minutesPerDay) + (seed % minutesPerDay);
}

/** `further` has the checks that send more than in a run of one minute. */
export function expectationOf(plan: Plan, further: readonly string[], spacingMs: number): Expectation {
  const steps = usualOrder.steps.filter(({ check }) => further.includes(check));
  const [audit, ...others] = plan.lines;
  const most = audit?.requests.ceiling ?? 0;
  const own = Math.min(most, Math.min(requestsPerMinute, most) + sumOf(steps));
  const requests = own + others.reduce((sum, line) => sum + line.requests.ceiling, 0);
  const waits = others.reduce((sum, { seconds, requests: { ceiling } }) => {
    return sum + Math.max(0, (seconds.floor + seconds.ceiling) / 2 - (ceiling * spacingMs) / 1000);
  }, 0);
  // The first request has no delay.
  const seconds = Math.round(
    Math.max((Math.max(0, requests - 1) * spacingMs) / 1000, audit?.seconds.floor ?? 0) + waits,
  );
  return { requests, seconds, defectsFound: shareFound(own), further };
}

/** The measured share of the known defects; between two rows in proportion, and null below the first. */
export function shareFound(requests: number): number | null {
  const before = curve.rows.findLast((row) => row.requests <= requests);
  const after = curve.rows.find((row) => row.requests > requests) ?? before;
  if (before === undefined || after === undefined) return null;
  const part = (requests - before.requests) / Math.max(1, after.requests - before.requests);
  return before.found + Math.min(1, part) * (after.found - before.found);
}
