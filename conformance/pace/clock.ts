// The one clock of a run. Tests hand in a virtual one that the server under test shares.

export interface KitClock {
  /** Milliseconds since the epoch, monotonic within a run. */
  now(): number;
  sleep(ms: number): Promise<void>;
}

/** `performance.timeOrigin` fixes the epoch once, so that a correction of the wall clock cannot bend a window. */
export function systemClock(): KitClock {
  return {
    now: () => performance.timeOrigin + performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms))),
  };
}
