// Reviews listed wrongly: pages, fields, and whose they are. Cites 2.list-reviews-output.*, 2.review-item.*,
// 4.connect.list-reviews.*, 4.rules.reviews-walk.
import type { ReviewItem } from '../contract/generated/types.ts';
import { mutantsOf } from './hooks/mutant.ts';
import {
  accountOf,
  isKeyed,
  type KeyedRequest,
  onField,
  onQuery,
  onRejection,
  onResponse,
  onSuccess,
  onSuccessResponse,
} from './hooks/recipes.ts';
import {
  add,
  asCrash,
  asRejection,
  change,
  drop,
  isObject,
  type Json,
  lift,
  put,
  withStatus,
} from './hooks/rewrite.ts';

const operation = 'listReviews';

function reviewsOf(exchange: KeyedRequest): readonly ReviewItem[] {
  return accountOf(exchange)?.reviews.toData() ?? [];
}

/** The cursor on the page after this one. */
function cursorBehind(exchange: KeyedRequest, cursor: string | undefined): string | null {
  const page = accountOf(exchange)?.reviews.page(cursor);
  return page?.ok ? (page.value.nextCursor ?? null) : null;
}

export const reviewMutants = mutantsOf({
  '4.rules.reviews-walk': {
    'reviews-first-page-repeated': [
      'The second page of reviews is the first one again; the third follows it.',
      onSuccess(operation, (body, exchange) => {
        const { cursor } = exchange.query;
        if (cursor === undefined || cursor !== cursorBehind(exchange, undefined)) return body;
        return put('data.reviews', reviewsOf(exchange).slice(0, 10) as unknown as Json)(body);
      }),
    ],
    'reviews-row-lost-at-page-edge': [
      'The first review after each cursor is lost, so the list is shorter than `aggregate.reviewCount`.',
      onSuccess(operation, (body, { query }) => (query.cursor === undefined ? body : drop('data.reviews.0')(body))),
      { result: 'warn' },
    ],
    'reviews-last-cursor-loops': [
      'The last page of reviews links to the second one, so the list never ends.',
      onSuccess(operation, (body, exchange) => {
        const second = cursorBehind(exchange, undefined);
        const atEnd = exchange.query.cursor !== undefined && cursorBehind(exchange, exchange.query.cursor) === null;
        return atEnd && second !== null ? put('data.nextCursor', second)(body) : body;
      }),
    ],
    'reviews-replied-vanish': [
      'A review that was replied to just now is gone from the list.',
      (next, context) => {
        const replied = new Set<string>();
        const noted = onSuccess('replyToReview', (body, { match }) => {
          replied.add(match.path.reviewId ?? '');
          return body;
        })(next, context);
        const keep = (review: Json) => !isObject(review) || !replied.has(String(review.reviewId));
        return onField(operation, 'data.reviews', (reviews) => (reviews as Json[]).filter(keep))(noted, context);
      },
      { needs: 'writes' },
    ],
  },
  '4.connect.list-reviews.cursor': {
    'reviews-cursor-ignored': [
      '`cursor` of reviews has no effect: every page is the first one.',
      onQuery(operation, 'cursor', () => null),
    ],
    'reviews-cursor-required': [
      'Reviews without a `cursor` are rejected with 400.',
      onResponse(operation, (response, { query }) =>
        response.status === 200 && query.cursor === undefined
          ? asRejection(response, 400, {
              code: 'invalid_input',
              message: 'cursor is required.',
              issues: [{ path: '/cursor', message: 'cursor is required.', rule: 'required' }],
            })
          : response,
      ),
    ],
  },
  '4.connect.statuses': {
    'reviews-bad-cursor-500': [
      'Reviews with a `cursor` that the list did not return cause a 500.',
      onRejection({ which: operation, code: 'invalid_input' }, (response, _error, { query }) =>
        query.cursor === undefined ? response : asCrash(response, 'invalid cursor'),
      ),
    ],
  },
  '2.list-reviews-output.closed': {
    'reviews-extra-total': [
      '`data` of a review page has a field `total` that is not listed.',
      onSuccess(operation, add('data', { total: 27 })),
    ],
  },
  '2.list-reviews-output.reviews': {
    'reviews-left-out-when-empty': [
      'For an account without reviews `data` has no `reviews`.',
      onSuccess(operation, (body, exchange) => (reviewsOf(exchange).length === 0 ? drop('data.reviews')(body) : body)),
    ],
  },
  '2.list-reviews-output.next-cursor': {
    'reviews-cursor-empty-at-end': [
      '`nextCursor` of the last page of reviews is an empty string, which as `cursor` links to the first page again.',
      (next, context) => {
        const edited = onSuccess(operation, (body) =>
          change('data', (data) => (isObject(data) ? { ...data, nextCursor: data.nextCursor ?? '' } : data))(body),
        );
        const read = onQuery(operation, 'cursor', (value) => (value === '' ? null : value));
        return read(edited(next, context), context);
      },
    ],
    'reviews-cursor-empty-after-full-page': [
      'Reviews of Facebook pages come in pages of two. The second, full page ends with an empty `nextCursor`.',
      (next, context) => {
        const edited = onSuccess(operation, (body, exchange) => {
          if (accountOf(exchange)?.provider !== 'facebook_page') return body;
          const isSecond = exchange.query.cursor === 'second';
          const reviews = reviewsOf(exchange).slice(isSecond ? 2 : 0, isSecond ? 4 : 2) as unknown as Json;
          const nextCursor = isSecond ? '' : 'second';
          const shown = reviewsOf(exchange).length < 2 ? {} : { reviews, nextCursor };
          return change('data', (data) => (isObject(data) ? { ...data, ...shown } : data))(body);
        });
        const read = onQuery(operation, 'cursor', (value) => (value === 'second' || value === '' ? null : value));
        return edited(read(next, context), context);
      },
    ],
    'reviews-cursor-false-at-end': [
      '`nextCursor` of the last page of reviews is false.',
      onSuccess(operation, (body) =>
        change('data', (data) => (isObject(data) ? { ...data, nextCursor: data.nextCursor ?? false } : data))(body),
      ),
    ],
  },
  '2.list-reviews-output.aggregate': {
    'reviews-aggregate-null': [
      'On further pages of reviews `aggregate` is null, although it may only be left out.',
      onSuccess(operation, (body, { query }) =>
        query.cursor === undefined ? body : put('data.aggregate', null)(body),
      ),
    ],
  },
  '2.review-item.closed': {
    'review-extra-member-on-second-page': [
      'Reviews after a cursor have a field `language` that is not listed; those of the first page have not.',
      onSuccess(operation, (body, { query }) =>
        query.cursor === undefined ? body : add('data.reviews.*', { language: 'en' })(body),
      ),
    ],
  },
  '4.connect.list-reviews.endpoint': {
    'reviews-of-first-account': [
      'The reviews of every account are those of the first one.',
      onSuccess(operation, (body, exchange) => {
        const first = [...exchange.organization.accounts.values()].find(({ reviews }) => reviews.toData().length > 0);
        const page = first?.reviews.page(undefined);
        return page?.ok && exchange.query.cursor === undefined
          ? put('data', page.value as unknown as Json)(body)
          : body;
      }),
      { result: 'warn' },
    ],
    'reviews-as-data': [
      '`data` of a review page is the array of reviews itself.',
      onSuccess(operation, lift('data', 'reviews')),
    ],
  },
});

// Wrong requests for insights, and wrong responses. Cites 2.get-insights-output.*, 4.connect.insights.*,
// 1.connect-operations.

const ofInsights = 'getInsights';
const ranges = ['7d', '28d', '90d'];

export const insightMutants = mutantsOf({
  '4.connect.insights.range-default': {
    'insights-default-7d': [
      'Without `range` the insights are those of 7d.',
      onQuery(ofInsights, 'range', (value) => (value === undefined ? '7d' : value)),
    ],
    'insights-default-7d-of-other-platforms': [
      'Without `range` the insights of any other platform than Google Business are those of 7d.',
      onQuery(ofInsights, 'range', (value, exchange) => {
        const provider = isKeyed(exchange) ? accountOf(exchange)?.provider : undefined;
        return value === undefined && provider !== undefined && provider !== 'google_business' ? '7d' : value;
      }),
    ],
    'insights-default-90d': [
      'Without `range` the insights are those of 90d.',
      onQuery(ofInsights, 'range', (value) => (value === undefined ? '90d' : value)),
    ],
  },
  '4.connect.insights.range': {
    'insights-range-required': [
      'Insights without `range` are rejected with 400.',
      onQuery(ofInsights, 'range', (value) => (value === undefined ? '' : value)),
    ],
    'insights-90d-refused': [
      'Insights with `range=90d` are rejected with 400.',
      onQuery(ofInsights, 'range', (value) => (value === '90d' ? '91d' : value)),
    ],
  },
  '4.connect.insights.bad-range': {
    'insights-any-range': [
      'Insights with a `range` outside the list return 200 with the default range.',
      onQuery(ofInsights, 'range', (value) => (value !== undefined && ranges.includes(value) ? value : null)),
    ],
    'insights-30d-accepted': [
      'Insights with `range=30d` return 200; other ranges outside the list are rejected.',
      onQuery(ofInsights, 'range', (value) => (value === '30d' ? '28d' : value)),
    ],
    'insights-range-365d-accepted': [
      'Insights with `range=365d` return 200 with those of 90 days.',
      onQuery(ofInsights, 'range', (value) => (value === '365d' ? '90d' : value)),
    ],
    'insights-range-case-ignored': [
      'Insights with `range=7D` return 200.',
      onQuery(ofInsights, 'range', (value) => value?.toLowerCase()),
      { result: 'warn' },
    ],
    'insights-bad-range-500': [
      'Insights with a `range` outside the list return 500.',
      onResponse(ofInsights, (response, { query }) =>
        response.status === 400 && query.range !== undefined && !ranges.includes(query.range)
          ? asCrash(response, 'Invalid range.')
          : response,
      ),
    ],
  },
  '2.get-insights-output.closed': {
    'insights-extra-comparison-for-90d': [
      '`data` of insights has a field `previous` that is not listed, with `range=90d` only.',
      onSuccess(ofInsights, (body, { query }) =>
        query.range === '90d' ? add('data', { previous: null })(body) : body,
      ),
    ],
  },
  '2.get-insights-output.required': {
    'insights-without-range': ['`data` of insights has no `range`.', onSuccess(ofInsights, drop('data.range'))],
  },
  '2.get-insights-output.metrics.points.date': {
    'insights-without-points': [
      'No metric of insights has `points`.',
      onSuccess(ofInsights, drop('data.metrics.*.points')),
      { result: 'warn' },
    ],
  },
  '4.connect.insights.endpoint': {
    'insights-metrics-as-data': [
      '`data` of insights is the array of metrics itself.',
      onSuccess(ofInsights, lift('data', 'metrics')),
    ],
    'insights-answer-202': [
      'Insights return 202 instead of 200.',
      onSuccessResponse(ofInsights, (response) => withStatus(response, 202)),
    ],
  },
  '1.connect-operations': {
    'insights-not-offered': [
      'Insights return 404 `not_found` for every account of the list, in any state and on any platform.',
      onResponse(ofInsights, (response, { organization }) =>
        organization && response.status !== 400
          ? asRejection(response, 404, { code: 'not_found', message: 'There is no such path in this API.' })
          : response,
      ),
    ],
  },
});
