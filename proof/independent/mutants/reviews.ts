import type { Fields } from '../seams.ts';
import { type IndependentMutant, without } from './mutant.ts';

/** Changes the aggregate of a page, where there is one. */
function aggregate(page: Fields, change: (inner: Fields) => Fields): Fields {
  return page.aggregate === undefined ? page : { ...page, aggregate: change(page.aggregate as Fields) };
}

/** From page to page of the reviews of an account. */
export const reviewWalkMutants: readonly IndependentMutant[] = [
  {
    name: 'reviews-edge-repeats-one',
    breaks: '4.rules.reviews-walk',
    shows: 'The last review of a page comes again as the first of the next.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'mixed', 'frugal'],
    wrong: () => ({
      'review.follows': (follows, { mark, item }) => follows || (mark.time === item.time && mark.id === item.id),
    }),
  },
  {
    name: 'reviews-tie-lost',
    breaks: '4.rules.reviews-walk',
    shows: 'Of two reviews of the same date the second gets lost when a page ends between them.',
    needs: 'nothing',
    variants: ['mixed', 'frugal'],
    verdict: 'warn',
    wrong: () => ({ 'review.follows': (_follows, { mark, item }) => item.time < mark.time }),
  },
  {
    name: 'reviews-last-page-loops',
    breaks: '4.rules.reviews-walk',
    shows: 'The last page of reviews answers the cursor that it was asked with, for ever.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'review.page': (page, { ask, more }) => {
        const cursor = ask.query.get('cursor');
        return more || cursor === null ? page : { ...page, nextCursor: cursor };
      },
    }),
  },
  {
    name: 'reviews-end-in-empty-string',
    breaks: '2.list-reviews-output.next-cursor',
    shows: 'nextCursor of the last page is an empty string.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'frugal'],
    wrong: () => ({ 'review.page': (page, { more }) => (more ? page : { ...page, nextCursor: '' }) }),
  },
  {
    name: 'reviews-later-pages-more',
    breaks: '2.list-reviews-output.closed',
    shows: 'Pages of reviews after the first have a member previousCursor.',
    needs: 'nothing',
    variants: ['plain', 'lavish'],
    wrong: () => ({
      'review.page': (page, { ask }) => {
        const previousCursor = ask.query.get('cursor');
        return previousCursor === null ? page : { ...page, previousCursor };
      },
    }),
  },
  {
    name: 'reviews-null-when-none',
    breaks: '2.list-reviews-output.reviews',
    shows: 'reviews of an account without any is null.',
    needs: 'nothing',
    variants: ['plain', 'single'],
    wrong: () => ({
      'review.page': (page, { account }) => (account.reviews.length === 0 ? { ...page, reviews: null } : page),
    }),
  },
];

/** What stands in a review and in the aggregate. */
export const reviewFieldMutants: readonly IndependentMutant[] = [
  {
    name: 'review-replied-more',
    breaks: '2.review-item.closed',
    shows: 'A review with a reply has a member repliedAt.',
    needs: 'nothing',
    variants: ['plain', 'frugal', 'lavish'],
    wrong: () => ({
      'review.shown': (shown, { reply }) => (reply === undefined ? shown : { ...shown, repliedAt: String(reply.at) }),
    }),
  },
  {
    name: 'review-anonymous-author-null',
    breaks: '2.review-item.author',
    shows: 'author of a review without a name is null.',
    needs: 'nothing',
    variants: ['plain', 'mixed'],
    wrong: () => ({
      'review.shown': (shown, { author }) => (author === '' ? { ...shown, author: null } : shown),
    }),
  },
  {
    name: 'review-empty-text-missing',
    breaks: '2.review-item.text',
    shows: 'text is left out of a review that has only stars.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({ 'review.shown': (shown, { text }) => (text === '' ? without(shown, 'text') : shown) }),
  },
  {
    name: 'review-null-rating-missing',
    breaks: '2.review-item.rating',
    shows: 'rating is left out of a review without stars.',
    needs: 'nothing',
    variants: ['plain', 'offsets'],
    wrong: () => ({
      'review.shown': (shown, { rating }) => (rating === null ? without(shown, 'rating') : shown),
    }),
  },
  {
    name: 'review-reply-text-null',
    breaks: '2.review-item.reply-text',
    shows: 'replyText of a review without a reply is null.',
    needs: 'nothing',
    variants: ['plain', 'lavish', 'mixed'],
    wrong: () => ({
      'review.shown': (shown, { reply }) => (reply === undefined ? { ...shown, replyText: null } : shown),
    }),
  },
  {
    name: 'review-date-number',
    breaks: '2.review-item.date',
    shows: 'date of a review without stars, taken over from an older system, is a number.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'review.shown': (shown, { rating, date }) => (rating === null ? { ...shown, date } : shown),
    }),
  },
  {
    name: 'aggregate-rating-text',
    breaks: '2.list-reviews-output.aggregate.rating-value',
    shows: 'aggregate.ratingValue is a string with one decimal.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      'review.page': (page) =>
        aggregate(page, (inner) => ({ ...inner, ratingValue: Number(inner.ratingValue).toFixed(1) })),
    }),
  },
  {
    name: 'aggregate-of-nothing-null',
    breaks: '2.list-reviews-output.aggregate.rating-value',
    shows: 'aggregate.ratingValue of an account without reviews is null: nought by nought.',
    needs: 'nothing',
    variants: ['plain', 'single'],
    wrong: () => ({
      'review.page': (page, { account }) =>
        account.reviews.length > 0 ? page : aggregate(page, (inner) => ({ ...inner, ratingValue: null })),
    }),
  },
  {
    name: 'aggregate-of-nothing-nan',
    breaks: '4.json',
    shows: 'The answer for an account without reviews holds NaN and so is not JSON.',
    needs: 'nothing',
    variants: ['plain', 'strict'],
    wrong: () => ({
      answer: (answer, { visit }) => {
        const text = JSON.stringify(answer.body);
        const empty = visit.segments[3] === 'reviews' && text.includes('"reviewCount":0');
        return empty ? { ...answer, text: text.replace('"ratingValue":0', '"ratingValue":NaN') } : answer;
      },
    }),
  },
  {
    name: 'reviews-odd-cursor-crashes',
    breaks: '7.envelope.tool-code',
    shows: 'A cursor of reviews that was never given out is answered with 500 and the code internal_error.',
    needs: 'nothing',
    variants: ['plain', 'strict', 'lavish'],
    wrong: () => ({
      'error.answer': (answer, { refusal, visit }) =>
        refusal.code === 'invalid_input' && visit.segments[3] === 'reviews' && visit.query.has('cursor')
          ? { status: 500, body: { error: { code: 'internal_error', message: 'cannot decode' } } }
          : answer,
    }),
  },
];
