import { describe, expect, it } from 'vitest';
import { bearerKey, clientAddress, isLoopback } from './caller.ts';
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
    ['127.0.0.1', ' , 203.0.113.9', '127.0.0.1'],
    ['203.0.113.9', '198.51.100.7', '203.0.113.9'],
    ['1270.0.0.1', '198.51.100.7', '1270.0.0.1'],
  ])('at %s that forwards for %j is %s', (peer, forwarded, expected) => {
    expect(clientAddress(request(peer, forwarded), false)).toBe(expected);
  });

  it('is the forwarded one of any peer when proxies are trusted', () => {
    expect(clientAddress(request('203.0.113.9', '198.51.100.7'), true)).toBe('198.51.100.7');
  });

  it.each([
    ['127.0.0.1', true],
    ['127.255.0.9', true],
    ['::1', true],
    ['::ffff:127.0.0.1', true],
    ['128.0.0.1', false],
    ['::2', false],
    ['', false],
  ])('%s is loopback: %s', (address, expected) => {
    expect(isLoopback(address)).toBe(expected);
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
