// Attacks on the head of a request: paths, queries, keys, addresses, wishes.
import type { Attack } from '../field.ts';

const percents = [
  '%',
  '%zz',
  '%00',
  '%c0%af',
  '%ed%a0%80',
  '%1b%5d52;c;%07',
  '%0a%0dforged',
  '+',
  '&&=&',
  ';',
] as const;
const wishes = [
  'code=503',
  'code=401',
  'code=999',
  'example=limiter_key',
  'example=\u001b[2J',
  'code=;;,,',
  'example=',
] as const;
const instants = [
  'yesterday',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '-1',
  '1e99',
  '2026-01-01T00:00:00+99:99',
  '%00',
] as const;

export const requestAttacks: readonly Attack[] = [
  {
    name: 'plain reads',
    sends: 'what a decent client asks, as a measure for the others',
    share: 120,
    run: (field) =>
      field.ask({ path: field.pick(['/api/v1/sites', '/api/v1/articles?limit=20', '/api/v1/connect/accounts']) }),
  },
  {
    name: 'bogus keys',
    sends: 'a key of 14 KB, another one each time',
    share: 40,
    run: (field) => field.ask({ path: '/api/v1/sites', key: `${field.hex(16)}${'k'.repeat(14_000)}` }),
  },
  {
    name: 'guessed keys',
    sends: 'well-formed keys that there are not',
    share: 80,
    run: (field) => field.ask({ path: '/api/v1/articles', key: `casa_${field.hex(32)}` }),
  },
  {
    name: 'false addresses',
    sends: 'forwarding headers with words, lists, ports and IPv6',
    share: 60,
    run: (field) => {
      const name = field.pick(['x-forwarded-for', 'forwarded', 'x-real-ip', 'via']);
      const value = field.pick([
        `${field.hex(4)}::1`,
        '1.2.3.4, 5.6.7.8',
        'unknown',
        `for=${field.hex(200)}`,
        'a'.repeat(4_000),
      ]);
      return field.ask({ path: '/api/v1/sites', key: null, headers: { [name]: value } });
    },
  },
  {
    name: 'long paths',
    sends: 'a path of 12 KB',
    share: 40,
    run: (field) => field.ask({ path: `/api/v1/${field.pick(['articles', 'x', 'connect'])}/${'p'.repeat(12_000)}` }),
  },
  {
    name: 'odd paths',
    sends: 'dots, slashes, percent garbage and controls in a path',
    share: 60,
    run: (field) => {
      const odd = field.pick(['..', '.', '', '//', '%2e%2e%2f', ...percents]);
      return field.ask({
        path: `/api/v1/${field.pick(['articles', 'sites', 'connect/accounts'])}/${odd}/${field.hex(4)}`,
      });
    },
  },
  {
    name: 'huge queries',
    sends: 'a query of 10 KB with a thousand members',
    share: 30,
    run: (field) =>
      field.ask({
        path: `/api/v1/articles?${Array.from({ length: 1_000 }, (_, i) => `q${i}=${field.below(9)}`).join('&')}`,
      }),
  },
  {
    name: 'odd queries',
    sends: 'percent garbage, members twice, members of every object',
    share: 60,
    run: (field) =>
      field.ask({
        path: `/api/v1/articles?limit=${field.pick(percents)}&limit=5&__proto__=1&constructor=2&siteId=${field.pick(percents)}`,
      }),
  },
  {
    name: 'odd cursors',
    sends: 'cursors of articles and reviews that nobody gave out',
    share: 60,
    run: (field) =>
      field.ask({ path: `/api/v1/articles?cursor=${field.pick([...instants, ...percents, 'x'.repeat(5_000)])}` }),
  },
  {
    name: 'odd since',
    sends: 'positions in the call log that are not instants, or the last one',
    share: 60,
    run: (field) =>
      field.ask({
        path: `/api/v1/connect/calls/log?since=${field.pick([...instants, ...percents])}&limit=${field.pick(['1', '200', '-5', '9e9'])}`,
      }),
  },
  {
    name: 'wishes',
    sends: 'errors wished for by header and query, with garbage',
    share: 60,
    run: (field) => {
      const wish = field.pick(wishes);
      const query = field.pick([
        '',
        '?__code=503',
        `?__example=${field.pick(percents)}`,
        '?__code=500&__example=transient',
      ]);
      return field.ask({
        path: `/api/v1/sites${query}`,
        headers: { prefer: Buffer.from(wish).toString('latin1') },
        wishes5xx: true,
      });
    },
  },
  {
    name: 'foreign pages',
    sends: 'preflights and requests of web pages from elsewhere',
    share: 30,
    run: (field) =>
      field.ask({
        method: field.pick(['OPTIONS', 'GET']),
        path: field.pick(['/api/v1/sites', '/__admin/reset', '/mcp']),
        key: null,
        headers: {
          origin: field.pick(['http://evil.example', 'null', `http://${field.hex(100)}`]),
          'access-control-request-method': 'POST',
          'access-control-request-private-network': 'true',
        },
      }),
  },
  {
    name: 'guessed links',
    sends: 'consent pages of links that there are not',
    share: 30,
    run: (field) =>
      field.ask({
        method: field.pick(['GET', 'POST']),
        path: `/connect/${field.hex(field.pick([4, 32, 500]))}`,
        key: null,
      }),
  },
  {
    name: 'guessed control',
    sends: 'paths and bodies of the control plane, from elsewhere and malformed',
    share: 30,
    run: (field) =>
      field.ask({
        method: field.pick(['GET', 'POST', 'PUT', 'DELETE']),
        path: `/__admin/${field.pick(['faults', 'clock/set', 'snapshots', 'organizations/x', 'limits', 'calls/x/end', 'x'])}`,
        key: null,
        isLocal: true,
        headers: field.pick<Record<string, string>>([{}, { origin: 'http://evil.example' }, { via: '1.1 x' }]),
        body: field.pick(['{', '[]', '{"match":{"operation":"x"},"times":-1}', '{"instant":"x"}', 'null']),
      }),
  },
  {
    name: 'control reads',
    sends: 'the journal, the verdicts and the health, as a dashboard does',
    share: 1,
    run: (field) =>
      field.ask({
        path: `/__admin/${field.pick(['requests?limit=50', 'verdicts', 'health', 'requests/unmatched'])}`,
        key: null,
        isLocal: true,
      }),
  },
  {
    name: 'event streams',
    sends: 'a stream of events that nobody reads',
    share: 2,
    run: (field) => field.abandon([`GET /__admin/events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`, '', ''], { everyMs: 30 }),
  },
];
