import { describe, expect, it } from 'vitest';
import { readPlain } from './plain-request.ts';

const lines = ['Host: a', 'Accept: */*', 'X-Empty:', 'X-Wide:a  b', 'X-Forwarded-For: 1.2.3.4, ::1'];

function text({ first = 'POST /a/b?c=d HTTP/1.1', headers = lines } = {}): string {
  return `${[first, ...headers, 'Content-Length: 2'].join('\r\n')}\r\n\r\n{}`;
}

const read = (request: string) => readPlain(Buffer.from(request, 'latin1'));

describe('a plain request', () => {
  it('is read whole', () => {
    const found = read(text());
    expect(found).toMatchObject({ method: 'POST', url: '/a/b?c=d' });
    expect(found?.headers).toEqual({
      host: 'a',
      accept: '*/*',
      'x-empty': '',
      'x-wide': 'a  b',
      'x-forwarded-for': '1.2.3.4, ::1',
      'content-length': '2',
    });
    expect(Buffer.from(found?.body ?? []).toString()).toBe('{}');
  });

  it('has no body without a length', () => {
    expect(read('GET / HTTP/1.1\r\nHost: a\r\nConnection: Keep-Alive\r\n\r\n')?.body).toBeNull();
  });

  it.each([
    ['a part of it', text().slice(0, -1)],
    ['a head without its end', text().slice(0, 60)],
    ['a first line alone', 'GET / HTTP/1.1\r\n\r\n'],
    ['more than one', text() + text()],
    ['another method', text({ first: 'PUT / HTTP/1.1' })],
    ['another version', text({ first: 'GET / HTTP/1.0' })],
    ['two blanks', text({ first: 'GET  / HTTP/1.1' })],
    ['a whole address', text({ first: 'GET http://a/ HTTP/1.1' })],
    ['a fragment', text({ first: 'GET /#a HTTP/1.1' })],
    ['no Host', text({ headers: [] })],
    ['a header given twice', text({ headers: ['Host: a', 'host: a'] })],
    ['a name that every object has', text({ headers: ['Host: a', 'constructor: a'] })],
    ['a blank before the colon', text({ headers: ['Host : a'] })],
    ['a folded line', text({ headers: ['Host: a', ' b: c'] })],
    ['a line that ends in one sign', text({ headers: ['Host: a\nX: b'] })],
    ['a control character', text({ headers: ['Host: a\u0001'] })],
    ['a letter beyond ASCII', text({ headers: ['Host: \u00e4'] })],
    ['a line without a colon', text({ headers: ['Host: a', 'b'] })],
    ['a tab within a value', text({ headers: ['Host: a', 'X: b\tc'] })],
    ['a blank after a value', text({ headers: ['Host: a '] })],
    ['a name with an underscore', text({ headers: ['Host: a', 'Content_Length: 2'] })],
    ['a wish to close', text({ headers: ['Host: a', 'Connection: close'] })],
    ['chunks', text({ headers: ['Host: a', 'Transfer-Encoding: chunked'] })],
    ['an expectation', text({ headers: ['Host: a', 'Expect: 100-continue'] })],
    ['another protocol', text({ headers: ['Host: a', 'Upgrade: h2c'] })],
    ['a long head', text({ headers: ['Host: a', `X: ${'a'.repeat(5000)}`] })],
  ])('is not %s', (_what, request) => {
    expect(read(request)).toBeNull();
  });
});
