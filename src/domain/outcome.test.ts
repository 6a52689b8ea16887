import { describe, expect, it } from 'vitest';
import { invalidInput } from './outcome.ts';

const issues = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ path: `/rows/${i}`, message: `Row ${i} is bad.`, rule: 'x' }));

describe('invalidInput', () => {
  it.each([
    [0, 0, 'The input is not valid.'],
    [1, 1, 'Row 0 is bad.'],
    [2, 2, 'Row 0 is bad. (and 1 more, see issues)'],
    [100, 100, 'Row 0 is bad. (and 99 more, see issues)'],
    [101, 100, 'Row 0 is bad. (and 100 more; issues lists the first 100)'],
    [60_000, 100, 'Row 0 is bad. (and 59999 more; issues lists the first 100)'],
  ])('of %i problems lists %i and says %s', (count, listed, message) => {
    const outcome = invalidInput(issues(count));
    const rejection = outcome.ok ? null : outcome.rejection;
    expect([rejection?.message, rejection?.issues?.length]).toEqual([message, listed]);
  });
});
