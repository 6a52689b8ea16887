// The promise of a plain audit: at most so many requests, whatever the target has to show. A check begins only when
// what it may need is left, so the later ones find what they surely need; what it asks again because a response
// looks wrong comes on top: otherwise a breach would go unseen because no request is left.

import { contractWindows } from '../pace/lanes.ts';
import type { Check, SharedRead } from '../probe/check.ts';
import { isOfAudit } from './plan.ts';
import { mostOfReads, readsOf } from './shared-reads.ts';

/** One window of a key: an audit never needs more of a deployment than it grants to everybody in a minute. */
export const auditRequestsMax = 60;

/** Asked before each check; it never stops one that has begun. */
export interface Budget {
  allows(check: Check): boolean;
  /** The check has ended and needs nothing more. */
  settle(check: Check): void;
  /** The requests that the check under way may spend without taking any that later checks are likely to need. */
  left(): number;
  /** Most requests that these checks are still going to send. */
  expected(checks: readonly Check[]): number;
}

/** `sent` counts the requests of the run, repeats left out; `requestsMax` is null where nothing is scarce. */
export function makeBudget(chosen: readonly Check[], requestsMax: number | null, sent: () => number): Budget {
  const open = new Set(chosen.filter(isOfAudit));
  const known = new Set<SharedRead>(['sites']);
  let onTop = 0;
  let before = sent();
  const unread = (checks: readonly Check[], except?: Check) => {
    const reads = new Set(checks.flatMap((check) => [...readsOf(check)]));
    const others = except === undefined ? [] : readsOf(except);
    // What a check is going to give is among what that check costs.
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
  // The bursts and what comes behind them come last and nothing can replace them, so all that they must have is kept;
  // of the others, the least.
  const surely: Reserve = (checks, except) => {
    const last = checks.filter(({ phase }) => phase === 'after bursts');
    return unread(last, except) + checks.reduce((total, check) => total + sureOf(check), 0);
  };
  // Optional requests come after all that the call log and the end of the run may need.
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

/** What a check cannot do without. */
function mustOf({ cost }: Check): number {
  return cost.requests - (cost.optional ?? 0);
}

// What goes before the bursts. Behind them a client has waited as stated, so its window is empty: as many requests
// as it holds leave at once, and one more would wait for a whole window. Before them each takes its second.

/** `rest` are the checks that are still to come, in their order; the first of them would begin now. */
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
