// Inputs that any server can receive and must not crash on, as tables: one row is one request with the classes that it
// represents. Those of a short run come first.
import { words } from '../../src/contract/words.ts';
import { textMax } from '../exchange/texts.ts';

/**
 * Queries of GET /articles as sent. A server can reject, clamp or ignore each (interpretation R19, R5). Inputs with
 * several problems reveal most: parsers see -1.5x as text, as negative or as a fraction.
 */
export const articleQueries = [
  ...words('limit=-1.5x&cursor=no-instant%27%00&siteId=no-uuid%27%00 limit=&cursor=&siteId='),
  ...words('siteId=%5B%5D&limit=5 limit=1.5'),
  ...words('limit=99999999999999999999&cursor=2026-02-30T25%3A61%3A00Z&siteId=null limit=0'),
  'limit=-1&cursor=null&siteId=%00',
] as const;

/** One thing wrong in each: a server can reject the others before it looks at this one. */
export const plainArticleQueries = ['limit=abc', 'limit=5&siteId=no-uuid', 'limit=5&cursor=no-instant'] as const;

/** For a run that has time. */
export const rareArticleQueries = [
  ...words('limit=1&limit=2 limit=%zz cursor=%00 limit=1e999 siteId=&limit=5 limit=%20%205%20'),
  ...words('cursor=99999999999999999999 cursor=2025-02-30T25%3A61%3A00Z&limit=5 limit=9007199254740993'),
  ...words('limit=18446744073709551616 limit=0&limit=x&cursor=%zz limit=1000 limit= siteId=no-uuid&limit=100'),
  ...words('cursor=1970-01-01T00%3A00%3A00Z cursor=%FF cursor=9999-12-31T23%3A59%3A59.999Z&limit=5'),
  'cursor=0001-01-01T00%3A00%3A00Z',
] as const;

/** Values of `since` and `limit` of the call log. Each may be rejected or ignored (interpretation R38). */
export const callQueries = [
  ...words('since=yesterday since=yesterday&limit=-1.5x since=&limit='),
  ...words('since=2026-02-30T25%3A61%3A00Z&limit=99999999999999999999 since=%zz&limit=0&limit=x'),
  ...words('since=null&limit=null since=2099-01-01T00%3A00%3A00Z'),
] as const;

/** For a run that has time. A + that is not encoded is a space. */
export const rareCallQueries = [
  ...words('since=%00 since=1e999&limit=1e9 limit=-1 limit=1.5&limit=abc since=1732280000&limit=0'),
  ...words('since=99999-01-01T00%3A00%3A00Z since=9999-12-31T23%3A59%3A59.999Z since=0001-01-01T00%3A00%3A00Z'),
  ...words('limit=18446744073709551616 limit=99999999999 limit=%20%205%20 since=%FF'),
  'since=2026-01-01T00:00:00+00:00',
] as const;

/** Cursors of reviews that no page has given out; the form of a cursor is the server's own affair. */
export const reviewCursors = [
  ...words('cursor=not+given+out%21 cursor= cursor=%00 cursor=%zz cursor=-1 cursor=bnVsbA%3D%3D'),
  'cursor=a&cursor=b',
] as const;

/** Not one of the ranges by any reading: each is rejected. A server that takes any number accepts these. */
export const invalidRanges = ['30d', '14d', '1d', '365d', '56d', '0d', '10d'] as const;
export const rareRanges = ['constructor', '28dd', '90', '28d,7d', 'null', '07d', '2'] as const;

/** Ranges that one server takes for one of the list, and another does not (interpretation R5). */
export const nearRanges = ['7D', ' 28d', '28d ', '', '28d\u0000', '%', '28d&range=7d'] as const;

/** Bodies that are invalid as a link or post; none has a provider or a label. Those of a short run come first. */
export const invalidBodies = [
  '{"provider":',
  '{"provider":"constructor","label":7,"maxAccounts":"3"}',
  'null',
  '[]',
  '42',
  '',
  '"text"',
] as const;

/** For a run that has time. */
export const rareBodies = [
  '{}',
  '\uFEFF{}',
  '{"provider":null,"label":null,"maxAccounts":1e400,"text":null}',
  '{"__proto__":{"provider":7},"maxAccounts":1,"maxAccounts":2}',
  '{"text":"\\ud800\\u0000","media":7}',
  // In Latin-1, so not UTF-8, and otherwise a valid post.
  '{"text":"\xff"}',
] as const;

/** Characters up to 255 as one byte each where a body has them, otherwise UTF-8. */
export function bytesOf(body: string): Uint8Array {
  return new Uint8Array(Buffer.from(body, /[\x80-\xff]/.test(body) ? 'latin1' : 'utf8'));
}

const long = 300;

/** Path segments before encoding, of no record. No slash and no NUL, because many proxies do not forward them. */
export const invalidIds = ["no-uuid'", '1', 'x'.repeat(long), '%+ é~"', 'null', '%', '{}'] as const;

/** An id with its first character percent-encoded twice: a server that decodes once finds no such record. */
export function encodedTwice(id: string): string {
  return `%25${id.charCodeAt(0).toString(16)}${encodeURIComponent(id.slice(1))}`;
}

/** In the place of a text of at most so many characters; undefined leaves it out. */
export function invalidTexts(max: number): readonly unknown[] {
  return [null, 'x'.repeat(max + 1), 42, '', ['text'], {}, undefined];
}

/** Instead of an object or a URI. */
export const invalidObjects = [[], { imageUrl: null }, { imageUrl: 7 }, {}, null, 7, { imageUrl: 'no uri' }] as const;
export const invalidUris = ['no uri', null, 7, 'http://[', {}, ['https://example.com/'], '/posts/1'] as const;
export const invalidProviders = ['constructor', null, 'myspace', '', 7, ['tiktok'], 'google'] as const;
export const invalidCounts = ['three', 0, 1e300, 21, -1, 1.5, []] as const;

/** Turns that take each invalid value of each field. */
export const invalidTurns = invalidUris.length;
const nth = <T>(values: readonly T[], turn: number) => values[turn % values.length] as T;

/** An invalid value in every field, so a server that validates one of them creates nothing. */
export function invalidPost(turn = 0): Readonly<Record<string, unknown>> {
  const text = nth(invalidTexts(textMax.post), turn);
  return { text, media: nth(invalidObjects, turn + 1), link: nth(invalidUris, turn + 2) };
}

export function invalidReply(turn = 0): Readonly<Record<string, unknown>> {
  return { text: nth(invalidTexts(textMax.reply), turn + 3) };
}

export function invalidLink(turn = 0): Readonly<Record<string, unknown>> {
  const label = nth(invalidTexts(textMax.label), turn + 5);
  return { provider: nth(invalidProviders, turn + 4), label, maxAccounts: nth(invalidCounts, turn + 6) };
}

export const nilUuid = '00000000-0000-0000-0000-000000000000';
export const maxUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';
