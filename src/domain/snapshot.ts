// A living world as the plain data it could have been loaded from: `createWorld(describeWorld(world))` answers every later
// request with the same bytes. The generator's position stands in `seed`. Choices, limiter windows, faults and the clock's
// pace are not part of a world and are kept beside it.
import { formatInstant } from '../contract/instants.ts';
import type { Account } from './accounts.ts';
import type { Link } from './links.ts';
import type { Organization, World } from './world.ts';
import type { AccountData, LinkData, OrganizationData, WorldData } from './world-data.ts';

/** Everything but the articles is copied: what the world does later does not show in it. */
export function describeWorld(world: World): WorldData {
  return {
    casaWorld: 1,
    anchor: formatInstant(world.clock.now()),
    seed: world.random.position(),
    organizations: [...world.organizations.values()].map(describeOrganization),
  };
}

export function describeOrganization(organization: Organization): OrganizationData {
  return {
    id: organization.id,
    name: organization.name,
    payment: organization.payment,
    keys: organization.keys.map((key) => ({ ...key })),
    sites: organization.sites.list(),
    articles: organization.articles.toData(),
    keywords: organization.keywords.toData(),
    accounts: [...organization.accounts.values()].map(toAccountData),
    links: [...organization.links.values()].map(toLinkData),
    calls: organization.calls.toData(),
  };
}

/** As it stands in a world file. */
export function toAccountData({ posts, reviews, metrics, trouble, ...account }: Account): AccountData {
  return {
    ...account,
    posts: [...posts],
    reviews: [...reviews.toData()],
    metrics,
    ...(trouble === null ? {} : { trouble }),
  };
}

/** As it stands in a world file. */
export function toLinkData({ expiresAtMs, usedAtMs, accountIds, ...link }: Link): LinkData {
  return {
    ...link,
    expiresAt: formatInstant(expiresAtMs),
    usedAt: usedAtMs === null ? null : formatInstant(usedAtMs),
    accountIds: [...accountIds],
  };
}
