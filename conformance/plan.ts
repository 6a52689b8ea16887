// What a run will send, told before the first request: the fewest and the most requests, and how long they take.
import type { Check } from './check.ts';
import type { PaceSettings } from './pacer.ts';

export interface Range {
  readonly floor: number;
  readonly ceiling: number;
}

export interface Plan {
  readonly requests: Range;
  readonly seconds: Range;
  readonly checks: number;
  /** Most requests that may change something. */
  readonly writes: number;
}

/** The preflight reads GET /sites, which the checks share; its second request is sent only when the first is refused. */
const PREFLIGHT_REQUESTS = 1;

export function makePlan(checks: readonly Check[], pace: PaceSettings, maxWrites: number): Plan {
  const shared = new Set(checks.flatMap((check) => check.cost.uses ?? []).filter((read) => read !== 'sites'));
  const common = PREFLIGHT_REQUESTS + shared.size;
  const requests = {
    floor: common + sum(checks, (check) => check.cost.least ?? 0),
    ceiling: common + sum(checks, (check) => check.cost.requests),
  };
  const waits = sum(checks, (check) => check.cost.seconds ?? 0);
  return {
    checks: checks.length,
    writes: Math.min(
      maxWrites,
      sum(checks, (check) => check.cost.writes ?? 0),
    ),
    requests,
    seconds: { floor: paced(requests.floor, pace), ceiling: paced(requests.ceiling, pace) + waits },
  };
}

function paced(requests: number, pace: PaceSettings): number {
  return Math.ceil((Math.max(0, requests - 1) * pace.spacingMs) / 1000);
}

function sum(checks: readonly Check[], cost: (check: Check) => number): number {
  return checks.reduce((total, check) => total + cost(check), 0);
}
