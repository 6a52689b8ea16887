// Connect links: single use, with an expiry on the clock. A link is a pending invite until it is used or expires; one
// consent session connects up to `maxAccounts` accounts and uses the link up (assumption C29, C30).
// Cites 4.connect.create-link.*, 3.link.*.
import { linkAccounts } from '../contract/generated/limits.ts';
import type {
  ConnectAccountInput,
  ConnectAccountOutput,
  ListAccountsOutput,
  PendingInvite,
  Provider,
  ReviewItem,
} from '../contract/generated/types.ts';
import { formatTimestamp, hourMs } from '../contract/timestamps.ts';
import { type Account, describeAccount, type Payment } from './accounts.ts';
import { providerActions } from './actions.ts';
import { metricsOf } from './insights.ts';
import { type Outcome, ok, reject } from './outcome.ts';
import type { Random } from './random.ts';
import type { AccountData } from './world-data.ts';

/** A link in the living world; `LinkData` is the same with ISO 8601 texts. */
export interface Link {
  readonly id: string;
  /** The secret part of `connectUrl`. */
  readonly token: string;
  readonly label: string;
  readonly provider: Provider;
  readonly maxAccounts: number;
  readonly expiresAtMs: number;
  /** Null until the consent session was finished. */
  readonly usedAtMs: number | null;
  readonly accountIds: readonly string[];
}

export type Links = Map<string, Link>;

/** The contract names no lifetime; a week is our assumption (assumption C29). */
export const linkLifetimeMs = 7 * 24 * 60 * 60 * 1000;

/** Of one organization, used and expired ones included. A link takes less than half a kilobyte. */
export const linksMax = 10_000;

/** A pending link was acknowledged, so a new one is rejected instead of dropping it (assumption C29). */
export function admitLink(links: Links, nowMs: number): Outcome<null> {
  const isFull = links.size >= linksMax && [...links.values()].every((link) => linkState(link, nowMs) === 'open');
  if (!isFull) return ok(null);
  const message = `The mock keeps at most ${linksMax} pending links; wait until one is used or expires, or reset the mock.`;
  return reject({ code: 'rate_limited', message });
}

/** Drops the oldest used or expired links where there are too many, and returns their number. */
export function dropOldLinks(links: Links): number {
  let dropped = 0;
  while (links.size > linksMax) {
    // Without a used link the oldest has expired: all links last equally long.
    const used = [...links.values()].find(({ usedAtMs }) => usedAtMs !== null);
    links.delete(used?.token ?? String(links.keys().next().value));
    dropped += 1;
  }
  return dropped;
}

/** A used link stays `used` when its time is over: the consent page then says that it was used. */
export type LinkState = 'open' | 'used' | 'expired';

/** At `expiresAtMs` itself the link is over. */
export function linkState(link: Link, nowMs: number): LinkState {
  if (link.usedAtMs !== null) return 'used';
  return nowMs < link.expiresAtMs ? 'open' : 'expired';
}

/** Draws up a link, which is a pending invite once it is among the links of an organization. */
export function createLink(input: ConnectAccountInput, { random, nowMs }: { random: Random; nowMs: number }): Link {
  return {
    id: random.uuid(),
    token: random.hex(32),
    label: input.label,
    provider: input.provider,
    maxAccounts: input.maxAccounts ?? linkAccounts.preset,
    expiresAtMs: nowMs + linkLifetimeMs,
    usedAtMs: null,
    accountIds: [],
  };
}

/** A new link as the client is notified of it. The mock serves the consent page under `origin`. */
export function describeNewLink(link: Link, origin: string): ConnectAccountOutput {
  return {
    connectUrl: `${origin}/connect/${link.token}`,
    expiresAt: formatTimestamp(link.expiresAtMs),
    provider: link.provider,
    label: link.label,
  };
}

/** The changes of a finished session, to be stored by the caller. */
export interface Consent {
  /** The link, used up. */
  readonly link: Link;
  readonly accounts: readonly AccountData[];
}

/** Finishes a consent session: gives back the accounts that it connects and the used link. The link must be open. */
export function finishConsent(
  link: Link,
  { names, random, nowMs }: { names: readonly string[]; random: Random; nowMs: number },
): Consent {
  if (linkState(link, nowMs) !== 'open' || names.length < 1 || names.length > link.maxAccounts) {
    throw new RangeError('A consent session needs an open link and one to maxAccounts names.');
  }
  const accounts = names.map(
    (name): AccountData => ({
      accountId: random.uuid(),
      provider: link.provider,
      label: link.label,
      name,
      status: 'connected',
      locked: false,
      connectedAt: formatTimestamp(nowMs),
      posts: [],
      reviews: firstReviews(link.provider, { random, nowMs }),
      metrics: metricsOf(link.provider),
    }),
  );
  return { link: { ...link, usedAtMs: nowMs, accountIds: accounts.map(({ accountId }) => accountId) }, accounts };
}

/** Pending invites are the links that can still be used. Cites 2.list-accounts-output.pending-invites. */
export function openInvites(links: Links, nowMs: number): PendingInvite[] {
  return [...links.values()]
    .filter((link) => linkState(link, nowMs) === 'open')
    .map(({ id, label, provider, maxAccounts, expiresAtMs }) => ({
      id,
      label,
      provider,
      maxAccounts,
      expiresAt: formatTimestamp(expiresAtMs),
    }));
}

// A business that connects its account has been reviewed before: a new account of a platform with reviews starts with
// two pages of them, so listing and replying can be tried on it at once. An assumption (assumption C99).
const count = 12;

const authors = ['Ada L.', 'Ben', 'Chiara Rossi', 'Dmitri', 'Eun-ji', 'Fatima Z.', 'Gus', 'Hélène'] as const;
const texts = [
  [5, 'Friendly from the first minute.'],
  [4, 'Good, and quicker than expected.'],
  [3, 'All right. The queue was long.'],
  [2, 'Had to ask three times.'],
  [null, 'The posted opening hours are out of date.'],
] as const;

/** Newest first; none where the platform has no reviews. */
export function firstReviews(provider: Provider, { random, nowMs }: { random: Random; nowMs: number }): ReviewItem[] {
  if (!providerActions[provider].includes('reviews')) return [];
  let dateMs = nowMs;
  return Array.from({ length: count }, () => {
    dateMs -= hourMs * (1 + random.below(100));
    const [rating, text] = texts[random.below(texts.length)] as (typeof texts)[number];
    const author = authors[random.below(authors.length)] as string;
    return { reviewId: `rev_${random.hex(20)}`, author, rating, text, date: formatTimestamp(dateMs), replied: false };
  });
}

// The listing: accounts, pending invites, the billing position. Cites 4.connect.list-accounts.*,
// 2.list-accounts-output.*.

/**
 * `nowMs` decides which invites are still pending. The order of the accounts is that of the world; the contract states
 * none. Cites 4.connect.list-accounts.*.
 */
export function listAccounts(
  organization: { accounts: ReadonlyMap<string, Account>; links: Links; payment: Payment },
  nowMs: number,
): ListAccountsOutput {
  const accounts = [...organization.accounts.values()].map(describeAccount);
  const connected = accounts.filter((account) => account.status === 'connected').length;
  const free = Math.min(1, connected);
  const billable = connected - free;
  return {
    accounts,
    pendingInvites: openInvites(organization.links, nowMs),
    // Assumption C30: the first connected account is free, each further one is billable; payment is needed while 402
    // stops anything.
    billing: {
      connected,
      free,
      billable,
      needsPayment: organization.payment !== 'ok' || accounts.some(({ locked }) => locked),
    },
  };
}
