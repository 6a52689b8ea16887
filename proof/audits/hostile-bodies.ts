// Answers that are made to hurt their reader, all below the cap of eight megabytes.

const uuid = (index: number) => `00000000-0000-4000-8000-${String(index).padStart(12, '0')}`;
const instant = (index: number) => new Date(Date.UTC(2026, 0, 1) + index * 1000).toISOString();

const article = (index: number, createdAt = instant(index)) => ({
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
  startedAt: instant(index),
  endedAt: instant(index + 60),
  reviewId: `r${index}`,
});

const listOf = (row: string, rows: number) => `[${Array.from({ length: rows }, () => row).join(',')}]`;

/** One list in every place where an operation has one. */
const everywhere = (list: string) =>
  `{"data":{"accounts":${list},"pendingInvites":[],"reviews":${list},"calls":${list},"metrics":[],"nextCursor":null},"cursor":null}`;
const asData = (list: string) => `{"data":${list},"cursor":null}`;

/** The bodies for lists at `data`, and for lists inside of `data`. */
export interface HostileBody {
  readonly data: string;
  readonly inside: string;
}

const both = (list: string): HostileBody => ({ data: asData(list), inside: everywhere(list) });
/** For rows that only lists at `data` have. */
const half = (list: string, short: string): HostileBody => ({ data: asData(list), inside: everywhere(short) });

/** By name. Made when asked for: all of them together would fill the memory of the test. */
export const hostileBodies: Readonly<Record<string, () => HostileBody>> = {
  'small and plain': () => both('[]'),
  '2,600,000 empty items': () => both(listOf('{}', 2_600_000)),
  '160,000 empty items': () => both(listOf('{}', 160_000)),
  '20,000 empty items': () => both(listOf('{}', 20_000)),
  '20,000 lists': () => both(listOf('[]', 20_000)),
  '3,900,000 numbers': () => both(listOf('1', 3_900_000)),
  '200,000 numbers': () => both(listOf('1', 200_000)),
  'nested 4,000,000 deep': () => both(`${'['.repeat(3_900_000)}${']'.repeat(3_900_000)}`),
  'nested 90 deep, 2,000 times': () => both(listOf(`${'['.repeat(80)}${']'.repeat(80)}`, 2_000)),
  'one row of 150,000 members': () => {
    const members = Array.from({ length: 150_000 }, (_, index) => `"m${index}":1`).join(',');
    return both(`[{${members}}]`);
  },
  '25 rows of the same 19,000 members': () =>
    both(listOf(`{${Array.from({ length: 19_000 }, (_, index) => `"m${index}":1`).join(',')}}`, 25)),
  '30 rows of 15,000 members, all with names of their own': () => {
    const rowOf = (row: number) =>
      Array.from({ length: 15_000 }, (_, index) => `"m${row * 15_000 + index}":1`).join(',');
    return both(`[${Array.from({ length: 30 }, (_, row) => `{${rowOf(row)}}`).join(',')}]`);
  },
  '30,000 rows, each with a name of its own': () =>
    both(`[${Array.from({ length: 30_000 }, (_, index) => `{"n${index}":1}`).join(',')}]`),
  'a text of 7,000,000 characters': () => both(`[{"id":"${'a'.repeat(7_000_000)}"}]`),
  'a name of 7,000,000 characters': () => both(`[{"${'a'.repeat(7_000_000)}":1}]`),
  '7,000,000 digits': () => both(`[{"wordCount":${'9'.repeat(7_000_000)}}]`),
  '25,000 articles of one instant': () =>
    half(
      `[${Array.from({ length: 25_000 }, (_, index) => JSON.stringify(article(index, instant(0)))).join(',')}]`,
      '[]',
    ),
  '25,000 equal articles': () => half(listOf(JSON.stringify(article(1)), 25_000), '[]'),
  '25,000 calls': () =>
    both(`[${Array.from({ length: 25_000 }, (_, index) => JSON.stringify(call(index))).join(',')}]`),
  '25,000 equal calls': () =>
    both(listOf('{"startedAt":"2026-01-01T00:00:00Z","accountId":"a","status":"connected"}', 25_000)),
};
