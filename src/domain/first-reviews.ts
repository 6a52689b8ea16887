// A business that connects its account has been reviewed before: a new account of a platform with reviews starts with
// two pages of them, so that listing and replying can be tried on it at once. An assumption (choice C99).
import type { Provider, ReviewItem } from '../contract/generated/types.ts';
import { formatInstant, HOUR_MS } from '../contract/instants.ts';
import { providerActions } from './providers.ts';
import type { Random } from './random.ts';

const count = 12;

const authors = ['Ada L.', 'Ben', 'Chiara Rossi', 'Dmitri', 'Eun-ji', 'Fatima Z.', 'Gus', 'Hélène'] as const;
const texts = [
  [5, 'Friendly from the first minute.'],
  [4, 'Good, and quicker than expected.'],
  [3, 'All right. The queue was long.'],
  [2, 'Had to ask three times.'],
  [null, 'Opening hours on the door are out of date.'],
] as const;

/** Newest first; none where the platform has no reviews. */
export function firstReviews(provider: Provider, { random, nowMs }: { random: Random; nowMs: number }): ReviewItem[] {
  if (!providerActions[provider].includes('reviews')) return [];
  let dateMs = nowMs;
  return Array.from({ length: count }, () => {
    dateMs -= HOUR_MS * (1 + random.below(100));
    const [rating, text] = texts[random.below(texts.length)] as (typeof texts)[number];
    const author = authors[random.below(authors.length)] as string;
    return { reviewId: `rev_${random.hex(20)}`, author, rating, text, date: formatInstant(dateMs), replied: false };
  });
}
