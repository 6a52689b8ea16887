// The conditions of an action on an account, in the order of choice C1: the account exists, its state
// allows it, it is paid for, the platform offers it, the platform answers. Cites 4.connect.unknown-account.
import { type Account, connectedAccount, type Payment, reachPlatform, type StateCodes } from './accounts.ts';
import { type Outcome, ok } from './outcome.ts';
import { checkPayment } from './payment.ts';
import { type Action, checkSupport } from './providers.ts';

/** What a request wants to do, as far as the conditions have to know it. */
export interface ActionWish {
  readonly accountId: string;
  readonly action: Action;
  /** Whether a missing payment stops it: writing is stopped, reading is not (choice C30). */
  readonly paid: boolean;
  /** What accounts answer that are not connected, or locked; choice C28 when absent. */
  readonly states?: StateCodes;
}

/** The account to act on, or the first refusal. */
export function admitAction(
  organization: { readonly accounts: ReadonlyMap<string, Account>; readonly payment: Payment },
  { accountId, action, paid, states }: ActionWish,
): Outcome<Account> {
  const found = connectedAccount(organization.accounts, accountId, paid ? undefined : states);
  if (!found.ok) return found;
  const account = found.value;
  const isRefusedWhenLocked = states?.lockedReads === 'refused';
  const payment = paid
    ? checkPayment(organization.payment, account)
    : isRefusedWhenLocked
      ? checkPayment('ok', account)
      : ok(null);
  if (!payment.ok) return payment;
  const support = checkSupport(account.provider, action);
  if (!support.ok) return support;
  const platform = reachPlatform(account);
  return platform.ok ? found : platform;
}
