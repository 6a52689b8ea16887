// Everything an engine holds, as plain JSON. After a restore, every later request gets the same bytes.

import type { BehaviorsSource } from '../contract/profile.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import type { ClockState } from '../domain/clock.ts';
import type { Contacts } from '../domain/contacts.ts';
import type { FaultsState } from '../domain/faults.ts';
import type { LimitSettings, LimitsState } from '../domain/limits.ts';
import { addOrganization, toAccountData, type World } from '../domain/world.ts';
import type { OrganizationData } from '../domain/world-data.ts';
import type { DeliveriesState } from './deliveries.ts';
import type { RequestLogState } from './request-log.ts';
import type { ClientsState } from './violations/judge.ts';
import type { Violation } from './violations/violation.ts';

/** Plain JSON and nothing that refers to the process. `casaSnapshot` is the version of the form. */
export interface Snapshot {
  readonly casaSnapshot: 1;
  readonly world: WorldState;
  readonly limits: { readonly settings: LimitSettings; readonly windows: LimitsState };
  readonly clock: ClockState;
  /** Positions of the generators: ids of new records, faults that strike by chance, legal variation of responses. */
  readonly random: { readonly world: number; readonly faults: number; readonly grease: number | null };
  readonly faults: FaultsState;
  /** The restored mock uses them; without them, it keeps its own. */
  readonly behaviors?: BehaviorsSource;
  readonly requestLog: RequestLogState;
  readonly violations: readonly Violation[];
  /** Recorded client history for violations. */
  readonly clients?: ClientsState;
  /** Which calls pollers were notified of. */
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

/** In the order in which the organizations were made: the first one is the default of the handles. */
export type WorldState = readonly OrganizationData[];

/** Everything in it is read again by `restoreWorld`; a test holds that the round trip loses nothing. */
export function describeWorld(world: World): WorldState {
  return describe(world, (contacts) => contacts.toData());
}

/** The same for writing JSON at once: contacts are made while they are written. */
export function describeWorldToWrite(world: World): readonly object[] {
  return describe(world, (contacts) => contacts.toWrite());
}

/** Puts other organizations into a world in place: everyone who holds the world sees them. */
export function restoreWorld(world: World, state: WorldState): void {
  world.organizations.clear();
  world.keys.clear();
  for (const organization of state) addOrganization(world, organization);
}

function describe<Described>(world: World, describeContacts: (contacts: Contacts) => Described) {
  return [...world.organizations.values()].map((organization) => {
    const { id, name, payment, keys, sites, articles, keywords, accounts, links, calls } = organization;
    const { inbox, customers, contacts } = organization;
    return {
      id,
      name,
      payment,
      keys: [...keys],
      sites: sites.list(),
      articles: articles.toData(),
      keywords: keywords.toData(),
      accounts: [...accounts.values()].map(toAccountData),
      // The other way round of `toLink`.
      links: [...links.values()].map(({ expiresAtMs, usedAtMs, accountIds, ...link }) => ({
        ...link,
        expiresAt: formatTimestamp(expiresAtMs),
        usedAt: usedAtMs === null ? null : formatTimestamp(usedAtMs),
        accountIds: [...accountIds],
      })),
      calls: calls.toData(),
      inbox: inbox.toData(),
      customers: customers.toData(),
      contacts: describeContacts(contacts),
    };
  });
}
