// Brings accounts and organizations into the states that the contract names but shows no way into: an account that expires,
// one that is locked, a payment that is missing. Cites 3.transitions.
import type { Account, Payment } from '../domain/accounts.ts';
import type { EngineCore } from './core.ts';
import { describeAccount } from './world-state.ts';

/** What is left out stays as it is. */
export interface AccountWishes {
  readonly status?: Account['status'] | undefined;
  readonly locked?: boolean | undefined;
  /** What the platform answers to everything that concerns the account; null for nothing of the kind. */
  readonly trouble?: Account['trouble'] | undefined;
}

const event = { type: 'change', what: 'organizations' } as const;

export function changeAccount(
  core: EngineCore,
  organizationId: string,
  { accountId, wishes }: { accountId: string; wishes: AccountWishes },
): Account | null {
  const accounts = core.world.organizations.get(organizationId)?.accounts;
  const account = accounts?.get(accountId.toLowerCase());
  if (!accounts || !account) return null;
  const { status = account.status, locked = account.locked, trouble = account.trouble } = wishes;
  const changed: Account = { ...account, status, locked, trouble };
  accounts.set(accountId.toLowerCase(), changed);
  const takeBack = () =>
    void core.world.organizations.get(organizationId)?.accounts.set(accountId.toLowerCase(), account);
  core.note({ kind: 'account', organizationId, account: describeAccount(changed) }, { event, takeBack });
  return changed;
}

export function changePayment(core: EngineCore, organizationId: string, payment: Payment): boolean {
  const organization = core.world.organizations.get(organizationId);
  if (!organization) return false;
  const before = organization.payment;
  organization.payment = payment;
  const takeBack = () => {
    const now = core.world.organizations.get(organizationId);
    if (now) now.payment = before;
  };
  core.note({ kind: 'payment', organizationId, payment }, { event, takeBack });
  return true;
}
