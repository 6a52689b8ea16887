// For the fuzz test: requests from nearly right to absurd.
import fc from 'fast-check';
import { operations } from '../../src/contract/generated/operations.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import { fuzzBody } from './bodies.ts';
import { instants, odd, type Vocabulary } from './words.ts';

/** Four of five reach an operation. */
export function fuzzRequest(words: Vocabulary): fc.Arbitrary<CoreRequest> {
  return fc.oneof({ weight: 4, arbitrary: nearlyRight(words) }, { weight: 1, arbitrary: absurd(words) });
}

/** A request for an operation with each part right or odd by itself. */
function nearlyRight(words: Vocabulary): fc.Arbitrary<CoreRequest> {
  return fc.constantFrom(...Object.values(operations)).chain((operation) =>
    fc.record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constant<string>(operation.method) }, methods),
      path: fc
        .tuple(...operation.segments.map((part) => (part.startsWith('{') ? pathValue(words, part) : fc.constant(part))))
        .map((segments) => `/api/v1/${segments.join('/')}`),
      query: query(words),
      headers: headers(words),
      body: operation.body ? fuzzBody(words) : fc.option(fuzzBody(words), { freq: 20 }),
      peer: fc.constantFrom('127.0.0.1', '203.0.113.9', '::1', ''),
      origin: fc.constant('http://127.0.0.1:4010'),
    }),
  );
}

/** No part has to do with another. */
function absurd(words: Vocabulary): fc.Arbitrary<CoreRequest> {
  const start = fc.constantFrom(
    '/api/v1/',
    '/api/v1',
    '//api/v1/',
    '/api/v2/',
    '/api/v1/../',
    '/connect/',
    '/mcp',
    '/',
    '',
  );
  return fc.record({
    method: methods,
    path: fc
      .tuple(start, fc.array(fc.oneof(odd, pathValue(words, '{id}')), { maxLength: 6 }))
      .map(([a, b]) => a + b.join('/')),
    query: fc.oneof(query(words), odd),
    headers: headers(words),
    body: fc.option(fuzzBody(words)),
    peer: odd,
    origin: fc.constant('http://127.0.0.1:4010'),
  });
}

export const methods = fc.constantFrom(
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'HEAD',
  'OPTIONS',
  'PATCH',
  'TRACE',
  'get',
  '',
  'M-SEARCH',
);

/** Ids of the world, for the most part: others only show 404. */
function pathValue({ good }: Vocabulary, template: string): fc.Arbitrary<string> {
  const right = fc.constantFrom(...(good[template.slice(1, -1)] ?? []));
  const known = fc.constantFrom(...Object.values(good).flat());
  const spelled = known.chain((id) => fc.constantFrom(id.toUpperCase(), encodeURIComponent(id)));
  return fc.oneof({ weight: 6, arbitrary: right }, spelled, odd);
}

const parameters = ['siteId', 'limit', 'cursor', 'since', 'range', '__code', '__example', '__proto__', 'x'];

function query({ good, cursors }: Vocabulary): fc.Arbitrary<string> {
  const right = fc.oneof(
    fc.integer({ min: -2, max: 300 }).map((limit) => `limit=${limit}`),
    fc.constantFrom(...(good.siteId ?? [])).map((id) => `siteId=${id}`),
    fc.constantFrom(...cursors).chain((at) => fc.constantFrom(`cursor=${at}`, `since=${at}`)),
    fc.constantFrom('range=7d', 'range=28d', 'range=90d'),
  );
  const value = fc.oneof(fc.constantFrom(...instants, '429', '402', 'provider_auth', 'limiter_key'), odd);
  const wrong = fc.tuple(fc.constantFrom(...parameters), value).map(([name, text]) => `${name}=${text}`);
  return fc.array(fc.oneof({ weight: 3, arbitrary: right }, wrong), { maxLength: 3 }).map((pairs) => pairs.join('&'));
}

function headers({ key, keys }: Vocabulary): fc.Arbitrary<Record<string, string>> {
  const right = fc.constant({ authorization: `Bearer ${key}` });
  const wish = fc.constantFrom(
    'code=401',
    'code=429, example=limiter_address',
    'example=nope',
    'code=',
    'code=500',
    'dynamic=true',
    'code="402"',
  );
  const any = fc.record(
    {
      authorization: fc.oneof(
        fc.constantFrom(...keys),
        odd,
        odd.map((text) => `Bearer ${text}`),
      ),
      prefer: fc.oneof(wish, odd),
      origin: fc.oneof(fc.constant('http://localhost:5173'), odd),
      'access-control-request-method': fc.constantFrom('POST', 'x'),
      'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6(), odd),
      'content-type': fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x'),
      host: odd,
      constructor: odd,
    },
    { requiredKeys: [] },
  );
  const mixed = fc.tuple(any, right).map(([odds, { authorization }]) => ({ ...odds, authorization }));
  return fc.oneof(
    { weight: 6, arbitrary: right },
    { weight: 2, arbitrary: mixed },
    any.map((values) => ({ ...values })),
  );
}
