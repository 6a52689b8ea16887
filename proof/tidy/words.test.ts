import { expect, it } from 'vitest';
import { exceeded, measure } from './size.ts';
import { exceededRatchets, findHits, findSubjectHits, type Words } from './words.ts';

const words: Words = {
  rules: [{ id: 'refuse', find: '\\brefus(e|es|al)\\b', use: 'reject' }],
  limits: { sentence: 5, paragraph: 9, cell: 3, semicolonsPer1000: 4, negationsPer1000: 15 },
  ratchet: { comments: 2, tests: 2, commits: 2 },
};

it.each([
  ['a.md', 'They refuse it.\n\n```sh\nrefuse\n```\nSee `refuse`.', ['text 1']],
  ['a.md', 'A refusal, quoted. <!-- words-ok -->', []],
  ['a.md', 'This sentence has six words here.\n| a cell of four |', ['text 1', 'text 2']],
  ['a.yaml', 'fact: "They refuse."\nquote: "They refuse."\nsummary: >-\n  All\n\n  refuse.\n', ['text 1', 'text 6']],
  ['a.yaml', "- { name: x, description: 'They refuse.', in: query }\nR1: We refuse.", ['text 1', 'text 2']],
  ['a.ts', '// They refuse.\nconst refuse = "refuse";\nconst text = "They refuse the key.";', ['comment 1', 'text 3']],
  ['a.test.ts', "it('does refuse a request', () => {}); // They refuse.", ['comment 1', 'test 1']],
  ['a.schema.json', '{\n  "description": "They refuse."\n}', ['text 2']],
  ['a.png', 'They refuse.', []],
  ['a.tsx', '<p>They refuse the key</p>', ['text 1']],
])('finds the hits in %s %#', (path, source, expected) => {
  expect(findHits(path, source, words).map(({ kind, line }) => `${kind} ${line}`)).toEqual(expected);
});

it('finds long and compound commit subjects', () => {
  const long = 'x'.repeat(73);
  expect(findSubjectHits(['Add a check', long, 'Add this; remove that'])).toEqual([long, 'Add this; remove that']);
});

it('rejects counts above the ratchet, and says how to lower them', () => {
  expect(exceededRatchets({ comments: 2, tests: 1, commits: 0 }, words.ratchet)).toEqual([]);
  expect(exceededRatchets({ comments: 3, tests: 2, commits: 2 }, words.ratchet).join()).toMatch(
    /^3 hits in comments, 2 allowed\. Delete or reword .* --list comment/,
  );
});

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
