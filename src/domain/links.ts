// Connect links: single use, with an expiry on the clock. A link is a pending invite until it is used or expires; one
// consent session connects up to `maxAccounts` accounts and uses the link up (choices C29, C30).
// Cites 4.connect.create-link.*, 3.link.*.
import { linkAccounts } from '../contract/generated/limits.ts';
import type {
  ConnectAccountInput,
  ConnectAccountOutput,
  PendingInvite,
  Provider,
} from '../contract/generated/types.ts';
import { formatInstant } from '../contract/instants.ts';
import type { Account } from './accounts.ts';
import { firstReviews } from './first-reviews.ts';
import { metricsOf } from './metrics.ts';
import type { Random } from './random.ts';
import { Reviews } from './reviews.ts';

export interface Link {
  readonly id: string;
  /** The secret part of `connectUrl`. */
  readonly token: string;
  readonly label: string;
  readonly provider: Provider;
  readonly maxAccounts: number;
  readonly expiresAtMs: number;
  usedAtMs: number | null;
  readonly accountIds: string[];
}

/** Links by token. */
export type Links = Map<string, Link>;

export const linkLifetimeMs = 7 * 24 * 60 * 60 * 1000;

export type LinkState = 'open' | 'used' | 'expired';

export function linkState(link: Link, nowMs: number): LinkState {
  if (link.usedAtMs !== null) return 'used';
  return nowMs < link.expiresAtMs ? 'open' : 'expired';
}

/** Makes a link and, with it, a pending invite. `origin` is where the consent page is served. */
export function createLink(
  links: Links,
  input: ConnectAccountInput,
  { random, nowMs, origin }: { random: Random; nowMs: number; origin: string },
): ConnectAccountOutput {
  const link: Link = {
    id: random.uuid(),
    token: random.hex(32),
    label: input.label,
    provider: input.provider,
    maxAccounts: input.maxAccounts ?? linkAccounts.preset,
    expiresAtMs: nowMs + linkLifetimeMs,
    usedAtMs: null,
    accountIds: [],
  };
  links.set(link.token, link);
  return {
    connectUrl: `${origin}/connect/${link.token}`,
    expiresAt: formatInstant(link.expiresAtMs),
    provider: link.provider,
    label: link.label,
  };
}

/** Finishes a consent session: the named accounts are connected and the link is used up. The link must be open. */
export function finishConsent(
  organization: { accounts: Map<string, Account> },
  link: Link,
  { names, random, nowMs }: { names: readonly string[]; random: Random; nowMs: number },
): Account[] {
  if (linkState(link, nowMs) !== 'open' || names.length < 1 || names.length > link.maxAccounts) {
    throw new RangeError('A consent session needs an open link and one to maxAccounts names.');
  }
  link.usedAtMs = nowMs;
  return names.map((name) => {
    const account: Account = {
      accountId: random.uuid(),
      provider: link.provider,
      label: link.label,
      name,
      status: 'connected',
      locked: false,
      connectedAt: formatInstant(nowMs),
      posts: [],
      reviews: new Reviews(firstReviews(link.provider, { random, nowMs })),
      metrics: metricsOf(link.provider),
      trouble: null,
    };
    organization.accounts.set(account.accountId, account);
    link.accountIds.push(account.accountId);
    return account;
  });
}

export function openInvites(links: Links, nowMs: number): PendingInvite[] {
  return [...links.values()]
    .filter((link) => linkState(link, nowMs) === 'open')
    .map(({ id, label, provider, maxAccounts, expiresAtMs }) => ({
      id,
      label,
      provider,
      maxAccounts,
      expiresAt: formatInstant(expiresAtMs),
    }));
}
