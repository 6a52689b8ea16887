// The listing: accounts, pending invites, the billing position. Cites 4.connect.list-accounts.*,
// 2.list-accounts-output.*.
import type { ListAccountsOutput } from '../contract/generated/types.ts';
import { type Account, describeAccount, type Payment } from './accounts.ts';
import { type Links, openInvites } from './links.ts';

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
    // Choice C30: the first connected account is free, each further one is billable; payment is needed while 402 stops
    // anything.
    billing: {
      connected,
      free,
      billable,
      needsPayment: organization.payment !== 'ok' || accounts.some(({ locked }) => locked),
    },
  };
}
