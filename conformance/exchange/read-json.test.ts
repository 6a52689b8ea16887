import { describe, expect, test } from 'vitest';
import { decodeBody, depthMax, isEncodingFault, namesMax, readJson } from './read-json.ts';

describe('the JSON of a response', () => {
  test.each([
    ['{"a":[1,"]}",{"b":"\\"[["}]}', 'none'],
    ['', 'not-json'],
    ['{"a":', 'not-json'],
    ['"\\', 'not-json'],
    [`${'['.repeat(depthMax)}${']'.repeat(depthMax)}`, 'none'],
    [`${'['.repeat(depthMax + 1)}${']'.repeat(depthMax + 1)}`, 'none'],
    ['['.repeat(7_000_000), 'too-large'],
  ])('%# is read or rejected', (text, problem) => {
    expect(readJson(text).problem).toBe(problem);
  });

  test('is emptied where it lies deeper than any response', () => {
    const depthOf = (value: unknown): number => (Array.isArray(value) ? 1 + depthOf(value[0]) : 0);
    const { json } = readJson(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(depthOf(json)).toBe(depthMax + 1);
  });

  test('is rejected when it has more names than any row, wherever they are', () => {
    const textOf = (rows: number, fields: number) =>
      JSON.stringify(
        Array.from({ length: rows }, (_, row) =>
          Object.fromEntries(Array.from({ length: fields }, (_, index) => [`a"${row * fields + index}`, 1])),
        ),
      );
    const detail = `the response contains more than ${namesMax} different names of fields`;
    expect(readJson(textOf(1, 15_000)).problem).toBe('none');
    for (const [rows, fields] of [
      [1, 25_000],
      [25_000, 1],
      [100, 250],
    ] as const) {
      expect(readJson(textOf(rows, fields))).toMatchObject({ json: undefined, problem: 'too-large', detail });
    }
  });

  test('can have any number of equal names, and of texts that are not names', () => {
    const row = { id: '', 'a: b': ':' };
    expect(readJson(JSON.stringify(Array.from({ length: 60_000 }, () => row))).problem).toBe('none');
    expect(readJson(JSON.stringify(Array.from({ length: 60_000 }, (_, index) => `${index}:`))).problem).toBe('none');
  });

  test('is rejected when it holds more values than a run can look at', () => {
    const list = (items: number) => `[${Array.from({ length: items }, () => '{}').join(',')}]`;
    expect(readJson(list(400), 1000)).toMatchObject({ problem: 'none', detail: null });
    expect(readJson(list(600), 1000)).toEqual({
      json: undefined,
      problem: 'too-large',
      detail: 'the response contains more than 1000 values',
      values: 1001,
    });
  });
});

const json = '{"title":"Zürich 日本"}';
const wide = Buffer.from(json, 'utf16le');

describe('the text of a body', () => {
  test.each<[string, Buffer, string, RegExp | null]>([
    ['UTF-8', Buffer.from(json), json, null],
    ['nothing', Buffer.alloc(0), '', null],
    ['one byte', Buffer.from('7'), '7', null],
    ['a lone half of a pair', Buffer.from([0x22, 0xed, 0xa0, 0xbd, 0x22]), '"\ufffd\ufffd\ufffd"', null],
    ['UTF-8 after a mark', Buffer.from(`\ufeff${json}`), json, /byte order mark/],
    ['UTF-16 after a mark', Buffer.concat([Buffer.from([0xff, 0xfe]), wide]), json, /UTF-16/],
    ['UTF-16 without a mark', wide, json, /UTF-16/],
    ['UTF-16 in the other byte order', Buffer.from(wide).swap16(), json, /UTF-16/],
    ['Latin-1', Buffer.from('{"title":"Zürich"}', 'latin1'), '{"title":"Z\ufffdrich"}', /not UTF-8/],
  ])('is read from %s', (_, body, text, fault) => {
    const decoded = decodeBody(body);
    expect(decoded.text).toBe(text);
    expect(isEncodingFault(decoded.fault)).toBe(fault !== null);
    if (fault !== null) expect(decoded.fault).toMatch(fault);
  });
});
