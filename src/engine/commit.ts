// Every change of a mock as a line of plain JSON, told before the request that makes it is answered. An entry holds
// what came about (the post, the link, the call), not what was asked for: replaying it needs no limiter, no fault and
// no luck.
import type { WorldChange } from '../domain/change.ts';
import type { ClockState } from '../domain/clock.ts';
import type { FaultEntry, FaultsState } from '../domain/faults.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { StoredSnapshot } from './snapshot.ts';

/** The lines of a `--save` file and of a stream. Old files are read by this type: members are added, never renamed. */
export type Change =
  | WorldChange
  | { readonly kind: 'clock'; readonly clock: ClockState }
  /** All rules at once: none are left, or a file of an older version lists them. */
  | { readonly kind: 'faults'; readonly faults: FaultsState; readonly random: number }
  /**
   * One rule: new or replaced, struck once more, or gone (null). It costs its own bytes, however many others there are.
   */
  | { readonly kind: 'fault'; readonly id: string; readonly entry: FaultEntry | null; readonly random: number }
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

/**
 * Is told of each change. Should it turn out later that the change cannot be kept, `takeBack` undoes it in memory; of
 * several changes the newest goes first.
 */
export type Commit = (entry: CommitEntry, takeBack: () => void) => void;
