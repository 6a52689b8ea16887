// For the fuzz test: requests from nearly right to absurd.
import fc from 'fast-check';
import { operations } from '../contract/generated/operations.ts';
import type { OrganizationData, WorldData } from '../domain/world-data.ts';
import type { CoreRequest } from '../http/message.ts';

/** Words of the world that a request may use, so that many get past the first check. */
export interface Vocabulary {
  readonly key: string;
  /** All others: of other organizations, and revoked. */
  readonly keys: readonly string[];
  readonly good: Readonly<Record<string, readonly string[]>>;
  readonly cursors: readonly string[];
}

export function vocabularyOf({ organizations }: WorldData): Vocabulary {
  const first = organizations[0] as OrganizationData;
  const { keys, accounts, articles, sites, calls } = first;
  return {
    key: keys.find(({ revoked }) => !revoked)?.key ?? '',
    keys: organizations.flatMap((other) => other.keys).map(({ key }) => key),
    good: {
      accountId: accounts.filter(({ status }) => status === 'connected').map(({ accountId }) => accountId),
      id: [...sites, ...articles].map(({ id }) => id),
      siteId: sites.map(({ id }) => id),
      reviewId: accounts.flatMap(({ reviews }) => reviews.map(({ reviewId }) => reviewId)),
    },
    cursors: [...articles.map(({ createdAt }) => createdAt), ...calls.map(({ endedAt }) => endedAt)],
  };
}

const bytes = new TextEncoder();
const oddities = [
  '',
  '.',
  '..',
  '*',
  '%',
  '%00',
  '%2F',
  '%2e%2e',
  '%ff',
  '%e9%a0',
  '%GG',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-1',
  '0',
  '00',
  '1e9',
  '9'.repeat(400),
  '\u0000',
  'é',
  '\ud800',
  '💥',
  ' ',
  '+',
  '"',
  '<script>',
  'a'.repeat(5000),
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-9000-c000-000000000000',
];
const instants = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456789Z',
  '20260101T000000Z',
  '9999-12-31T23:59:60Z',
  '+275760-09-13T00:00:00Z',
  '-271821-04-20T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T24:00:00+14:00',
  `2026-01-01T00:00:00.${'1'.repeat(300)}Z`,
];

const odd = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...oddities) },
  fc.string({ unit: 'binary', maxLength: 12 }),
);

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
      body: operation.body ? body(words) : fc.option(body(words), { freq: 20 }),
      peer: fc.constantFrom('127.0.0.1', '203.0.113.9', '::1', ''),
      origin: fc.constant('http://127.0.0.1:4010'),
    }),
  );
}

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
    body: fc.option(body(words)),
    peer: odd,
    origin: fc.constant('http://127.0.0.1:4010'),
  });
}

const methods = fc.constantFrom(
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

/** A request for the control plane; `paths` are those of its routes. */
export function fuzzAdminRequest(paths: readonly string[]): fc.Arbitrary<CoreRequest> {
  const path = fc
    .constantFrom(...paths)
    .chain((template) =>
      fc.constantFrom('1', 'a', 'org_1', ...oddities).map((id) => `/__admin${template.replace('{id}', id)}`),
    );
  return fc.record({
    method: fc.oneof({ weight: 3, arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE') }, methods),
    path,
    query: fc.oneof(
      { weight: 3, arbitrary: fc.constant('') },
      odd,
      odd.map((text) => `limit=${text}`),
    ),
    headers: fc.constantFrom<Record<string, string>>({}, { host: 'localhost:1' }, { origin: 'http://evil.example' }),
    body: fc.option(adminBody),
    peer: fc.constantFrom('127.0.0.1', '::1'),
    origin: fc.constant('http://127.0.0.1:4010'),
  });
}

const adminFields = (): Record<string, fc.Arbitrary<unknown>> => {
  const name = fc.oneof(fc.constantFrom<unknown>('1', 'a', 'org_1'), odd);
  const count = fc.oneof(fc.integer({ min: -1, max: 100 }), fc.constantFrom<unknown>(1e15, 0.5, '5'));
  const bucket = fc.record({ limit: count, windowMs: count }, { requiredKeys: [] });
  const match = fc.record({ operation: fc.constantFrom('listArticles', 'nope'), ip: name }, { requiredKeys: [] });
  const error = fc.constantFrom('provider_auth', 'limiter_key', 'nope');
  const network = fc.constantFrom('reset', 'timeout', 'nope');
  const rule = fc.record(
    { match, error, network, times: count, latencyMs: count, probability: count },
    { requiredKeys: [] },
  );
  return {
    id: name,
    match,
    error,
    network,
    times: count,
    latencyMs: count,
    faults: fc.array(rule, { maxLength: 3 }),
    enforced: fc.oneof(fc.boolean(), name),
    address: bucket,
    key: fc.oneof(bucket, name),
    duration: fc.oneof(fc.constantFrom('5m', '36500d', '1000000d', '1e300s', '-1s'), fc.integer(), name),
    time: fc.constantFrom(...instants, 0, 1e18),
    scale: fc.oneof(fc.double(), count),
    organizationId: name,
    startedAt: fc.constantFrom(...instants),
    outcome: name,
    name,
    world: fc.constantFrom('empty', 'default', 'nope'),
    path: name,
    status: count,
  };
};

const adminBody = fc
  .oneof(
    { weight: 5, arbitrary: fc.record(adminFields(), { requiredKeys: [] }) },
    ...Object.entries(adminFields()).map(([name, value]) => value.map((one) => ({ [name]: one }))),
  )
  .map((value) => bytes.encode(JSON.stringify(value)));

const rightInputs = [
  { text: 'Hello' },
  { text: '\u{1f4a5}'.repeat(5000), media: { imageUrl: 'https://a.example/b.png' }, link: 'https://a.example/' },
  { text: 'x'.repeat(4096), accountId: 'ignored' },
  { provider: 'tiktok', label: 'x'.repeat(80) },
  { provider: 'google_business', label: '\u{1f4a5}', maxAccounts: 20 },
];

function body({ good }: Vocabulary): fc.Arbitrary<Uint8Array> {
  const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.jsonValue({ maxDepth: 2 }), odd);
  const either = (...values: unknown[]) => fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, field);
  const mixed = fc.record(
    {
      accountId: either(...(good.accountId ?? [])),
      reviewId: field,
      text: either('Hello', 'x'.repeat(5001), ''),
      media: either({ imageUrl: 'https://a.example/b.png' }),
      link: fc.oneof(fc.webUrl(), field),
      provider: either('facebook_page', 'google_business'),
      label: either('Shop', 'x'.repeat(81)),
      maxAccounts: fc.oneof(fc.integer({ min: -1, max: 22 }), fc.double(), field),
    },
    { requiredKeys: [] },
  );
  const encode = (value: unknown) => bytes.encode(JSON.stringify(value));
  return fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...rightInputs).map(encode) },
    { weight: 4, arbitrary: mixed.map(encode) },
    { weight: 1, arbitrary: fc.json({ maxDepth: 4 }).map((text) => bytes.encode(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 60 }) },
    { weight: 1, arbitrary: fc.constantFrom(...oddBodies) },
  );
}

const oddBodies: Uint8Array[] = [
  new Uint8Array(0),
  Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d),
  Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d),
  Uint8Array.of(0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00),
  ...[
    '[]',
    'null',
    '1',
    '"x"',
    '{',
    '{}x',
    '{"a":1e999}',
    '{"__proto__":{"text":"x"}}',
    '{"text":"a","text":"b"}',
    '{"text":"\\ud800"}',
    '{"constructor":1,"toString":2,"hasOwnProperty":3}',
    '['.repeat(20_000),
    '{"a":'.repeat(20_000),
    `{"text":"${'\\u0000'.repeat(500)}"}`,
    `{"label":"x","provider":"tiktok","maxAccounts":1${'0'.repeat(400)}}`,
  ].map((text) => bytes.encode(text)),
];
