// Cites 4.connect.create-post.*.
import { usableAccount } from '../../domain/accounts.ts';
import { ok } from '../../domain/outcome.ts';
import { checkPayment } from '../../domain/payment.ts';
import { publishPost } from '../../domain/posts.ts';
import { checkSupport } from '../../domain/providers.ts';
import type { Handler } from '../call.ts';

export const createPost: Handler<'createPost'> = (input, { organization, world, nowMs }) => {
  const account = usableAccount(organization.accounts, input.accountId);
  if (!account.ok) return account;
  const payment = checkPayment(organization.payment, account.value);
  if (!payment.ok) return payment;
  const support = checkSupport(account.value.provider, 'posts');
  if (!support.ok) return support;
  const data = publishPost(account.value, input, { random: world.random, nowMs });
  return ok({ data, summary: `Posted to ${account.value.label}.` });
};
