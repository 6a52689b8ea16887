// The data of a cell: small, complete, and without an account that fails.
import type { WorldData } from '../domain/world-data.ts';
import type { Engine } from '../engine/engine.ts';
import { fillWorld } from '../worlds/fill.ts';

/** A call by the moment when pollers see it, in seconds after the start of the cell. */
export interface CallPlan {
  readonly visibleS: number;
  /** When it ended; 300 s before it is visible when absent. A call that ended earlier is reported late. */
  readonly endedS?: number;
}

/** With two minutes in which nothing is new. */
export const usualCalls: readonly CallPlan[] = [30, 95, 130, 310, 370, 430].map((visibleS) => ({ visibleS }));
export const settleS = 300;

/** One built-in set of records for all cells, so their reports can be compared. */
export function usualWorld(): WorldData {
  const sites = [1, 2].map((n) => ({ id: `7c1d5e2${n}-4b1f-4c58-9d8e-2f6a90b3c7d${n}`, name: `Café ${n}` }));
  const review = (n: number) => ({ author: `Guest ${n}`, text: `Très bien, ${n}.`, replied: false });
  return fillWorld({
    sites,
    // One more than on a page, so a client that reads one page on purpose does so undisturbed too.
    articles: Array.from({ length: 21 }, (_, i) => ({
      ...{ title: `Menu ${i + 1}`, siteId: sites[i % 2]?.id ?? '' },
      ...{ targetKeyword: `menu ${i + 1}`, seoScore: 50 + i },
    })),
    keywords: Array.from({ length: 6 }, (_, i) => ({
      ...{ siteId: sites[i % 2]?.id ?? '', keyword: `café ${i}` },
      ...{ searchVolume: 100 + i, difficulty: i, intent: 'local' },
    })),
    accounts: (['google_business', 'facebook_page'] as const).map((provider, k) => ({
      provider,
      reviews: Array.from({ length: 23 - 10 * k }, (_, i) => review(i + 1)),
    })),
    calls: [],
  });
}

/** Lets the calls of a cell ring, and returns their ids in the order of the plan, also of those that come later. */
export function placeCalls(
  engine: Engine,
  plans: readonly CallPlan[],
  later: (ms: number, work: () => void) => void,
): (string | null)[] {
  const startMs = engine.clock.now();
  const ids: (string | null)[] = plans.map(() => null);
  for (const [i, { visibleS, endedS = visibleS - settleS }] of plans.entries()) {
    const ring = () => {
      const startedAt = new Date(startMs + (endedS - 40) * 1_000).toISOString();
      ids[i] = engine.ringCall(undefined, { startedAt, durationS: 40, from: `+1555${i}` }).id;
    };
    if (endedS < visibleS - settleS) later(visibleS * 1_000, ring);
    else ring();
  }
  return ids;
}
