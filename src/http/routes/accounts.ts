// Cites 4.connect.create-link.*, 4.connect.list-accounts.*.
import { listAccounts as describeAccounts } from '../../domain/account-list.ts';
import { createLink } from '../../domain/links.ts';
import { ok } from '../../domain/outcome.ts';
import { checkPayment } from '../../domain/payment.ts';
import type { Handler } from '../call.ts';

export const createConnectLink: Handler<'createConnectLink'> = (input, { organization, world, nowMs, origin }) => {
  const payment = checkPayment(organization.payment);
  if (!payment.ok) return payment;
  const data = createLink(organization.links, input, { random: world.random, nowMs, origin });
  return ok({ data, summary: `Connect link for ${data.provider} created: ${data.label}.` });
};

export const listAccounts: Handler<'listAccounts'> = (_input, { organization, nowMs }) => {
  const data = describeAccounts(organization, nowMs);
  return ok({ data, summary: `${data.accounts.length} accounts, ${data.pendingInvites.length} pending invites.` });
};
