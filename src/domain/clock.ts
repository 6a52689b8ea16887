// One clock for rate-limit windows, settling, link expiry and insight dates: the only source of time in the core.

/** Tells the time in whole milliseconds since the epoch. */
interface Clock {
  now(): number;
}

/** Where a clock takes its time from: the system's time, or a constant in tests. */
export type TimeSource = () => number;

/** State from which the time at any later moment follows; part of a snapshot. */
export interface ClockState {
  /** Virtual time at the moment the clock was last changed. */
  readonly baseMs: number;
  /** Source time at that moment. */
  readonly sourceMs: number;
  /** Virtual milliseconds that pass in one millisecond of the source; 0 when frozen. */
  readonly scale: number;
  /** The scale that `resume` goes back to, where it is not 1 and the clock is frozen. */
  readonly resumeScale?: number;
}

/** A clock that can be frozen, moved forward and sped up. It never runs backwards. */
export interface ControlledClock extends Clock {
  /** The real time, however this clock was moved. */
  readonly source: TimeSource;
  readonly frozen: boolean;
  readonly scale: number;
  /** Moves the time forward by a number of milliseconds, at least 0. */
  advance(ms: number): void;
  freeze(): void;
  resume(): void;
  /** Jumps to a timestamp that is not in the clock's past. */
  set(epochMs: number): void;
  setScale(scale: number): void;
  state(): ClockState;
  restore(state: ClockState): void;
}

/**
 * A source that never runs backwards. It follows `wall` forward, also over the sleep of a machine, which monotonic
 * clocks need not count. If `wall` is set back, it continues by `monotonic`, so that clients do not wait for `wall`.
 */
export function steadySource(wall: TimeSource, monotonic: TimeSource): TimeSource {
  let offsetMs = Number.NEGATIVE_INFINITY;
  return () => {
    // The wall clock is read first: a pause between the two then makes the difference smaller, which has no effect.
    const wallMs = wall();
    const monotonicMs = monotonic();
    offsetMs = Math.max(offsetMs, wallMs - monotonicMs);
    return Math.round(monotonicMs + offsetMs);
  };
}

/**
 * The virtual time is a straight line: `baseMs` plus the source's time since `sourceMs`, times `scale`. Each change of
 * speed starts a new line at the current timestamp, so the time never jumps by itself. Throws a RangeError for a
 * timestamp in the past or after the year 9999.
 */
export function createClock(source: TimeSource, options: { startMs?: number; frozen?: boolean } = {}): ControlledClock {
  let state: ClockState = { baseMs: options.startMs ?? source(), sourceMs: source(), scale: options.frozen ? 0 : 1 };
  let resumeScale = 1;
  let latestMs = state.baseMs;
  let seenMs = state.sourceMs;

  /** If the source is set back, time continues from its last value. A frozen clock does not read its source. */
  const elapsedMs = (): number => {
    if (state.scale === 0) return 0;
    const sourceMs = source();
    if (sourceMs < seenMs) state = { ...state, sourceMs: state.sourceMs - (seenMs - sourceMs) };
    seenMs = sourceMs;
    return (sourceMs - state.sourceMs) * state.scale;
  };
  const now = (): number => {
    latestMs = Math.max(latestMs, Math.floor(elapsedMs() + state.baseMs));
    return latestMs;
  };
  const change = (baseMs: number, scale: number): void => {
    seenMs = source();
    state = { baseMs, sourceMs: seenMs, scale };
    latestMs = Math.max(latestMs, Math.floor(baseMs));
  };

  return {
    source,
    now,
    get frozen() {
      return state.scale === 0;
    },
    get scale() {
      return state.scale;
    },
    advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`The clock only moves forward: cannot advance by ${ms} ms.`);
      change(withinReach(now() + ms), state.scale);
    },
    freeze() {
      if (state.scale !== 0) resumeScale = state.scale;
      change(now(), 0);
    },
    resume() {
      if (state.scale === 0) change(now(), resumeScale);
    },
    set(epochMs) {
      if (!(epochMs >= now())) throw new RangeError('The clock only moves forward: that timestamp is in its past.');
      change(withinReach(epochMs), state.scale);
    },
    setScale(scale) {
      if (!(scale > 0)) throw new RangeError('A clock scale is a number above 0; use freeze to stop the clock.');
      change(now(), scale);
    },
    state: () => {
      const line = { baseMs: now(), sourceMs: source(), scale: state.scale };
      return state.scale === 0 && resumeScale !== 1 ? { ...line, resumeScale } : line;
    },
    restore(saved) {
      resumeScale = saved.scale === 0 ? (saved.resumeScale ?? resumeScale) : saved.scale;
      latestMs = saved.baseMs;
      seenMs = source();
      state = { baseMs: saved.baseMs, sourceMs: seenMs, scale: saved.scale };
    },
  };
}

/** The end of the year 9999: later timestamps have no ISO 8601 text of four-digit years. */
export const clockMaxMs = 253_402_300_799_999;

/** Throws where the clock would have no text to show. */
function withinReach(epochMs: number): number {
  if (epochMs <= clockMaxMs) return epochMs;
  throw new RangeError('The clock ends with the year 9999; choose an earlier timestamp.');
}

// Notifies of every change of the clock, through the admin API or a fixture.

/** Only changes are notified: reads cost nothing. */
export function observeClock(clock: ControlledClock, changed: (before: ClockState) => void): ControlledClock {
  const notifying =
    <Args extends unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      const before = clock.state();
      change(...args);
      changed(before);
    };
  return {
    source: clock.source,
    now: clock.now,
    get frozen() {
      return clock.frozen;
    },
    get scale() {
      return clock.scale;
    },
    advance: notifying(clock.advance),
    freeze: notifying(clock.freeze),
    resume: notifying(clock.resume),
    set: notifying(clock.set),
    setScale: notifying(clock.setScale),
    state: clock.state,
    restore: notifying(clock.restore),
  };
}
