import zlib from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { bodyReader } from './har-body.ts';

const text = '{"data":[]}';
const bytes = Buffer.from(text);
const none = () => null;
const read = (content: unknown, headers: Record<string, string> = {}) => bodyReader(none)({ content, headers });
const packed = (body: Buffer, coding: string) =>
  read({ text: body.toString('base64'), encoding: 'base64' }, { 'content-encoding': coding });

describe('a recorded body', () => {
  test.each<[string, unknown, Record<string, string>?]>([
    ['plain', { text }],
    ['plain although it was compressed', { text }, { 'content-encoding': 'br' }],
    ['in base64', { text: bytes.toString('base64'), encoding: 'base64' }],
    ['in base64 with line breaks', { text: bytes.toString('base64').replace(/(.{4})/g, '$1\r\n'), encoding: 'BASE64' }],
    ['in base64 for the web', { text: bytes.toString('base64url'), encoding: 'base64' }],
    ['labeled as base64', { text, encoding: 'base64' }],
    ['of bytes as characters', { text: zlib.gzipSync(bytes).toString('latin1') }, { 'content-encoding': 'gzip' }],
  ])('that is %s is read', (_, content, headers) => {
    expect(read(content, headers)).toEqual({ text, json: { data: [] }, problem: 'none', detail: null });
  });

  test.each([
    ['gzip', zlib.gzipSync(bytes)],
    ['x-gzip', zlib.gzipSync(bytes)],
    ['deflate', zlib.deflateSync(bytes)],
    ['deflate', zlib.deflateRawSync(bytes)],
    ['br', zlib.brotliCompressSync(bytes)],
    ['GZIP, br', zlib.brotliCompressSync(zlib.gzipSync(bytes))],
  ])('with content-encoding %s is unpacked', (coding, body) => {
    expect(packed(body, coding)).toMatchObject({ text, problem: 'none' });
  });

  test.skipIf(zlib.zstdCompressSync === undefined)('with content-encoding zstd is unpacked', () => {
    expect(packed(zlib.zstdCompressSync(bytes), 'zstd')).toMatchObject({ text, problem: 'none' });
  });

  test.each<[string, unknown, Record<string, string>?]>([
    ['missing', { size: 11 }],
    ['missing with its content', undefined],
    ['emptied by the recorder', { text: '', size: 11 }],
    ['cut off', { text: text.slice(0, 8), size: 11 }],
    ['compressed without content-encoding', { text: zlib.gzipSync(bytes).toString('base64'), encoding: 'base64' }],
    ['compressed and damaged', { text: zlib.gzipSync(bytes).toString() }, { 'content-encoding': 'gzip' }],
    ['compressed in an unknown way', { text: '/////w==', encoding: 'base64' }, { 'content-encoding': 'compress' }],
    ['not base64 of text', { text: 'NotFound', encoding: 'base64' }],
    ['in a file that is missing', { _file: 'a.json' }],
  ])('that is %s is inconclusive', (_, content, headers) => {
    expect(read(content, headers)).toMatchObject({ json: undefined, problem: 'truncated', detail: expect.any(String) });
  });

  test.each([
    ['is no JSON', { text: 'not found', size: 900 }],
    ['is a page', { text: '<p>', encoding: 'base64' }],
    ['has a raw control character', { text: '{"a":"\u0001"}', size: 9 }],
    ['is empty', { text: '', size: 0 }],
  ])('that %s is not JSON', (_, content) => {
    expect(read(content)).toMatchObject({ problem: 'not-json' });
  });

  test('with a byte order mark has its finding', () => {
    expect(read({ text: `\ufeff${text}` })).toMatchObject({
      json: { data: [] },
      detail: expect.stringContaining('mark'),
    });
  });

  test('cannot fill the memory', () => {
    const readBody = bodyReader(() => bytes, 2.5 * bytes.length);
    const content = { text: zlib.gzipSync(bytes).toString('base64'), encoding: 'base64' };
    const problems = [content, { _file: 'a' }, content].map(
      (each) => readBody({ content: each, headers: { 'content-encoding': 'gzip' } }).problem,
    );
    expect(problems).toEqual(['none', 'none', 'too-large']);
    expect(packed(zlib.gzipSync(Buffer.alloc(9_000_000)), 'gzip').problem).toBe('too-large');
  });
});
