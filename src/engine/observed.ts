// The clock, the faults and the limits, told on when somebody changes them: through the control plane, through a fixture's
// own handle, it is all the same.
import type { ControlledClock } from '../domain/clock.ts';
import { type FaultEntry, type FaultRule, Faults } from '../domain/faults.ts';
import { type LimitSettings, Limits } from '../domain/limits.ts';
import type { Random } from '../domain/random.ts';
import { elapse } from './snapshot.ts';
import type { TakeBack } from './take-back.ts';

export function observeClock(clock: ControlledClock, changed: (takeBack: TakeBack) => void): ControlledClock {
  const told =
    <Args extends unknown[]>(change: (...args: Args) => void) =>
    (...args: Args): void => {
      const before = clock.state();
      change(...args);
      changed(() => clock.restore(elapse(before, clock.state().sourceMs)));
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

/** What happened to the faults. */
export interface FaultsNews {
  /** Who changed them: somebody from outside, or a rule that counts how often it strikes. */
  readonly cause: 'told' | 'struck';
  /** The rule that changed; null for all of them. */
  readonly id: string | null;
  /** What it is now; null when it is gone. */
  readonly entry: FaultEntry | null;
  readonly takeBack: TakeBack;
}

export class ObservedFaults extends Faults {
  readonly #changed: (news: FaultsNews) => void;
  #spending = false;

  constructor(random: Random, changed: (news: FaultsNews) => void) {
    super(random);
    this.#changed = changed;
  }

  override add(rule: FaultRule): void {
    const before = this.list();
    super.add(rule);
    this.#tell('told', rule.id, before);
  }

  // Also called by `spend`, when a rule has struck its last time.
  override remove(id: string): boolean {
    const before = this.list();
    const removed = super.remove(id);
    if (removed && !this.#spending) this.#tell('told', id, before);
    return removed;
  }

  override clear(): void {
    const before = this.list();
    super.clear();
    this.#tell('told', null, before);
  }

  override spend(source: string): void {
    const list = this.list();
    const counted = list.find(({ rule }) => rule.id === source && rule.times !== undefined);
    // Rules count in place, so the one that is about to count is copied.
    const before = counted ? list.map((entry) => (entry === counted ? { ...counted } : entry)) : list;
    this.#spending = true;
    super.spend(source);
    this.#spending = false;
    if (counted) this.#tell('struck', source, before);
  }

  #tell(cause: FaultsNews['cause'], id: string | null, before: readonly FaultEntry[]): void {
    const entry = id === null ? null : (this.list().find(({ rule }) => rule.id === id) ?? null);
    this.#changed({ cause, id, entry, takeBack: () => this.restore({ rules: before }) });
  }
}

export class ObservedLimits extends Limits {
  readonly #changed: (takeBack: TakeBack) => void;

  constructor(settings: LimitSettings, options: { countBlocked: boolean; changed: (takeBack: TakeBack) => void }) {
    super(settings, options.countBlocked);
    this.#changed = options.changed;
  }

  override configure(settings: LimitSettings): void {
    const before = this.settings();
    super.configure(settings);
    this.#changed(() => this.configure(before));
  }
}
