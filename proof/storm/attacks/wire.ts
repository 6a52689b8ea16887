// Attacks on the connection: bytes that no client should send.
import { type Attack, type Field, goodKey, headOf } from '../field.ts';

const sites = (field: Field) => headOf({ path: '/api/v1/sites' }, field.address());
const posted = (field: Field, headers: Readonly<Record<string, string>>) =>
  headOf({ method: 'POST', path: '/api/v1/connect/accounts', headers }, field.address());
const controls = ['\u0000', '\u0007', '\u001b[2J', '\u009b31m', '\u007f', '\t', '\u000b'] as const;

export const wireAttacks: readonly Attack[] = [
  {
    name: 'header flood',
    sends: 'a hundred headers of a hundred bytes',
    share: 30,
    run: (field) =>
      field.ask({
        path: '/api/v1/sites',
        headers: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`x-${i}-${field.hex(4)}`, 'v'.repeat(90)])),
      }),
  },
  {
    name: 'headers beyond the cap',
    sends: '60 KB of headers',
    share: 8,
    run: (field) => field.raw([headOf({ path: '/api/v1/sites', headers: { x: 'v'.repeat(60_000) } }, '10.0.0.1')]),
  },
  {
    name: 'headers twice',
    sends: 'two hosts, two keys, two lengths, two types',
    share: 15,
    run: (field) =>
      field.raw([
        `GET /api/v1/sites HTTP/1.1\r\nHost: a\r\nHost: b\r\nAuthorization: Bearer ${goodKey}\r\nAuthorization: Bearer x\r\n`,
        `Content-Type: a/b\r\nContent-Type: c/d\r\n${field.pick(['', 'Content-Length: 0\r\nContent-Length: 2\r\n'])}\r\n`,
      ]),
  },
  {
    name: 'controls in headers',
    sends: 'NUL, escape sequences and C1 controls in values',
    share: 15,
    run: (field) =>
      field.raw([
        Buffer.from(
          `GET /api/v1/sites HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 1${field.pick(controls)}\r\n\r\n`,
          'latin1',
        ),
      ]),
  },
  {
    name: 'methods',
    sends: 'methods that there are not, or that are not for this',
    share: 30,
    run: (field) => {
      const method = field.pick(['DELETE', 'PATCH', 'PUT', 'HEAD', 'TRACE', 'OPTIONS', 'PROPFIND', 'M-SEARCH', 'BREW']);
      const path = field.pick(['/api/v1/sites', '/api/v1/articles', '/mcp', '/__admin/health', '/']);
      return method === 'BREW' ? field.raw([headOf({ method, path }, field.address())]) : field.ask({ method, path });
    },
  },
  {
    name: 'slow heads',
    sends: 'a head that comes byte by byte and never ends',
    share: 4,
    run: (field) => field.abandon([...'GET /api/v1/si']),
  },
  {
    name: 'slow bodies',
    sends: 'a body that comes byte by byte and never ends',
    share: 4,
    run: (field) => field.abandon([posted(field, { 'content-length': '500000' }), ...'{"provider"']),
  },
  {
    name: 'half-closed',
    sends: 'a request, and the end of its side at once',
    share: 20,
    run: (field) => field.raw([sites(field)], { shut: true }),
  },
  {
    name: 'resets',
    sends: 'half a request and a reset',
    share: 20,
    run: (field) => field.abandon([field.pick([sites(field).slice(0, 60), sites(field)])], { everyMs: 0, reset: true }),
  },
  {
    name: 'pipelining',
    sends: 'forty requests in one write',
    share: 6,
    run: (field) => field.raw([Array.from({ length: 40 }, () => sites(field)).join('')], { answers: 40 }),
  },
  {
    name: 'chunked lies',
    sends: 'chunk sizes that are wrong, negative or endless, and a length beside them',
    share: 20,
    run: (field) => {
      const size = field.pick(['ffffffffffffffff', '-1', 'zz', '5;x=y', '', '1000000']);
      const both = field.pick(['', 'Content-Length: 3\r\n']);
      const head = `POST /api/v1/connect/accounts HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n${both}\r\n`;
      return field.raw([`${head}${size}\r\nabc\r\n0\r\n\r\n`], { shut: true });
    },
  },
  {
    name: 'length lies',
    sends: 'lengths that are too long, too short, negative or words',
    share: 20,
    run: (field) => {
      const length = field.pick(['1', '999', '-1', '1e3', '+5', 'NaN', '99999999999999999999']);
      return field.raw([`${posted(field, { 'content-length': length })}{"provider":"tiktok"}`], { shut: true });
    },
  },
  {
    name: 'no HTTP',
    sends: 'noise, TLS and an older HTTP',
    share: 10,
    run: (field) =>
      field.raw(
        [
          field.pick<string | Uint8Array>([
            Buffer.from('16030100c6010000c2030300', 'hex'),
            'GET /api/v1/sites\r\n\r\n',
            'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
            '\u0000\u0000\u0000\u0000',
          ]),
        ],
        { shut: true },
      ),
  },
];
