// Reads a query string. Of a repeated parameter the first value counts (assumption C5), or the last one.

import { percentDecoded } from '../contract/percent.ts';

/** Decoded; a name that cannot be decoded stays as it was sent. */
export function readQuery(query: string, which: 'first' | 'last' = 'first'): Record<string, string> {
  const values: Record<string, string> = {};
  if (query === '') return values;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const split = pair.indexOf('=');
    const name = decode(split === -1 ? pair : pair.slice(0, split));
    if (which === 'last' || !Object.hasOwn(values, name))
      define(values, name, split === -1 ? '' : decode(pair.slice(split + 1)));
  }
  return values;
}

/** `__proto__` is a name like any other. */
function define(values: Record<string, string>, name: string, value: string): void {
  if (name === '__proto__')
    Object.defineProperty(values, name, { value, writable: true, enumerable: true, configurable: true });
  else values[name] = value;
}

/** `+` is a blank, as forms write it. A malformed escape is taken to the letter: the schema then checks the value. */
function decode(text: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  return spaced.includes('%') ? percentDecoded(spaced) : spaced;
}
