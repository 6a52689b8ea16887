import { fullFormats } from 'ajv-formats/dist/formats.js';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { checks } from '../../conformance/checks/index.ts';
import { runConformance } from '../../conformance/index.ts';
import { isUri, isUriByParts } from './formats.ts';
import { percentDecoded } from './percent.ts';
import { unique } from './words.ts';

const known = fullFormats.uri as (text: string) => boolean;

describe('a URI', () => {
  it.each([
    ...['https://a.example/b?c=d#e', 'mailto:a@b.example', 'urn:isbn:0', 'a:/', 'a://', 'a:///b'],
    ...['http://u:p@[::1]:80/x?y#z', 'a:/[::ffff:1.2.3.4]', 'a://[v1.x:y]', 'a://h/%41?/?#/?', 'a:b@c:d'],
  ])('is %j', (text) => {
    expect([isUriByParts(text), isUri(text), known(text)]).toEqual([true, true, true]);
  });

  it.each([
    ...['', 'a', 'a:', 'a:?b', 'a:#b', '1a:b', '//a', 'a b:c', 'a:b c', 'a:%4', 'a:%zz', 'a://[::1'],
    ...['a://::1]', 'a:[::1]', 'a://b/[::1]', 'a://b@c@[::1]', 'a://[::1]x', 'a://[::1]:8x'],
    ...['a://[::1][::2]', 'a://[1::2::3]', 'a://[v1]', 'a:b#c#d', 'a:b?[', 'a:b#]', 'a:\u017f', 'a:b\n'],
    ...['a://]@[::1]'],
  ])('is not %j', (text) => {
    expect([isUriByParts(text), isUri(text), known(text)]).toEqual([false, false, false]);
  });

  it('may be long', () => {
    const long = `https://a.example/${'a'.repeat(5000)}`;
    expect([isUri(long), isUri(`${long} `)]).toEqual([true, false]);
  });

  it('is the same to the pattern of ajv-formats', () => {
    const parts = ['a', 'https', ':', '/', '//', '@', '[', ']', '[::1]', '[v1.a]', '%', '%4', '%41', '?', '#', '80'];
    const text = fc.array(fc.oneof(fc.constantFrom(...parts, '"', ' ', '1.2.3.4', 'é', '.'), fc.string()), {
      maxLength: 9,
    });
    const begun = fc
      .tuple(fc.constantFrom('', 'a:', 'a:/', 'a://'), text)
      .map(([begin, rest]) => begin + rest.join(''));
    fc.assert(
      fc.property(begun, (one) => isUriByParts(one) === known(one)),
      { numRuns: 3000 },
    );
  });
});

test.each([
  ['', ''],
  ['a%2Fb%25', 'a/b%'],
  ['%zz', '%zz'],
  ['100%', '100%'],
  ['%c3%28', '%c3%28'],
])('percentDecoded(%j) is %j', (text, decoded) => {
  expect(percentDecoded(text)).toBe(decoded);
});

const named = (...names: string[]) => names.map((name) => ({ name }));

test('lists with unique names pass, and two of a name throw', () => {
  const list = named('a', 'b');
  expect(unique('things', list, ({ name }) => name)).toBe(list);
  expect(() => unique('things', named('a', 'b', 'a'), ({ name }) => name)).toThrow('There are two things "a"');
});

test('a run rejects two checks of one id before it sends anything', async () => {
  const [check] = checks;
  const twins = check === undefined ? [] : [check, { ...check, title: 'another one' }];
  const options = { baseUrl: 'http://127.0.0.1:9/api/v1', keys: { good: 'key' }, checks: twins };
  await expect(runConformance(options)).rejects.toThrow(`There are two checks or rules "${check?.id}"`);
});
