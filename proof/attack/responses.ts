// The other direction: responses of a server that is made to hurt the suite, all below its cap of eight megabytes.
import { nested } from './words.ts';

const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const timestamp = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();

export const article = (index: number, createdAt = timestamp(index)) => ({
  id: uuid(index),
  siteId: uuid(1),
  title: 'T',
  slug: 's',
  status: 'draft',
  targetKeyword: null,
  wordCount: 1,
  seoScore: null,
  publishedAt: null,
  createdAt,
  updatedAt: createdAt,
});

const call = (index: number) => ({
  id: `c${index}`,
  accountId: `a${index}`,
  status: 'connected',
  startedAt: timestamp(index),
  endedAt: timestamp(index + 60),
  reviewId: `r${index}`,
});

const list = (count: number, row: string | ((index: number) => string)) =>
  `[${Array.from({ length: count }, (_, index) => (typeof row === 'string' ? row : row(index))).join(',')}]`;
/** An object of so many fields with numbers as names. */
const wide = (count: number, first = 0) =>
  `{${Array.from({ length: count }, (_, index) => `"m${first + index}":1`).join(',')}}`;

/** Lists by name. Made when used: all of them together would fill the memory of the test. */
const lists: Readonly<Record<string, () => string>> = {
  'small and plain': () => '[]',
  '2,600,000 empty items': () => list(2_600_000, '{}'),
  '160,000 empty items': () => list(160_000, '{}'),
  '20,000 empty items': () => list(20_000, '{}'),
  '20,000 lists': () => list(20_000, '[]'),
  '3,900,000 numbers': () => list(3_900_000, '1'),
  '200,000 numbers': () => list(200_000, '1'),
  'nested 4,000,000 deep': () => nested(3_900_000),
  'nested 90 deep, 2,000 times': () => list(2_000, nested(80)),
  'one row of 150,000 fields': () => `[${wide(150_000)}]`,
  '25 rows of the same 19,000 fields': () => list(25, wide(19_000)),
  '30 rows of 15,000 fields, all with their own names': () => list(30, (row) => wide(15_000, row * 15_000)),
  '30,000 rows, each with its own name': () => list(30_000, (row) => wide(1, row)),
  'a text of 7,000,000 characters': () => `[{"id":"${'a'.repeat(7_000_000)}"}]`,
  'a name of 7,000,000 characters': () => `[{"${'a'.repeat(7_000_000)}":1}]`,
  '7,000,000 digits': () => `[{"wordCount":${'9'.repeat(7_000_000)}}]`,
  '25,000 articles of one timestamp': () => list(25_000, (row) => JSON.stringify(article(row, timestamp(0)))),
  '25,000 equal articles': () => list(25_000, JSON.stringify(article(1))),
  '25,000 calls': () => list(25_000, (row) => JSON.stringify(call(row))),
  '25,000 equal calls': () => list(25_000, '{"startedAt":"2026-01-01T00:00:00Z","accountId":"a","status":"connected"}'),
};

/** Returns the body for a path below `/api/v1`: the list is everywhere where an operation has one. */
export type BodyOf = (path: string) => string;

export const hostileBodies: Readonly<Record<string, () => BodyOf>> = Object.fromEntries(
  Object.entries(lists).map(([name, make]) => [
    name,
    () => {
      const rows = make();
      // The outputs of the connect operations have no articles.
      const inner = name.includes('articles') ? '[]' : rows;
      const inside = `{"data":{"accounts":${inner},"pendingInvites":[],"reviews":${inner},"calls":${inner},"metrics":[],"nextCursor":null},"cursor":null}`;
      const data = `{"data":${rows},"cursor":null}`;
      return (path) => (/^\/(connect|calls)/.test(path) ? inside : data);
    },
  ]),
);
