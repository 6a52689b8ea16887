import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readReviewId, writeReviewId } from './chance.ts';

const decorated = fc.constantFrom('a/b:', '100% ', '%2F', '+1 ', '');
const ids = fc.tuple(decorated, fc.string({ unit: 'grapheme', minLength: 1 })).map((parts) => parts.join(''));

describe('a greased review id', () => {
  it('is read back as the id it stands for, whatever that looks like', () => {
    fc.assert(
      fc.property(ids, fc.nat(), (id, seed) => {
        const shown = writeReviewId(id, seed);
        expect([readReviewId(shown, seed), writeReviewId(id, seed)]).toEqual([id, shown]);
        expect(encodeURIComponent(shown)).not.toBe(shown);
      }),
      { numRuns: 2000 },
    );
  });

  it('that was never greased means itself', () => {
    expect(readReviewId('rev_1', 3)).toBe('rev_1');
    const seed = [1, 2, 3, 4, 5].find((other) => !writeReviewId('x', other).startsWith('+1 ')) as number;
    expect(readReviewId('+1 x', seed)).toBe('+1 x');
  });
});
