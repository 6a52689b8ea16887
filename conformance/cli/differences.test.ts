import { expect, test } from 'vitest';
import { differencesOf, sentenceOf } from './differences.ts';

const long = 'x'.repeat(300);

test.each<[string, unknown, unknown, string[]]>([
  ['a value', { a: 1 }, { a: 2 }, ['A: a is 1; B give 2.']],
  ['a field that is missing', {}, { a: { b: 1 } }, ['A lacks a.']],
  ['a field that was added', { a: null }, {}, ['A has a, which does not follow from B.']],
  ['an item that is missing, by its id', [{ id: 'y' }], [{ id: 'x' }, { id: 'y' }], ['A lacks x.']],
  ['an item without an id, by its place', [1, 2], [1, 3], ['A: 2 is 2; B give 3.']],
  ['a field of an item', [{ id: 'x', n: 1 }], [{ id: 'x', n: 2 }], ['A: x > n is 1; B give 2.']],
  [
    'items in another order',
    [{ id: 'y' }, { id: 'x' }],
    [{ id: 'x' }, { id: 'y' }],
    ['A: order is ["y","x"]; B give ["x","y"].'],
  ],
  ['a list instead of an object', [], {}, ['A:  is []; B give {}.']],
  ['the end of a long text', `${long}!`, `${long}?`, [`A:  is …${'x'.repeat(20)}!"; B give …${'x'.repeat(20)}?".`]],
  ['an escape sequence', '\u001b', '', ['A:  is "\\u001b"; B give "".']],
  ['equal values', { a: [{ id: 'x' }], b: null }, { b: null, a: [{ id: 'x' }] }, []],
])('finds %s', (_, given, expected, sentences) => {
  expect(differencesOf(given, expected).map((each) => sentenceOf(each, ['A', 'B']))).toEqual(sentences);
});
