import { expect, it } from 'vitest';
import { exceeded, measure } from './size.ts';

const files = new Map(Object.entries({ 'src/a.ts': '1\n2\n', 'src/a.test.ts': '1\n', 'proof/b.ts': '1\n2\n3\n' }));

it('counts lines and files of each part', () => {
  expect(measure(files)).toMatchObject({
    all: { lines: 6, files: 3 },
    shipped: { lines: 2, files: 1 },
    tests: { lines: 1, files: 1 },
    proof: { lines: 3, files: 1 },
  });
});

it.each([
  [6, 3, 0],
  [5, 3, 1],
  [5, 2, 2],
])('with a budget of %i lines and %i files finds %i problems', (lines, count, problems) => {
  expect(exceeded(measure(files), { all: { lines, files: count } })).toHaveLength(problems);
});
