// The two limiters of the contract, on the injected clock. Cites 8.key-window, 8.address-window, 8.headers.*.
import { addressWindow, keyWindow } from '../contract/generated/limits.ts';
import { type Grant, SlidingWindow, type SlidingWindowState } from './sliding-window.ts';
import type { WorldBehavior } from './world-behavior.ts';

/** The window: by address (before the key is read) or by key (after it). Cites 8.address-window, 8.key-window. */
export type Bucket = 'address' | 'key';

/** Both windows, and the number of blocks so far, on which Retry-After depends (assumption C46). */
export interface LimitsState {
  readonly address: SlidingWindowState;
  readonly key: SlidingWindowState;
  readonly blocks: number;
}

/** Settings that a user can change: `--relaxed` turns the limiters off, the admin API changes the windows. */
export interface LimitSettings {
  readonly enforced: boolean;
  readonly address: { readonly limit: number; readonly windowMs: number };
  readonly key: { readonly limit: number; readonly windowMs: number };
}

/** The numbers of section 8. */
export const contractLimits: LimitSettings = {
  enforced: true,
  address: addressWindow,
  key: keyWindow,
};

/** Unspecified behavior of both windows. */
export interface LimitStyle {
  readonly countBlocked: boolean;
  readonly resetMeans?: WorldBehavior['resetMeans'];
  readonly addressWindow?: WorldBehavior['addressWindow'];
}

/** REST and the MCP endpoint share one instance, as the contract says of the key's window. */
export class Limits {
  enforced: boolean;
  readonly address: SlidingWindow;
  readonly key: SlidingWindow;
  /** How many requests were blocked so far; every fifth block carries no Retry-After (assumption C46). */
  #blocks = 0;

  readonly #changed: (before: LimitSettings) => void;

  /** `changed` is called after the settings were changed, with those from before. */
  constructor(
    settings: LimitSettings = contractLimits,
    style: boolean | LimitStyle = false,
    changed: (before: LimitSettings) => void = () => {},
  ) {
    this.#changed = changed;
    this.enforced = settings.enforced;
    const {
      countBlocked,
      resetMeans,
      addressWindow: kind,
    } = typeof style === 'boolean' ? { countBlocked: style } : style;
    const shared = { countBlocked, ...(resetMeans === undefined ? {} : { resetMeans }) };
    this.address = new SlidingWindow({ ...settings.address, ...shared, ...(kind === undefined ? {} : { kind }) });
    this.key = new SlidingWindow({ ...settings.key, ...shared });
  }

  /** Both windows are read in another way; what they hold stays. */
  restyle({ countBlocked, resetMeans = 'next', addressWindow = 'sliding' }: LimitStyle): void {
    this.address.kind = addressWindow;
    for (const bucket of [this.address, this.key]) {
      bucket.countBlocked = countBlocked;
      bucket.resetMeans = resetMeans;
    }
  }

  /** Asks one limiter for an admission; null when limits are off. */
  take(bucket: Bucket, name: string, nowMs: number): Grant | null {
    return this.enforced ? this[bucket].take(name, nowMs) : null;
  }

  /** Whether this blocked response carries Retry-After. Cites 8.retry-after. */
  tellsRetryAfter(behavior: WorldBehavior['retryAfter']): boolean {
    this.#blocks += 1;
    return behavior === 'always' || (behavior === 'usually' && this.#blocks % 5 !== 0);
  }

  /** Returns the current settings, in the form that `configure` accepts. */
  settings(): LimitSettings {
    const { address, key, enforced } = this;
    return {
      enforced,
      address: { limit: address.limit, windowMs: address.windowMs },
      key: { limit: key.limit, windowMs: key.windowMs },
    };
  }

  /** Requests that were admitted before count in the new windows too. */
  configure(settings: LimitSettings): void {
    const before = this.settings();
    this.enforced = settings.enforced;
    for (const bucket of ['address', 'key'] as const) {
      this[bucket].limit = settings[bucket].limit;
      this[bucket].windowMs = settings[bucket].windowMs;
    }
    this.#changed(before);
  }

  /** Every client has its full windows again; the settings stay. */
  clear(): void {
    this.address.clear();
    this.key.clear();
    this.#blocks = 0;
  }

  state(): LimitsState {
    return { address: this.address.state(), key: this.key.state(), blocks: this.#blocks };
  }

  restore(state: LimitsState): void {
    this.address.restore(state.address);
    this.key.restore(state.key);
    this.#blocks = state.blocks;
  }
}
