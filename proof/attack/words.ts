// Values of hostile requests: ids, keys and cursors of the default world, to get many requests past the first check,
// and values that clients should not send.
import fc from 'fast-check';
import { home } from '../../fixtures/test-kit/actors.ts';
import { defaultWorld } from '../../src/worlds/load.ts';

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

export const unexpectedPairs = [
  ...'. .. // * % %00 %2F %2e%2e %2e%2e%2f %ff %e9%a0 %GG %zz %c0%af %ed%a0%80 %1b%5d52;c;%07 %0a%0dforged'.split(' '),
  ...'__proto__ constructor toString null NaN -1 -5 0 00 1e9 + ; &&=& " é 💥 <script>'.split(' '),
  ...['', ' ', '\u0000', '\ud800', '9'.repeat(400), 'a'.repeat(5000)],
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-9000-c000-000000000000',
];

export const timestamps = [
  ...'2026-01-01T00:00:00Z 2026-01-01T00:00:00.123456789Z 20260101T000000Z 9999-12-31T23:59:60Z'.split(' '),
  ...'+275760-09-13T00:00:00Z -271821-04-20T00:00:00Z 0000-01-01T00:00:00Z 2026-02-30T00:00:00Z'.split(' '),
  ...'2026-01-01T24:00:00+14:00 2026-01-01T00:00:00+99:99 yesterday'.split(' '),
  `2026-01-01T00:00:00.${'1'.repeat(300)}Z`,
];

export const unexpected = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...unexpectedPairs) },
  fc.string({ unit: 'binary', maxLength: 12 }),
);

/** Random hexadecimal digits, for ids and keys that do not exist. */
export const hex = (digits: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: digits, maxLength: digits });

const encoder = new TextEncoder();

export const nested = (depth: number, core = ''): string => '['.repeat(depth) + core + ']'.repeat(depth);

const validInputs = [
  { text: 'Hello' },
  { text: '\u{1f4a5}'.repeat(5000), media: { imageUrl: 'https://a.example/b.png' }, link: 'https://a.example/' },
  { text: 'x'.repeat(4096), accountId: 'ignored' },
  { provider: 'tiktok', label: 'x'.repeat(80) },
  { provider: 'google_business', label: '\u{1f4a5}', maxAccounts: 20 },
];

/** Broken UTF-8, broken JSON, numbers beyond doubles, names of Object properties, deep nesting. */
export const malformedBodies: readonly Uint8Array[] = [
  Uint8Array.of(),
  Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
  Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  ...['[]', 'null', '1', '1e999', '"x"', '{', '{}x', '{"a":1e999}', '{"text":"a","text":"b"}'],
  ...['{"__proto__":{"text":"x"}}', '{"constructor":1,"toString":2,"hasOwnProperty":3}'],
  ...['{"text":"\\ud800"}', '{"text":"\\udfff\\ud800"}', '{"text":"\\u001b]52;c;x\\u0007"}', '{"text":"\\u202e"}'],
  ...['['.repeat(20_000), '{"a":'.repeat(20_000), `{"text":${nested(50_000, '1')}}`],
  `{"text":"${'\\u0000'.repeat(500)}"}`,
  `{"label":"x","provider":"tiktok","maxAccounts":1${'0'.repeat(400)}}`,
  `{"__proto__":{"provider":"tiktok"},${Array.from({ length: 5_000 }, (_, i) => `"m${i}":${i}`).join(',')}}`,
].map((body) => (typeof body === 'string' ? encoder.encode(body) : body));

const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), unexpected);
const either = (...values: unknown[]) => fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, field);
const mixed = fc.record(
  {
    accountId: either(...accountIds),
    reviewId: field,
    text: either('Hello', 'x'.repeat(5001), ''),
    media: either({ imageUrl: 'https://a.example/b.png' }),
    link: fc.oneof(fc.webUrl(), field),
    provider: either('facebook_page', 'google_business'),
    label: either('Shop', 'x'.repeat(81)),
    maxAccounts: fc.oneof(fc.integer({ min: -1, max: 22 }), fc.double(), field),
  },
  { requiredKeys: [] },
);

export const toBytes = (value: unknown): Uint8Array => encoder.encode(JSON.stringify(value));

/** Mostly inputs that are valid or nearly so: pure noise is rejected at the first step, and tests that step only. */
export const anyBody: fc.Arbitrary<Uint8Array> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...validInputs).map(toBytes) },
  { weight: 4, arbitrary: mixed.map(toBytes) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map((text) => encoder.encode(text)) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
  { weight: 1, arbitrary: fc.constantFrom(...malformedBodies) },
);
