// A missing payment stops posting, replying and linking (choice C30). A locked account asks for payment too (C28).
// Cites 7.code.payment-required.
import type { Account, Payment } from './accounts.ts';
import { type Outcome, ok, refuse } from './outcome.ts';

/** One for each `reason`; the contract names no values for it (choice C27). */
const messages = {
  payment_method_required: 'A payment method is needed before this action.',
  renewal_pending: 'Paid accounts are paused until the renewal payment clears.',
} as const;

/**
 * The organization is asked before the account, because its trouble stops every account. Without an account, as for a
 * link, the organization alone decides.
 */
export function checkPayment(payment: Payment, account?: Account): Outcome<null> {
  if (payment !== 'ok') return refuse({ code: 'payment_required', message: messages[payment], reason: payment });
  if (account?.locked) {
    const reason = 'payment_method_required';
    return refuse({ code: 'payment_required', message: `The account is locked. ${messages[reason]}`, reason });
  }
  return ok(null);
}
