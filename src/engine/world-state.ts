// The living world as data, and back. Unlike a world file it holds what clients did to it; its instants are not moved.
import { formatInstant } from '../contract/instants.ts';
import type { Link } from '../domain/links.ts';
import { addOrganization, type Organization, toAccountData, toAccountToWrite, type World } from '../domain/world.ts';
import type { LinkData, OrganizationData } from '../domain/world-data.ts';

/** In the order in which the organizations were made: the first one is the default of the handles. */
export type WorldState = readonly OrganizationData[];

/** Everything in it is read again by `restoreWorld`; a test holds that the round trip loses nothing. */
export function describeWorld(world: World): WorldState {
  return [...world.organizations.values()].map((each) => ({
    ...describeOrganization(each),
    accounts: [...each.accounts.values()].map(toAccountData),
    contacts: each.contacts.toData(),
  }));
}

/** The same, and of this moment too, for whoever writes it as JSON: long records are made when they are written. */
export function describeWorldToWrite(world: World): readonly object[] {
  return [...world.organizations.values()].map((each) => ({
    ...describeOrganization(each),
    accounts: [...each.accounts.values()].map(toAccountToWrite),
    contacts: each.contacts.toWrite(),
  }));
}

/** Puts other organizations into a world in place: everyone who holds the world sees them. */
export function restoreWorld(world: World, state: WorldState): void {
  world.organizations.clear();
  world.keys.clear();
  for (const organization of state) addOrganization(world, organization);
}

/** All but what may be long; the empty lists keep the places of accounts and contacts. */
function describeOrganization(organization: Organization): OrganizationData {
  const { id, name, payment, keys, sites, articles, keywords, links, calls } = organization;
  const { inbox, customers } = organization;
  return {
    id,
    name,
    payment,
    keys: [...keys],
    sites: sites.list(),
    articles: articles.toData(),
    keywords: keywords.toData(),
    accounts: [],
    links: [...links.values()].map(describeLink),
    calls: calls.toData(),
    inbox: inbox.toData(),
    customers: customers.toData(),
    contacts: [],
  };
}

/** The other way round of `toLink`. */
function describeLink({ expiresAtMs, usedAtMs, accountIds, ...link }: Link): LinkData {
  return {
    ...link,
    expiresAt: formatInstant(expiresAtMs),
    usedAt: usedAtMs === null ? null : formatInstant(usedAtMs),
    accountIds: [...accountIds],
  };
}
