// The clock, the faults and the limits, told on when somebody changes them: through the control plane, through a fixture's
// own handle, it is all the same.
import type { ControlledClock } from '../domain/clock.ts';
import { type FaultRule, Faults } from '../domain/faults.ts';
import { type LimitSettings, Limits } from '../domain/limits.ts';
import type { Random } from '../domain/random.ts';

export function observeClock(clock: ControlledClock, changed: () => void): ControlledClock {
  const told =
    <Args extends unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      change(...args);
      changed();
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

/** Who changed the faults: somebody from outside, or a rule that counts how often it strikes. */
export type FaultsCause = 'told' | 'struck';

export class ObservedFaults extends Faults {
  readonly #changed: (cause: FaultsCause) => void;
  #spending = false;

  constructor(random: Random, changed: (cause: FaultsCause) => void) {
    super(random);
    this.#changed = changed;
  }

  override add(rule: FaultRule): void {
    super.add(rule);
    this.#changed('told');
  }

  // Also called by `spend`, when a rule has struck its last time.
  override remove(id: string): boolean {
    const removed = super.remove(id);
    if (removed && !this.#spending) this.#changed('told');
    return removed;
  }

  override clear(): void {
    super.clear();
    this.#changed('told');
  }

  override spend(source: string): void {
    const counts = this.list().some(({ rule }) => rule.id === source && rule.times !== undefined);
    this.#spending = true;
    super.spend(source);
    this.#spending = false;
    if (counts) this.#changed('struck');
  }
}

export class ObservedLimits extends Limits {
  readonly #changed: () => void;

  constructor(settings: LimitSettings, options: { countBlocked: boolean; changed: () => void }) {
    super(settings, options.countBlocked);
    this.#changed = options.changed;
  }

  override configure(settings: LimitSettings): void {
    super.configure(settings);
    this.#changed();
  }
}
