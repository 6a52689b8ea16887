// A loaded world with indexes. It knows no requests.

import type { BehaviorId } from '../contract/generated/behaviors.ts';
import { settledAfterMs } from '../contract/generated/limits.ts';
import type { LearntFrom } from '../contract/profile.ts';
import { parseTimestampMs } from '../contract/timestamps.ts';
import type { Account, Payment } from './accounts.ts';
import { Articles, articleShelf } from './articles.ts';
import { Calls, cursorStepMs } from './calls.ts';
import type { ControlledClock } from './clock.ts';
import { Contacts } from './contacts.ts';
import { Customers, Inbox } from './inbox.ts';
import type { Link, Links } from './links.ts';
import { createRandom, type Random } from './random.ts';
import { Reviews } from './reviews.ts';
import { Keywords, Sites } from './sites.ts';
import { settleBehavior, type WorldBehavior } from './world-behavior.ts';
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
  /** How many articles and calls there are. Counting builds nothing. */
  readonly counts: { readonly articles: number; readonly calls: number };
}

/** The data that decides a request. Handlers only read it: changes go through `applyWorldChange`. */
export interface World {
  readonly clock: ControlledClock;
  readonly random: Random;
  behavior: WorldBehavior;
  /** Inputs whose behavior is that of the nearest known one. */
  near: ReadonlyMap<BehaviorId, BehaviorId>;
  /** The source of behaviors from a profile. */
  learnt: LearntFrom | undefined;
  /** How long a call must have been over before pollers see it. Assumption C39. */
  readonly settleMs: number;
  readonly organizations: Map<string, Organization>;
  /** By the key's text. */
  readonly keys: Map<string, { readonly organization: Organization; readonly revoked: boolean }>;
  /** How many records were dropped because there were too many. */
  readonly forgotten: { links: number };
}

/** Options for a world file; the mock's defaults apply to absent fields. */
export interface WorldOptions {
  readonly clock: ControlledClock;
  readonly seed?: number;
  readonly behavior?: Partial<WorldBehavior>;
  readonly settleMs?: number;
}

/** Brings a world to life. Its timestamps must have been moved to the clock already: see `rebase`. */
export function createWorld(
  data: WorldData,
  { clock, seed, behavior, settleMs = settledAfterMs }: WorldOptions,
): World {
  const world: World = {
    clock,
    random: createRandom(seed ?? data.seed),
    behavior: settleBehavior(behavior ?? {}),
    near: new Map(),
    learnt: undefined,
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
  const articles = lazily(() => new Articles(data.articles, articleShelf(world.behavior)));
  const keywords = lazily(() => new Keywords(data.keywords));
  const calls = lazily(() => new Calls(data.calls, world.settleMs, cursorStepMs(world.behavior.callCursor)));
  const inbox = lazily(() => new Inbox(data.inbox ?? []));
  const customers = lazily(() => new Customers(data.customers ?? []));
  const organization: Organization = {
    id: data.id,
    name: data.name,
    payment: data.payment,
    keys: [...data.keys],
    sites: new Sites(data.sites),
    get articles() {
      return articles.get();
    },
    get keywords() {
      return keywords.get();
    },
    accounts: new Map(data.accounts.map((account) => [account.accountId.toLowerCase(), toAccount(account)])),
    links: new Map(data.links.map((link) => [link.token, toLink(link)])),
    get calls() {
      return calls.get();
    },
    get inbox() {
      return inbox.get();
    },
    get customers() {
      return customers.get();
    },
    contacts: new Contacts(data.contacts),
    get counts() {
      return {
        articles: articles.made?.toData().length ?? data.articles.length,
        calls: calls.made?.size ?? data.calls.length,
      };
    },
  };
  world.organizations.set(organization.id, organization);
  for (const { key, revoked } of data.keys) world.keys.set(key, { organization, revoked });
  return organization;
}

interface Lazy<T> {
  readonly get: () => T;
  readonly made: T | undefined;
}

/** Builds on the first use: a mock can have an organization for each test worker, and each reads little of it. */
function lazily<T>(build: () => T): Lazy<T> {
  let made: T | undefined;
  return {
    get: () => {
      made ??= build();
      return made;
    },
    get made() {
      return made;
    },
  };
}

/** The account that a world file or a change log describes. */
export function toAccount({ posts, reviews, isReplied, metrics, trouble, ...account }: AccountData): Account {
  return { ...account, posts: [...posts], reviews: new Reviews(reviews, isReplied), metrics, trouble: trouble ?? null };
}

/** The other way round. */
export function toAccountData({ posts, reviews, metrics, trouble, ...account }: Account): AccountData {
  return {
    ...account,
    posts: [...posts],
    reviews: [...reviews.toData()],
    ...(reviews.isReplied ? { isReplied: true } : {}),
    metrics,
    ...(trouble === null ? {} : { trouble }),
  };
}

/** The link that a world file or a change log describes. */
function toLink({ expiresAt, usedAt, accountIds, ...link }: LinkData): Link {
  return {
    ...link,
    expiresAtMs: parseTimestampMs(expiresAt) ?? 0,
    usedAtMs: usedAt === null ? null : parseTimestampMs(usedAt),
    accountIds: [...accountIds],
  };
}
