// All attacks of the storm, from the generator. Each has a share, so that rare and costly ones do not drown the others.
import fc from 'fast-check';
import type { CoreRequest } from '../../src/http/message.ts';
import { toBytes } from './bodies.ts';
import { heavyRequests } from './heavy.ts';
import { apiRequest, heads, mcpRequest, plainRequest } from './requests.ts';
import { type WireTraffic, wireAttacks } from './wire.ts';
import { accountIds, hex } from './words.ts';

/** One kind of misuse: a request over HTTP, or bytes on a connection. */
export type Attack = { readonly share: number } & (
  | { readonly request: fc.Arbitrary<CoreRequest> }
  | { readonly traffic: fc.Arbitrary<WireTraffic> }
);

const requests: Readonly<Record<string, readonly [share: number, fc.Arbitrary<CoreRequest>]>> = {
  // The measure for the others.
  'plain reads': [
    120,
    fc
      .constantFrom('sites', 'articles', 'connect/accounts')
      .map((path) => plainRequest('GET', `/api/v1/${path}`, { query: 'limit=20' })),
  ],
  // Something to lose.
  'valid writes': [
    4,
    fc.tuple(hex(6), fc.boolean()).map(([digits, isLink]) =>
      isLink
        ? plainRequest('POST', '/api/v1/connect/accounts', {
            body: toBytes({ provider: 'tiktok', label: `Storm ${digits}` }),
          })
        : plainRequest('POST', `/api/v1/connect/accounts/${accountIds[0]}/posts`, {
            body: toBytes({ text: `Storm ${digits}` }),
          }),
    ),
  ],
  'admin reads': [
    1,
    fc
      .constantFrom('requests?limit=50', 'verdicts', 'health', 'requests/unmatched')
      .map((path) => plainRequest('GET', `/__admin/${path}`, { headers: {} })),
  ],
  'odd requests': [500, apiRequest],
  'odd MCP messages': [60, mcpRequest],
  'heavy requests': [
    1,
    fc
      .constantFrom(...heavyRequests.filter(({ flags, prepare }) => !flags && !prepare))
      .map(({ request }) => request(0)),
  ],
  ...Object.fromEntries(Object.entries(heads).map(([name, arbitrary]) => [name, [40, arbitrary] as const])),
};

export const attacks: Readonly<Record<string, Attack>> = {
  ...Object.fromEntries(Object.entries(requests).map(([name, [share, request]]) => [name, { share, request }])),
  // Slow ones keep an attacker busy for long.
  ...Object.fromEntries(
    Object.entries(wireAttacks).map(([name, traffic]) => [
      name,
      { share: /^(slow|event)/.test(name) ? 4 : 15, traffic },
    ]),
  ),
};
