// Every change of a mock as a line of plain JSON, committed before the response of its request. An entry has the result
// (the post, the link, the call) instead of the request: a replay needs no limiter, no fault and no random numbers.
import type { WorldChange } from '../domain/change.ts';
import type { ClockState } from '../domain/clock.ts';
import type { FaultEntry, FaultsState } from '../domain/faults.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { RequestLogEntry } from './request-log-record.ts';
import type { StoredSnapshot } from './snapshot.ts';
import type { Violation } from './violations/violation.ts';

/** The lines of a `--save` file and of a stream. Old files are read by this type: fields are added, never renamed. */
export type Change =
  | WorldChange
  | { readonly kind: 'clock'; readonly clock: ClockState }
  /** All rules at once: none are left. */
  | { readonly kind: 'faults'; readonly faults: FaultsState; readonly random: number }
  /**
   * One rule: new or replaced, struck once more, or gone (null). It costs its own bytes, however many others there are.
   */
  | { readonly kind: 'fault'; readonly id: string; readonly entry: FaultEntry | null; readonly random: number }
  | { readonly kind: 'limits'; readonly limits: LimitSettings }
  | { readonly kind: 'reset' }
  | { readonly kind: 'restore'; readonly snapshot: StoredSnapshot };

export interface CommitEntry {
  readonly change: Change;
  /** The clock when it happened, in epoch milliseconds. */
  readonly atMs: number;
  /** Position of the world's generator afterwards: later ids continue from there. */
  readonly random: number;
}

/**
 * Is reported each change. Should it turn out later that the change cannot be kept, `takeBack` undoes it in memory; of
 * several changes the newest goes first.
 */
export type Commit = (entry: CommitEntry, takeBack: () => void) => void;

/** In the order in which things happened; an exchange comes after its response was made, and before it is sent. */
export type EngineEvent =
  /** A second one with the same id reports the response that left instead of the first. */
  | { readonly type: 'exchange'; readonly entry: RequestLogEntry }
  | { readonly type: 'violation'; readonly violation: Violation }
  | { readonly type: 'clock'; readonly nowMs: number; readonly scale: number }
  /** Faults, limits, calls or organizations were changed from outside the API. */
  | { readonly type: 'change'; readonly what: 'faults' | 'limits' | 'calls' | 'organizations' }
  | { readonly type: 'reset' };

/** Is called within the request, so it must be quick. */
export type Listener = (event: EngineEvent) => void;

// Records of client traffic are bounded in bytes: the oldest are dropped, and counted here. All of them together stay
// below 64 MiB: the request log has 12, the histories in snapshots 12, violations 12, the windows of addresses 4,
// bodies in transfer 12, and open connections 12. Records that clients created (posts, replies, contacts) are never
// dropped, because they were acknowledged.

/** What `GET /__admin/health` shows, so an empty search of the request log is not taken for proof. */
export interface Forgotten {
  /** Requests of the request log. */
  readonly requests: number;
  /** Windows of addresses that were not over. */
  readonly addresses: number;
  /** Clients, or requests of theirs, that violations would go by. */
  readonly clients: number;
  /** Connect links. */
  readonly links: number;
  /** Connections: there were too many, or too many half-sent bodies or unread responses. */
  readonly connections: number;
}
