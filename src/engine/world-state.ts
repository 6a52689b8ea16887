// The living world as data, and back. Unlike a world file it holds what clients did to it; its timestamps are not
// moved.
import { formatTimestamp } from '../contract/timestamps.ts';
import type { Contacts } from '../domain/contacts.ts';
import type { Link } from '../domain/links.ts';
import { addOrganization, toAccountData, type World } from '../domain/world.ts';
import type { LinkData, OrganizationData } from '../domain/world-data.ts';

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
      links: [...links.values()].map(describeLink),
      calls: calls.toData(),
      inbox: inbox.toData(),
      customers: customers.toData(),
      contacts: describeContacts(contacts),
    };
  });
}

/** The other way round of `toLink`. */
function describeLink({ expiresAtMs, usedAtMs, accountIds, ...link }: Link): LinkData {
  return {
    ...link,
    expiresAt: formatTimestamp(expiresAtMs),
    usedAt: usedAtMs === null ? null : formatTimestamp(usedAtMs),
    accountIds: [...accountIds],
  };
}
