// Cites 4.connect.list-reviews.*, 4.connect.reply.*.
import { formatInstant } from '../../contract/instants.ts';
import { admitAction } from '../../domain/actions.ts';
import { ok } from '../../domain/outcome.ts';
import type { Handler } from '../call.ts';

export const listReviews: Handler<'listReviews'> = ({ accountId, cursor }, { organization, world }) => {
  const admitted = admitAction(organization, { accountId, action: 'reviews', paid: false });
  if (!admitted.ok) return admitted;
  const { reviews, label } = admitted.value;
  const page = reviews.page(cursor, world.choices.reviewEnd);
  if (!page.ok) return page;
  return ok({ data: page.value, summary: `${page.value.reviews.length} reviews of ${label}.` });
};

export const replyToReview: Handler<'replyToReview'> = ({ accountId, reviewId, text }, { organization, nowMs }) => {
  const admitted = admitAction(organization, { accountId, action: 'reviews', paid: true });
  if (!admitted.ok) return admitted;
  const replied = admitted.value.reviews.reply(reviewId, text);
  if (!replied.ok) return replied;
  return ok({
    data: { repliedAt: formatInstant(nowMs) },
    summary: `Replied to the review of ${replied.value.author}.`,
  });
};
