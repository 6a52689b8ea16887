// Connected accounts, pending invites and the billing position. Cites 4.connect.list-accounts.*,
// 2.list-accounts-output.*.
import type { ConnectedAccount } from '../contract/generated/types.ts';
import { notFound, type Outcome, ok, reject } from './outcome.ts';
import type { Reviews } from './reviews.ts';
import type { WorldBehavior } from './world-behavior.ts';
import type { MetricData, PostData } from './world-data.ts';

/**
 * A connected account with what hangs on it. The listing shows the fields of `ConnectedAccount` alone:
 * ListAccountsOutput allows no others.
 */
export interface Account extends ConnectedAccount {
  readonly posts: PostData[];
  readonly reviews: Reviews;
  readonly metrics: readonly MetricData[];
  /** The error that the platform returns for every action on the account; null for a platform that works. */
  readonly trouble: 'provider_error' | 'transient' | 'rate_limited' | null;
}

/** `ok`, or the value that `reason` has in a 402 of the organization (assumption C27). */
export type Payment = 'ok' | 'payment_method_required' | 'renewal_pending';

/** The account as the listing shows it. */
export function describeAccount(account: Account): ConnectedAccount {
  const { accountId, provider, label, name, status, locked, connectedAt } = account;
  return { accountId, provider, label, name, status, locked, connectedAt };
}

/** The behaviors for reads of an account that is not connected, or is locked. */
export type StateCodes = Pick<
  WorldBehavior,
  'pendingCode' | 'expiredCode' | 'revokedCode' | 'pendingApiCode' | 'lockedReads'
>;

const behaviorOf = {
  pending: 'pendingCode',
  expired: 'expiredCode',
  revoked: 'revokedCode',
  pending_api_access: 'pendingApiCode',
} as const;

/** The account when the platform would let us act on it, or why not. Assumption C28. Cites 7.code.provider-auth. */
export function connectedAccount(
  accounts: ReadonlyMap<string, Account>,
  accountId: string,
  states?: StateCodes,
): Outcome<Account> {
  const account = accounts.get(accountId.toLowerCase());
  if (!account) return notFound('account');
  if (account.status === 'connected') return ok(account);
  const stateCode = states?.[behaviorOf[account.status]];
  const usual = account.status === 'pending_api_access' ? 'provider_permission' : 'provider_auth';
  if (stateCode === 'served') return ok(account);
  if (stateCode === 'not_found') return notFound('account');
  if (stateCode !== undefined && stateCode !== usual) {
    const reason = stateCode === 'payment_required' ? { reason: 'payment_method_required' as const } : {};
    return reject({ code: stateCode, message: `The account is ${account.status}.`, ...reason });
  }
  if (account.status === 'pending_api_access') {
    return reject({
      code: 'provider_permission',
      message: 'The platform has not granted API access to this account yet.',
    });
  }
  return reject({
    code: 'provider_auth',
    message: `The account is ${account.status}: reconnect it, the API key is fine.`,
  });
}

/** The platform's own response: all is well, or the trouble that the world gives this account. Assumption C2. */
export function reachPlatform({ trouble }: Account): Outcome<null> {
  return trouble === null ? ok(null) : reject({ code: trouble, message: troubles[trouble] });
}

/** The text for people; clients branch on the code. Cites 7.envelope.branch-on-code. */
const troubles = {
  provider_error: 'The platform returned an error.',
  transient: 'The platform is temporarily unavailable; retry with back-off.',
  rate_limited: 'The platform currently limits requests; retry with back-off.',
} as const;
