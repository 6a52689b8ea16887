import { expect, test } from 'vitest';
import { checks } from './checks/index.ts';
import { runOptions } from './cli-options.ts';

const env = { CONFORMANCE_API_KEY: 'key_0123456789abcdef0123456789abcdef' };
const writesOf = (kinds: string) =>
  runOptions(
    new Map([
      ['base-url', ['https://example.com/api/v1']],
      ['allow-writes', [kinds]],
    ]),
    env,
    checks,
  ).allowWrites;

test('leave to write holds no contacts unless they are named', () => {
  expect(writesOf('')).toEqual(['posts', 'replies', 'links']);
  expect(writesOf('posts,contacts')).toEqual(['posts', 'contacts']);
  expect(() => writesOf('contact')).toThrow('Did you mean contacts?');
});
