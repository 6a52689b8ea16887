// Cites 4.connect.list-reviews.*, 4.connect.reply.*.

import { formatInstant } from '../../contract/instants.ts';
import { admitAction } from '../../domain/actions.ts';
import { notFound, ok } from '../../domain/outcome.ts';
import { reviewStyle } from '../../domain/reviews.ts';
import { count } from '../../terminal/count.ts';
import { type Handler, unchanged } from '../handler.ts';

export const listReviews: Handler<'listReviews'> = ({ accountId, cursor }, { organization, world }) => {
  const admitted = admitAction(organization, { accountId, action: 'reviews', paid: false, states: world.choices });
  if (!admitted.ok) return admitted;
  const { reviews, label } = admitted.value;
  const page = reviews.page(cursor, world.choices.reviewEnd, reviewStyle(world.choices));
  if (!page.ok) return page;
  return unchanged({ data: page.value, summary: `${count(page.value.reviews.length, 'review')} of ${label}.` });
};

export const replyToReview: Handler<'replyToReview'> = ({ accountId, reviewId, text }, { organization, nowMs }) => {
  const admitted = admitAction(organization, { accountId, action: 'reviews', paid: true });
  if (!admitted.ok) return admitted;
  const review = admitted.value.reviews.get(reviewId);
  if (!review) return notFound('review');
  const data = { repliedAt: formatInstant(nowMs) };
  return ok({
    output: { data, summary: `Replied to the review of ${review.author}.` },
    change: { kind: 'reply', organizationId: organization.id, accountId: admitted.value.accountId, reviewId, text },
  });
};
