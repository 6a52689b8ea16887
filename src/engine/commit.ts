// Every change of a mock as a line of plain JSON, told before the request that makes it is answered. An entry holds what
// came about (the post, the link, the call), not what was asked for: replaying it needs no limiter, no fault and no luck.
import type { WorldChange } from '../domain/change.ts';
import type { ClockState } from '../domain/clock.ts';
import type { FaultsState } from '../domain/faults.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { StoredSnapshot } from './snapshot.ts';

export type Change =
  | WorldChange
  | { readonly kind: 'clock'; readonly clock: ClockState }
  | { readonly kind: 'faults'; readonly faults: FaultsState; readonly random: number }
  | { readonly kind: 'limits'; readonly limits: LimitSettings }
  | { readonly kind: 'reset' }
  | { readonly kind: 'restore'; readonly snapshot: StoredSnapshot };

/** One change with its circumstances. */
export interface CommitEntry {
  readonly change: Change;
  /** The clock when it happened, in epoch milliseconds. */
  readonly atMs: number;
  /** Position of the world's generator afterwards: later ids go on from there. */
  readonly random: number;
}
