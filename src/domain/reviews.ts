// Reviews of one account, newest first by date; a reply does not move a review (choice C23).
// Cites 4.connect.list-reviews.*, 4.connect.reply.*, 4.rules.reviews-pagination.
import type { ListReviewsOutput, ReviewItem } from '../contract/generated/types.ts';
import { parseInstant } from '../contract/instants.ts';
import { invalidInput, notFound, type Outcome, ok } from './outcome.ts';

/** The contract names no size; small enough that the default world has three pages. */
export const reviewsPageSize = 10;

/**
 * Sorted once: the number of reviews of an account never changes, a reply replaces one in place. So an index by id
 * stays right, and a cursor costs no search.
 */
export class Reviews {
  readonly #items: ReviewItem[];
  readonly #indexById: ReadonlyMap<string, number>;
  readonly #aggregate: ListReviewsOutput['aggregate'] | null;

  constructor(items: readonly ReviewItem[]) {
    const dated = items.map((item) => ({ item, instant: parseInstant(item.date) ?? 0n }));
    dated.sort((a, b) => (a.instant < b.instant ? 1 : a.instant > b.instant ? -1 : 0));
    this.#items = dated.map(({ item }) => item);
    this.#indexById = new Map(this.#items.map((item, index) => [item.reviewId, index]));
    this.#aggregate = aggregate(this.#items);
  }

  /** Review ids are opaque and compared to the letter. */
  get(reviewId: string): ReviewItem | undefined {
    return this.#items[this.#indexById.get(reviewId) ?? -1];
  }

  /** One page. The cursor names the last review of the page before, in a form that clients need not understand. */
  page(cursor: string | undefined, end: 'null' | 'absent'): Outcome<ListReviewsOutput> {
    const start = cursor === undefined ? 0 : this.#startAfter(cursor);
    if (start === null) {
      return invalidInput([
        { path: '/cursor', message: 'The cursor is not one that this list gave out.', rule: 'cursor' },
      ]);
    }
    const reviews = this.#items.slice(start, start + reviewsPageSize);
    const more = start + reviewsPageSize < this.#items.length;
    const nextCursor = more ? writeCursor((reviews.at(-1) as ReviewItem).reviewId) : null;
    return ok({
      reviews,
      ...(nextCursor === null && end === 'absent' ? {} : { nextCursor }),
      ...(this.#aggregate ? { aggregate: this.#aggregate } : {}),
    });
  }

  /** Keeps a reply; a newer one replaces the older (choice C31). */
  reply(reviewId: string, text: string): Outcome<ReviewItem> {
    const index = this.#indexById.get(reviewId);
    if (index === undefined) return notFound('review');
    const replied: ReviewItem = { ...(this.#items[index] as ReviewItem), replied: true, replyText: text };
    this.#items[index] = replied;
    return ok(replied);
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

  /** Null for a cursor that this list never gave out. */
  #startAfter(cursor: string): number | null {
    const reviewId = readCursor(cursor);
    const index = reviewId === null ? undefined : this.#indexById.get(reviewId);
    return index === undefined ? null : index + 1;
  }
}

// Mean of the ratings and number of the reviews of the account, not of the page; without a rating there is none (choice
// C100).
function aggregate(items: readonly ReviewItem[]): ListReviewsOutput['aggregate'] | null {
  const ratings = items.map(({ rating }) => rating).filter((rating) => rating !== null);
  if (ratings.length === 0) return null;
  const mean = ratings.reduce((sum, rating) => sum + rating, 0) / ratings.length;
  return { ratingValue: Math.round(mean * 10) / 10, reviewCount: items.length };
}

/** Percent-encoded, because a review id may hold any character. */
function writeCursor(reviewId: string): string {
  return `after.${encodeURIComponent(reviewId)}`;
}

/** Null for a text that is not a cursor; whether the review exists is another question. */
function readCursor(cursor: string): string | null {
  if (!cursor.startsWith('after.')) return null;
  try {
    return decodeURIComponent(cursor.slice('after.'.length));
  } catch {
    return null;
  }
}
