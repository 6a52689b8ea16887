// The request limit of a default run. A check begins only if its requests are left. Confirmations of a violation come
// on top, because a violation must not stay hidden for lack of requests.

import { contractWindows } from '../pace/lanes.ts';
import type { Check, SharedRead } from '../probe/check.ts';
import { isOfAudit } from './plan.ts';
import { mostOfReads, readsOf } from './shared-reads.ts';

/** The key limit of one minute. */
export const auditRequestsMax = 60;

/** Used before each check; a running check is never stopped. */
export interface Budget {
  allows(check: Check): boolean;
  /** The check has ended and needs nothing more. */
  settle(check: Check): void;
  /** Requests for the running check that later checks probably do not need. */
  left(): number;
  /** The maximum number of requests that these checks will send. */
  expected(checks: readonly Check[]): number;
}

/** `sent` counts requests without repeats. `requestsMax` is null without a limit. */
export function makeBudget(chosen: readonly Check[], requestsMax: number | null, sent: () => number): Budget {
  const open = new Set(chosen.filter(isOfAudit));
  const known = new Set<SharedRead>(['sites']);
  let onTop = 0;
  let before = sent();
  const unread = (checks: readonly Check[], except?: Check) => {
    const reads = new Set(checks.flatMap((check) => [...readsOf(check)]));
    const others = except === undefined ? [] : readsOf(except);
    // Shared reads of a check are part of its cost.
    const given = [...open].flatMap(({ cost }) => cost.gives ?? []);
    const covered = new Set([...known, ...others, ...given]);
    return mostOfReads([...reads].filter((read) => !covered.has(read)));
  };
  type Reserve = (checks: readonly Check[], except?: Check) => number;
  const left = (reserve: Reserve, except?: Check) => {
    if (requestsMax === null) return Number.POSITIVE_INFINITY;
    const others = [...open].filter((check) => check !== except);
    return requestsMax - (sent() - onTop) - reserve(others, except);
  };
  // Reserves all required requests for bursts and later checks, and the minimum for others.
  const surely: Reserve = (checks, except) => {
    const last = checks.filter(({ phase }) => phase === 'after bursts');
    return unread(last, except) + checks.reduce((total, check) => total + sureOf(check), 0);
  };
  // Optional requests must leave enough for the call log and the end of the run.
  const likely: Reserve = (checks, except) => {
    const last = checks.filter(({ phase }) => phase === 'log' || phase === 'writes' || phase === 'after bursts');
    return (
      unread(last, except) +
      checks.reduce((total, check) => total + (last.includes(check) ? mustOf(check) : sureOf(check)), 0)
    );
  };
  const mostOf = (check: Check) => check.cost.requests + unread([check]);
  let current: Check | undefined;
  return {
    allows(check) {
      before = sent();
      current = check;
      return !isOfAudit(check) || mostOf(check) - (check.cost.optional ?? 0) <= left(surely, check);
    },
    settle(check) {
      const spent = sent() - before;
      onTop += isOfAudit(check) ? Math.max(0, spent - mostOf(check)) : spent;
      before = sent();
      current = undefined;
      open.delete(check);
      for (const read of [...readsOf(check), ...(check.cost.gives ?? [])]) known.add(read);
    },
    left: () => left(likely, current),
    expected(checks) {
      const must = checks.reduce((total, check) => total + mustOf(check), 0);
      const optional = checks.reduce((total, { cost }) => total + (cost.optional ?? 0), 0);
      return must + unread(checks) + Math.max(0, Math.min(optional, left(likely)));
    },
  };
}

function sureOf(check: Check): number {
  return /bursts/.test(check.phase) ? mustOf(check) : (check.cost.least ?? 0);
}

function mustOf({ cost }: Check): number {
  return cost.requests - (cost.optional ?? 0);
}

// Checks that run before the bursts. After the bursts, one rate-limit window of requests leaves at once, and a further
// request would wait for a whole window.

/** `rest` contains the remaining checks in their order. */
export function drawForward(rest: readonly Check[], expected: (checks: readonly Check[]) => number): readonly Check[] {
  const opener = rest.findIndex(({ cost }) => cost.opensWindow);
  if (rest[0]?.cost.ownPace !== true || opener < 0) return [];
  let behind = rest.slice(opener);
  const forward: Check[] = [];
  const movable = behind.filter(({ mayComeEarlier }) => mayComeEarlier);
  for (const check of movable.sort((a, b) => a.cost.requests - b.cost.requests)) {
    if (expected(behind) <= contractWindows.address.limit) break;
    forward.push(check);
    behind = behind.filter((other) => other !== check);
  }
  return forward;
}
