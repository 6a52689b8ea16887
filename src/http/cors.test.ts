import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toRequest } from '../../fixtures/test-kit/engine.ts';
import { type CorsSetting, responseOptions, whyRejected, withCors } from './cors.ts';
import type { CoreRequest } from './message.ts';

const page = 'http://localhost:5173';
const byte = fc.nat(255).map((code) => String.fromCharCode(code));

const request = (overrides: Partial<CoreRequest> = {}): CoreRequest => ({
  ...toRequest('GET /articles', '/api/v1', {}),
  ...{ headers: { origin: page }, ...overrides },
});
const options = (overrides: Partial<CoreRequest>) => request({ method: 'OPTIONS', ...overrides });

const response = { status: 429, headers: { 'content-type': 'application/json' }, body: '{}' };

describe('a response', () => {
  it('names the origin of the page and the headers that it needs for waiting', () => {
    expect(withCors(request(), response)).toEqual({
      status: 429,
      body: '{}',
      headers: {
        'content-type': 'application/json',
        'access-control-allow-origin': page,
        'access-control-expose-headers':
          'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Casa-Unmatched',
        vary: 'Origin',
      },
    });
  });

  it('keeps what it varied by already', () => {
    const varied = withCors(request(), { ...response, headers: { vary: 'Accept' } });
    expect(varied.headers.vary).toBe('Accept, Origin');
  });

  it.each([
    ['no page asked', request({ headers: {} })],
    ['the admin API responds', request({ path: '/__admin/clock' })],
    ['the origin is malformed', request({ headers: { origin: 'evil\u00e9 "<>' } })],
  ])('is left alone when %s', (_when, asked) => {
    expect(withCors(asked, response)).toBe(response);
  });

  it('lets a page with an opaque origin read too', () => {
    expect(withCors(request({ headers: { origin: 'null' } }), response).headers).toMatchObject({
      'access-control-allow-origin': 'null',
    });
  });

  it('never carries an origin that a header could not', () => {
    fc.assert(
      fc.property(fc.string({ unit: byte }), (origin) => {
        const echoed = withCors(request({ headers: { origin } }), response).headers['access-control-allow-origin'];
        return echoed === undefined || /^[\x21-\x7e]+$/.test(echoed);
      }),
    );
  });
});

describe('a list of origins', () => {
  const only = ['http://localhost:5173'];
  const from = (origin: string) => request({ headers: { origin, 'access-control-request-method': 'POST' } });

  it('lets pages of these alone read and ask', () => {
    const allowed = (origin: string) => withCors(from(origin), response, only).headers['access-control-allow-origin'];
    expect([allowed(page), allowed('http://localhost:5174'), allowed('null')]).toEqual([page, undefined, undefined]);
    const asked = (origin: string) => responseOptions({ ...from(origin), method: 'OPTIONS' }, only)?.headers;
    expect(asked(page)).toMatchObject({ 'access-control-allow-origin': page });
    expect(asked('http://evil.example')).toEqual({});
  });

  it('sends Vary for caches', () => {
    expect(withCors(from('http://evil.example'), response, only).headers.vary).toBe('Origin');
  });

  it('may be empty, and CORS may be off', () => {
    for (const setting of [[], false]) {
      expect(withCors(from(page), response, setting)).toBe(response);
      expect(responseOptions({ ...from(page), method: 'OPTIONS' }, setting)?.headers).toEqual({});
    }
  });
});

it.each([
  [true, undefined],
  [[page], 'true'],
])('%j lets a page send credentials: %s', (setting, expected) => {
  const from = (method: string) =>
    request({ method, headers: { origin: page, 'access-control-request-method': 'POST' } });
  const credentials = 'access-control-allow-credentials';
  expect(withCors(from('GET'), response, setting).headers[credentials]).toBe(expected);
  expect(responseOptions(from('OPTIONS'), setting)?.headers[credentials]).toBe(expected);
});

describe('OPTIONS', () => {
  const ask = { origin: page, 'access-control-request-method': 'POST' };

  it('as a preflight lists the allowed headers', () => {
    expect(responseOptions(options({ headers: ask }))).toEqual({
      status: 204,
      body: '',
      headers: {
        'access-control-allow-origin': page,
        'access-control-allow-methods': 'GET, POST',
        'access-control-allow-headers': 'Authorization, Content-Type, Prefer',
        'access-control-max-age': '600',
        vary: 'Origin, Access-Control-Request-Headers',
      },
    });
  });

  it('as a preflight from another network is permitted by name', () => {
    const headers = { ...ask, 'access-control-request-private-network': 'true' };
    expect(responseOptions(options({ headers }))?.headers['access-control-allow-private-network']).toBe('true');
  });

  const strangers = ['https://evil.example', 'http://203.0.113.9', 'null'];
  it.each(strangers)('as a preflight from the public network is not permitted: %s', (origin) => {
    const headers = { ...ask, origin, 'access-control-request-private-network': 'true' };
    expect(responseOptions(options({ headers }))?.headers).not.toHaveProperty('access-control-allow-private-network');
  });

  it('as a preflight of the MCP endpoint allows what its clients send', () => {
    const apiResponse = responseOptions(options({ headers: ask, path: '/mcp' }));
    expect(apiResponse?.headers['access-control-allow-methods']).toBe('GET, POST, DELETE');
    expect(apiResponse?.headers['access-control-allow-headers']).toContain('Mcp-Session-Id');
  });

  it('that is not a preflight gets a response without a permission for the page', () => {
    expect(responseOptions(options({ headers: {} }))).toEqual({ status: 204, headers: {}, body: '' });
  });

  it.each([
    ['another method', request({ headers: ask })],
    ['the admin API', options({ headers: ask, path: '/__admin/reset' })],
  ])('rules are not for %s', (_what, asked) => {
    expect(responseOptions(asked)).toBeNull();
  });
});

describe('a preflight for further headers', () => {
  const wanted = 'authorization,traceparent,baggage, sentry-trace,x-request-id';
  const asked = { 'access-control-request-method': 'GET', 'access-control-request-headers': wanted };
  const preflight = (overrides: Partial<CoreRequest> = {}, headers: Record<string, string> = {}) =>
    options({ headers: { origin: page, ...asked, ...headers }, ...overrides });
  const outcome = (asked: CoreRequest, setting?: CorsSetting) =>
    whyRejected(asked, responseOptions(asked, setting) as Exclude<ReturnType<typeof responseOptions>, null>);

  it.each([
    ['on loopback', {}],
    ['through a port of a container', { peer: '172.17.0.1', origin: 'http://localhost:4010' }],
    ['to the MCP endpoint', { path: '/mcp' }],
    ['elsewhere', { peer: '203.0.113.9', origin: 'https://casa.example.com' }],
  ])('succeeds %s', (_where, overrides) => {
    expect(outcome(preflight(overrides))).toBeNull();
    expect(outcome(preflight(overrides), [page])).toBeNull();
  });

  it.each([
    ['another origin', ['http://localhost:9'], {}, `--cors-origin ${page} (and no --no-cors) allows pages of ${page}.`],
    ['no CORS', false, {}, `--cors-origin ${page} (and no --no-cors) allows pages of ${page}.`],
    ['another method', true, { 'access-control-request-method': 'PATCH' }, 'the API has no PATCH.'],
    [
      'the public network',
      true,
      { origin: 'https://evil.example', 'access-control-request-private-network': 'true' },
      'a page of the public network may not reach this machine.',
    ],
  ] as const)('is rejected because of %s', (_why, setting, headers, reason) => {
    const found = outcome(preflight({}, headers), setting as CorsSetting);
    expect(found).toBe(`The browser rejects this preflight: ${reason}`);
  });

  it('never puts anything but names into a header', () => {
    fc.assert(
      fc.property(fc.string({ unit: byte }), (text) => {
        const { headers } = responseOptions(preflight({}, { 'access-control-request-headers': text })) ?? {};
        return /^[\x21-\x7e, ]+$/.test(headers?.['access-control-allow-headers'] ?? '');
      }),
    );
  });
});
