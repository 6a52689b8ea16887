// Reviews of one account, newest first by date; a reply does not move a review (assumption C23).
// Cites 4.connect.list-reviews.*, 4.connect.reply.*, 4.rules.reviews-pagination.
import type { ListReviewsOutput, ReviewItem } from '../contract/generated/types.ts';
import { lackOn, type PageKind, type PagePlace, pageKindOf } from '../contract/review-pages.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { invalidInput, notFound, type Outcome, ok } from './outcome.ts';
import { hashToUnit } from './random.ts';
import type { WorldBehavior } from './world-behavior.ts';

/** The contract names no size; small enough that the default world has three pages. */
export const reviewsPageSize = 10;

/** Unspecified behavior of a page of reviews. */
export interface ReviewStyle {
  readonly size: number;
  /** `empty`: the last page comes after the last review. */
  readonly lastPage: 'exact' | 'empty';
  readonly cursor: 'text' | 'base64' | 'digits';
  /** The response to an unknown cursor. */
  readonly badCursor: 'reject' | 'ignore' | 'not_found';
  readonly hasAggregate: (page: PagePlace) => boolean;
  /** Whether the last page has no cursor instead of null. */
  readonly endsBare: (page: PagePlace & { readonly isReplied: boolean }) => boolean;
}

const plainStyle: ReviewStyle = {
  size: reviewsPageSize,
  lastPage: 'exact',
  cursor: 'text',
  badCursor: 'reject',
  // Of accounts with a rating (assumption C100).
  hasAggregate: ({ isRated }) => isRated,
  endsBare: () => false,
};

/** The style that the behaviors of a mock ask for. */
export function reviewStyle(
  behavior: WorldBehavior,
  cursor: string | undefined,
  account: { readonly provider: string; readonly accountId: string },
): ReviewStyle {
  return {
    size: behavior.reviewPageSize,
    lastPage: behavior.reviewLastPage,
    cursor: behavior.reviewCursor,
    badCursor: cursor === '' ? behavior.emptyReviewCursor : behavior.badReviewCursor,
    ...habitsOf(behavior, account),
  };
}

/** By kind of page and provider. Where accounts of a provider differ, the id of the account decides. */
function habitsOf(
  { reviewAggregate, reviewEnd, records }: WorldBehavior,
  { provider, accountId }: Parameters<typeof reviewStyle>[2],
): Pick<ReviewStyle, 'hasAggregate' | 'endsBare'> {
  const lacks = (kind: PageKind, what: 'aggregate' | 'end'): boolean | undefined => {
    const absent = lackOn(records, kind, what);
    const share = typeof absent === 'object' ? absent[provider] : absent;
    return share === undefined ? undefined : hashToUnit(`${accountId} ${what}`) < share;
  };
  return {
    hasAggregate: (page) => !(lacks(pageKindOf(page), 'aggregate') ?? (!page.isRated || reviewAggregate !== 'present')),
    endsBare: (page) =>
      (page.isReplied ? lacks('repliedPage', 'end') : undefined) ??
      lacks(pageKindOf(page), 'end') ??
      reviewEnd === 'absent',
  };
}

/**
 * Sorted once: the number of reviews of an account never changes, a reply replaces one in place. So an index by id
 * stays right, and a cursor costs no search.
 */
export class Reviews {
  readonly #items: ReviewItem[];
  readonly #indexById: ReadonlyMap<string, number>;
  readonly #aggregate: NonNullable<ListReviewsOutput['aggregate']> & { readonly isRated: boolean };

  /** Whether a client replied since the world began. */
  isReplied: boolean;

  constructor(items: readonly ReviewItem[], isReplied = false) {
    this.isReplied = isReplied;
    const dated = items.map((item) => ({ item, timestamp: parseTimestamp(item.date) ?? 0n }));
    dated.sort((a, b) => (a.timestamp < b.timestamp ? 1 : a.timestamp > b.timestamp ? -1 : 0));
    this.#items = dated.map(({ item }) => item);
    this.#indexById = new Map(this.#items.map((item, index) => [item.reviewId, index]));
    this.#aggregate = aggregate(this.#items);
  }

  /** Review ids are opaque and compared to the letter. */
  get(reviewId: string): ReviewItem | undefined {
    return this.#items[this.#indexById.get(reviewId) ?? -1];
  }

  /** One page. The cursor names the last review of the page before, in a form that clients need not understand. */
  page(cursor: string | undefined, style: ReviewStyle = plainStyle): Outcome<ListReviewsOutput> {
    const found = cursor === undefined ? 0 : this.#startAfter(cursor);
    const start = found === null && style.badCursor === 'ignore' ? 0 : found;
    if (start === null && style.badCursor === 'not_found') return notFound('page');
    if (start === null) {
      return invalidInput([{ path: '/cursor', message: 'The cursor is not from this list.', rule: 'cursor' }]);
    }
    const reviews = this.#items.slice(start, start + style.size);
    const more = start + style.size < this.#items.length || (style.lastPage === 'empty' && reviews.length > 0);
    const nextCursor = more ? this.#cursorAt(start + reviews.length - 1, style.cursor) : null;
    const { isRated, ...aggregate } = this.#aggregate;
    const page = { isFirst: start === 0, isLast: !more, isEmpty: reviews.length === 0, isRated };
    return ok({
      reviews,
      ...(nextCursor === null && style.endsBare({ ...page, isReplied: this.isReplied }) ? {} : { nextCursor }),
      ...(style.hasAggregate(page) ? { aggregate } : {}),
    });
  }

  /** Keeps a reply; a newer one replaces the older (assumption C31). */
  reply(reviewId: string, text: string): void {
    const index = this.#indexById.get(reviewId);
    if (index === undefined) return;
    this.#items[index] = { ...(this.#items[index] as ReviewItem), replied: true, replyText: text };
    this.isReplied = true;
  }

  /** Puts a review of this account into another state. */
  put(review: ReviewItem): void {
    const index = this.#indexById.get(review.reviewId);
    if (index !== undefined) this.#items[index] = review;
  }

  /** Newest first, with the replies so far. */
  toData(): readonly ReviewItem[] {
    return this.#items;
  }

  /** Behind the review at a place. */
  #cursorAt(index: number, form: ReviewStyle['cursor']): string {
    if (form === 'digits') return String(index + 1);
    // Percent-encoded, because a review id may hold any character.
    const text = `after.${encodeURIComponent((this.#items[index] as ReviewItem).reviewId)}`;
    return form === 'base64' ? btoa(text) : text;
  }

  /** Null for a cursor that this list never gave out. */
  #startAfter(cursor: string): number | null {
    if (/^\d{1,9}$/.test(cursor)) return this.#items.length >= Number(cursor) ? Number(cursor) : null;
    const reviewId = readCursor(cursor);
    const index = reviewId === null ? undefined : this.#indexById.get(reviewId);
    return index === undefined ? null : index + 1;
  }
}

// Mean of the ratings, 0 without one, and number of the reviews of the account (assumption C100).
function aggregate(items: readonly ReviewItem[]) {
  const ratings = items.map(({ rating }) => rating).filter((rating) => rating !== null);
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / Math.max(1, ratings.length);
  return { ratingValue: Math.round(mean * 10) / 10, reviewCount: items.length, isRated: ratings.length > 0 };
}

/** Null for a text that is not a cursor; whether the review exists is another question. */
function readCursor(cursor: string): string | null {
  try {
    const text = cursor.startsWith('after.') ? cursor : atob(cursor);
    return text.startsWith('after.') ? decodeURIComponent(text.slice('after.'.length)) : null;
  } catch {
    return null;
  }
}
