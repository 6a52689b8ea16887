// Connected accounts, pending invites and the billing position. Cites 4.connect.list-accounts.*, 2.list-accounts-output.*.
import type { ConnectedAccount, ListAccountsOutput } from '../contract/generated/types.ts';
import { type Links, openInvites } from './links.ts';
import { notFound, type Outcome, ok, refuse } from './outcome.ts';
import type { Reviews } from './reviews.ts';
import type { MetricData, PostData } from './world-data.ts';

export interface Account extends ConnectedAccount {
  readonly posts: PostData[];
  readonly reviews: Reviews;
  readonly metrics: readonly MetricData[];
  readonly trouble: 'provider_error' | 'transient' | 'rate_limited' | null;
}

export type Payment = 'ok' | 'payment_method_required' | 'renewal_pending';

/** What the listing shows of an account. */
export function describeAccount(account: Account): ConnectedAccount {
  const { accountId, provider, label, name, status, locked, connectedAt } = account;
  return { accountId, provider, label, name, status, locked, connectedAt };
}

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
    // Choice C30: the first connected account is free, each further one is billable.
    billing: { connected, free, billable, needsPayment: billable > 0 && organization.payment !== 'ok' },
  };
}

/** The account, or why the contract refuses to act on it. Choice C28. */
export function usableAccount(accounts: ReadonlyMap<string, Account>, accountId: string): Outcome<Account> {
  const account = accounts.get(accountId.toLowerCase());
  if (!account) return notFound('account');
  if (account.status === 'pending_api_access') {
    return refuse({
      code: 'provider_permission',
      message: 'The platform has not granted API access to this account yet.',
    });
  }
  if (account.status !== 'connected') {
    return refuse({
      code: 'provider_auth',
      message: `The account is ${account.status}: reconnect it, the API key is fine.`,
    });
  }
  if (account.trouble) return refuse(troubles[account.trouble]);
  return ok(account);
}

const troubles = {
  provider_error: { code: 'provider_error', message: 'The platform returned an error.' },
  transient: { code: 'transient', message: 'The platform is unavailable for the moment; retry with back-off.' },
  rate_limited: { code: 'rate_limited', message: 'The platform limits requests for the moment; retry with back-off.' },
} as const;
