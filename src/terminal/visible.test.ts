import { describe, expect, test } from 'vitest';
import { hostileText } from '../../proof/test-kit/sample-report.ts';
import { clip, visible, visibleLines } from './visible.ts';

describe('text of a target', () => {
  test.each([
    ['\u001b[31m', '\\u{1b}[31m'],
    ['a\nb', 'a\\u{a}b'],
    ['\u202eevil', '\\u{202e}evil'],
    ['\ud800', '\\u{d800}'],
    ['wärmepumpe 🔥 <b>', 'wärmepumpe 🔥 <b>'],
  ])('%j is shown as %j', (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  test('keeps its lines where lines are wanted', () => {
    expect(visibleLines('a\r\nb\tc\u0007')).toBe('a\nb\tc\\u{7}');
  });

  test('holds nothing that acts once it is visible', () => {
    expect(visible(hostileText)).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
  });

  test.each([
    ['abc', 3, 'abc'],
    ['abcd', 3, 'abc…'],
  ])('%s clipped to %i is %s', (text, max, shown) => {
    expect(clip(text, max)).toBe(shown);
  });
});
