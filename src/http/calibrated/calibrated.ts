// A mock that responds in the behaviors of a deployment: those that were learnt or chosen.
import type { Behaviors } from '../../contract/generated/behaviors.ts';
import type { Quantiles } from '../../contract/shape.ts';
import { createRandom, type Random } from '../../domain/random.ts';
import { shownOf, type Writer, writeResponse } from './writer.ts';

/** Mixtures take turns, such as pages of reviews that end now with null and now without a field. */
export function createCalibration(behaviors: Behaviors, seed: number): Writer {
  let turns = 0;
  const turn = () => {
    turns += 1;
    return turns;
  };
  return {
    write: (response, routing) => writeResponse(response, routing, { behaviors, turn }),
    readReviewId: (text) => text,
    shownGrant: (address, key) => shownOf(behaviors, address, key),
    ...(behaviors.latency === null ? {} : { latencyMs: latencyOf(behaviors.latency, createRandom(seed ^ 0x1a7)) }),
    position: () => turns,
    restore(position) {
      turns = position;
    },
  };
}

/** Uniform between the quantiles, and never above the last one, to avoid hanging. */
function latencyOf({ p50, p90, p99 }: Quantiles, random: Random): () => number {
  return () => {
    const place = random.next();
    if (place < 0.5) return Math.round(p50 * (0.5 + place));
    if (place < 0.9) return Math.round(p50 + ((place - 0.5) / 0.4) * (p90 - p50));
    return Math.round(p90 + ((place - 0.9) / 0.1) * (p99 - p90));
  };
}
