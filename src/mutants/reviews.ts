// Reviews listed wrongly: pages, members, and whose they are. Cites 2.list-reviews-output.*, 2.review-item.*,
// 4.connect.list-reviews.*, 4.rules.reviews-walk.
import type { ReviewItem } from '../contract/generated/types.ts';
import type { Account } from '../domain/accounts.ts';
import { add, change, drop, put } from './hooks/json-path.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
import { type KeyedExchange, onAnswer, onRefusal, onRequest, onSuccess } from './hooks/recipes.ts';
import { asRefusal, isObject, type Json, withQuery } from './hooks/rewrite.ts';

const operation = 'listReviews';

export function accountOf({ organization, match }: KeyedExchange): Account | undefined {
  return organization.accounts.get((match.path.accountId ?? '').toLowerCase());
}

function reviewsOf(exchange: KeyedExchange): readonly ReviewItem[] {
  return accountOf(exchange)?.reviews.toData() ?? [];
}

/** The cursor that the page behind this one gives out. */
function cursorBehind(exchange: KeyedExchange, cursor: string | undefined): string | null {
  const page = accountOf(exchange)?.reviews.page(cursor, 'null');
  return page?.ok ? (page.value.nextCursor ?? null) : null;
}

const onLater = (edit: (reviews: Json[], exchange: KeyedExchange) => Json[]): Wrap =>
  onSuccess(operation, (body, exchange) =>
    exchange.query.cursor === undefined
      ? body
      : change('data.reviews', (reviews) => edit(reviews as Json[], exchange))(body),
  );

/** Edits a review by its place in the whole list, on whatever page it stands. */
const onReview = (rank: number, edit: (review: Json) => Json): Wrap =>
  onSuccess(operation, (body, exchange) => {
    const id = reviewsOf(exchange).at(rank)?.reviewId;
    return change('data.reviews.*', (review) => (isObject(review) && review.reviewId === id ? edit(review) : review))(
      body,
    );
  });

const walks: readonly Mutant[] = [
  {
    name: 'reviews-page-lost',
    breaks: '4.rules.reviews-walk',
    shows: 'The cursor of the first page of reviews leads to the third one; the second never comes.',
    verdict: 'warn',
    wrap: onSuccess(operation, (body, exchange) => {
      const behind =
        exchange.query.cursor === undefined ? cursorBehind(exchange, cursorBehind(exchange, undefined) ?? '') : null;
      return behind === null ? body : put('data.nextCursor', behind)(body);
    }),
  },
  {
    name: 'reviews-first-page-repeated',
    breaks: '4.rules.reviews-walk',
    shows: 'The second page of reviews is the first one again; the third follows it.',
    wrap: onSuccess(operation, (body, exchange) => {
      const { cursor } = exchange.query;
      if (cursor === undefined || cursor !== cursorBehind(exchange, undefined)) return body;
      return put('data.reviews', reviewsOf(exchange).slice(0, 10) as unknown as Json)(body);
    }),
  },
  {
    name: 'reviews-row-lost-at-page-edge',
    breaks: '4.rules.reviews-walk',
    shows: 'The first review behind each cursor never comes, so that fewer come than `aggregate.reviewCount` says.',
    verdict: 'warn',
    wrap: onLater((reviews) => reviews.slice(1)),
  },
  {
    name: 'reviews-row-repeated-at-page-edge',
    breaks: '4.rules.reviews-walk',
    shows: 'Each further page of reviews begins with the review that the page before ended with.',
    wrap: onLater((reviews, exchange) => {
      const all = reviewsOf(exchange);
      const first = reviews[0] as unknown as ReviewItem | undefined;
      const before = first && all[all.findIndex(({ reviewId }) => reviewId === first.reviewId) - 1];
      return before ? [before as unknown as Json, ...reviews] : reviews;
    }),
  },
  {
    name: 'reviews-last-cursor-loops',
    breaks: '4.rules.reviews-walk',
    shows: 'The last page of reviews leads back to the second one, for ever.',
    wrap: onSuccess(operation, (body, exchange) => {
      const second = cursorBehind(exchange, undefined);
      const atEnd = exchange.query.cursor !== undefined && cursorBehind(exchange, exchange.query.cursor) === null;
      return atEnd && second !== null ? put('data.nextCursor', second)(body) : body;
    }),
  },
  {
    name: 'reviews-cursor-ignored',
    breaks: '4.connect.list-reviews.cursor',
    shows: '`cursor` of reviews has no effect: every page is the first one.',
    wrap: onRequest(operation, ({ request }) => withQuery(request, { cursor: null })),
  },
  {
    name: 'reviews-cursor-required',
    breaks: '4.connect.list-reviews.cursor',
    shows: 'Reviews without a `cursor` are refused with 400.',
    wrap: onAnswer(operation, (response, { query }) =>
      response.status === 200 && query.cursor === undefined
        ? asRefusal(response, 400, {
            code: 'invalid_input',
            message: 'cursor is required.',
            issues: [{ path: '/cursor', message: 'cursor is required.', rule: 'required' }],
          })
        : response,
    ),
  },
  {
    name: 'reviews-bad-cursor-500',
    breaks: '4.connect.statuses',
    shows: 'Reviews with a `cursor` that the list did not give out answer 500.',
    wrap: onRefusal({ which: operation, code: 'invalid_input' }, (response, _error, { query }) =>
      query.cursor === undefined
        ? response
        : asRefusal(response, 500, { code: 'internal_error', message: 'bad cursor' }),
    ),
  },
  {
    name: 'reviews-replied-vanish',
    breaks: '4.rules.reviews-walk',
    shows: 'A review that was replied to just now is gone from the list.',
    needs: 'writes',
    wrap: (next, context) => {
      const replied = new Set<string>();
      const noted = onSuccess('replyToReview', (body, { match }) => {
        replied.add(match.path.reviewId ?? '');
        return body;
      })(next, context);
      const keep = (review: Json) => !isObject(review) || !replied.has(String(review.reviewId));
      return onSuccess(
        operation,
        change('data.reviews', (reviews) => (reviews as Json[]).filter(keep)),
      )(noted, context);
    },
  },
];

const pages: readonly Mutant[] = [
  {
    name: 'reviews-extra-total',
    breaks: '2.list-reviews-output.closed',
    shows: '`data` of a review page has a member `total` that is not listed.',
    wrap: onSuccess(operation, add('data', { total: 27 })),
  },
  {
    name: 'reviews-extra-has-more-on-last-page',
    breaks: '2.list-reviews-output.closed',
    shows: '`data` of the last review page has a member `hasMore` that is not listed.',
    wrap: onSuccess(operation, (body) =>
      isObject(body) && isObject(body.data) && typeof body.data.nextCursor === 'string'
        ? body
        : add('data', { hasMore: false })(body),
    ),
  },
  {
    name: 'reviews-left-out-when-empty',
    breaks: '2.list-reviews-output.reviews',
    shows: 'For an account without reviews `data` has no `reviews`.',
    wrap: onSuccess(operation, (body, exchange) =>
      reviewsOf(exchange).length === 0 ? drop('data.reviews')(body) : body,
    ),
  },
  {
    name: 'reviews-null-when-empty',
    breaks: '2.list-reviews-output.reviews',
    shows: 'For an account without reviews `reviews` is null.',
    wrap: onSuccess(operation, (body, exchange) =>
      reviewsOf(exchange).length === 0 ? put('data.reviews', null)(body) : body,
    ),
  },
  {
    name: 'reviews-cursor-number',
    breaks: '2.list-reviews-output.next-cursor',
    shows: '`nextCursor` of a review page is a number.',
    wrap: (next, context) => {
      const given = onRequest(operation, (exchange) => {
        const { query, request, organization } = exchange;
        if (!organization || !/^\d+$/.test(query.cursor ?? '')) return request;
        let cursor: string | null | undefined;
        for (let page = 0; page < Number(query.cursor); page += 1) {
          cursor = cursorBehind({ ...exchange, organization }, cursor ?? undefined);
        }
        return withQuery(request, { cursor: cursor ?? null });
      });
      const told = onSuccess(operation, (body, exchange) =>
        change('data.nextCursor', (cursor) => (cursor === null ? cursor : pageNumber(exchange, String(cursor))))(body),
      );
      return given(told(next, context), context);
    },
  },
  {
    name: 'reviews-cursor-empty-at-end',
    breaks: '2.list-reviews-output.next-cursor',
    shows:
      '`nextCursor` of the last page of reviews is an empty string, which as `cursor` leads to the first page again.',
    wrap: (next, context) => {
      const told = onSuccess(operation, (body) =>
        change('data', (data) => (isObject(data) ? { ...data, nextCursor: data.nextCursor ?? '' } : data))(body),
      );
      const read = onRequest(operation, ({ request, query }) =>
        query.cursor === '' ? withQuery(request, { cursor: null }) : request,
      );
      return read(told(next, context), context);
    },
  },
  {
    name: 'reviews-cursor-false-at-end',
    breaks: '2.list-reviews-output.next-cursor',
    shows: '`nextCursor` of the last page of reviews is false.',
    wrap: onSuccess(operation, (body) =>
      change('data', (data) => (isObject(data) ? { ...data, nextCursor: data.nextCursor ?? false } : data))(body),
    ),
  },
  {
    name: 'reviews-aggregate-array',
    breaks: '2.list-reviews-output.aggregate',
    shows: '`aggregate` of reviews is an array of two numbers.',
    wrap: onSuccess(
      operation,
      change('data.aggregate', (value) =>
        isObject(value) ? [value.ratingValue ?? null, value.reviewCount ?? null] : value,
      ),
    ),
  },
  {
    name: 'reviews-aggregate-null',
    breaks: '2.list-reviews-output.aggregate',
    shows: 'On further pages of reviews `aggregate` is null, although it may only be left out.',
    wrap: onSuccess(operation, (body, { query }) =>
      query.cursor === undefined ? body : put('data.aggregate', null)(body),
    ),
  },
  {
    name: 'reviews-aggregate-rating-text',
    breaks: '2.list-reviews-output.aggregate.rating-value',
    shows: '`aggregate.ratingValue` of reviews is a string.',
    wrap: onSuccess(
      operation,
      change('data.aggregate.ratingValue', (value) => Number(value).toFixed(1)),
    ),
  },
  {
    name: 'reviews-aggregate-without-count',
    breaks: '2.list-reviews-output.aggregate.review-count',
    shows: '`aggregate` of reviews has no `reviewCount`.',
    wrap: onSuccess(operation, drop('data.aggregate.reviewCount')),
  },
];

const items: readonly Mutant[] = [
  {
    name: 'review-extra-member-on-second-page',
    breaks: '2.review-item.closed',
    shows: 'Reviews behind a cursor have a member `language` that is not listed; those of the first page have not.',
    wrap: onSuccess(operation, (body, { query }) =>
      query.cursor === undefined ? body : add('data.reviews.*', { language: 'en' })(body),
    ),
  },
  {
    name: 'review-extra-reply-date',
    breaks: '2.review-item.closed',
    shows: 'A review with a reply has a member `repliedAt` that is not listed.',
    wrap: onSuccess(
      operation,
      change('data.reviews.*', (review) =>
        isObject(review) && review.replied === true ? { ...review, repliedAt: review.date ?? null } : review,
      ),
    ),
  },
  {
    name: 'review-id-number',
    breaks: '2.review-item.review-id',
    shows: 'The 14th review has a number for its `reviewId`.',
    wrap: onReview(13, put('reviewId', 14)),
  },
  {
    name: 'review-author-null',
    breaks: '2.review-item.author',
    shows: 'The last review has `author` null.',
    wrap: onReview(-1, put('author', null)),
  },
  {
    name: 'review-author-left-out',
    breaks: '2.review-item.author',
    shows: 'The third review has no `author`.',
    wrap: onReview(2, drop('author')),
  },
  {
    name: 'review-rating-text',
    breaks: '2.review-item.rating',
    shows: 'The 17th review has its `rating` as a word.',
    wrap: onReview(16, put('rating', 'FOUR')),
  },
  {
    name: 'review-rating-left-out',
    breaks: '2.review-item.rating',
    shows: 'A review without a rating has no `rating` instead of null.',
    wrap: onSuccess(
      operation,
      change('data.reviews.*', (review) =>
        isObject(review) && review.rating === null ? drop('rating')(review) : review,
      ),
    ),
  },
  {
    name: 'review-text-null-when-empty',
    breaks: '2.review-item.text',
    shows: 'A review without words has `text` null instead of an empty string.',
    wrap: onSuccess(
      operation,
      change('data.reviews.*.text', (text) => (text === '' ? null : text)),
    ),
  },
  {
    name: 'review-date-number',
    breaks: '2.review-item.date',
    shows: 'The last review has epoch milliseconds for its `date`.',
    wrap: onReview(
      -1,
      change('date', (date) => Date.parse(String(date))),
    ),
  },
  {
    name: 'review-replied-number',
    breaks: '2.review-item.replied',
    shows: '`replied` of a review is 0 or 1.',
    wrap: onSuccess(operation, change('data.reviews.*.replied', Number)),
  },
  {
    name: 'review-reply-text-null',
    breaks: '2.review-item.reply-text',
    shows: 'A review without a reply has `replyText` null, although it may only be left out.',
    wrap: onSuccess(
      operation,
      change('data.reviews.*', (review) =>
        isObject(review) ? { ...review, replyText: review.replyText ?? null } : review,
      ),
    ),
  },
];

const owners: readonly Mutant[] = [
  {
    name: 'reviews-of-first-account',
    breaks: '4.connect.list-reviews.endpoint',
    shows: 'Whichever account is asked for, the reviews are those of the first one.',
    verdict: 'warn',
    wrap: onSuccess(operation, (body, exchange) => {
      const first = [...exchange.organization.accounts.values()].find(({ reviews }) => reviews.toData().length > 0);
      const page = first?.reviews.page(undefined, 'null');
      return page?.ok && exchange.query.cursor === undefined ? put('data', page.value as unknown as Json)(body) : body;
    }),
  },
  {
    name: 'reviews-as-data',
    breaks: '4.connect.list-reviews.endpoint',
    shows: '`data` of a review page is the array of reviews itself.',
    wrap: onSuccess(
      operation,
      change('data', (data) => (isObject(data) ? (data.reviews ?? null) : data)),
    ),
  },
];

/** How many pages lie before the one that the cursor leads to. */
function pageNumber(exchange: KeyedExchange, cursor: string): number {
  let pages = 1;
  for (let at = cursorBehind(exchange, undefined); at !== null && at !== cursor; pages += 1) {
    at = cursorBehind(exchange, at);
  }
  return pages;
}

export const reviewMutants: readonly Mutant[] = [...walks, ...pages, ...items, ...owners];
