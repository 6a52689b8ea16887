// Cites 4.connect.create-link.*, 4.connect.list-accounts.*.

import { checkPayment } from '../../domain/actions.ts';
import { createLink, listAccounts as describeAccounts, describeNewLink } from '../../domain/links.ts';
import { ok } from '../../domain/outcome.ts';
import { count } from '../../terminal/count.ts';
import { type Handler, unchanged } from '../handler.ts';

export const createConnectLink: Handler<'createConnectLink'> = (input, { organization, world, nowMs, origin }) => {
  const payment = checkPayment(organization.payment);
  if (!payment.ok) return payment;
  const link = createLink(input, { random: world.random, nowMs });
  const data = describeNewLink(link, origin);
  return ok({
    output: { data, summary: `Connect link for ${data.provider} created: ${data.label}.` },
    change: { kind: 'link', organizationId: organization.id, link },
  });
};

export const listAccounts: Handler<'listAccounts'> = (_input, { organization, nowMs }) => {
  const data = describeAccounts(organization, nowMs);
  return unchanged({
    data,
    summary: `${count(data.accounts.length, 'account')}, ${count(data.pendingInvites.length, 'pending invite')}.`,
  });
};
