import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readQuery } from './query.ts';
import { allowedMethods, basePath, route } from './route.ts';

describe('a route', () => {
  it('decodes each segment of a path once, after it was split', () => {
    const found = route('POST', `${basePath}/connect/accounts/a/reviews/x%2Fy%2520%C3%A9/reply`);
    expect(found).toMatchObject({ path: { accountId: 'a', reviewId: 'x/y%20é' } });
  });

  it.each([
    ...['', '/', '/articles/', '//articles', '/articles//', '/ARTICLES', '/articles/%', '/articles/%ff'],
    ...['/connect/accounts/a/reviews//reply'],
  ])('does not exist for %j', (path) => {
    expect(route('GET', `${basePath}${path}`)).toBe('unknown_path');
    expect(route('POST', `${basePath}${path}`)).toBe('unknown_path');
  });

  it('distinguishes a wrong method from a wrong path', () => {
    expect(route('PUT', `${basePath}/sites`)).toBe('unknown_method');
    expect(route('get', `${basePath}/sites`)).toBe('unknown_method');
    expect([...allowedMethods(`${basePath}/connect/accounts`)].sort()).toEqual(['GET', 'POST']);
  });
});

describe('a query', () => {
  it.each([
    ['', {}],
    ['a=1&b=2', { a: '1', b: '2' }],
    ['a=1&a=2', { a: '1' }],
    ['a', { a: '' }],
    ['a=', { a: '' }],
    ['a=b=c', { a: 'b=c' }],
    ['&&a=1&', { a: '1' }],
    ['a+b=c+d', { 'a b': 'c d' }],
    ['%61=%C3%A9', { a: 'é' }],
    ['a=%zz', { a: '%zz' }],
    ['=1', { '': '1' }],
  ])('%j is read as %j', (query, expected) => {
    expect(readQuery(query)).toEqual(expected);
  });

  it('may name a parameter like a field of every object', () => {
    const values = readQuery('__proto__=1&constructor=2&toString=3');
    expect(Object.entries(values).join(' ')).toBe('__proto__,1 constructor,2 toString,3');
  });

  it('reads back what URLSearchParams wrote', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' })), (values) => {
        expect({ ...readQuery(new URLSearchParams(values).toString()) }).toEqual({ ...values });
      }),
    );
  });
});
