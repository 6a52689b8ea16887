// Review ids that are legal and awkward: a review id is a string and no more (rulings R9), so in a path each of these
// has to be percent-encoded. None is the beginning of another, so that an id can be read back.
import { hashToUnit } from '../../domain/random.ts';

const decorations = ['a/b:', '100% ', 'Café ', '?x=1&y#', '%2F', '+1 ', '評/', "it's;"] as const;

/** The id under which a greased mock shows a review; always the same one for the same seed. */
export function writeReviewId(reviewId: string, seed: number): string {
  return `${decorations[Math.floor(hashToUnit(`${reviewId} ${seed}`) * decorations.length)]}${reviewId}`;
}

/** The review that a greased id means; an id that was never greased means itself. */
export function readReviewId(text: string, seed: number): string {
  for (const decoration of decorations) {
    if (!text.startsWith(decoration)) continue;
    const reviewId = text.slice(decoration.length);
    if (writeReviewId(reviewId, seed) === text) return reviewId;
  }
  return text;
}
