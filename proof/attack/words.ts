// The words of hostile requests: ids, keys and cursors of the default world, so that many requests get past the first
// check, and words that no client should send.
import fc from 'fast-check';
import { defaultWorld } from '../../src/worlds/load.ts';
import { home } from '../rigs/cast.ts';

const { accounts, articles, sites, calls } = home;

/** Keys of every organization, also the revoked ones. */
export const keys = defaultWorld.organizations.flatMap((organization) => organization.keys).map(({ key }) => key);

/** Without trouble: a 5xx is then always unexpected. */
export const accountIds = accounts
  .filter(({ status, trouble }) => status === 'connected' && trouble === undefined)
  .map(({ accountId }) => accountId);
export const siteIds = sites.map(({ id }) => id);

/** Values that exist, by the name of the path parameter. */
export const ids: Readonly<Record<string, readonly string[]>> = {
  '{accountId}': accountIds,
  '{id}': [...siteIds, ...articles.map(({ id }) => id)],
  '{reviewId}': accounts.flatMap(({ reviews }) => reviews.map(({ reviewId }) => reviewId)),
};

export const cursors = [...articles.map(({ createdAt }) => createdAt), ...calls.map(({ endedAt }) => endedAt)];

export const oddities = [
  ...'. .. // * % %00 %2F %2e%2e %2e%2e%2f %ff %e9%a0 %GG %zz %c0%af %ed%a0%80 %1b%5d52;c;%07 %0a%0dforged'.split(' '),
  ...'__proto__ constructor toString null NaN -1 -5 0 00 1e9 + ; &&=& " é 💥 <script>'.split(' '),
  ...['', ' ', '\u0000', '\ud800', '9'.repeat(400), 'a'.repeat(5000)],
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-9000-c000-000000000000',
];

export const instants = [
  ...'2026-01-01T00:00:00Z 2026-01-01T00:00:00.123456789Z 20260101T000000Z 9999-12-31T23:59:60Z'.split(' '),
  ...'+275760-09-13T00:00:00Z -271821-04-20T00:00:00Z 0000-01-01T00:00:00Z 2026-02-30T00:00:00Z'.split(' '),
  ...'2026-01-01T24:00:00+14:00 2026-01-01T00:00:00+99:99 yesterday'.split(' '),
  `2026-01-01T00:00:00.${'1'.repeat(300)}Z`,
];

export const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddities) },
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** Random hexadecimal digits, for ids and keys that do not exist. */
export const hex = (digits: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });
