import { expect, test } from 'vitest';
import { fold } from './fold.ts';

test('goes on under where the text begins, in lines that fit', () => {
  const line = '    expected a whole number of at least one and at most a hundred';
  expect(fold(line, 34).split('\n')).toEqual([
    '    expected a whole number of at',
    '      least one and at most a',
    '      hundred',
  ]);
});

test('leaves what fits, and what goes to a file', () => {
  expect(fold('one two', 80)).toBe('one two');
  expect(fold('word '.repeat(100), null)).toBe('word '.repeat(100));
});

test('does not count colours, and does not break a word', () => {
  const painted = `\u001b[31m${'x'.repeat(25)}\u001b[0m`;
  expect(fold(`${painted} ab`, 31)).toBe(`${painted} ab`);
  expect(fold(`a ${'y'.repeat(60)}`, 40)).toBe(`a\n  ${'y'.repeat(60)}`);
});
