// Makes a failing run smaller: clients that it does not need are left out one after the other, as long as the same
// invariant fails within the same time. Each client has its own chance, so that the others go on as before.
import { type SimulationOptions, type SimulationResult, simulate } from './simulate.ts';

/** One pass over the clients; the result need not be the smallest cast, only one that a person can follow. */
export async function shrink(failed: SimulationResult, options: SimulationOptions): Promise<SimulationResult> {
  let best = failed;
  for (const name of failed.failure?.clients ?? []) {
    const { failure } = best;
    if (!failure || failure.clients.length === 1) break;
    const only = failure.clients.filter((other) => other !== name);
    const smaller = await simulate({ ...options, hours: failure.hours + 0.01, only });
    if (smaller.failure?.invariant !== failure.invariant) continue;
    best = { ...smaller, failure: { ...smaller.failure, shrunk: true } };
  }
  return best;
}
