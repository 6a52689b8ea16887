import { describe, expect, it } from 'vitest';
import { bearerKey, clientAddress, isForeignOrigin } from './caller.ts';
import type { CoreRequest } from './message.ts';

function request(peer: string, forwarded?: string): CoreRequest {
  const headers = { 'x-forwarded-for': forwarded };
  return { method: 'GET', path: '/', query: '', headers, body: null, peer, origin: 'http://mock' };
}

describe('the address of a caller', () => {
  it.each([
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.3', '203.0.113.9, 10.0.0.1', '203.0.113.9'],
    ['::1', ' 2001:DB8::1 ', '2001:db8::1'],
    ['::ffff:127.0.0.1', '203.0.113.9', '203.0.113.9'],
    ['::FFFF:203.0.113.9', undefined, '203.0.113.9'],
    ['127.0.0.1', '::ffff:203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', ' , 203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '198.51.100.7, 203.0.113.9, ::1', '203.0.113.9'],
    ['127.0.0.1', '10.0.0.7, fd00::1', '10.0.0.7'],
    ['127.0.0.1', ' ', '127.0.0.1'],
    ['203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['1270.0.0.1', '198.51.100.7', '1270.0.0.1'],
  ])('at %s that forwards for %j is %s', (peer, forwarded, expected) => {
    expect(clientAddress(request(peer, forwarded), false)).toBe(expected);
  });

  it('is the first forwarded one of any peer when proxies are trusted', () => {
    expect(clientAddress(request('203.0.113.9', '198.51.100.7, 203.0.113.8'), true)).toBe('198.51.100.7');
  });
});

describe('the key of a caller', () => {
  it.each([
    ['Bearer casa_1', 'casa_1'],
    ['bearer casa_1', 'casa_1'],
    ['BEARER   casa_1  ', 'casa_1'],
    ['Bearer', null],
    ['Bearer ', null],
    ['Bearer a b', null],
    ['Basic casa_1', null],
    ['casa_1', null],
    [undefined, null],
  ])('in %j is %j', (authorization, expected) => {
    expect(bearerKey({ authorization })).toBe(expected);
  });
});

describe('a page', () => {
  it.each([
    ...['http://localhost:5173', 'https://app.localhost', 'http://127.0.0.1:3000', 'http://127.9.9.9'],
    ...['http://[::1]:8080', 'http://10.1.2.3', 'http://172.16.0.1', 'http://172.31.255.255:80'],
    ...['http://192.168.1.5:3000', 'http://169.254.1.1', 'http://[fe80::1]', 'http://[fd12:3456::1]:3000'],
    ...['http://MOCK.internal:4010', 'vscode-webview://1a2b', 'chrome-extension://abcdef'],
  ])('of %s is not foreign', (origin) => {
    expect(isForeignOrigin(origin, ['mock.internal'])).toBe(false);
  });

  it.each([
    ...['null', '', 'evil.example', 'http://evil.example', 'https://evil.example:4010'],
    ...['http://localhost.evil.example', 'http://127.0.0.1.evil.example', 'http://10.0.0.1.evil.example'],
    ...['http://203.0.113.9', 'http://172.32.0.1', 'http://172.15.0.1', 'http://11.0.0.1'],
    ...['http://192.169.0.1', 'http://[2001:db8::1]', 'http://[fe00::1]', 'http://10.evil', 'http://10.1'],
    ...['http://1270.0.1'],
  ])('of %j is foreign', (origin) => {
    expect(isForeignOrigin(origin, ['mock.internal'])).toBe(true);
  });
});
