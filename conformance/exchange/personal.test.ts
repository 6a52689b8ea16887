import { describe, expect, test } from 'vitest';
import { decodings } from './decoded.ts';
import { isDataName, personalSpans } from './personal.ts';
import { isUniqueName } from './same-id.ts';

const redacted = (text: string) =>
  personalSpans(decodings(text)).reduceRight(
    (rest, { start, end, placeholder }) => rest.slice(0, start) + placeholder + rest.slice(end),
    text,
  );

describe('personal data', () => {
  test.each([
    ['from alice.b+c@example.com, yesterday', 'from <email>, yesterday'],
    ['josé@bücher.example', '<email>'],
    ['alice%40example.com', '<email>'],
    ['alice\\u0040example', '<email>'],
    ['call +49 151 2345-6789!', 'call <phone>!'],
    ['tel:+15550104477', 'tel:<phone>'],
    ['(555) 010-4477 or 555.010.4477', '<phone> or <phone>'],
    ['(030) 1234 5678', '<phone>'],
    ['{"15550104477": {"n": 15550104477}}', '{"<phone>": {"n": 15550104477}}'],
    [Buffer.from('to=alice@example.com').toString('base64'), '<email>'],
    [`cursor_${Buffer.from('alice@example.com').toString('base64url')}`, 'cursor_<email>'],
    [Buffer.from('+49 151 23456789').toString('hex'), '<phone>'],
    [Buffer.from('15550104477').toString('hex'), '<phone>'],
  ])('is found in %s', (text, expected) => {
    expect(redacted(text)).toBe(expected);
  });

  test.each([
    '2026-11-22T22:03:05.617+05:30',
    'Sun, 22 Nov 2026 22:03:05 GMT',
    '1764000000123',
    'c0ffee00-1234-4bad-8bad-123456789012',
    'ab'.repeat(32),
    'max-age=63072000; 192.168.100.100',
    '/api/v1/connect/accounts/00000000-0000-4000-8000-000000000001/reviews?cursor=100',
    'a mention of @id and 12 + 34567890',
  ])('is not %s', (text) => {
    expect(redacted(text)).toBe(text);
  });

  test('in megabytes is found in one pass', () => {
    const text = `${'a'.repeat(1_000_000)}${'@'.repeat(300_000)}${'1-'.repeat(300_000)}${'(0'.repeat(300_000)}`;
    expect(personalSpans(decodings(text)).length).toBeLessThan(2);
  });
});

test.each([
  '15550104477',
  '+1 (555) 010-4477',
  'alice@example.com',
  'alice%40example.com',
  'Jane Doe',
  '0123456789abcdef',
])('the name %s is data', (name) => {
  expect(isDataName(name)).toBe(true);
});

test.each(['siteId', 'x-request-id', 'code', '$ref', 'line1', '', 'utm_source'])('the name %j is a name', (name) => {
  expect(isDataName(name)).toBe(false);
});

describe('a name that two organizations hardly share by chance', () => {
  test.each([
    ['3f8e7a52-0d55-4a13-9f9c-5a5a3a0c1e11', true],
    ['00000000-0000-0000-0000-000000000000', false],
    ['FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF', false],
    ['01J9ZK3V5T8Q2M7N', true],
    ['01J9ZK3V5T8Q2M7', false],
    ['1', false],
    ['2026-11-21T10:00:00.000Z', false],
    ['https://rec.example.com/1.mp3', false],
    ['a long remark on a call', false],
    [1_795_214_680_208, false],
  ])('%s: %s', (text, expected) => {
    expect(isUniqueName(text)).toBe(expected);
  });
});
