// The order of the scenarios: those that find the most known defects per request come first, each defect once.
import type { MutantRow } from '../../fixtures/test-kit/targets.ts';

export interface Defect {
  readonly row: MutantRow;
  /** Each of these scenarios has asked for a response that shows it. */
  readonly by: ReadonlySet<string>;
}

/**
 * Greedy: each step is the best scenario per request that those before it have not sent. Defects of one clause are
 * alike, so each further one counts less. Those of access and its limits do not: each endpoint can be open by itself.
 */
export function orderOf(
  ids: readonly string[],
  {
    defects,
    requestsOf,
    after = new Map(),
  }: {
    readonly defects: readonly Defect[];
    requestsOf(id: string, before: readonly string[]): number;
    /** By scenario, the one that must come before it. */
    readonly after?: ReadonlyMap<string, string | undefined>;
  },
): string[] {
  const order: string[] = [];
  const found = new Map<string, number>();
  let left = defects;
  for (let open = ids; open.length > 0; open = open.filter((id) => !order.includes(id))) {
    // A scenario was written for a class of defects, so it is worth one that is not known.
    const perRequest = (id: string) => {
      const own = left.filter(({ by }) => by.has(id));
      return (worthOf(own, found) + 1) / Math.max(1, requestsOf(id, order));
    };
    const isNext = (id: string) => !open.includes(after.get(id) ?? '');
    const best = open.filter(isNext).reduce((one, other) => (perRequest(other) > perRequest(one) ? other : one));
    order.push(best);
    for (const { row } of left.filter(({ by }) => by.has(best)))
      found.set(row.breaks, (found.get(row.breaks) ?? 0) + 1);
    left = left.filter(({ by }) => !by.has(best));
  }
  return order;
}

function worthOf(defects: readonly Defect[], found: ReadonlyMap<string, number>): number {
  const counted = new Map(found);
  return defects.reduce((sum, { row: { breaks } }) => {
    const before = counted.get(breaks) ?? 0;
    counted.set(breaks, before + 1);
    const weight = weights.find(([pattern]) => pattern.test(breaks))?.[1] ?? 1;
    return sum + weight / (weight < accessWeight ? 1 + before : 1);
  }, 0);
}

const accessWeight = 3;
/** Limits first, as only a burst of many requests shows them; then access, lost or repeated data, everything else. */
const weights = [
  [/^(8\.(address|blocked|headers|retry)|7\.(envelope\.limiter|retry))/, 6],
  [/^(5\.|4\.bearer)/, accessWeight],
  [/cursor|exactly|lost|isolat|idempot/, 2],
] as const;
