// The request limit of a run. A check begins only if its requests are left. Confirmations of a finding come on top,
// because a violation must not stay hidden for lack of requests.

import { contractWindows } from '../pace/lanes.ts';
import type { Check } from '../probe/check.ts';
import { type AnyRead, isBasic, isOfAudit, mostOfReads, readsOf } from './plan.ts';
import type { Choice, Order, PriorityStep } from './priority.ts';

/** Used before each check; a running check is never stopped. */
export interface Budget {
  allows(check: Check): boolean;
  /** The check has ended and needs nothing more. */
  settle(check: Check, end: End): void;
  /** Requests for the running check that later checks probably do not need; infinite without a limit. */
  left(): number;
  /** Whether a check has requests only at the end of the run, when the others have sent less than they may. */
  mustWait(check: Check): boolean;
  /** The maximum number of requests that these checks will send. */
  expected(checks: readonly Check[]): number;
}

/** Confirmations count against the maximum if they confirmed nothing. */
export type End = 'left out' | 'nothing found' | 'found';

/** The requests of a run so far. */
export interface Sent {
  readonly requests: number;
  readonly repeats: number;
  /** Shared reads among them that are not always sent: the snapshot of a long call log. */
  readonly reads?: readonly AnyRead[];
}

/** The limit of requests, and the order in which checks take them. */
interface Limit extends Pick<Choice, 'requestsMax' | 'order'> {
  /** The checks of the order that this run sends, for a run of several that share them; all of them when absent. */
  readonly further?: readonly string[];
}

/**
 * Repeats in `sent` are part of the limit, confirmations of a finding are not. `requestsMax` is null without a limit.
 * `chosen` has basic checks with a sample of their inputs. Each check leaves enough for those that come before it in
 * the order of priority.
 */
export function makeBudget(chosen: readonly Check[], { requestsMax, order, further }: Limit, sent: () => Sent): Budget {
  const steps = order.steps.filter(({ check }) => further?.includes(check) ?? true);
  const open = new Map(chosen.filter(isOfAudit).map((check) => [check.id, check]));
  const known = new Set<AnyRead>(['sites']);
  /** Checks without enough requests so far: they might never send what they give. */
  const waiting = new Set<string>();
  let onTop = 0;
  let before = sent();
  let current: Check | undefined;
  const unread = (checks: readonly Check[], except?: Check) => {
    const reads = new Set(checks.flatMap((check) => [...readsOf(check)]));
    const others = except === undefined ? [] : readsOf(except);
    // Shared reads of a check are part of its cost.
    const givers = [...open.values()].filter(({ id }) => !waiting.has(id));
    const given = givers.flatMap(({ cost }) => cost.gives ?? []);
    const covered = new Set([...known, ...others, ...given, ...(sent().reads ?? [])]);
    return mostOfReads([...reads].filter((read) => !covered.has(read)));
  };
  const isFurther = (check: Check) => !isBasic(check) || open.get(check.id)?.cost !== check.cost;
  const basicBefore = (rank: number) =>
    [...open.values()].filter((check) => isBasic(check) && check.id !== current?.id && basicRank(order, check) < rank);
  const unspent = () => (requestsMax === null ? Number.POSITIVE_INFINITY : requestsMax - (sent().requests - onTop));
  const isDue = ({ id }: Check) => further !== undefined && isWhollyOptional(open.get(id));
  const dueOf = (check: Check) => (isDue(check) ? check.cost.requests : mustOf(check));
  const reserve = (basic: readonly Check[]) => unread(basic, current) + sum(basic, dueOf);
  /** The requests that nothing more important needs. */
  const forCheck = (check: Check) => {
    if (!isFurther(check)) return unspent() - reserve(basicBefore(basicRank(order, check)));
    const rank = steps.findIndex((step) => step.check === check.id);
    const better = steps.slice(0, Math.max(0, rank)).filter((step) => open.has(step.check));
    return unspent() - reserve(basicBefore(Number.POSITIVE_INFINITY)) - sumOf(better);
  };
  const isLater = ({ check: id }: PriorityStep) => id !== current?.id && isPossible(open.get(id));
  const laterSteps = () => (further && !(current && isDue(current)) ? steps.filter(isLater) : []);
  // No optional request is worth a required one of another basic check.
  const spare = () => unspent() - reserve(basicBefore(Number.POSITIVE_INFINITY)) - sumOf(laterSteps());
  const mostOf = (check: Check) => check.cost.requests + unread([check]);
  const leastOf = (check: Check) => mostOf(check) - (check.cost.optional ?? 0);
  const isPossible = (check: Check | undefined) => check !== undefined && leastOf(check) <= unspent();
  return {
    allows(check) {
      before = sent();
      current = check;
      // A run without requests left still checks the responses that it has.
      const isAllowed = !isOfAudit(check) || leastOf(check) <= Math.max(0, forCheck(check));
      waiting[isAllowed ? 'delete' : 'add'](check.id);
      return isAllowed;
    },
    settle(check, end) {
      const { requests, repeats } = sent();
      const spent = requests - before.requests;
      const first = spent - (repeats - before.repeats);
      const confirming = Math.min(check.cost.confirms ?? 0, Math.max(0, first - mostOf(check)));
      if (!isOfAudit(check)) onTop += spent;
      else if (end === 'found') onTop += confirming;
      before = sent();
      current = undefined;
      open.delete(check.id);
      if (end !== 'left out') for (const read of [...readsOf(check), ...(check.cost.gives ?? [])]) known.add(read);
    },
    left: spare,
    mustWait: (check) => isDue(check) && spare() < check.cost.requests,
    expected(checks) {
      const optional = sum(checks, ({ cost }) => cost.optional ?? 0);
      return sum(checks, mustOf) + unread(checks) + Math.max(0, Math.min(optional, spare()));
    },
  };
}

function basicRank({ basic }: Order, { id }: Check): number {
  const rank = basic.indexOf(id);
  return rank < 0 ? basic.length : rank;
}

/** The place of a check in the order of priority; basic checks come first. */
export function rankOf(order: Order, check: Check): number {
  const step = order.steps.findIndex(({ check: id }) => id === check.id);
  return isBasic(check) ? basicRank(order, check) : order.basic.length + 1 + (step < 0 ? order.steps.length : step);
}

/** Nothing is worth it in a single run. In one of several, another run can send the other steps instead. */
function isWhollyOptional(check: Check | undefined): boolean {
  return check !== undefined && isBasic(check) && check.cost.optional === check.cost.requests;
}

function sumOf(steps: readonly PriorityStep[]): number {
  return steps.reduce((total, { requests }) => total + requests, 0);
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
