// Cites 4.connect.list-reviews.*, 4.connect.reply.*.
import { formatInstant } from '../../contract/instants.ts';
import { usableAccount } from '../../domain/accounts.ts';
import { ok } from '../../domain/outcome.ts';
import { checkPayment } from '../../domain/payment.ts';
import { checkSupport } from '../../domain/providers.ts';
import type { Handler } from '../call.ts';

export const listReviews: Handler<'listReviews'> = ({ accountId, cursor }, { organization, world }) => {
  const account = usableAccount(organization.accounts, accountId);
  if (!account.ok) return account;
  const support = checkSupport(account.value.provider, 'reviews');
  if (!support.ok) return support;
  const page = account.value.reviews.page(cursor, world.choices.reviewEnd);
  if (!page.ok) return page;
  return ok({ data: page.value, summary: `${page.value.reviews.length} reviews of ${account.value.label}.` });
};

export const replyToReview: Handler<'replyToReview'> = ({ accountId, reviewId, text }, { organization, nowMs }) => {
  const account = usableAccount(organization.accounts, accountId);
  if (!account.ok) return account;
  const payment = checkPayment(organization.payment, account.value);
  if (!payment.ok) return payment;
  const support = checkSupport(account.value.provider, 'reviews');
  if (!support.ok) return support;
  const replied = account.value.reviews.reply(reviewId, text);
  if (!replied.ok) return replied;
  return ok({
    data: { repliedAt: formatInstant(nowMs) },
    summary: `Replied to the review of ${replied.value.author}.`,
  });
};
