// A clock that tells when somebody changes it: through the control plane or through a fixture's own handle, it is all
// the same.
import type { ClockState, ControlledClock } from '../domain/clock.ts';

/** Only changes are told; reading the time costs nothing more. */
export function observeClock(clock: ControlledClock, changed: (before: ClockState) => void): ControlledClock {
  const told =
    <Args extends unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      const before = clock.state();
      change(...args);
      changed(before);
    };
  return {
    now: clock.now,
    get frozen() {
      return clock.frozen;
    },
    get scale() {
      return clock.scale;
    },
    advance: told(clock.advance),
    freeze: told(clock.freeze),
    resume: told(clock.resume),
    set: told(clock.set),
    setScale: told(clock.setScale),
    state: clock.state,
    restore: told(clock.restore),
  };
}
