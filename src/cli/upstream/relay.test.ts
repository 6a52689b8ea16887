import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { undone } from '../../../fixtures/test-kit/control-characters.ts';
import { toRequest } from '../../../fixtures/test-kit/engine.ts';
import { newFolder } from '../../../fixtures/test-kit/own-tmp.ts';
import { type Script, startScriptedServer, startTcpServer } from '../../../fixtures/test-kit/scripted-server.ts';
import type { CoreRequest } from '../../http/message.ts';
import { type OpenRelay, openRelay, type RelayOptions } from './relay.ts';
import { readUpstream } from './upstream-settings.ts';

const upstreamKey = 'live_00112233445566778899aabbccddeeff';
const clientKey = 'casa_0123456789abcdef0123456789abcdef';
const closing: (() => unknown)[] = [];
afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

interface Wishes extends Partial<RelayOptions> {
  readonly keys?: string[] | undefined;
  readonly record?: string;
}

function open(upstream: string, { keys, record, ...options }: Wishes = {}): OpenRelay {
  const settings = readUpstream({ upstream, forward: undefined, upstreamKey: keys, record });
  if (!settings) throw new Error('There is an upstream.');
  const env = { CASA_UPSTREAM_KEY: upstreamKey };
  const relay = openRelay(settings, { env, now: () => 0, tell: () => {}, ...options });
  closing.push(() => relay.close());
  return relay;
}

const request = (parts: Partial<CoreRequest> = {}): CoreRequest => ({
  ...toRequest('GET /sites', '/api/v1', { key: clientKey }),
  ...parts,
});

/** The result of one request to a server of this script. */
async function ask(script: Script, parts: Partial<CoreRequest> = {}, options: Partial<RelayOptions> = {}) {
  const server = await startScriptedServer(script);
  closing.push(server.close);
  const relay = open(server.baseUrl, options);
  return { ...(await relay.send(request(parts), clientKey)), requests: server.requests };
}

const text = (body: string | Uint8Array) => Buffer.from(body).toString('utf8');

/** Servers exist that take the method, the path, the host or the client from these. */
const othersMayReadOtherwise = [
  ...['x-http-method-override', 'x-http-method', 'x-method-override', 'x-original-method'],
  ...['x-original-url', 'x-original-uri', 'x-rewrite-url', 'x-override-url', 'x-envoy-original-path'],
  ...['x-forwarded-path', 'x-forwarded-prefix', 'x-forwarded-host', 'x-host', 'x-original-host', 'forwarded', 'via'],
  ...['x-real-ip', 'x-client-ip', 'true-client-ip', 'cf-connecting-ip', 'x-anything', 'destination', 'max-forwards'],
];

describe('a forwarded request', () => {
  it('has the key of the deployment, and none of what belongs to the connection, the mock or its page', async () => {
    let seen: Record<string, unknown> = {};
    const headers = {
      ...request().headers,
      connection: 'keep-alive, X-Mine',
      'x-mine': '1',
      te: 'trailers',
      cookie: 'session=1',
      origin: 'http://localhost:3000',
      'sec-fetch-site': 'cross-site',
      prefer: 'wait=0',
      'x-forwarded-for': '1.2.3.4',
      'accept-encoding': 'br',
      'x-request-id': 'r1',
      ...Object.fromEntries(othersMayReadOtherwise.map((name) => [name, 'DELETE'])),
    };
    const script: Script = (_path, { headers }) => {
      seen = headers;
      return {};
    };
    await ask(script, { headers });
    const host = expect.stringMatching(/^127\.0\.0\.1:\d+$/);
    expect(seen).toEqual({
      authorization: `Bearer ${upstreamKey}`,
      'x-request-id': 'r1',
      'x-casa-forwarded': '1',
      'accept-encoding': 'identity',
      connection: 'keep-alive',
      host,
    });
  });

  it.each([
    ['/api/v1/connect/accounts/a%2Fb/reviews', 'cursor=%20x&__delay=1s', '/connect/accounts/a%2Fb/reviews?cursor=%20x'],
    ['/api/v1/sites', '__code=503', '/sites'],
    ['/api/v1/sites', 'a__code=1', '/sites?a__code=1'],
    ['/api/v1/sites', '_method=DELETE&X-HTTP-Method-Override=PUT&a=_method', '/sites?a=_method'],
    ['/api/v1/articles/a..b', '', '/articles/a..b'],
    ['/api/v1/articles/...', '', '/articles/...'],
    ['/api/v1/articles/a%5Cb%25', 'a=../..', '/articles/a%5Cb%25?a=../..'],
  ])('keeps %s?%s to the letter, but for what speaks to the mock', async (path, query, target) => {
    const { requests } = await ask(() => ({}), { path, query });
    expect(requests).toEqual([`GET ${target}`]);
  });

  it('keeps the bytes of a body', async () => {
    const body = Buffer.from('{ "text" : "é\\u00e9" }');
    let sent = '';
    const script: Script = (_path, incoming) => {
      incoming.on('data', (piece) => {
        sent += piece;
      });
      return {};
    };
    await ask(script, { method: 'POST', path: '/api/v1/connect/accounts', body });
    expect(sent).toBe(String(body));
  });

  it.each([
    [[], {}, 'CASA_UPSTREAM_KEY is not set; --upstream-key NAME names another variable.'],
    [['MINE'], { MINE: ' ' }, 'MINE is not set'],
    [['MINE'], { MINE: 'a b' }, 'MINE holds no key: it has blanks or unexpected characters.'],
  ])('needs a key in the variables %j of %j', (names, env, sentence) => {
    const keys = names.length === 0 ? undefined : names;
    expect(() => open('http://127.0.0.1:9/api/v1', { env, keys })).toThrow(sentence);
  });

  it('is not sent for a client whose key has no key of the deployment', async () => {
    const relay = open('http://127.0.0.1:9/api/v1', { env: { OTHER: 'x1' }, keys: ['casa_other=OTHER'] });
    const { forwarded } = await relay.send(request(), clientKey);
    expect(forwarded.failure).toBe(
      'http://127.0.0.1:9 gave the mock no response: no key of it belongs to the key of this client; see --upstream-key.',
    );
  });

  it.each([
    ...['..', '%2e%2E', '.%2e', '%2e', '..%2f..%2fadmin', '..\\..\\admin', 'a%5c..%5cb', '%252e%252e%252fadmin'],
    ...['a%25252f..%25252fb', '..;x', 'a%2f..%3bx%2fb'],
  ])('is not sent where servers differ in how they read its path: %s', async (id) => {
    const { forwarded, requests, response } = await ask(() => ({}), { path: `/api/v1/articles/${id}` });
    expect([response.status, requests]).toEqual([504, []]);
    expect(forwarded.failure).toContain('its path has a segment "." or ".."');
  });

  it('does not go round in a circle', async () => {
    const headers = { ...request().headers, 'x-casa-forwarded': '1' };
    const { forwarded, requests } = await ask(() => ({}), { headers });
    expect(forwarded.failure).toContain('a mock has forwarded this request already');
    expect(requests).toEqual([]);
  });
});

/** With these the deployment would speak for the origin of the mock, or for the mock. */
const aboutTheOrigin = [
  ...['set-cookie', 'clear-site-data', 'service-worker-allowed', 'refresh', 'link', 'content-disposition'],
  ...['content-security-policy', 'content-security-policy-report-only', 'permissions-policy', 'referrer-policy'],
  ...['x-frame-options', 'x-xss-protection', 'x-permitted-cross-domain-policies', 'x-dns-prefetch-control'],
  ...['cross-origin-opener-policy', 'cross-origin-embedder-policy', 'cross-origin-resource-policy'],
  ...['strict-transport-security', 'alt-svc', 'nel', 'report-to', 'reporting-endpoints', 'origin-agent-cluster'],
  ...['speculation-rules', 'accept-ch', 'critical-ch', 'sourcemap', 'www-authenticate', 'x-accel-redirect'],
  ...['timing-allow-origin', 'x-robots-tag', 'x-casa-bug', 'x-casa-fault', 'x-anything', 'server'],
];

describe('a response that is handed back', () => {
  it('has the status, the headers and the bytes of the deployment', async () => {
    const body = '{"data":[ ],  "\\u0061":1}';
    const headers = {
      'x-ratelimit-limit': '60',
      'RateLimit-Policy': '60;w=60',
      connection: 'X-Hop, Sunset',
      'x-hop': '1',
      sunset: 'x',
      'access-control-allow-origin': '*',
      'x-request-id': 'r1',
      ...Object.fromEntries(aboutTheOrigin.map((name) => [name, '1'])),
    };
    const { response } = await ask(() => ({ status: 200, headers, body }));
    expect(response.status).toBe(200);
    expect(text(response.body)).toBe(body);
    expect(response.headers).toEqual({
      'content-type': 'application/json',
      'x-ratelimit-limit': '60',
      'ratelimit-policy': '60;w=60',
      'x-request-id': 'r1',
      'x-casa-upstream': 'answered',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
  });

  it('is unpacked where the deployment packs it against our wish', async () => {
    const server = await startTcpServer((socket) => {
      const body = gzipSync('{"data":[]}');
      socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${body.length}\r\n\r\n`);
      socket.write(body);
    });
    closing.push(server.close);
    const { response } = await open(`${server.origin}/api/v1`).send(request(), clientKey);
    expect(text(response.body)).toBe('{"data":[]}');
    expect(response.headers).not.toHaveProperty('content-encoding');
  });

  it.each([301, 302, 307])('is a redirect of %i that is not followed', async (status) => {
    const { response, requests, forwarded } = await ask(() => ({ status, headers: { location: '/api/v2/sites' } }));
    expect([response.status, response.headers.location]).toEqual([status, '/api/v2/sites']);
    expect(requests).toHaveLength(1);
    expect(forwarded.findings).toContainEqual(expect.objectContaining({ rule: 'rule/status', clause: '9.base-path' }));
  });

  it('is compared with earlier ones, and each finding is reported once', async () => {
    const ids = ['a', 'b'].map((mark) => `${mark.repeat(8)}-1111-4111-8111-111111111111`);
    let [sent, nowMs] = [0, 0];
    const server = await startScriptedServer(() => {
      sent += 1;
      return { body: { data: (sent === 2 ? ids.slice(1) : ids).map((id) => ({ id })) } };
    });
    closing.push(server.close);
    const relay = open(server.baseUrl, { now: () => (nowMs += 10) });
    const found: (readonly string[])[] = [];
    for (let reads = 0; reads < 4; reads += 1) {
      const { forwarded } = await relay.send(request(), clientKey);
      found.push((forwarded?.findings ?? []).flatMap(({ rule }) => (rule.startsWith('rule/') ? [] : [rule])));
    }
    expect(found).toEqual([[], [], ['lists/no-return'], []]);
  });

  it('of 304 to a client that has it already is not a violation', async () => {
    const headers = { ...request().headers, 'if-none-match': '"1"' };
    const { response, forwarded } = await ask(
      (_path, { headers }) => ({ status: headers['if-none-match'] ? 304 : 200, body: '' }),
      { headers },
    );
    expect([response.status, forwarded.findings]).toEqual([304, []]);
  });

  const asJson = (text: string) => [...text].map((sign) => `\\u00${sign.charCodeAt(0).toString(16)}`).join('');
  const percent = (text: string) =>
    encodeURIComponent(text).replace(/[a-z]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

  it.each([
    ['unchanged', upstreamKey],
    ['in upper case', upstreamKey.toUpperCase()],
    ['percent-encoded', percent(upstreamKey)],
    ['percent-encoded twice', percent(percent(upstreamKey))],
    ['in escapes of JSON', asJson(upstreamKey)],
    ['in base64', Buffer.from(`key:${upstreamKey}`).toString('base64')],
    ['in base64url', Buffer.from(`"${upstreamKey}"`).toString('base64url')],
    ['in hex', Buffer.from(upstreamKey).toString('hex')],
    ['backwards', [...upstreamKey].reverse().join('')],
  ])('shows no key of the deployment: %s', async (_what, spelled) => {
    const body = `{"error":{"code":"unauthorized","message":"no ${spelled}"},"${spelled}":1}`;
    const { response, forwarded } = await ask(() => ({ status: 401, headers: { 'x-request-id': spelled }, body }));
    const shown = JSON.stringify([text(response.body), response.headers, forwarded]);
    expect(shown.replaceAll('\\\\', '\\')).not.toContain(spelled);
    expect(text(response.body)).toContain('$CASA_UPSTREAM_KEY');
    expect(response.headers['x-request-id']).toContain('$CASA_UPSTREAM_KEY');
    const found = forwarded.findings.map(({ rule, actual }) => `${rule}: ${actual}`);
    expect(found).toContain('rule/key-secrecy: $CASA_UPSTREAM_KEY');
  });

  const utf16 = (spelled: string) => Buffer.from(spelled, 'utf16le');
  const utf7 = (spelled: string) => Buffer.from(`+${utf16(spelled).swap16().toString('base64')}-`);
  const utf32 = (spelled: string) =>
    Buffer.concat([...spelled].map((sign) => Buffer.from([0, 0, 0, sign.charCodeAt(0)])));
  // The encoding of IBM mainframes: no byte is that of ASCII.
  const ebcdic = (spelled: string) => Uint8Array.from(Buffer.from(spelled, 'latin1'), (byte) => byte ^ 0x80);

  it.each<[string, string, (spelled: string) => Uint8Array, 'replaced' | 'rejected']>([
    ['UTF-16', '', utf16, 'rejected'],
    ['UTF-16 with a mark', '', (spelled) => utf16(`\ufeff${spelled}`), 'rejected'],
    ['UTF-16 that says so', '; charset=utf-16', (spelled) => utf16(`\ufeff${spelled}`), 'rejected'],
    ['UTF-16, big end first', '', (spelled) => utf16(`\ufeff${spelled}`).swap16(), 'rejected'],
    ['UTF-32', '', utf32, 'rejected'],
    ['UTF-32 with a mark', '; charset="UTF-32"', (spelled) => utf32(`\ufeff${spelled}`), 'rejected'],
    ['packed bytes without a word', '', (spelled) => gzipSync(spelled), 'rejected'],
    ['packed bytes as Latin', '; charset=iso-8859-1', (spelled) => gzipSync(spelled), 'rejected'],
    ['UTF-7', '; charset=UTF-7', utf7, 'rejected'],
    ['EBCDIC', '; charset=ibm037', ebcdic, 'rejected'],
    ['EBCDIC that does not say so', '', ebcdic, 'rejected'],
    ['Latin', '; charset=ISO-8859-1', (spelled) => Buffer.from(`\u00e9${spelled}`, 'latin1'), 'replaced'],
    ['UTF-8 with a mark', '; charset=utf-8', (spelled) => Buffer.from(`\ufeff${spelled}`), 'replaced'],
  ])('shows no key of the deployment in %s', async (_what, charset, encode, result) => {
    const body = encode(`{"data":[],"key":"${upstreamKey}","${upstreamKey}":1}`);
    const headers = { 'content-type': `application/json${charset}`, [`x-ratelimit-${upstreamKey}`]: '1' };
    const server = await startTcpServer((socket) => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
      socket.write(`HTTP/1.1 200 OK\r\n${lines.join('')}content-length: ${body.length}\r\n\r\n`);
      // In the middle of the key.
      socket.write(body.subarray(0, body.length / 2), () => socket.write(body.subarray(body.length / 2)));
    });
    closing.push(server.close);
    const record = join(newFolder(), 'traffic.har');
    const relay = open(`${server.origin}/api/v1`, { record });
    const { response, forwarded } = await relay.send(request(), clientKey);
    relay.close();
    const files = [JSON.stringify([response.headers, forwarded]), readFileSync(record, 'utf8')];
    const shown = [Buffer.from(response.body).toString('latin1'), undone(files.join(''))].join('').replaceAll('\0', '');
    expect(shown).not.toContain('00112233');
    expect([response.status, forwarded.failure]).toEqual(
      result === 'replaced' ? [200, null] : [502, expect.stringContaining('its body is not text in UTF-8')],
    );
  });

  it('leaves the data of customers in a body', async () => {
    const body = '{"data":[],"mail":"ann@example.com","phone":"+1 774 555 0170"}';
    expect(text((await ask(() => ({ body }))).response.body)).toBe(body);
  });

  it.each([600, 999])('with the invalid status %i becomes a 502 that says so', async (status) => {
    const server = await startTcpServer((socket) => socket.end(`HTTP/1.1 ${status} Odd\r\ncontent-length: 0\r\n\r\n`));
    closing.push(server.close);
    const { response } = await open(`${server.origin}/api/v1`).send(request(), clientKey);
    const { error } = JSON.parse(text(response.body));
    expect([response.status, error.code]).toEqual([502, 'upstream_failed']);
    expect(error.message).toContain(`its status ${status} is not a valid one`);
  });

  it.each([
    ['one of the contract', { body: { data: [] } }, []],
    ['a field too few', { body: {} }, ['rule/list-sites-shape']],
    ['no JSON', { body: '<p>' }, ['rule/json']],
    [
      'a code of another status',
      { status: 404, body: { error: { code: 'transient', message: '' } } },
      ['rule/status', 'rule/code-status'],
    ],
  ])('is checked: %s', async (_what, scripted, rules) => {
    const { forwarded } = await ask(() => scripted);
    expect([...new Set(forwarded.findings.map(({ rule }) => rule))]).toEqual(rules);
  });

  it.each([
    [{ error: 'rate_limit_exceeded' }, '60', 'key'],
    [{ error: 'rate_limit_exceeded' }, '10', 'address'],
    [{ error: { code: 'rate_limited', message: 'm' } }, '10', null],
  ])('of 429 with %j and a limit of %s is of the limiter of %s', async (body, limit, blockedBy) => {
    const found = await ask(() => ({ status: 429, headers: { 'x-ratelimit-limit': limit }, body }));
    expect(found.blockedBy).toBe(blockedBy);
  });

  it.each([
    [{ data: { calls: [], nextCursor: null } }, true],
    [{ data: { calls: {}, nextCursor: null } }, false],
    [{ data: { calls: [], nextCursor: 1 } }, false],
    [[], false],
    [null, false],
  ])('with the call log %j is a page: %s', async (body, isPage) => {
    const { output } = await ask(() => ({ body: JSON.stringify(body) }), { path: '/api/v1/connect/calls/log' });
    expect(output).toEqual(isPage ? body : null);
  });
});

describe('a deployment that gives no response', () => {
  const failed = async (origin: string, timeoutMs = 2000) => {
    const { response, forwarded } = await open(`${origin}/api/v1`, { timeoutMs }).send(request(), clientKey);
    const { error } = JSON.parse(text(response.body));
    const { 'x-casa-upstream': result } = response.headers;
    expect([response.status, error.code, result]).toEqual([504, 'upstream_failed', 'failed']);
    expect(error.message).toBe(forwarded.failure);
    expect(forwarded.findings).toEqual([]);
    return error.message as string;
  };
  const ends = (bytes: string) => (socket: Socket) => void socket.end(bytes);
  const ok = 'HTTP/1.1 200 OK\r\n';

  it.each<[string, (socket: Socket) => void, string, number?]>([
    ['it is silent', () => {}, 'no response: no complete response within 0.05 s.', 50],
    ['it ends the connection', ends(''), 'socket hang up'],
    ['it is another server', ends('SSH-2.0-OpenSSH\r\n'), 'its response is not HTTP'],
    ['a part of a body', ends(`${ok}content-length: 100\r\n\r\n{`), 'the body is incomplete'],
    ['no gzip', ends(`${ok}content-encoding: gzip\r\ncontent-length: 3\r\n\r\nxyz`), 'the body is not valid gzip'],
    ['a long body', ends(`${ok}\r\n${' '.repeat(8_100_000)}`), 'the body is over 8000000 bytes', 10_000],
  ])('is reported in one sentence: %s', async (_what, onRequest, sentence, timeoutMs) => {
    const server = await startTcpServer(onRequest);
    closing.push(server.close);
    expect(await failed(server.origin, timeoutMs)).toContain(sentence);
  });

  it('is reported in one sentence: connection refused', async () => {
    const server = await startTcpServer(() => {});
    await server.close();
    expect(await failed(server.origin)).toBe(
      `${server.origin} gave the mock no response: it rejects connections (connect ECONNREFUSED ${server.origin.slice(7)}).`,
    );
  });

  it('is reported in one sentence: the port does not accept TLS', async () => {
    const server = await startTcpServer(ends('HTTP/1.1 400 Bad Request\r\n\r\n'));
    closing.push(server.close);
    const message = await failed(server.origin.replace('http:', 'https:'));
    expect(message).toMatch(
      /TLS failed \(the port does not accept TLS\); NODE_EXTRA_CA_CERTS=FILE trusts your own certificate authority/,
    );
  });

  it('holds twenty requests and no more', async () => {
    const server = await startTcpServer(() => {});
    closing.push(server.close);
    const relay = open(`${server.origin}/api/v1`, { timeoutMs: 300 });
    const all = await Promise.all(Array.from({ length: 21 }, () => relay.send(request(), clientKey)));
    const failures = all.map(({ forwarded }) => forwarded.failure ?? '');
    expect(failures.filter((each) => each.includes('20 requests to it are under way'))).toHaveLength(1);
  });
});
