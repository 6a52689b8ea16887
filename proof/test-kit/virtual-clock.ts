// A clock that moves only during sleeps; suite and server under test share one.
import type { KitClock } from '../../conformance/pace/clock.ts';

/** `advance` is for the test: time passes without anybody's sleep. */
export interface VirtualClock extends KitClock {
  advance(ms: number): void;
}

/** Sleeping takes no time: it moves the clock at once, so two sleeps at once add up. */
export function virtualClock(startMs: number): VirtualClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    sleep: async (ms) => {
      nowMs += Math.max(0, ms);
    },
    advance: (ms) => {
      nowMs += ms;
    },
  };
}
