import { expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { runOptions } from './options.ts';

const env = { CONFORMANCE_API_KEY: 'key_0123456789abcdef0123456789abcdef' };
const optionsOf = (...flags: [name: string, value: string][]) =>
  runOptions(
    new Map([['base-url', 'https://example.com/api/v1'] as const, ...flags].map(([name, value]) => [name, [value]])),
    env,
    checks,
  );
const writesOf = (kinds: string) => optionsOf(['allow-writes', kinds]).allowWrites;

test('leave to write holds no contacts unless they are named', () => {
  expect(writesOf('')).toEqual(['posts', 'replies', 'links']);
  expect(writesOf('posts,contacts')).toEqual(['posts', 'contacts']);
  expect(() => writesOf('contact')).toThrow('Did you mean contacts?');
});

test('a review to reply to is taken with an account and the leave to reply', () => {
  const { review } = optionsOf(['review', 'r1'], ['account', 'a1'], ['allow-writes', 'replies']);
  expect(review).toBe('r1');
  expect(() => optionsOf(['review', 'r1'], ['account', 'a1'], ['allow-writes', 'links'])).toThrow(
    '--allow-writes=replies',
  );
});
