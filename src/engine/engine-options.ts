// Options of an engine.

import type { LearntFrom } from '../contract/profile.ts';
import type { ControlledClock } from '../domain/clock.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { Relay } from '../http/relay.ts';
import type { EngineSettings } from '../options/mock-options.ts';
import type { Commit } from './commit.ts';
import type { RequestLogEntry } from './request-log-record.ts';
import type { Clients } from './violations/heard.ts';

export interface EngineOptions extends EngineSettings {
  /** A world whose timestamps have been moved to the clock. */
  readonly data: WorldData;
  /** A clock that is frozen now goes back to this timestamp with every `reset`; a running one runs on. */
  readonly clock: ControlledClock;
  readonly behavior?: Partial<WorldBehavior> | undefined;
  readonly learnt?: LearntFrom | undefined;
  readonly limits?: LimitSettings | undefined;
  /** Hosts in addition to loopback ones under which the admin API accepts requests. */
  readonly adminHosts?: readonly string[] | undefined;
  /** How the mock was started, such as `contract` or `relaxed`; shown by the admin API. */
  readonly profile?: string | undefined;
  /** Further worlds that a fresh organization may start with, by name. */
  readonly worlds?: Readonly<Record<string, WorldData>> | undefined;
  /** Rules of faults from the start; every `reset` goes back to them. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** How long a call must have been over before pollers see it; 300,000 when absent. */
  readonly settleMs?: number | undefined;
  /** Seed of the random legal variation of responses; off when absent. */
  readonly grease?: number | undefined;
  /** Told of every request, after it got a response. `heard` is its form for the client rules; null if none applies. */
  readonly onExchange?: ((entry: RequestLogEntry, heard: RequestLogEntry | null) => void) | undefined;
  /**
   * Called with every change before the response of its request. A change of the world has not been made yet: a throw
   * rejects the request and leaves the world unchanged, and a snapshot taken here lacks the change.
   */
  readonly commit?: Commit | undefined;
  /** Whether one client uses the mock, which makes violations unambiguous; `one` when absent. */
  readonly clients?: Clients | undefined;
  /** Further fields of the health page. */
  readonly health?: (() => Readonly<Record<string, unknown>>) | undefined;
  /** Forwards some operations to a deployment. */
  readonly relay?: Relay | undefined;
  /** Called when the admin API stops the mock; without it, the admin API cannot. */
  readonly onShutdown?: (() => void) | undefined;
}
