import type { Fields } from '../seams.ts';
import type { MutantsByClause } from './mutant.ts';
import { without } from './recipes.ts';

/** Changes the aggregate of a page, where there is one. */
function aggregate(page: Fields, change: (inner: Fields) => Fields): Fields {
  return page.aggregate === undefined ? page : { ...page, aggregate: change(page.aggregate as Fields) };
}

/** Reviews: from page to page, the fields and the aggregate. */
export const reviewMutants: MutantsByClause = {
  '4.rules.reviews-walk': {
    'reviews-edge-repeats-one': {
      shows: 'The last review of a page comes again as the first of the next.',
      wrong: () => ({
        'review.follows': (follows, { mark, item }) => follows || (mark.time === item.time && mark.id === item.id),
      }),
    },
    'reviews-tie-lost': {
      shows: 'Of two reviews of the same date the second gets lost when a page ends between them.',
      variant: 'mixed',
      verdict: 'warn',
      wrong: () => ({ 'review.follows': (_follows, { mark, item }) => item.time < mark.time }),
    },
    'reviews-last-page-loops': {
      shows: 'The last page of reviews answers the cursor that it was asked with, without an end.',
      wrong: () => ({
        'review.page': (page, { ask, more }) => {
          const cursor = ask.query.get('cursor');
          return more || cursor === null ? page : { ...page, nextCursor: cursor };
        },
      }),
    },
  },
  '2.list-reviews-output.next-cursor': {
    'reviews-end-in-empty-string': {
      shows: 'nextCursor of the last page is an empty string.',
      wrong: () => ({ 'review.page': (page, { more }) => (more ? page : { ...page, nextCursor: '' }) }),
    },
  },
  '4.connect.list-reviews.cursor': {
    'reviews-end-in-refused-string': {
      shows: 'nextCursor of the last page is an empty string, which is refused when it comes back as the cursor.',
      variant: 'strict',
      wrong: () => ({ 'review.page': (page, { more }) => (more ? page : { ...page, nextCursor: '' }) }),
    },
  },
  '2.list-reviews-output.closed': {
    'reviews-later-pages-more': {
      shows: 'Pages of reviews after the first have a member previousCursor.',
      wrong: () => ({
        'review.page': (page, { ask }) => {
          const previousCursor = ask.query.get('cursor');
          return previousCursor === null ? page : { ...page, previousCursor };
        },
      }),
    },
  },
  '2.list-reviews-output.reviews': {
    'reviews-null-when-none': {
      shows: 'reviews of an account without any is null.',
      wrong: () => ({
        'review.page': (page, { account }) => (account.reviews.length === 0 ? { ...page, reviews: null } : page),
      }),
    },
  },
  '2.review-item.closed': {
    'review-replied-more': {
      shows: 'A review with a reply has a member repliedAt.',
      wrong: () => ({
        'review.shown': (shown, { reply }) => (reply === undefined ? shown : { ...shown, repliedAt: String(reply.at) }),
      }),
    },
  },
  '2.review-item.author': {
    'review-anonymous-author-null': {
      shows: 'author of a review without a name is null.',
      wrong: () => ({
        'review.shown': (shown, { author }) => (author === '' ? { ...shown, author: null } : shown),
      }),
    },
  },
  '2.review-item.text': {
    'review-empty-text-missing': {
      shows: 'text is left out of a review that has only stars.',
      wrong: () => ({ 'review.shown': (shown, { text }) => (text === '' ? without(shown, 'text') : shown) }),
    },
  },
  '2.review-item.rating': {
    'review-null-rating-missing': {
      shows: 'rating is left out of a review without stars.',
      wrong: () => ({
        'review.shown': (shown, { rating }) => (rating === null ? without(shown, 'rating') : shown),
      }),
    },
  },
  '2.review-item.reply-text': {
    'review-reply-text-null': {
      shows: 'replyText of a review without a reply is null.',
      wrong: () => ({
        'review.shown': (shown, { reply }) => (reply === undefined ? { ...shown, replyText: null } : shown),
      }),
    },
  },
  '2.review-item.date': {
    'review-date-number': {
      shows: 'date of a review without stars, taken over from an older system, is a number.',
      wrong: () => ({
        'review.shown': (shown, { rating, date }) => (rating === null ? { ...shown, date } : shown),
      }),
    },
  },
  '2.list-reviews-output.aggregate.rating-value': {
    'aggregate-rating-text': {
      shows: 'aggregate.ratingValue is a string with one decimal.',
      wrong: () => ({
        'review.page': (page) =>
          aggregate(page, (inner) => ({ ...inner, ratingValue: Number(inner.ratingValue).toFixed(1) })),
      }),
    },
    'aggregate-of-nothing-null': {
      shows: 'aggregate.ratingValue of an account without reviews is null: zero divided by zero.',
      wrong: () => ({
        'review.page': (page, { account }) =>
          account.reviews.length > 0 ? page : aggregate(page, (inner) => ({ ...inner, ratingValue: null })),
      }),
    },
  },
  '4.json': {
    'aggregate-of-nothing-nan': {
      shows: 'The answer for an account without reviews holds NaN and so is not JSON.',
      wrong: () => ({
        answer: (answer, { visit }) => {
          const text = JSON.stringify(answer.body);
          const empty = visit.segments[3] === 'reviews' && text.includes('"reviewCount":0');
          return empty ? { ...answer, text: text.replace('"ratingValue":0', '"ratingValue":NaN') } : answer;
        },
      }),
    },
  },
  '7.envelope.tool-code': {
    'reviews-odd-cursor-crashes': {
      shows: 'A cursor of reviews that was never given out is answered with 500 and the code internal_error.',
      wrong: () => ({
        'error.answer': (answer, { refusal, visit }) =>
          refusal.code === 'invalid_input' && visit.segments[3] === 'reviews' && visit.query.has('cursor')
            ? { status: 500, body: { error: { code: 'internal_error', message: 'cannot decode' } } }
            : answer,
      }),
    },
  },
};
