// The promise of a plain audit: at most so many requests, whatever the target has to show. A check begins only when what it
// may need is left, so that the later ones find what they surely need; what it asks again because an answer looks wrong
// comes on top, or a breach would go unseen for want of a request.
import type { Check, SharedRead } from './check.ts';
import { isOfAudit } from './plan.ts';
import { mostOfReads, readsOf } from './shared-reads.ts';

export const auditRequestsMax = 60;

export interface Budget {
  allows(check: Check): boolean;
  /** Whatever came of the check, it needs nothing more. */
  settle(check: Check): void;
  /** What the check under way may send beyond what later ones surely need. */
  left(): number;
}

/** `sent` counts the requests of the run, repeats left out; `requestsMax` is null where nothing is scarce. */
export function makeBudget(chosen: readonly Check[], requestsMax: number | null, sent: () => number): Budget {
  const open = new Set(chosen.filter(isOfAudit));
  const known = new Set<SharedRead>(['sites']);
  let onTop = 0;
  let before = sent();
  const left = (except?: Check) => {
    if (requestsMax === null) return Number.POSITIVE_INFINITY;
    const reserved = [...open].filter((check) => check !== except);
    return requestsMax - (sent() - onTop) - reserved.reduce((total, check) => total + reserveFor(check), 0);
  };
  const mostOf = (check: Check) =>
    check.cost.requests + mostOfReads([...readsOf(check)].filter((read) => !known.has(read)));
  let current: Check | undefined;
  return {
    allows(check) {
      before = sent();
      current = check;
      return !isOfAudit(check) || mostOf(check) - (check.cost.optional ?? 0) <= left(check);
    },
    settle(check) {
      const spent = sent() - before;
      onTop += isOfAudit(check) ? Math.max(0, spent - mostOf(check)) : spent;
      before = sent();
      current = undefined;
      open.delete(check);
      for (const read of [...readsOf(check), ...(check.cost.gives ?? [])]) known.add(read);
    },
    left: () => left(current),
  };
}

/** Bursts come last, and nothing else shows what they show; of the others, what they need whatever the target is like. */
function reserveFor({ phase, cost }: Check): number {
  return phase === 'bursts' ? cost.requests - (cost.optional ?? 0) : (cost.least ?? 0);
}
