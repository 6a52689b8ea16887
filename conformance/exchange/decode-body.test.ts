import { describe, expect, test } from 'vitest';
import { decodeBody, isEncodingFault } from './read-json.ts';

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
