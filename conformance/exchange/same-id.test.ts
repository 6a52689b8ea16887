import { describe, expect, test } from 'vitest';
import { isUniqueName } from './same-id.ts';

describe('a name that two organizations hardly share by chance', () => {
  test.each([
    ['3f8e7a52-0d55-4a13-9f9c-5a5a3a0c1e11', true],
    ['00000000-0000-0000-0000-000000000000', false],
    ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', false],
    ['01J9ZK3V5T8Q2M7N', true],
    ['01J9ZK3V5T8Q2M7', false],
    ['1', false],
    ['2026-11-21T10:00:00.000Z', false],
    ['https://rec.example.com/1.mp3', false],
    ['a long remark on a call', false],
    [1_795_214_680_208, false],
  ])('%s: %s', (text, expected) => {
    expect(isUniqueName(text)).toBe(expected);
  });
});
