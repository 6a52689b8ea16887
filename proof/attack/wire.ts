// The part of the generator below HTTP: bytes that no client should send.
import fc from 'fast-check';
import { goodKey } from '../../fixtures/test-kit/actors.ts';
import { accountIds } from './words.ts';

type Bytes = string | Uint8Array;

export interface WireTraffic {
  readonly pieces: readonly Bytes[];
  /** Waits for responses, also half-closed, or closes or resets the connection without waiting. */
  readonly end: 'wait' | 'half-close' | 'close' | 'reset';
  /** Responses to wait for; 1 when absent. */
  readonly responses?: number;
}

const authorization = `Authorization: Bearer ${goodKey}`;
const sites = `GET /api/v1/sites HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`;
const postHead = (headers: string) =>
  `POST /api/v1/connect/accounts HTTP/1.1\r\nHost: a\r\n${authorization}\r\n${headers}`;
const posted = (headers: string) => `${postHead(headers)}\r\n{"provider":"tiktok"}`;
export const plainBytes = Buffer.from(sites);
const one = (...texts: Bytes[]) => fc.constantFrom(...texts).map((text) => [text]);
const times = <T>(count: number, each: (i: number) => T) => Array.from({ length: count }, (_, i) => each(i));

const post = '{"text":"Hello"}';
const seeds = [
  sites,
  `GET /api/v1/articles?limit=2 HTTP/1.1\r\nHost: a\r\n${authorization}\r\n\r\n`,
  `GET /api/v1/connect/calls/log HTTP/1.1\r\nHost: a\r\n${authorization}\r\nConnection: close\r\n\r\n`,
  'OPTIONS /api/v1/sites HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nAccess-Control-Request-Method: GET\r\n\r\n',
  `POST /api/v1/connect/accounts/${accountIds[0]}/posts HTTP/1.1\r\nHost: a\r\n${authorization}\r\nContent-Length: ${post.length}\r\n\r\n${post}`,
  `${postHead('Transfer-Encoding: chunked\r\n')}\r\n5\r\n{"a":\r\n3\r\n1}\n\r\n0\r\n\r\n`,
  'POST /api/v1/connect/accounts HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n{}',
  'GET /connect/none HTTP/1.0\r\n\r\n',
].map((text) => Buffer.from(text));
const fragments = ['\r\n', '\r\n\r\n', '\0', ' ', ':', 'Content-Length: 1\r\n', '0\r\n\r\n', '/../'];
const fragment = fc.constantFrom(...fragments, 'a'.repeat(20_000)).map((text) => Buffer.from(text));
const splice = fc.record({
  at: fc.nat(400),
  remove: fc.oneof(fc.constant(0), fc.nat(3), fc.nat(100)),
  insert: fc.oneof(fc.uint8Array({ maxLength: 3 }), fragment),
});

/** Requests one after the other, with some bytes taken out and others put in, cut into pieces anywhere. */
export const splicedPieces: fc.Arbitrary<readonly Uint8Array[]> = fc
  .record({
    requests: fc.array(fc.constantFrom(...seeds), { minLength: 1, maxLength: 4 }),
    splices: fc.array(splice, { maxLength: 3 }),
    cuts: fc.array(fc.nat(1500), { maxLength: 3 }),
  })
  .map(({ requests, splices, cuts }) => {
    let bytes: Buffer = Buffer.concat(requests);
    for (const { at, remove, insert } of splices)
      bytes = Buffer.concat([bytes.subarray(0, at), insert, bytes.subarray(at + remove)]);
    const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length];
    return edges.slice(1).map((end, i) => bytes.subarray(edges[i], end));
  });

const controls = ['\u0000', '\u0007', '\u001b[2J', '\u009b31m', '\u007f', '\t', '\u000b'];
const withControl = (text: string) =>
  Buffer.from(sites.replace('\r\n\r\n', `\r\nX-Forwarded-For: 1${text}\r\n\r\n`), 'latin1');
const chunkSizes = ['ffffffffffffffff', '-1', 'zz', '5;x=y', '', '1000000'];
const lengths = ['1', '999', '-1', '1e3', '+5', 'NaN', '99999999999999999999'];

const [tls, http2] = [Buffer.from('16030100c6010000c2030300', 'hex'), 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'];

/** By name: how the connection ends, and the pieces. */
const rows: Readonly<
  Record<string, readonly [WireTraffic['end'], fc.Arbitrary<readonly Bytes[]>, responses?: number]>
> = {
  'heads over the cap': ['wait', one(sites.replace('\r\n\r\n', `\r\nX: ${'v'.repeat(60_000)}\r\n\r\n`))],
  'headers given twice': [
    'wait',
    fc
      .constantFrom('', 'Content-Length: 0\r\nContent-Length: 2\r\n')
      .map((both) => [
        `GET /api/v1/sites HTTP/1.1\r\nHost: a\r\nHost: b\r\n${authorization}\r\nAuthorization: Bearer x\r\n`,
        `Content-Type: a/b\r\nContent-Type: c/d\r\n${both}\r\n`,
      ]),
  ],
  'control characters in headers': ['wait', one(...controls.map(withControl))],
  'slow heads': ['close', fc.constant([...'GET /api/v1/si'])],
  'slow bodies': ['close', fc.constant([`${postHead('Content-Length: 500000\r\n')}\r\n`, ...'{"provider"'])],
  'half-closed connections': ['half-close', one(sites)],
  resets: ['reset', one(sites, sites.slice(0, 60))],
  pipelining: ['wait', one(sites.repeat(40)), 40],
  'false chunk sizes': [
    'half-close',
    fc
      .tuple(fc.constantFrom(...chunkSizes), fc.constantFrom('', 'Content-Length: 3\r\n'))
      .map(([size, both]) => [`${postHead(`Transfer-Encoding: chunked\r\n${both}`)}\r\n${size}\r\nabc\r\n0\r\n\r\n`]),
  ],
  'false lengths': ['half-close', one(...lengths.map((length) => posted(`Content-Length: ${length}\r\n`)))],
  'other protocols': ['half-close', one(tls, sites.split(' HTTP')[0] ?? '', http2, '\0\0\0\0')],
  'event streams': [
    'close',
    fc.constant(['GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', ...times(12, () => '')]),
  ],
  'spliced requests': ['half-close', splicedPieces],
};

export const wireAttacks: Readonly<Record<string, fc.Arbitrary<WireTraffic>>> = Object.fromEntries(
  Object.entries(rows).map(([name, [end, pieces, responses = 1]]) => [
    name,
    // Nearly every connection has its own address, so not all end at the first limiter.
    fc.tuple(pieces, fc.ipV4()).map(([written, address]): WireTraffic => {
      const host = `Host: a\r\nX-Forwarded-For: ${address}\r\n`;
      const withHost = (piece: Bytes) => (typeof piece === 'string' ? piece.replaceAll('Host: a\r\n', host) : piece);
      return { pieces: written.map(withHost), end, responses };
    }),
  ]),
);
