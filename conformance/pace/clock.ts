// The one clock of a run. Tests hand in a virtual one that the server under test shares.

/** All that the kit knows of time. Everything that waits, waits on it, so that a day of a test costs no second. */
export interface KitClock {
  /** Milliseconds since the epoch, monotonic within a run. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** One turn of the event loop, in which others finish what they were given; that of the process when absent. */
  turn?(): Promise<void>;
}

/** A clock with every method, as checks are given it. */
export type RunClock = Required<KitClock>;

/** `performance.timeOrigin` fixes the epoch once, so that a correction of the wall clock cannot bend a window. */
export function systemClock(): RunClock {
  return {
    now: () => performance.timeOrigin + performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms))),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

/** A clock that was handed in, with the turns of the process where it has none of its own. */
export function withTurns(clock: KitClock): RunClock {
  const { turn } = systemClock();
  return { now: () => clock.now(), sleep: (ms) => clock.sleep(ms), turn: () => clock.turn?.() ?? turn() };
}
