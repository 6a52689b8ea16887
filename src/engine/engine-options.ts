// What an engine is made of.
import type { Choices } from '../domain/choices.ts';
import type { ControlledClock } from '../domain/clock.ts';
import type { FaultRule } from '../domain/faults.ts';
import type { LimitSettings } from '../domain/limits.ts';
import type { WorldData } from '../domain/world-data.ts';
import type { Relay } from '../http/relay.ts';
import type { EngineSettings } from '../options/mock-options.ts';
import type { Commit } from './commit.ts';
import type { JournalEntry } from './journal-record.ts';
import type { Clients } from './verdicts/heard.ts';

export interface EngineOptions extends EngineSettings {
  /** A world whose instants have been moved to the clock. */
  readonly data: WorldData;
  /** A clock that is frozen now goes back to this instant with every `reset`; a running one runs on. */
  readonly clock: ControlledClock;
  readonly choices?: Partial<Choices> | undefined;
  readonly limits?: LimitSettings | undefined;
  /** Hosts besides loopback ones under which the admin API accepts requests. */
  readonly adminHosts?: readonly string[] | undefined;
  /** How the mock was started, such as `contract` or `relaxed`; shown by the control plane. */
  readonly profile?: string | undefined;
  /** Further worlds that a fresh organization may start with, by name. */
  readonly worlds?: Readonly<Record<string, WorldData>> | undefined;
  /** Rules of faults from the start; every `reset` goes back to them. */
  readonly faults?: readonly FaultRule[] | undefined;
  /** How long a call must have been over before pollers see it; 300,000 when absent. */
  readonly settleMs?: number | undefined;
  /** Seed of the legal variation of answers; without one, there is none. */
  readonly grease?: number | undefined;
  /** Told of every request, after it was answered. */
  readonly onExchange?: ((entry: JournalEntry) => void) | undefined;
  /**
   * Told of every change before the request that makes it is answered. A change of the world has not been made yet: a
   * throw refuses the request and leaves the world as it was, and a snapshot that is taken here does not hold the
   * change.
   */
  readonly commit?: Commit | undefined;
  /** Whether one client alone uses the mock, so that verdicts owe nobody a doubt; `one` when absent. */
  readonly clients?: Clients | undefined;
  /** Further members of the health page. */
  readonly health?: (() => Readonly<Record<string, unknown>>) | undefined;
  /** Answers some operations in place of the mock: a deployment behind it. */
  readonly relay?: Relay | undefined;
  /** Called when the control plane is asked to stop the mock; without it, that is not offered. */
  readonly onShutdown?: (() => void) | undefined;
}
