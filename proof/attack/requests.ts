// The one generator of hostile requests, from nearly valid to absurd. The fuzz tests send them to an engine in this
// process, the storm to a mock over sockets.
import fc from 'fast-check';
import { goodKey, shop, unknownKey } from '../../fixtures/test-kit/actors.ts';
import { mcpHeaders } from '../../fixtures/test-kit/engine.ts';
import { operations } from '../../src/contract/generated/operations.ts';
import { tools } from '../../src/contract/generated/tools.ts';
import type { CoreRequest } from '../../src/http/message.ts';
import {
  anyBody,
  cursors,
  hex,
  ids,
  keys,
  siteIds,
  timestamps,
  toBytes,
  unexpected,
  unexpectedPairs,
} from './words.ts';

type Headers = Record<string, string>;

const authorization = `Bearer ${goodKey}`;
const here = { peer: '127.0.0.1', origin: 'http://127.0.0.1:4010' };
const methods = fc.constantFrom(
  ...'GET POST PUT DELETE HEAD OPTIONS PATCH TRACE PROPFIND M-SEARCH BREW get'.split(' '),
  '',
);

/** One otherwise normal request with the valid key. */
export function plainRequest(method: string, path: string, rest: Partial<CoreRequest> = {}): CoreRequest {
  return { method, path, query: '', headers: { authorization }, body: null, ...here, ...rest };
}

/** Mostly values that exist: others only show 404. */
function pathValue(parameter: string): fc.Arbitrary<string> {
  const known = fc.constantFrom(...Object.values(ids).flat());
  const spelled = known.chain((id) => fc.constantFrom(id.toUpperCase(), encodeURIComponent(id)));
  return fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...(ids[parameter] ?? [])) }, spelled, unexpected);
}

const validPair = fc.oneof(
  fc.integer({ min: -2, max: 300 }).map((limit) => `limit=${limit}`),
  fc.constantFrom(...siteIds).map((id) => `siteId=${id}`),
  fc.constantFrom(...cursors).chain((at) => fc.constantFrom(`cursor=${at}`, `since=${at}`)),
  fc.constantFrom('range=7d', 'range=28d', 'range=90d'),
);
const unexpectedPair = fc
  .tuple(
    fc.constantFrom(...'siteId limit cursor since range __code __example __proto__ constructor x'.split(' ')),
    fc.oneof(fc.constantFrom(...timestamps, '429', '402', '503', 'provider_auth', 'limiter_key'), unexpected),
  )
  .map(([name, value]) => `${name}=${value}`);
const query = fc
  .array(fc.oneof({ weight: 3, arbitrary: validPair }, unexpectedPair), { maxLength: 3 })
  .map((pairs) => pairs.join('&'));

const wish = fc.constantFrom(
  ...['code=401', 'code=503', 'code=999', 'code=500', 'code="402"', 'code=', 'code=;;,,', 'dynamic=true'],
  ...['code=429, example=limiter_address', 'example=limiter_key', 'example=nope', 'example='],
  'example=\u001b[2J',
);
const unexpectedHeaders: fc.Arbitrary<Headers> = fc
  .record(
    {
      authorization: fc.oneof(
        fc.constantFrom(...keys),
        unexpected,
        unexpected.map((text) => `Bearer ${text}`),
      ),
      prefer: fc.oneof(wish, unexpected),
      origin: fc.oneof(fc.constant('http://localhost:5173'), unexpected),
      'access-control-request-method': fc.constantFrom('POST', 'x'),
      'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6(), unexpected),
      'content-type': fc.constantFrom('application/json', 'text/plain', 'multipart/form-data; boundary=x'),
      host: unexpected,
      constructor: unexpected,
    },
    { requiredKeys: [], noNullPrototype: true },
  )
  .map((headers) => headers as Headers);
const headers: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({ authorization }) },
  { weight: 2, arbitrary: unexpectedHeaders.map((some) => ({ ...some, authorization })) },
  unexpectedHeaders,
);

/** A request for an operation with each part valid or unexpected by itself. */
const nearlyValid: fc.Arbitrary<CoreRequest> = fc.constantFrom(...Object.values(operations)).chain((operation) =>
  fc.record({
    method: fc.oneof({ weight: 9, arbitrary: fc.constant<string>(operation.method) }, methods),
    path: fc
      .tuple(...operation.segments.map((part) => (part.startsWith('{') ? pathValue(part) : fc.constant(part))))
      .map((segments) => `/api/v1/${segments.join('/')}`),
    query,
    headers,
    body: operation.body ? anyBody : fc.option(anyBody, { freq: 20 }),
    peer: fc.constantFrom('127.0.0.1', '203.0.113.9', '::1', ''),
    origin: fc.constant(here.origin),
  }),
);

/** No part is related to another. */
const absurd: fc.Arbitrary<CoreRequest> = fc.record({
  method: methods,
  path: fc
    .tuple(
      fc.constantFrom('/api/v1/', '/api/v1', '//api/v1/', '/api/v2/', '/api/v1/../', '/connect/', '/mcp', '/', ''),
      fc.array(fc.oneof(unexpected, pathValue('{id}')), { maxLength: 6 }),
    )
    .map(([start, rest]) => start + rest.join('/')),
  query: fc.oneof(query, unexpected),
  headers,
  body: fc.option(anyBody),
  peer: unexpected,
  origin: fc.constant(here.origin),
});

/** Four of five reach an operation. */
export const apiRequest = fc.oneof({ weight: 4, arbitrary: nearlyValid }, { weight: 1, arbitrary: absurd });

const word = fc.oneof(
  fc.constantFrom(shop.accountId, 'null', '', timestamps[0], 'phone\n1234\n', 'tiktok', '28d', '__proto__', '\ud800'),
  fc.string({ unit: 'grapheme', maxLength: 20 }),
);
const value = fc.oneof(word, word, fc.integer(), fc.double(), fc.constant(null), fc.jsonValue({ maxDepth: 2 }));
const toolArguments = fc.dictionary(
  fc.constantFrom(
    ...'provider label accountId reviewId text cursor since limit max csv rows media range constructor'.split(' '),
    '__proto__',
  ),
  value,
);
const message = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0'),
    id: fc.oneof(fc.nat(), word, value),
    method: fc.oneof(
      fc.constant('tools/call'),
      fc.constantFrom('tools/list', 'initialize', 'ping', 'server/discover', 'x', '__proto__'),
    ),
    params: fc.oneof(
      fc.record(
        {
          name: fc.constantFrom(...Object.keys(tools), 'x', 'toString'),
          arguments: fc.oneof(toolArguments, value),
          _meta: fc.constantFrom(undefined, { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }, 7),
        },
        { requiredKeys: ['name'] },
      ),
      value,
    ),
  },
  { requiredKeys: ['jsonrpc', 'method'] },
);
const validMcpHeaders = { authorization, ...mcpHeaders };
const unexpectedMcpHeaders: fc.Arbitrary<Headers> = fc.record(
  {
    authorization: fc.constantFrom(authorization, `Bearer ${unknownKey}`),
    accept: fc.constantFrom(validMcpHeaders.accept, '*/*'),
    'content-type': fc.constantFrom('application/json', 'text/plain'),
    'mcp-protocol-version': fc.constantFrom('2025-11-25', '2026-07-28', 'x'),
    'mcp-method': fc.constantFrom('tools/call', 'x'),
    origin: fc.constantFrom('http://localhost:1', 'http://evil.example', 'null'),
    prefer: fc.constantFrom('code=503', 'code=401', 'code=999', 'example=limiter_key'),
  },
  { requiredKeys: [] },
);

/** A message to the MCP endpoint: a call of a tool, another method, a batch, or no message at all. */
export const mcpRequest: fc.Arbitrary<CoreRequest> = fc
  .record({
    method: fc.constantFrom('POST', 'POST', 'POST', 'GET'),
    headers: fc.oneof(
      { weight: 2, arbitrary: fc.constant(validMcpHeaders) },
      unexpectedMcpHeaders.map((some) => ({ ...validMcpHeaders, ...some })),
    ),
    text: fc.oneof(
      { weight: 8, arbitrary: message.map((one) => JSON.stringify(one)) },
      { weight: 1, arbitrary: fc.oneof(fc.string(), fc.json()) },
      { weight: 1, arbitrary: fc.constantFrom('[]', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', '{') },
    ),
  })
  .map(({ method, headers: some, text }) => ({
    ...plainRequest(method, '/mcp', { headers: some }),
    body: method === 'POST' ? new TextEncoder().encode(text) : null,
  }));

/** Every field that a body of the admin API can have, valid or odd. */
function adminFields(): Record<string, fc.Arbitrary<unknown>> {
  const name = fc.oneof(fc.constantFrom<unknown>('1', 'a', 'org_1'), unexpected);
  const count = fc.oneof(fc.integer({ min: -1, max: 100 }), fc.constantFrom<unknown>(1e15, 0.5, '5'));
  const bucket = fc.record({ limit: count, windowMs: count }, { requiredKeys: [] });
  const fault = {
    match: fc.record({ operation: fc.constantFrom('listArticles', 'nope'), ip: name }, { requiredKeys: [] }),
    error: fc.constantFrom('provider_auth', 'limiter_key', 'nope'),
    network: fc.constantFrom('reset', 'timeout', 'nope'),
    times: count,
    latencyMs: count,
  };
  return {
    ...fault,
    faults: fc.array(fc.record({ ...fault, probability: count }, { requiredKeys: [] }), { maxLength: 3 }),
    enforced: fc.oneof(fc.boolean(), name),
    address: bucket,
    key: fc.oneof(bucket, name),
    duration: fc.oneof(fc.constantFrom('5m', '36500d', '1000000d', '1e300s', '-1s'), fc.integer(), name),
    time: fc.constantFrom(...timestamps, 0, 1e18),
    scale: fc.oneof(fc.double(), count),
    startedAt: fc.constantFrom(...timestamps),
    world: fc.constantFrom('empty', 'default', 'nope'),
    ...Object.fromEntries(['id', 'organizationId', 'outcome', 'name', 'path'].map((field) => [field, name])),
    status: count,
  };
}

/** A request to one of these paths of the admin API. All fields in one body: a route ignores those of others. */
export function adminRequest(paths: readonly string[]): fc.Arbitrary<CoreRequest> {
  const fields = Object.entries(adminFields());
  const body = fc.oneof(
    { weight: 5, arbitrary: fc.record(Object.fromEntries(fields), { requiredKeys: [] }) },
    ...fields.map(([name, values]) => values.map((one) => ({ [name]: one }))),
  );
  return fc.record({
    method: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE') }, methods),
    path: fc
      .tuple(fc.constantFrom(...paths), fc.constantFrom('1', 'a', 'org_1', ...unexpectedPairs))
      .map(([template, id]) => `/__admin${template.replace('{id}', id)}`),
    query: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      unexpected,
      unexpected.map((text) => `limit=${text}`),
    ),
    headers: fc.constantFrom<Headers>({}, { host: 'localhost:1' }, { origin: 'http://evil.example' }),
    body: fc.option(body.map(toBytes)),
    peer: fc.constantFrom('127.0.0.1', '::1'),
    origin: fc.constant(here.origin),
  });
}

/** Heads of many kilobytes, keys that do not exist, false addresses, foreign pages and guessed links. */
export const heads: Readonly<Record<string, fc.Arbitrary<CoreRequest>>> = {
  'false keys': fc
    .oneof(
      hex(32).map((digits) => `casa_${digits}`),
      hex(16).map((digits) => digits + 'k'.repeat(14_000)),
    )
    .map((key) => plainRequest('GET', '/api/v1/sites', { headers: { authorization: `Bearer ${key}` } })),
  'false addresses': fc
    .record({
      name: fc.constantFrom('x-forwarded-for', 'forwarded', 'x-real-ip', 'via'),
      text: fc.oneof(
        fc.ipV6(),
        hex(200).map((digits) => `for=${digits}`),
        fc.constantFrom('1.2.3.4, 5.6.7.8', 'unknown', 'a'.repeat(4_000)),
      ),
    })
    .map(({ name, text }) => plainRequest('GET', '/api/v1/sites', { headers: { [name]: text } })),
  'long heads': hex(4).chain((digits) => {
    const many = (count: number, each: (i: number) => string) => Array.from({ length: count }, (_, i) => each(i));
    const flood = Object.fromEntries(many(100, (i) => `x-${i}-${digits}`).map((name) => [name, 'v'.repeat(90)]));
    return fc.constantFrom(
      plainRequest('GET', `/api/v1/${digits}/${'p'.repeat(12_000)}`),
      plainRequest('GET', '/api/v1/articles', { query: many(1_000, (i) => `q${i}=${i % 9}`).join('&') }),
      plainRequest('GET', '/api/v1/sites', { headers: { authorization, ...flood } }),
    );
  }),
  'foreign pages': fc
    .record({
      method: fc.constantFrom('OPTIONS', 'GET'),
      path: fc.constantFrom('/api/v1/sites', '/__admin/reset', '/mcp'),
      origin: fc.oneof(
        fc.constantFrom('http://evil.example', 'null'),
        hex(100).map((digits) => `http://${digits}`),
      ),
    })
    .map(({ method, path, origin }) => {
      const prefers = { 'access-control-request-method': 'POST', 'access-control-request-private-network': 'true' };
      return plainRequest(method, path, { headers: { origin, ...prefers } });
    }),
  'guessed links': fc
    .record({ method: fc.constantFrom('GET', 'POST'), token: fc.oneof(hex(4), hex(32), hex(500)) })
    .map(({ method, token }) => plainRequest(method, `/connect/${token}`, { headers: {} })),
  'guessed admin requests': fc
    .record({
      method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
      path: fc.constantFrom(...'faults clock/set snapshots organizations/x limits calls/x/end x'.split(' ')),
      headers: fc.constantFrom<Headers>({}, { origin: 'http://evil.example' }, { via: '1.1 x' }),
      body: fc.constantFrom('{', '[]', '{"match":{"operation":"x"},"times":-1}', '{"instant":"x"}', 'null'),
    })
    .map(({ method, path, headers: some, body }) =>
      plainRequest(method, `/__admin/${path}`, { headers: some, body: new TextEncoder().encode(body) }),
    ),
};

/** The bytes of a request. The admin API rejects forwarded requests; the others get separate addresses. */
export function bytesOf({ method, path, query, headers, body }: CoreRequest, address = '127.0.0.1'): Buffer {
  const forwarded = path.startsWith('/__admin') ? {} : { 'x-forwarded-for': address };
  const length = body === null ? {} : { 'content-type': 'application/json', 'content-length': String(body.length) };
  const lines = Object.entries({ host: '127.0.0.1', ...forwarded, ...length, ...headers });
  const target = query === '' ? path : `${path}?${query}`;
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), body ?? Buffer.alloc(0)]);
}
