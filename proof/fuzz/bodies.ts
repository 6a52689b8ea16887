// For the fuzz test: bodies that nearly fit, and bodies that are nothing.
import fc from 'fast-check';
import { odd, type Vocabulary } from './words.ts';

const encoder = new TextEncoder();

const rightInputs = [
  { text: 'Hello' },
  { text: '\u{1f4a5}'.repeat(5000), media: { imageUrl: 'https://a.example/b.png' }, link: 'https://a.example/' },
  { text: 'x'.repeat(4096), accountId: 'ignored' },
  { provider: 'tiktok', label: 'x'.repeat(80) },
  { provider: 'google_business', label: '\u{1f4a5}', maxAccounts: 20 },
];

/**
 * Mostly inputs that are right or nearly so: pure noise would be refused at the first step, and so test that step only.
 */
export function fuzzBody({ good }: Vocabulary): fc.Arbitrary<Uint8Array> {
  const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), odd);
  const either = (...values: unknown[]) => fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, field);
  const mixed = fc.record(
    {
      accountId: either(...(good.accountId ?? [])),
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
  const encode = (value: unknown) => encoder.encode(JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...rightInputs).map(encode) },
    { weight: 4, arbitrary: mixed.map(encode) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map((text) => encoder.encode(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddBodies) },
  );
}

/** Broken UTF-8, broken JSON, numbers beyond doubles, names of Object's own members, nesting that overflows a stack. */
const oddBodies: Uint8Array[] = [
  new Uint8Array(0),
  Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
  Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  ...[
    '[]',
    'null',
    '1',
    '"x"',
    '{',
    '{}x',
    '{"a":1e999}',
    '{"__proto__":{"text":"x"}}',
    '{"text":"a","text":"b"}',
    '{"text":"\\ud800"}',
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    '['.repeat(20_000),
    '{"a":'.repeat(20_000),
    `{"text":"${'\\u0000'.repeat(500)}"}`,
    `{"label":"x","provider":"tiktok","maxAccounts":1${'0'.repeat(400)}}`,
  ].map((text) => encoder.encode(text)),
];
