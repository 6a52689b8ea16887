import { expect, test } from 'vitest';
import { checks } from '../checks/index.ts';
import { needs } from '../probe/capabilities.ts';
import { parseCommandLine } from './flags.ts';
import { runOptions } from './options.ts';

const env = { CONFORMANCE_API_KEY: 'key_0123456789abcdef0123456789abcdef' };
const optionsOf = (...flags: readonly string[]) =>
  runOptions(parseCommandLine(['--base-url', 'https://example.com/api/v1', ...flags]).flags, env);
const writesOf = (...kinds: string[]) => optionsOf(['--allow-writes', ...kinds].join('=')).allowWrites;

test('permission to write includes contacts only when they are named', () => {
  expect(writesOf()).toEqual(['posts', 'replies', 'links']);
  expect(writesOf('posts,contacts')).toEqual(['posts', 'contacts']);
  expect(() => writesOf('contact')).toThrow('Did you mean contacts?');
});

test('a review to reply to needs an account and the permission to reply', () => {
  const { review } = optionsOf('--review', 'r1', '--account', 'a1', '--allow-writes=replies');
  expect(review).toBe('r1');
  expect(() => optionsOf('--review', 'r1', '--account', 'a1', '--allow-writes=links')).toThrow(
    '--allow-writes=replies',
  );
});

test('no row meets a need that no check has; control is there for checks of others', () => {
  const used = new Set<string>(checks.flatMap((check) => check.needs ?? []));
  expect(Object.keys(needs).filter((need) => !used.has(need))).toEqual(['control']);
});
