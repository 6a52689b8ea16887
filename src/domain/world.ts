// The living world: what a world file or a snapshot says, with indexes for looking things up. It knows no request.
import { settledAfterMs } from '../contract/generated/limits.ts';
import { parseInstantMs } from '../contract/instants.ts';
import type { Account, Payment } from './accounts.ts';
import { Articles } from './articles.ts';
import { Calls } from './calls.ts';
import { type Choices, defaultChoices } from './choices.ts';
import type { ControlledClock } from './clock.ts';
import { Contacts } from './contacts.ts';
import { Customers } from './customers.ts';
import { Inbox } from './inbox.ts';
import type { Link, Links } from './links.ts';
import { createRandom, type Random } from './random.ts';
import { Reviews } from './reviews.ts';
import { Keywords, Sites } from './sites.ts';
import type { AccountData, KeyData, LinkData, OrganizationData, WorldData } from './world-data.ts';

/** One organization with an index for each question that a request may ask. */
export interface Organization {
  readonly id: string;
  readonly name: string;
  payment: Payment;
  readonly keys: KeyData[];
  readonly sites: Sites;
  readonly articles: Articles;
  readonly keywords: Keywords;
  /** By account id in lower case. */
  readonly accounts: Map<string, Account>;
  readonly links: Links;
  readonly calls: Calls;
  readonly inbox: Inbox;
  readonly customers: Customers;
  readonly contacts: Contacts;
}

/** What a request is decided on. Handlers read it and change nothing: changes go through `applyWorldChange`. */
export interface World {
  readonly clock: ControlledClock;
  readonly random: Random;
  choices: Choices;
  /** How long a call must have been over before pollers see it. Choice C39. */
  readonly settleMs: number;
  readonly organizations: Map<string, Organization>;
  /** By the key's text. */
  readonly keys: Map<string, { readonly organization: Organization; readonly revoked: boolean }>;
  /** How many records were dropped because there were too many. */
  readonly forgotten: { links: number };
}

/** What a world file does not say; absent members leave the defaults of the mock. */
export interface WorldOptions {
  readonly clock: ControlledClock;
  readonly seed?: number;
  readonly choices?: Partial<Choices>;
  readonly settleMs?: number;
}

/** Brings a world to life. Its instants must have been moved to the clock already: see `rebase`. */
export function createWorld(data: WorldData, { clock, seed, choices, settleMs = settledAfterMs }: WorldOptions): World {
  const world: World = {
    clock,
    random: createRandom(seed ?? data.seed),
    choices: { ...defaultChoices, ...choices },
    settleMs,
    organizations: new Map(),
    keys: new Map(),
    forgotten: { links: 0 },
  };
  for (const organization of data.organizations) addOrganization(world, organization);
  return world;
}

/** An organization with a known id replaces that one. Its keys open it from now on. */
export function addOrganization(world: World, data: OrganizationData): Organization {
  const organization: Organization = {
    id: data.id,
    name: data.name,
    payment: data.payment,
    keys: [...data.keys],
    sites: new Sites(data.sites),
    articles: new Articles(data.articles),
    keywords: new Keywords(data.keywords),
    accounts: new Map(data.accounts.map((account) => [account.accountId.toLowerCase(), toAccount(account)])),
    links: new Map(data.links.map((link) => [link.token, toLink(link)])),
    calls: new Calls(data.calls, world.settleMs),
    inbox: new Inbox(data.inbox ?? []),
    customers: new Customers(data.customers ?? []),
    contacts: new Contacts(data.contacts),
  };
  world.organizations.set(organization.id, organization);
  for (const { key, revoked } of data.keys) world.keys.set(key, { organization, revoked });
  return organization;
}

/** The account that a world file or a change log describes. */
export function toAccount({ posts, reviews, metrics, trouble, ...account }: AccountData): Account {
  return { ...account, posts: [...posts], reviews: new Reviews(reviews), metrics, trouble: trouble ?? null };
}

/** The other way round. */
export function toAccountData({ posts, reviews, metrics, trouble, ...account }: Account): AccountData {
  return {
    ...account,
    posts: [...posts],
    reviews: [...reviews.toData()],
    metrics,
    ...(trouble === null ? {} : { trouble }),
  };
}

/** The link that a world file or a change log describes. */
function toLink({ expiresAt, usedAt, accountIds, ...link }: LinkData): Link {
  return {
    ...link,
    expiresAtMs: parseInstantMs(expiresAt) ?? 0,
    usedAtMs: usedAt === null ? null : parseInstantMs(usedAt),
    accountIds: [...accountIds],
  };
}
