// What goes before the bursts. Behind them a client has waited as told, so that its window is empty: as many requests
// as it holds leave at once, and one more would wait for a whole window. Before them each takes its second.

import { contractWindows } from '../pace/lanes.ts';
import type { Check } from '../probe/check.ts';

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
