import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListReviewsOutput, ReviewItem } from '../contract/generated/types.ts';
import { formatTimestamp } from '../contract/timestamps.ts';
import type { Outcome } from './outcome.ts';
import { Reviews, reviewsPageSize } from './reviews.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');

function review(i: number, more: Partial<ReviewItem> = {}): ReviewItem {
  const date = formatTimestamp(startMs - i * 1000);
  return { reviewId: `rev/${i} %é`, author: `Author ${i}`, rating: 4, text: 'Good.', date, replied: false, ...more };
}

const reviewsOf = (count: number) => new Reviews(Array.from({ length: count }, (_, i) => review(i)));

function pageOf(outcome: Outcome<ListReviewsOutput>): ListReviewsOutput {
  if (!outcome.ok) throw new Error(outcome.rejection.message);
  return outcome.value;
}

function walk(reviews: Reviews, meanwhile: () => void = () => {}): string[] {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(reviews.page(cursor));
    ids.push(...page.reviews.map(({ reviewId }) => reviewId));
    expect(ids.length).toBeLessThanOrEqual(reviews.toData().length);
    cursor = page.nextCursor ?? undefined;
    meanwhile();
  } while (cursor !== undefined);
  return ids;
}

describe('a walk through the reviews', () => {
  it.each([0, 1, reviewsPageSize - 1, reviewsPageSize, reviewsPageSize + 1, 3 * reviewsPageSize])(
    'shows each of %i once, newest first, and ends',
    (count) => {
      const expected = Array.from({ length: count }, (_, i) => review(i).reviewId);
      expect(walk(reviewsOf(count))).toEqual(expected);
    },
  );

  it('is not disturbed by replies in between, ties of dates included', () => {
    const dates = fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 50 });
    fc.assert(
      fc.property(dates, fc.integer({ min: 0, max: 49 }), (offsets, k) => {
        const items = offsets.map((offset, i) => review(i, { date: formatTimestamp(startMs - offset) }));
        const reviews = new Reviews(items);
        const before = walk(reviews);
        const during = walk(reviews, () => reviews.reply(`rev/${k} %é`, 'Thank you.'));
        expect(during).toEqual(before);
        expect(new Set(before).size).toBe(items.length);
      }),
    );
  });

  it('orders by timestamps, not by texts', () => {
    const items = [review(1, { date: '2026-03-02T10:00:00+02:00' }), review(2, { date: '2026-03-02T09:00:00Z' })];
    expect(walk(new Reviews(items))).toEqual(['rev/2 %é', 'rev/1 %é']);
  });
});

describe('a reply', () => {
  it('shows up in the next listing and does not move the review', () => {
    const reviews = reviewsOf(3);
    reviews.reply('rev/1 %é', 'First.');
    reviews.reply('rev/1 %é', 'Second.');
    const listed = pageOf(reviews.page(undefined)).reviews;
    expect(listed[1]).toEqual(review(1, { replied: true, replyText: 'Second.' }));
    expect([listed[0]?.replied, listed[2]?.replied]).toEqual([false, false]);
  });
});

describe('the aggregate', () => {
  it.each([
    [[], undefined],
    [[null, null], undefined],
    [[5], { ratingValue: 5, reviewCount: 1 }],
    [[5, 4, 4], { ratingValue: 4.3, reviewCount: 3 }],
    [[1, null], { ratingValue: 1, reviewCount: 2 }],
  ])('of the ratings %j is %j', (ratings, expected) => {
    const reviews = new Reviews(ratings.map((rating, i) => review(i, { rating })));
    expect(pageOf(reviews.page(undefined)).aggregate).toEqual(expected);
  });

  it('covers the account and not the page', () => {
    const second = pageOf(reviewsOf(12).page('after.rev%2F9%20%25%C3%A9'));
    expect([second.reviews.length, second.aggregate?.reviewCount]).toEqual([2, 12]);
  });
});
