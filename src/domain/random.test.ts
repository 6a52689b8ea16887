import { describe, expect, it } from 'vitest';
import { createRandom, hashToUnit } from './random.ts';

describe('a seeded generator', () => {
  it('gives the same for the same seed, and continues from a position', () => {
    const [a, b] = [createRandom(7), createRandom(7)];
    expect([a.uuid(), a.hex(5), a.next()]).toEqual([b.uuid(), b.hex(5), b.next()]);
    const position = a.position();
    const expected = [a.uuid(), a.next()];
    b.restore(position);
    expect([b.uuid(), b.next()]).toEqual(expected);
    expect(createRandom(8).uuid()).not.toBe(createRandom(7).uuid());
  });

  it('makes account ids that the contract accepts, each its own', () => {
    const random = createRandom(1);
    const ids = Array.from({ length: 2000 }, () => random.uuid());
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(2000);
  });

  it.each([1, 2, 3, 10])('spreads evenly below %i', (bound) => {
    const random = createRandom(3);
    const counts = Array<number>(bound).fill(0);
    for (let i = 0; i < 10_000; i += 1) {
      const drawn = random.below(bound);
      counts[drawn] = (counts[drawn] ?? 0) + 1;
    }
    expect(counts).toHaveLength(bound);
    for (const count of counts) expect(Math.abs(count - 10_000 / bound)).toBeLessThan(400);
  });
});

describe('hashToUnit', () => {
  it('depends on the text alone and stays from 0 up to 1', () => {
    const texts = Array.from({ length: 1000 }, (_, i) => `text ${i}`);
    const values = texts.map(hashToUnit);
    expect(texts.map(hashToUnit)).toEqual(values);
    expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
    expect(new Set(values).size).toBeGreaterThan(990);
  });
});
