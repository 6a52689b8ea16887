// Completes a partial world, so a test states only its subject. Absent parts come from the world `default`; given
// records replace the default ones.
import defaultJson from '../../fixtures/worlds/default.json' with { type: 'json' };
import type { Article, Keyword, ReviewItem, Site } from '../contract/generated/types.ts';
import { isObject } from '../contract/json.ts';
import { formatTimestamp, hourMs, isDateTime } from '../contract/timestamps.ts';
import { createRandom, type Random } from '../domain/random.ts';
import type { AccountData, CallData, OrganizationData, WorldData } from '../domain/world-data.ts';
import { unknownField } from './cross-checks.ts';

const defaultWorld = defaultJson as WorldData;

/** An account with optional fields, also in its reviews. */
export type PartialAccount = Partial<Omit<AccountData, 'reviews'>> & {
  readonly reviews?: readonly Partial<ReviewItem>[];
};

/** Parts of an organization; the rest is completed. */
export interface PartialOrganization {
  readonly name?: string;
  readonly payment?: OrganizationData['payment'];
  readonly sites?: readonly Partial<Site>[];
  readonly articles?: readonly Partial<Article>[];
  readonly keywords?: readonly Partial<Keyword>[];
  readonly accounts?: readonly PartialAccount[];
  readonly calls?: readonly Partial<CallData>[];
}

/** Parts of the first organization, or of several. Timestamps are relative to `anchor`; without it, they are fixed. */
export type PartialWorld = PartialOrganization & {
  readonly anchor?: string;
  readonly seed?: number;
  readonly organizations?: readonly PartialOrganization[];
};

const parts = ['name', 'payment', 'sites', 'articles', 'keywords', 'accounts', 'calls'] as const;
/** Allowed names at the top of a partial world. */
export const partNames = [...parts, 'anchor', 'seed', 'organizations'];

/** Whether a value is a partial world: a whole one has a version in `casaWorld`. */
export function isPartial(value: unknown): value is PartialWorld {
  return isObject(value) && !('casaWorld' in value);
}

/** Returns why a part cannot be completed; null when it can. */
export function partProblem(world: PartialWorld): string | null {
  const { anchor, seed, organizations } = world;
  if (anchor !== undefined && !(typeof anchor === 'string' && isDateTime(anchor))) {
    return 'anchor: not an ISO 8601 date-time';
  }
  if (seed !== undefined && !Number.isSafeInteger(seed)) return 'seed: not an integer';
  if (organizations === undefined) return organizationProblem(world, partNames, '');
  const others = parts.find((name) => Object.hasOwn(world, name));
  if (others !== undefined) return `${others}: belongs into organizations where there are some`;
  if (!Array.isArray(organizations)) return 'organizations: not a list';
  const { length } = defaultWorld.organizations;
  if (organizations.length > length) return `organizations: the world default has ${length}, and no more can be filled`;
  for (const [i, organization] of organizations.entries()) {
    const found = organizationProblem(organization, parts, `organizations[${i}].`);
    if (found !== null) return found;
  }
  return null;
}

function organizationProblem(value: unknown, known: readonly string[], path: string): string | null {
  if (!isObject(value)) return `${path.slice(0, -1)}: not an object`;
  const unknown = Object.keys(value).find((name) => !known.includes(name));
  if (unknown !== undefined) return `${path}${unknown}: ${unknownField(unknown, known)}`;
  for (const name of ['sites', 'articles', 'keywords', 'accounts', 'calls']) {
    const found = listProblem(value[name], `${path}${name}`);
    if (found !== null) return found;
  }
  return null;
}

function listProblem(list: unknown, path: string): string | null {
  if (list === undefined) return null;
  if (!Array.isArray(list)) return `${path}: not a list`;
  for (const [i, record] of list.entries()) {
    if (!isObject(record)) return `${path}[${i}]: not an object`;
    const found = listProblem(record.reviews, `${path}[${i}].reviews`);
    if (found !== null) return found;
  }
  return null;
}

/** The whole world. Whether the given parts are good is for the check of worlds to say. */
export function fillWorld({ anchor: written, seed = defaultWorld.seed, ...given }: PartialWorld): WorldData {
  const anchor = written ?? defaultWorld.anchor;
  const random = createRandom(seed ^ 0xfa11);
  const { organizations, ...first } = given;
  const wished = organizations ?? [first];
  const filled = defaultWorld.organizations.map((organization, i) =>
    fillOrganization(organization, { wishes: wished[i] ?? {}, anchorMs: Date.parse(anchor), random }),
  );
  const fixed = written === undefined ? { fixedTimes: [...new Set(timesIn(wished))] } : {};
  return { casaWorld: 1, anchor, ...fixed, seed, organizations: filled };
}

/** A review of an account is this deep. */
const levelsMax = 8;

/** The times that the author wrote, with the end of each call. */
function timesIn(value: unknown, name = '', level = 0): string[] {
  if (typeof value === 'string')
    return /At$|^date$/.test(name) && isDateTime(value)
      ? [value, ...(name === 'startedAt' ? [minuteAfter(value)] : [])]
      : [];
  if (value === null || typeof value !== 'object' || level > levelsMax) return [];
  return Object.entries(value).flatMap(([key, inner]) => timesIn(inner, key, level + 1));
}

interface Filling {
  readonly wishes: PartialOrganization;
  readonly anchorMs: number;
  readonly random: Random;
}

function fillOrganization(base: OrganizationData, filling: Filling): OrganizationData {
  const { wishes } = filling;
  const sites = wishes.sites?.map((site, i) => fillSite(site, i, filling)) ?? base.sites;
  const known = new Set(sites.map(({ id }) => id));
  const siteId = sites[0]?.id ?? base.sites[0]?.id ?? '';
  const accounts = wishes.accounts?.map((account, i) => fillAccount(account, i, filling)) ?? base.accounts;
  const accountIds = new Set(accounts.map(({ accountId }) => accountId));
  return {
    ...base,
    name: wishes.name ?? base.name,
    payment: wishes.payment ?? base.payment,
    sites,
    articles:
      wishes.articles?.map((article, i) => fillArticle({ siteId, ...article }, i, filling)) ??
      base.articles.filter((article) => known.has(article.siteId)),
    keywords:
      wishes.keywords?.map((keyword, i) => fillKeyword({ siteId, ...keyword }, i, filling)) ??
      base.keywords.filter((keyword) => known.has(keyword.siteId)),
    accounts,
    // Removes references to accounts that are gone.
    links: base.links.filter((link) => link.accountIds.every((id) => accountIds.has(id))),
    inbox: (base.inbox ?? []).filter(({ accountId }) => accountIds.has(accountId)),
    calls: wishes.calls?.map((call, i) => fillCall(call, i, filling)) ?? base.calls,
  };
}

/** Each record is an hour older than the one before it. */
function before({ anchorMs }: Filling, index: number): string {
  return formatTimestamp(anchorMs - (index + 1) * hourMs);
}

function fillSite(site: Partial<Site>, i: number, filling: Filling): Site {
  const name = site.name ?? `Site ${i + 1}`;
  const createdAt = before(filling, 1000 + i);
  return {
    id: filling.random.uuid(),
    name,
    domain: `site-${i + 1}.example`,
    cms: 'wordpress',
    language: 'en',
    createdAt,
    ...site,
  };
}

function fillArticle(article: Partial<Article> & { siteId: string }, i: number, filling: Filling): Article {
  const createdAt = article.createdAt ?? before(filling, i);
  const { status = 'published', title = `Article ${i + 1}` } = article;
  return {
    id: filling.random.uuid(),
    title,
    slug:
      // The check rejects values other than strings.
      String(title)
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, '-')
        .replace(/^-|-$/g, '') || `article-${i + 1}`,
    status,
    targetKeyword: null,
    wordCount: 800,
    seoScore: null,
    publishedAt: status === 'published' ? createdAt : null,
    createdAt,
    updatedAt: createdAt,
    ...article,
  };
}

function fillKeyword(keyword: Partial<Keyword> & { siteId: string }, i: number, filling: Filling): Keyword {
  return {
    id: filling.random.uuid(),
    keyword: `keyword ${i + 1}`,
    searchVolume: null,
    difficulty: null,
    intent: null,
    createdAt: before(filling, i),
    ...keyword,
  };
}

function fillAccount({ reviews = [], ...account }: PartialAccount, i: number, filling: Filling): AccountData {
  const { status = 'connected' } = account;
  return {
    accountId: filling.random.uuid(),
    provider: 'google_business',
    label: `Account ${i + 1}`,
    name: `Account ${i + 1}`,
    status,
    locked: false,
    connectedAt: status === 'pending' ? null : before(filling, 100 + i),
    posts: [],
    metrics: [{ key: 'views', label: 'Views', dailyMean: 20 }],
    ...account,
    reviews: reviews.map((review, k) => fillReview(review, k, filling)),
  };
}

function fillReview(review: Partial<ReviewItem>, i: number, filling: Filling): ReviewItem {
  return {
    reviewId: `review_${filling.random.hex(16)}`,
    author: `Customer ${i + 1}`,
    rating: 5,
    text: 'Very good.',
    date: before(filling, i),
    replied: review.replyText !== undefined,
    ...review,
  };
}

function fillCall(call: Partial<CallData>, i: number, filling: Filling): CallData {
  const startedAt = call.startedAt ?? before(filling, i);
  const { outcome = 'answered' } = call;
  return {
    id: `call_${filling.random.hex(16)}`,
    direction: 'inbound',
    from: '+15550100',
    to: '+15550199',
    agent: 'Reception',
    startedAt,
    endedAt: minuteAfter(startedAt),
    provisional: outcome,
    outcome,
    ...call,
  };
}

/** Leaves invalid timestamps unchanged, for the check to reject. */
function minuteAfter(timestamp: string): string {
  const ms = typeof timestamp === 'string' && isDateTime(timestamp) ? Date.parse(timestamp) : Number.NaN;
  return Number.isNaN(ms) ? timestamp : formatTimestamp(ms + 60_000);
}
