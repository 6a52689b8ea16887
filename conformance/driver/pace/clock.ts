// The one clock of a run. Tests hand in a virtual one that the server under test shares.

/** The clock of the suite. All waits use it, so tests can skip a day in a moment. */
export interface KitClock {
  /** Milliseconds since the epoch, monotonic within a run. */
  now(): number;
  sleep(ms: number): Promise<void>;
  /** One turn of the event loop, in which others finish what they were given; that of the process when absent. */
  turn?(): Promise<void>;
}

/** A clock with every method, as checks are given it. */
export type RunClock = Required<KitClock>;

/** `performance.timeOrigin` fixes the epoch once, so a correction of the wall clock cannot bend a window. */
export function systemClock(): RunClock {
  return {
    now: () => performance.timeOrigin + performance.now(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, Math.max(0, ms))),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

// The time limit of a run. A slow or blocking target must not hold up a pipeline: a check that would wait past the
// limit ends at once, and the run ends with the results so far.

export class TimeUp extends Error {}

export const tooLong = (seconds: number): string =>
  `the run has reached its maximum time of ${seconds} s; choose fewer checks with --only, or a smaller --minutes`;

const stopped = () => new TimeUp('the run was stopped');

/** A clock with every method. Its waits end with a TimeUp when the user stops the run. */
export function runClock(clock: KitClock, signal: AbortSignal | null): RunClock {
  const { turn } = systemClock();
  const sleep = async (ms: number) => {
    let stop = () => {};
    const end = new Promise<never>((_, reject) => {
      stop = () => reject(stopped());
      signal?.addEventListener('abort', stop);
    });
    await Promise.race([clock.sleep(ms), end]).finally(() => signal?.removeEventListener('abort', stop));
  };
  return {
    now: () => clock.now(),
    sleep: signal === null ? (ms) => clock.sleep(ms) : sleep,
    turn: () => clock.turn?.() ?? turn(),
  };
}

/** One for a run, shared by everything that may wait. */
export type Deadline = ReturnType<typeof makeDeadline>;

/** After one rejected wait all are rejected: otherwise short requests would continue as long. */
export function makeDeadline(clock: Pick<KitClock, 'now'>, signal: AbortSignal | null = null) {
  let [endAt, givenMs, isRejected] = [Number.POSITIVE_INFINITY, 0, false];
  /** Endless before the start. */
  const leftMs = () => endAt - clock.now();
  /** The time that was given. */
  const seconds = () => Math.round(givenMs / 1000);
  /** Whether a wait of so long ends in time. After one that does not, the time is over. */
  const allowsWait = (ms: number) => {
    isRejected ||= ms >= leftMs();
    return !isRejected && signal?.aborted !== true;
  };
  return {
    /** Starts the time; without it nothing ends. */
    start(ms: number) {
      givenMs = ms;
      endAt = clock.now() + ms;
    },
    leftMs,
    isOver: () => isRejected || leftMs() <= 0,
    seconds,
    allowsWait,
    /** Throws a TimeUp for a wait that does not end in time. */
    rejectWait(ms: number) {
      if (!allowsWait(ms)) throw isRejected ? new TimeUp(tooLong(seconds())) : stopped();
    },
  };
}
