// Events in the world without a request of the contract: a review arrives, an article is published. Cites
// 3.transitions.
import type { Article, ReviewItem } from '../contract/generated/types.ts';
import { formatTimestamp, parseTimestampMs } from '../contract/timestamps.ts';
import type { Account, Payment } from '../domain/accounts.ts';
import { checkSupport } from '../domain/actions.ts';
import type { Call, NewCall } from '../domain/call.ts';
import { notFound, type Outcome, ok } from '../domain/outcome.ts';
import { type Organization, toAccountData, type World } from '../domain/world.ts';
import type { EngineCore } from './core.ts';

/** Everything may be left out: a good review then arrives now. */
export interface ReviewWishes {
  readonly author?: string | undefined;
  /** 1 to 5, or null; 5 when absent. */
  readonly rating?: number | null | undefined;
  readonly text?: string | undefined;
  /** ISO 8601; now when absent. */
  readonly date?: string | undefined;
}

/** Everything may be left out: a draft of the first site is then added. */
export type ArticleWishes = Partial<Omit<Article, 'createdAt' | 'updatedAt'>>;

/**
 * At the first account with reviews when none is named. Rejected where the organization has no such account, and
 * where no request could ever read the review.
 */
export function addReview(
  core: EngineCore,
  organizationId: string,
  { accountId, wishes }: { accountId: string | undefined; wishes: ReviewWishes },
): Outcome<ReviewItem> {
  const accounts = core.world.organizations.get(organizationId)?.accounts;
  const account =
    accountId === undefined
      ? [...(accounts?.values() ?? [])].find((one) => one.status === 'connected' && one.reviews.toData().length > 0)
      : accounts?.get(accountId.toLowerCase());
  if (!account) return notFound('account');
  const support = checkSupport(account.provider, 'reviews');
  if (!support.ok) return support;
  const { author = 'A new customer', rating = 5, text = 'Very good.', date } = wishes;
  const review: ReviewItem = {
    reviewId: `review_${core.world.random.hex(16)}`,
    author,
    rating,
    text,
    date: date ?? formatTimestamp(core.world.clock.now()),
    replied: false,
  };
  const data = toAccountData(account);
  const changed = { ...data, reviews: [review, ...data.reviews] };
  core.changeFromOutside({ kind: 'account', organizationId, account: changed }, 'organizations');
  return ok(review);
}

/** Adds an article, or changes the one of this id. Null when a new one has no site. */
export function putArticle(core: EngineCore, organization: Organization, wishes: ArticleWishes): Article | null {
  const now = formatTimestamp(core.world.clock.now());
  const known = wishes.id === undefined ? undefined : organization.articles.get(wishes.id);
  const siteId = wishes.siteId ?? known?.siteId ?? organization.sites.list()[0]?.id;
  if (siteId === undefined) return null;
  const title = wishes.title ?? known?.title ?? 'A new article';
  const article: Article = {
    id: core.world.random.uuid(),
    slug: title
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, ''),
    status: 'draft',
    targetKeyword: null,
    wordCount: 800,
    seoScore: null,
    publishedAt: null,
    createdAt: now,
    ...known,
    ...wishes,
    title,
    siteId,
    updatedAt: now,
  };
  core.changeFromOutside({ kind: 'article', organizationId: organization.id, article }, 'organizations');
  return article;
}

/** Null when the organization has no such article. */
export function publishArticle(core: EngineCore, organization: Organization, id: string): Article | null {
  const article = organization.articles.get(id);
  if (!article) return null;
  const publishedAt = formatTimestamp(core.world.clock.now());
  return putArticle(core, organization, { id: article.id, status: 'published', publishedAt });
}

// Brings accounts and organizations into the states that the contract names but shows no way into: an account that
// expires, one that is locked, a payment that is missing. Cites 3.transitions.

/** Absent fields stay unchanged. */
export interface AccountWishes {
  readonly status?: Account['status'] | undefined;
  readonly locked?: boolean | undefined;
  /** The platform's response to every action on the account; null for a platform that works. */
  readonly trouble?: Account['trouble'] | undefined;
}

/**
 * A change of the world like any other: it is kept, reported, and clears rejections of the judge. Gives back the
 * account as it is now; null when the organization has no such account.
 */
export function changeAccount(
  core: EngineCore,
  organizationId: string,
  { accountId, wishes }: { accountId: string; wishes: AccountWishes },
): Account | null {
  const accounts = core.world.organizations.get(organizationId)?.accounts;
  const account = accounts?.get(accountId.toLowerCase());
  if (!account) return null;
  const { status = account.status, locked = account.locked, trouble = account.trouble } = wishes;
  const changed = toAccountData({ ...account, status, locked, trouble });
  core.changeFromOutside({ kind: 'account', organizationId, account: changed }, 'organizations');
  return accounts?.get(accountId.toLowerCase()) ?? null;
}

/** Sets the reason for 402 responses to writes, or `ok`. Cites 7.code.payment-required. */
export function changePayment(core: EngineCore, organizationId: string, payment: Payment): boolean {
  if (!core.world.organizations.has(organizationId)) return false;
  core.changeFromOutside({ kind: 'payment', organizationId, payment }, 'organizations');
  return true;
}

// Lets a telephone ring: a call that starts, runs, ends and settles on the mock's clock. Cites 4.calls.settled-only.

/** Everything may be left out: a call of a minute then starts now and gets a response. */
export interface RingOptions {
  readonly direction?: 'inbound' | 'outbound' | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly agent?: string | undefined;
  /** Duration of the call, default 60. A duration of 0 is an unanswered call. */
  readonly durationS?: number | undefined;
  /** ISO 8601; now when absent. A call may have started in the past, as one that is reported late. */
  readonly startedAt?: string | undefined;
  /** The final outcome; `responded` when absent, `missed` for a call of no duration. */
  readonly outcome?: string | undefined;
  /** The outcome as it looks while the call settles; the final one when absent. */
  readonly provisional?: string | undefined;
}

/** Adds a call to an organization, the first one when none is named, and gives back what is known of it. */
export function ringCall(core: EngineCore, organizationId: string | undefined, options: RingOptions = {}): Call {
  const organization = findOrganization(core.world, organizationId);
  const nowMs = core.world.clock.now();
  const ring = describeRing(options, nowMs);
  const call = organization.calls.place({ id: `call_${core.world.random.hex(16)}`, ...ring }, nowMs);
  core.changeFromOutside({ kind: 'call', organizationId: organization.id, call }, 'calls');
  return call;
}

export function endCall(
  core: EngineCore,
  organizationId: string | undefined,
  { callId, outcome }: { callId: string; outcome?: string | undefined },
): Call | null {
  const organization = findOrganization(core.world, organizationId);
  const call = organization.calls.ended(callId, core.world.clock.now(), outcome);
  if (call) core.changeFromOutside({ kind: 'call', organizationId: organization.id, call }, 'calls');
  return call;
}

/** Throws for an unknown id, because the handles of test runners cannot return 404. */
function findOrganization({ organizations }: World, id: string | undefined): Organization {
  const found = id === undefined ? organizations.values().next().value : organizations.get(id);
  if (!found)
    throw new RangeError(id === undefined ? 'This world has no organization.' : `There is no organization "${id}".`);
  return found;
}

/** Throws a RangeError that names the option. Start and end are settled here; the clock does the rest. */
function describeRing(options: RingOptions, nowMs: number): Omit<NewCall, 'id'> {
  const { direction = 'inbound', from = '+15550100', to = '+15550199', agent = 'Reception', durationS = 60 } = options;
  const { outcome = durationS === 0 ? 'missed' : 'answered', provisional = outcome } = options;
  const startedAtMs = options.startedAt === undefined ? nowMs : parseTimestampMs(options.startedAt);
  if (startedAtMs === null || Math.abs(startedAtMs) > farthestMs)
    throw new RangeError('startedAt must be an ISO 8601 date-time before the year 10000.');
  if (!(durationS >= 0 && durationS <= durationMaxS))
    throw new RangeError('durationS must be from 0 to 86400 seconds.');
  const endedAtMs = startedAtMs + Math.round(durationS * 1000);
  return { direction, from, to, agent, startedAtMs, endedAtMs, reportedAtMs: null, provisional, outcome };
}

/** A year of four digits: a call that ended later could not be written down. */
const farthestMs = Date.UTC(9999, 0);

/** A day: a longer call would be a slip of the unit, milliseconds given as seconds. */
const durationMaxS = 86_400;
