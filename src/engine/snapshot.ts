// Everything an engine holds, as plain JSON: give it back and every later request gets a response with the same bytes.
import type { BehaviorsSource } from '../contract/profile.ts';
import type { ClockState } from '../domain/clock.ts';
import type { FaultsState } from '../domain/faults.ts';
import type { LimitSettings, LimitsState } from '../domain/limits.ts';
import type { DeliveriesState } from './deliveries.ts';
import type { RequestLogState } from './request-log.ts';
import type { ClientsState } from './violations/judge.ts';
import type { Violation } from './violations/violation.ts';
import type { WorldState } from './world-state.ts';

/** Plain JSON and nothing that refers to the process. `casaSnapshot` is the version of the form. */
export interface Snapshot {
  readonly casaSnapshot: 1;
  readonly world: WorldState;
  readonly limits: { readonly settings: LimitSettings; readonly windows: LimitsState };
  readonly clock: ClockState;
  /** Positions of the generators: ids of new records, faults that strike by chance, legal variation of responses. */
  readonly random: { readonly world: number; readonly faults: number; readonly grease: number | null };
  readonly faults: FaultsState;
  /** The restored mock uses them; absent in snapshots of older versions, which leave those of the mock. */
  readonly behaviors?: BehaviorsSource;
  readonly requestLog: RequestLogState;
  readonly violations: readonly Violation[];
  /** Recorded client history for violations; absent in snapshots of older versions. */
  readonly clients?: ClientsState;
  /** Which calls pollers were notified of; absent in snapshots of older versions. */
  readonly deliveries?: DeliveriesState;
}

/** A snapshot for a file: the world and its settings, without the history of requests. */
export type StoredSnapshot = Omit<Snapshot, 'requestLog' | 'violations' | 'clients' | 'deliveries'>;

/** Options for restoring a mock. */
export interface RestoreOptions {
  /**
   * The clock: `back` sets it to the timestamp of the snapshot (the default); `elapsed` lets the time that went by
   * since then count, as a file that outlives the process wants it.
   */
  readonly clock?: 'back' | 'elapsed' | undefined;
}

/** The clock as it would stand had it run on since its state was taken. */
export function elapse(clock: ClockState, sourceMs: number): ClockState {
  const elapsedMs = Math.max(0, sourceMs - clock.sourceMs) * clock.scale;
  return { ...clock, baseMs: Math.floor(clock.baseMs + elapsedMs), sourceMs };
}
