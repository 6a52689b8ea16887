import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openScenario } from '../../fixtures/test-kit/scenario.ts';
import { anyWidth, manyFields, whyNotParsed } from './json-size.ts';

const issuesOf = (method: string, target: string, body?: string) => {
  const { error } = openScenario().ask(method, target, body === undefined ? {} : { body });
  return error.issues?.map(({ path, rule }) => `${path} ${rule}`);
};

describe('the issues of an input', () => {
  const ofPost = '/connect/accounts/x/posts';
  it.each([
    ['a malformed id of the path and a broken body', ['POST', ofPost, '{'], [' body', '/accountId pattern']],
    ['of the path and fields of the body', ['POST', ofPost, '{"text":""}'], ['/accountId pattern', '/text minLength']],
    [
      'of the path and an invalid query',
      ['GET', '/connect/accounts/x/insights?range=1d'],
      ['/accountId pattern', '/range enum'],
    ],
  ] as const)('name together %s', (_what, [method, target, body], issues) => {
    expect(issuesOf(method, target, body)?.sort()).toEqual(issues);
  });

  const broken = ['/sites?x=%zz', '/articles?cursor=%c3%28', '/connect/calls/log?limit=5&since=100%'];
  it.each(broken)('name a query that is not percent-encoded UTF-8: %s', (target) => {
    expect(issuesOf('GET', target)).toEqual([' encoding']);
  });

  it('say in a sentence what is allowed', () => {
    const { error } = openScenario().ask('POST', '/connect/accounts', { body: { provider: 'myspace', label: '' } });
    expect(error.issues?.map(({ message }) => message).sort()).toEqual([
      'label must have at least 1 character.',
      expect.stringMatching(/^provider must be one of google_business, .*google_contacts\.$/),
    ]);
    expect(error.message).toMatch(/ \(and 1 more, see issues\)$/);
  });
});

const why = (text: string) => whyNotParsed(new TextEncoder().encode(text));
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join(',')}}`;

const columns = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, 1]));

describe('whyNotParsed', () => {
  it.each([
    ['', null],
    ['{"text":"x"}', null],
    [lists(10_000), null],
    [lists(10_001), 'is nested more than 10,000 levels deep'],
    [objects(10_000), null],
    [objects(10_001), 'is nested more than 10,000 levels deep'],
    [`[${'[],'.repeat(20_000)}1]`, null],
    [fields(2_000), null],
    [fields(2_500), 'has more than 2,000 different names of fields'],
    [JSON.stringify(Array.from({ length: 5000 }, () => columns(8))), null],
    [JSON.stringify(Array.from({ length: 5001 }, () => columns(8))), 'has more than 40,000 fields'],
    [`[${'1,'.repeat(200_000)}1]`, null],
    [`[${'1,'.repeat(200_001)}1]`, 'has more than 200,000 values'],
    [`[${'{},'.repeat(200_001)}1]`, 'has more than 200,000 values'],
    [JSON.stringify({ text: '['.repeat(20_000) }), null],
    [JSON.stringify({ text: ':'.repeat(160_000) }), null],
    [JSON.stringify({ text: ','.repeat(300_000) }), null],
    [`{"a":"\\"${'['.repeat(20_000)}"}`, null],
    [`{"a":"\\\\"${'['.repeat(20_000)}`, 'is nested more than 10,000 levels deep'],
    [`{"a":"\\\\\\"${'['.repeat(20_000)}`, null],
  ])('says of %.20j: %j', (text, expected) => {
    expect(why(text)).toBe(expected);
  });

  it('lets an import have three times as many fields', () => {
    const rows = (count: number) => new TextEncoder().encode(JSON.stringify(Array(count).fill(columns(24))));
    expect(whyNotParsed(rows(5000), manyFields)).toBeNull();
    expect(whyNotParsed(rows(5001), manyFields)).toBe('has more than 120,000 fields');
  });

  it('lets a response of a mock be as wide as it likes, and 1,000 levels deep', () => {
    const read = (text: string) => whyNotParsed(new TextEncoder().encode(text), anyWidth);
    expect(read(`[${'{"a":1},'.repeat(300_000)}1]`)).toBeNull();
    expect(read('['.repeat(1001))).toBe('is nested more than 1,000 levels deep');
  });

  it('accepts common input, valid or malformed', () => {
    const signs = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', ':', 'é') });
    for (const texts of [fc.json(), signs]) fc.assert(fc.property(texts, (text) => why(text) === null));
  });
});
