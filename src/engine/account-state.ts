// Brings accounts and organizations into the states that the contract names but shows no way into: an account that
// expires, one that is locked, a payment that is missing. Cites 3.transitions.
import type { Account, Payment } from '../domain/accounts.ts';
import { toAccountData } from '../domain/world.ts';
import type { EngineCore } from './core.ts';

/** An absent field leaves things as they are. */
export interface AccountWishes {
  readonly status?: Account['status'] | undefined;
  readonly locked?: boolean | undefined;
  /** The platform's answer to every action on the account; null for a platform that works. */
  readonly trouble?: Account['trouble'] | undefined;
}

/**
 * A change of the world like any other: it is kept, told of, and clears refusals of the judge. Gives back the account
 * as it is now; null when the organization has no such account.
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

/** What writes answer with 402 from now on, or `ok`. Cites 7.code.payment-required. */
export function changePayment(core: EngineCore, organizationId: string, payment: Payment): boolean {
  if (!core.world.organizations.has(organizationId)) return false;
  core.changeFromOutside({ kind: 'payment', organizationId, payment }, 'organizations');
  return true;
}
