import { describe, expect, it } from 'vitest';
import { find } from './where.ts';

const kindOf = (row: string) => row.split(' ', 1)[0];

describe('where', () => {
  it.each([
    ['8.post-text', 'conformance/checks/posts/posts.ts', 'src/mutants/02-fields.ts'],
    ['4.calls.exactly-once', 'src/domain/calls.ts', 'conformance/checks/calls/polls.ts'],
    ['5.limiter-before-key', 'src/http/service.ts', 'conformance/checks/limits/address-burst.ts'],
    ['posts/text-edges', 'conformance/checks/posts/posts.ts', 'src/mutants/02-fields.ts'],
    ['post-text-5001-accepted', 'src/mutants/02-fields.ts', 'conformance/checks/posts/posts.ts'],
    ['c29', 'spec/assumptions.md', 'spec/clauses.yaml'],
    ['replyToReview', 'src/http/handlers.ts', 'conformance/checks/posts/posts.ts', 'src/mutants/04-replies.ts'],
    ['R29', 'spec/interpretations.yaml', 'spec/clauses.yaml'],
  ])('finds for %s its code, checks and mutants', (name, ...paths) => {
    const text = find(name).rows.join('\n');
    for (const path of paths) expect(text).toContain(` ${path}:`);
  });

  it('groups places by kind, and prints path:line', () => {
    const { title, rows } = find('8.post-text');
    expect(title).toBe(
      '8.post-text  (stated; 8 Limits, row Post text)\n  The `text` of a post has 1 to 5000 characters.',
    );
    const kinds = [...new Set(rows.map(kindOf))];
    expect(kinds).toEqual(['assumption', 'interpretation', 'contract', 'test', 'mutant', 'behavior', 'check']);
    expect(rows.find((row) => kindOf(row) === 'contract')).toMatch(/^contract +spec\/\S+:\d+ {2}\S+$/);
  });

  it.each([
    ['8.post-txt', 'Did you mean "8.post-text"?'],
    ['posts/text-edge', 'Did you mean "posts/text-edges"?'],
    ['8.import', 'Clauses below it:\n  8.import.'],
    ['R999', 'is called "R999"'],
  ])('says of %s what may be meant', (name, hint) => {
    expect(() => find(name)).toThrow(hint);
  });
});
