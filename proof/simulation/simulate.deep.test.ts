import { describe, expect, it } from 'vitest';
import { describeRun, simulate } from './simulate.ts';

describe('a mock that is used by its clients for hours', () => {
  it.each([2, 3, 4, 5, 7, 8, 9])('holds every invariant with the seed %i', async (seed) => {
    const result = await simulate({ seed, hours: 10 });
    expect(result.failure && describeRun(result)).toBeNull();
    expect(result.exchanges).toBeGreaterThan(1500);
    expect(result.blocked).toBeGreaterThan(50);
  });
});
