// Bodies that are nearly valid, and bodies that are broken.
import fc from 'fast-check';
import { accountIds, odd } from './words.ts';

const encoder = new TextEncoder();

export const nested = (depth: number, core = ''): string => '['.repeat(depth) + core + ']'.repeat(depth);

const validInputs = [
  { text: 'Hello' },
  { text: '\u{1f4a5}'.repeat(5000), media: { imageUrl: 'https://a.example/b.png' }, link: 'https://a.example/' },
  { text: 'x'.repeat(4096), accountId: 'ignored' },
  { provider: 'tiktok', label: 'x'.repeat(80) },
  { provider: 'google_business', label: '\u{1f4a5}', maxAccounts: 20 },
];

/** Broken UTF-8, broken JSON, numbers beyond doubles, names of Object's own members, nesting that overflows a stack. */
export const brokenBodies: readonly Uint8Array[] = [
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

const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), odd);
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
  { weight: 1, arbitrary: fc.constantFrom(...brokenBodies) },
);
