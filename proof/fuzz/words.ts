// For the fuzz test: the words that requests are made of, right and odd.
import fc from 'fast-check';
import type { OrganizationData, WorldData } from '../../src/domain/world-data.ts';

/** Words of the world that a request may use, so that many get past the first check. */
export interface Vocabulary {
  readonly key: string;
  /** All others: of other organizations, and revoked. */
  readonly keys: readonly string[];
  readonly good: Readonly<Record<string, readonly string[]>>;
  readonly cursors: readonly string[];
}

/** Taken from the world, so that a fuzzed request can succeed. */
export function vocabularyOf({ organizations }: WorldData): Vocabulary {
  const first = organizations[0] as OrganizationData;
  const { keys, accounts, articles, sites, calls } = first;
  return {
    key: keys.find(({ revoked }) => !revoked)?.key ?? '',
    keys: organizations.flatMap((other) => other.keys).map(({ key }) => key),
    good: {
      accountId: accounts.filter(({ status }) => status === 'connected').map(({ accountId }) => accountId),
      id: [...sites, ...articles].map(({ id }) => id),
      siteId: sites.map(({ id }) => id),
      reviewId: accounts.flatMap(({ reviews }) => reviews.map(({ reviewId }) => reviewId)),
    },
    cursors: [...articles.map(({ createdAt }) => createdAt), ...calls.map(({ endedAt }) => endedAt)],
  };
}

export const oddities = [
  '',
  '.',
  '..',
  '*',
  '%',
  '%00',
  '%2F',
  '%2e%2e',
  '%ff',
  '%e9%a0',
  '%GG',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '0',
  '00',
  '1e9',
  '9'.repeat(400),
  '\u0000',
  'é',
  '\ud800',
  '💥',
  ' ',
  '+',
  '"',
  '<script>',
  'a'.repeat(5000),
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-9000-c000-000000000000',
];
export const instants = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456789Z',
  '20260101T000000Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00+14:00',
  `2026-01-01T00:00:00.${'1'.repeat(300)}Z`,
];

export const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddities) },
  fc.string({ unit: 'binary', maxLength: 12 }),
);
