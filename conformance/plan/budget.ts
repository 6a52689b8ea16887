// The request limit of a run. A check begins only if its requests are left. Confirmations of a violation come on top,
// because a violation must not stay hidden for lack of requests.

import { contractWindows } from '../pace/lanes.ts';
import type { Check, SharedRead } from '../probe/check.ts';
import { isBasic, isOfAudit } from './plan.ts';
import type { Choice } from './priority.ts';
import { mostOfReads, readsOf } from './shared-reads.ts';

/** Used before each check; a running check is never stopped. */
export interface Budget {
  allows(check: Check): boolean;
  /** The check has ended and needs nothing more. */
  settle(check: Check): void;
  /** Requests for the running check that later checks probably do not need; infinite without a limit. */
  left(): number;
  /** The maximum number of requests that these checks will send. */
  expected(checks: readonly Check[]): number;
}

/** The limit of requests, and the order in which checks take them. */
type Limit = Pick<Choice, 'requestsMax' | 'order'>;

/**
 * `sent` counts requests without repeats. `requestsMax` is null without a limit. `chosen` has basic checks with a
 * sample of their inputs. An extended check, or a basic one with all inputs, leaves enough for all basic checks and for
 * those that come before it in the order of priority.
 */
export function makeBudget(chosen: readonly Check[], { requestsMax, order }: Limit, sent: () => number): Budget {
  const open = new Map(chosen.filter(isOfAudit).map((check) => [check.id, check]));
  const known = new Set<SharedRead>(['sites']);
  let onTop = 0;
  let before = sent();
  const unread = (checks: readonly Check[], except?: Check) => {
    const reads = new Set(checks.flatMap((check) => [...readsOf(check)]));
    const others = except === undefined ? [] : readsOf(except);
    // Shared reads of a check are part of its cost.
    const given = [...open.values()].flatMap(({ cost }) => cost.gives ?? []);
    const covered = new Set([...known, ...others, ...given]);
    return mostOfReads([...reads].filter((read) => !covered.has(read)));
  };
  type Reserve = (checks: readonly Check[], except?: Check) => number;
  const left = (reserve: Reserve, current?: Check) => {
    if (requestsMax === null) return Number.POSITIVE_INFINITY;
    const others = [...open.values()].filter(({ id }) => id !== current?.id);
    const basic = others.filter(isBasic);
    const unspent = requestsMax - (sent() - onTop);
    if (current === undefined || !isFurther(current)) return unspent - reserve(basic, current);
    const rank = order.findIndex(({ check }) => check === current.id);
    const before = order.slice(0, Math.max(0, rank)).filter(({ check }) => open.has(check));
    const forBasic = unread(basic, current) + sum(basic, mustOf);
    return unspent - forBasic - before.reduce((total, { requests }) => total + requests, 0);
  };
  // Reserves all required requests for bursts and later checks, and the minimum for others.
  const surely: Reserve = (checks, except) => {
    const last = checks.filter(({ phase }) => phase === 'after bursts');
    return unread(last, except) + sum(checks, sureOf);
  };
  // Optional requests must leave enough for the call log and the end of the run.
  const likely: Reserve = (checks, except) => {
    const last = checks.filter(({ phase }) => phase === 'log' || phase === 'writes' || phase === 'after bursts');
    return unread(last, except) + sum(checks, (check) => (last.includes(check) ? mustOf(check) : sureOf(check)));
  };
  const mostOf = (check: Check) => check.cost.requests + unread([check]);
  const isFurther = (check: Check) => !isBasic(check) || open.get(check.id)?.cost !== check.cost;
  let current: Check | undefined;
  return {
    allows(check) {
      before = sent();
      current = check;
      const optional = isFurther(check) ? 0 : (check.cost.optional ?? 0);
      return !isOfAudit(check) || mostOf(check) - optional <= left(surely, check);
    },
    settle(check) {
      const spent = sent() - before;
      onTop += isOfAudit(check) ? Math.max(0, spent - mostOf(check)) : spent;
      before = sent();
      current = undefined;
      open.delete(check.id);
      for (const read of [...readsOf(check), ...(check.cost.gives ?? [])]) known.add(read);
    },
    left: () => left(likely, current),
    expected(checks) {
      const optional = sum(checks, ({ cost }) => cost.optional ?? 0);
      return sum(checks, mustOf) + unread(checks) + Math.max(0, Math.min(optional, left(likely)));
    },
  };
}

function sureOf(check: Check): number {
  return /bursts/.test(check.phase) ? mustOf(check) : (check.cost.least ?? 0);
}

function mustOf({ cost }: Check): number {
  return cost.requests - (cost.optional ?? 0);
}

function sum(checks: readonly Check[], value: (check: Check) => number): number {
  return checks.reduce((total, check) => total + value(check), 0);
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
