import { describe, expect, test } from 'vitest';
import { whyNoShape } from '../../src/contract/shape.ts';
import { extrasShape, learnShape } from './shapes.ts';

const twelve = <T>(make: (index: number) => T) => Array.from({ length: 12 }, (_, index) => make(index));
const learn = (path: readonly string[]) => {
  const record = (word: string) => path.reduceRight<unknown>((inner, name) => ({ [name]: inner }), word);
  return JSON.stringify(learnShape(twelve((index) => record(index % 2 ? 'abcd' : 'wxyz'))));
};

describe('a vocabulary', () => {
  test.each([
    [['outcome']],
    [['hangupCause']],
    [['hangup_cause']],
    [['CallDirection']],
    [['hangup']],
    [['result', 'code']],
    [['statusCode']],
    [['agent', 'status']],
    [['agentStatus']],
    [['meta', 'channel']],
  ])('is kept in %j', (path) => {
    expect(learn(path)).toContain('"values":["abcd","wxyz"]');
  });

  test.each([
    [['login']],
    [['agent', 'login']],
    [['agent', 'reason']],
    [['customer', 'profile', 'category']],
    [['users', 'source']],
    [['agentSource']],
    [['handle']],
    [['code']],
    [['customer', 'code']],
    [['queue']],
    [['statusBy']],
    [['emailProvider']],
    [['tags']],
    [['nickname']],
    [['sourceName']],
    [['assignee', 'kind_of']],
  ])('is not kept in %j', (path) => {
    expect(learn(path)).not.toContain('abcd');
  });
});

const formOf = (texts: readonly string[]) => learnShape(texts.map((id) => ({ id })))?.fields?.id?.form;
const endings = ['8f3a02b1c4d5e6f7', '0a1b2c3d4e5f6071', 'ffeeddccbbaa9988'];

describe('a prefix of ids', () => {
  test.each([
    ['call_', 'call_+hex', endings],
    ['rec-', 'rec-+hex', endings],
    ['call_', 'call_+opaque', ['x8f3a02b1', 'Zz0a1b2c', 'ffeeddcc-9']],
    ['usr_', 'usr_+digits', ['100200300', '100200301', '100200302']],
  ])('%s is kept as %s', (prefix, form, rests) => {
    expect(formOf(rests.map((rest) => prefix + rest))).toBe(form);
  });

  test.each([
    ['begins no word of the service', endings.map((rest) => `acme_${rest}`)],
    ['is not that of all', [...endings.map((rest) => `call_${rest}`), 'rec_8f3a02b1c4d5e6f7']],
    ['is that of two records only', endings.slice(1).map((rest) => `call_${rest}`)],
    ['is a word among words', ['call_ended', 'call_missed', 'call_forwarded']],
  ])('is not kept when it %s', (_why, texts) => {
    expect(formOf(texts)).toBe('opaque');
  });
});

describe('ids of several forms', () => {
  test.each([
    ['opaque', ['0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d', '12345', 'ca.17']],
    ['text', ['0a1b2c3d-4e5f-4a6b-8c7d-8e9f0a1b2c3d', 'the first call']],
  ])('are %s', (form, texts) => {
    expect(formOf(texts)).toBe(form);
  });
});

describe('a telephone number', () => {
  test.each([
    ['telephone +9', ['+17745550170', '+442071234567', '+4930123456']],
    ['telephone +9 9 9', ['+1 774 5550170', '+44 20 71234567']],
    ['telephone +9 (9) 9-9', ['+1 (774) 555-0170', '+1 (20) 555-017']],
    ['telephone', ['+1 774 5550170', '+17745550170']],
  ])('is written %s', (form, texts) => {
    expect(formOf(texts)).toBe(form);
    for (const digits of texts.flatMap((text) => text.match(/\d{2,}/g) ?? [])) expect(form).not.toContain(digits);
  });
});

describe('a shape', () => {
  test('has one form for timestamps with trimmed fractions, and stays short', () => {
    const fractions = ['', '.1', '.12', '.123', '.1234', '.12345', '.123456', '.1234567', '.12345678', '.123456789'];
    const shape = learnShape(twelve((index) => ({ endedAt: `2026-03-01T12:00:00${fractions[index % 10]}Z` })));
    expect(shape?.fields?.endedAt?.form).toBe('YYYY-MM-DDThh:mm:ss[.fffffffff]Z');
    expect(whyNoShape(shape)).toBeNull();
  });

  test.each<[string, (index: number) => object]>([
    ['many forms of timestamps', (index) => ({ at: `2026-03-01T12:00:00.123+0${index % 9}:00` })],
    ['a field with a long name', (index) => ({ ['x'.repeat(200)]: index, id: index })],
    ['long words', (index) => ({ status: index % 2 ? 'a'.repeat(100) : 'b' })],
  ])('is good with %s', (_name, make) => {
    const shape = learnShape(twelve(make));
    expect(shape).not.toBeNull();
    expect(whyNoShape(shape)).toBeNull();
  });

  test.each([
    ['x', { type: 'object', fields: { id: { type: 'integer' } } }],
    // The beginning of an id, so the names are data.
    ['a', { type: 'object', fields: { '<name>': { type: 'integer' } } }],
  ])('is learnt although a name has megabytes of %s', (letter, shape) => {
    expect(learnShape([{ [letter.repeat(7_000_000)]: 1, id: 1 }])).toEqual(shape);
  });

  const many = Object.fromEntries(Array.from({ length: 61 }, (_, index) => [`m${index}n`, 1]));
  test.each<[string, unknown, object | null]>([
    ['nothing', { id: 1 }, null],
    [
      'the fields that are not listed',
      { id: 1, more: true },
      { fields: { more: { type: 'boolean', optional: true } } },
    ],
    ['an object without names where there are too many', { id: 1, ...many }, {}],
    ['a name that means something to the language', JSON.parse('{"__proto__":1}'), {}],
  ])('of additional fields of a record is %s', (_, record, shape) => {
    const found = extrasShape([{ id: 1 }, record], ['id']);
    if (shape === null) expect(found).toBeNull();
    else expect(found).toMatchObject({ type: 'object', ...shape });
  });
});
