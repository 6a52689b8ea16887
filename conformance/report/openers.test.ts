import { describe, expect, test } from 'vitest';
import type { Rule } from '../judge/rule.ts';
import type { Check } from '../probe/check.ts';
import { openersOf } from './openers.ts';

function check(id: string, cites: Check['cites']): Check {
  return { id, title: id, cites, level: 'must', phase: 'read', cost: { requests: 1 }, run: async () => {} };
}

const shape: Rule = {
  id: 'rule/create-post-shape',
  title: 'shape',
  cites: ['2.create-post-output.post-id'],
  level: 'must',
  judge: () => undefined,
};

describe('what would open the clauses that stay open', () => {
  const list = check('sites/list', ['4.sites.list']);
  const posts = check('posts/publishes', ['4.connect.create-post.endpoint']);
  const wayOf = (openers: ReturnType<typeof openersOf>, id: string) =>
    openers.find(({ clauses }) => clauses.some((clause) => clause === id))?.way;

  test('names the flag of a check that is left out, for the rule that waits for its answers as well', () => {
    const planned = [
      { check: list, excluded: null },
      { check: posts, excluded: 'needs --allow-writes=posts' },
    ];
    const openers = openersOf(planned, [shape]);
    expect(wayOf(openers, '4.connect.create-post.endpoint')).toBe('needs --allow-writes=posts');
    expect(wayOf(openers, '2.create-post-output.post-id')).toBe('needs --allow-writes=posts');
    expect(wayOf(openers, '4.sites.list')).toBeUndefined();
  });

  test('leaves out what no answer can break, and what the run looks at', () => {
    const openers = openersOf(
      [list, posts].map((one) => ({ check: one, excluded: null })),
      [shape],
    );
    expect(wayOf(openers, '4.any-429')).toBeUndefined();
    expect(wayOf(openers, '2.create-post-output.post-id')).toBeUndefined();
  });
});
