// The conditions of an action on an account, in the order of assumption C1: the account exists, its state
// allows it, it is paid for, the platform offers it, the platform responds. Cites 4.connect.unknown-account.

import type { CreatePostInput, Provider } from '../contract/generated/types.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import { type Account, connectedAccount, type Payment, reachPlatform, type StateCodes } from './accounts.ts';
import { type Outcome, ok, reject } from './outcome.ts';
import type { Random } from './random.ts';
import type { PostData } from './world-data.ts';

/** The part of a request that the conditions depend on. */
export interface ActionWish {
  readonly accountId: string;
  readonly action: Action;
  /** Whether a missing payment stops it: writing is stopped, reading is not (assumption C30). */
  readonly paid: boolean;
  /** Codes for accounts that are not connected, or are locked; assumption C28 when absent. */
  readonly states?: StateCodes;
}

/** The account to act on, or the first rejection. */
export function admitAction(
  organization: { readonly accounts: ReadonlyMap<string, Account>; readonly payment: Payment },
  { accountId, action, paid, states }: ActionWish,
): Outcome<Account> {
  const found = connectedAccount(organization.accounts, accountId, paid ? undefined : states);
  if (!found.ok) return found;
  const account = found.value;
  const isRejectedWhenLocked = states?.lockedReads === 'rejected';
  const payment = paid
    ? checkPayment(organization.payment, account)
    : isRejectedWhenLocked
      ? checkPayment('ok', account)
      : ok(null);
  if (!payment.ok) return payment;
  const support = checkSupport(account.provider, action);
  if (!support.ok) return support;
  const platform = reachPlatform(account);
  return platform.ok ? found : platform;
}

// A missing payment stops posting, replying and linking (assumption C30). A locked account asks for payment too (C28).
// Cites 7.code.payment-required.

/** One for each `reason`; the contract names no values for it (assumption C27). */
const messages = {
  payment_method_required: 'A payment method is needed before this action.',
  renewal_pending: 'Paid accounts are paused until the renewal payment clears.',
} as const;

/**
 * Checks the organization before the account, because its payment problem blocks every account. For a link, only the
 * organization counts.
 */
export function checkPayment(payment: Payment, account?: Account): Outcome<null> {
  if (payment !== 'ok') return reject({ code: 'payment_required', message: messages[payment], reason: payment });
  if (account?.locked) {
    const reason = 'payment_method_required';
    return reject({ code: 'payment_required', message: `The account is locked. ${messages[reason]}`, reason });
  }
  return ok(null);
}

// Which platform offers which action: an assumption (assumption C28). Asking for another one returns `not_supported`.

/** The operations of a platform on one account. The contract does not name them. */
export type Action = 'posts' | 'reviews' | 'insights';

/** Platforms without any action can still be connected and are listed. */
export const providerActions: Readonly<Record<Provider, readonly Action[]>> = {
  google_business: ['posts', 'reviews', 'insights'],
  facebook_page: ['posts', 'reviews', 'insights'],
  tiktok: ['posts', 'insights'],
  instagram: ['posts', 'insights'],
  google_analytics: ['insights'],
  google_search_console: ['insights'],
  google_ads: ['insights'],
  google_calendar: [],
  google_contacts: [],
};

/** Cites 7.code.not-supported. */
export function checkSupport(provider: Provider, action: Action): Outcome<null> {
  if (providerActions[provider].includes(action)) return ok(null);
  return reject({ code: 'not_supported', message: `${provider} has no ${action}.` });
}

// Where a post can be seen; platforms without a public page of a post have no permalink. Assumption C28.
const permalinkBase: Partial<Record<Provider, string>> = {
  facebook_page: 'https://facebook.example/posts/',
  instagram: 'https://instagram.example/p/',
  google_business: 'https://business.example/posts/',
};

/** Draws up a post, which is published once it is among the posts of its account. */
export function draftPost(
  provider: Provider,
  input: Pick<CreatePostInput, 'text' | 'media' | 'link'>,
  { random, nowMs }: { random: Random; nowMs: number },
): PostData {
  const mark = random.hex(16);
  const base = permalinkBase[provider];
  return {
    postId: `post_${mark}`,
    permalink: base ? `${base}${mark}` : null,
    text: input.text,
    ...(input.media ? { imageUrl: input.media.imageUrl } : {}),
    ...(input.link === undefined ? {} : { link: input.link }),
    postedAt: formatTimestamp(nowMs),
  };
}
