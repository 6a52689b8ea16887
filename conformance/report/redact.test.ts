import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { spoiltSecrets } from '../driver/session.ts';
import { reporters } from '../reporters/index.ts';
import { renderTerminal } from '../reporters/terminal.ts';
import { conclude } from './outcome.ts';
import { makeFinder, makeRedact, redactReport } from './redact.ts';

const key = 'casa_Key0/Four+Tests_91&<e7';
const secrets = [{ value: key, placeholder: '$CONFORMANCE_API_KEY' }];
const redact = makeRedact(secrets);
const each = (spell: (code: number, character: string) => string) =>
  [...key].map((character) => spell(character.charCodeAt(0), character)).join('');
const hex = (code: number, length: number) => code.toString(16).padStart(length, '0');
const backwards = [...key].reverse().join('');

const forms: Readonly<Record<string, string>> = {
  plain: key,
  'in capitals': key.toUpperCase(),
  'JSON escapes': each((code) => `\\u${hex(code, 4)}`),
  'JSON escapes in capitals': each((code) => `\\u${hex(code, 4).toUpperCase()}`),
  'one JSON escape': key.replace('K', '\\u004b'),
  'JSON in JSON': each((code) => `\\\\u${hex(code, 4)}`),
  'JavaScript escapes': each((code) => `\\x${hex(code, 2)}`),
  'braced escapes': each((code) => `\\u{${hex(code, 2)}}`),
  'an escaped slash': key.replace('/', '\\/'),
  'percent-encoding': each((code) => `%${hex(code, 2)}`),
  'percent-encoding twice': each((code) => `%25${hex(code, 2)}`),
  'a URL component': encodeURIComponent(key),
  'decimal entities': each((code) => `&#${code};`),
  'hexadecimal entities': each((code) => `&#x${hex(code, 2)};`),
  'entities twice': each((code) => `&amp;#${code};`),
  'named entities': key.replace('&', '&amp;').replace('<', '&lt;'),
  'a mixture': each((code, character) =>
    code % 3 === 0 ? `%${hex(code, 2)}` : code % 3 === 1 ? `\\u${hex(code, 4)}` : character,
  ),
  hex: Buffer.from(key).toString('hex'),
  'hex in capitals': Buffer.from(key).toString('hex').toUpperCase(),
  base64: Buffer.from(key).toString('base64'),
  'base64 for URLs': Buffer.from(key).toString('base64url'),
  'base64 after one letter': Buffer.from(`x${key}:y`).toString('base64'),
  'base64 after two letters': Buffer.from(`xy${key}`).toString('base64'),
  backwards,
  'backwards in hex': Buffer.from(backwards).toString('hex'),
  'backwards in base64': Buffer.from(backwards).toString('base64'),
  'base64 with escapes': Buffer.from(key).toString('base64').replace('=', '\\u003d').replace('c', '%63'),
  'cut off': `${key.slice(0, -2)}…`,
};

/** Everything that a reader can make of a text by undoing what hides a key in it. */
function isReadable(text: string): boolean {
  const undone = [text];
  for (let round = 0; round < 3; round += 1) {
    undone.push(
      (undone.at(-1) ?? '')
        .replace(/\\u\{?([\da-f]{2,4})\}?/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/\\x([\da-f]{2})|%([\da-f]{2})/gi, (_, a, b) => String.fromCharCode(Number.parseInt(a ?? b, 16)))
        .replace(/&#x([\da-f]+);/gi, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
        .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
        .replace(/&(amp|lt|gt|quot);/g, (_, name) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name as 'amp'])
        .replace(/\\(.)/g, '$1'),
    );
  }
  const leaks = [key, backwards]
    .flatMap((form) => [form, Buffer.from(form).toString('hex')])
    .map((form) => form.toLowerCase());
  const inBase64 = ['', 'x', 'xy'].flatMap((before) =>
    [key, backwards].map((form) =>
      Buffer.from(before + form)
        .toString('base64')
        .slice(4, 28)
        .toLowerCase(),
    ),
  );
  return undone.some((each) => [...leaks, ...inBase64].some((form) => each.toLowerCase().includes(form)));
}

describe.each(Object.entries(forms))('a key in the form %s', (_, form) => {
  test('is taken out of a text', () => {
    expect(redact(`before ${form}`)).toMatch(/^before .*\$CONFORMANCE_API_KEY/);
  });
});

test('a key in any form gets into no report and not on the terminal', () => {
  const each = Object.values(forms);
  const failed = each.map((form, at) => {
    const proof = [{ exchange: 'x0', shows: form }];
    const finding = sampleFinding({ actual: form, expected: form, message: form, pointer: `/data/${form}`, proof });
    return sampleCheck(`sites/form-${at}`, { kind: 'fail', message: form }, { findings: [finding] });
  });
  const open = each.map((form, at) =>
    sampleCheck(`sites/open-${at}`, { kind: 'inconclusive', reason: 'platform', message: form }),
  );
  const exchanges = each.flatMap((form, at) => [
    sampleExchange({
      id: `x${at}`,
      url: `https://staging.example.com/api/v1/sites?${form}`,
      target: `/sites?${form}`,
      headers: { 'content-type': form, location: form },
      bodyText: `{"data":[{"id":"${form}","${form}":1}]}`,
      problemDetail: form,
    }),
    sampleExchange({ id: `y${at}`, bodyText: form, problem: 'not-json' }),
    sampleExchange({ id: `z${at}`, bodyText: null, bodyShape: { [form]: 'string' } }),
  ]);
  const sentence = each.join(' ');
  const report = sampleReport({ checks: [...failed, ...open], exchanges, abort: { exitCode: 4, sentence } });
  const clean = redactReport(report, secrets);
  const outcome = conclude(clean);
  const texts = [...reporters.map(({ render }) => render(clean, outcome)), renderTerminal(clean, outcome)];
  expect(texts.map(isReadable)).toEqual(texts.map(() => false));
});

test.each(['base64', 'hex'] as const)('the beginning of a key is taken out in %s too', (encoding) => {
  const value = 'UPSTREAMSECRET_0123456789abcdef';
  const backwards = [...value].reverse().join('');
  const shown = makeRedact([{ value, placeholder: '$KEY' }])(
    [value, backwards].map((text) => Buffer.from(text).toString(encoding)).join(' and '),
  );
  expect(shown).toMatch(/^\$KEY.{0,4} and \$KEY.{0,4}$/);
  expect(makeRedact([{ value, placeholder: '$KEY' }])(backwards)).toBe('$KEY');
});

test('words that only look like it stay', () => {
  const text = 'casa_Key1 100% \\u0041 &amp; aGVsbG8gd29ybGQ= 636173';
  expect(redact(text)).toBe(text);
  expect(makeFinder(secrets)(text)).toEqual([]);
});

test('a short secret is taken out as it stands only', () => {
  expect(makeRedact([{ value: 'abcd', placeholder: '<x>' }])('abcd dcba YWJjZA== \\u0061bcd')).toBe(
    '<x> dcba YWJjZA== <x>',
  );
});

test.each(['x', 'xy', 'xyz'])('a key as short as %s does not change the words of the report', (value) => {
  const text = '12 passed, 3 failed; exit 1';
  const redactShort = makeRedact([{ value, placeholder: '$CONFORMANCE_API_KEY' }, ...spoiltSecrets(value)]);
  expect(redactShort(text)).toBe(text);
  expect(redactShort(`Bearer ${value}`)).toBe('Bearer $CONFORMANCE_API_KEY');
  expect(redactShort(`Bearer ${value}y is not a key`)).toBe(`Bearer ${value}y is not a key`);
});

test.each([
  { shown: key.slice(0, 7), why: 'seven characters are too few', left: key.slice(0, 7) },
  { shown: key.slice(0, 8), why: 'eight are enough', left: '$CONFORMANCE_API_KEY' },
  { shown: key.slice(0, -1), why: 'all but the last', left: '$CONFORMANCE_API_KEY' },
  { shown: `${key.slice(0, 12)}…"'`, why: 'marks after it', left: `$CONFORMANCE_API_KEY…"'` },
  { shown: `casa_Key${key.slice(0, 9)}`, why: 'a false beginning before it', left: 'casa_Key$CONFORMANCE_API_KEY' },
  { shown: `${key.slice(0, 12)} and more`, why: 'a beginning in the middle', left: `${key.slice(0, 12)} and more` },
])('a beginning of a key at the end of a cut text: $why', ({ shown, left }) => {
  expect(redact(`before ${shown}`)).toBe(`before ${left}`);
});

test('quotes in thousands before the end cost one pass', () => {
  const text = `${`'`.repeat(1990)}x`;
  const startMs = performance.now();
  for (let i = 0; i < 1000; i += 1) redact(text);
  expect(performance.now() - startMs).toBeLessThan(1000);
});

test('a megabyte of half escapes is read in one pass', () => {
  const text = '\\'.repeat(300_000) + '%25'.repeat(100_000) + '&amp;'.repeat(100_000);
  expect(redact(text)).toBe(text);
});
