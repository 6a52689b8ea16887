import { expect, test } from 'vitest';
import { percentDecoded } from './percent.ts';

test.each([
  ['', ''],
  ['a%2Fb%25', 'a/b%'],
  ['%zz', '%zz'],
  ['100%', '100%'],
  ['%c3%28', '%c3%28'],
])('percentDecoded(%j) is %j', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded);
});
