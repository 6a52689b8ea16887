import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { startIndependent } from '../../proof/independent/index.ts';
import { runConformance } from '../index.ts';
import { conclude, type ExitRules } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { har } from '../reporters/har.ts';
import { json } from '../reporters/json.ts';
import { quoteFindings } from '../reporters/quoted.ts';
import { checkRecording, readHar } from './har.ts';

const key = 'key_0123456789abcdef0123456789abcdef';
const base = 'https://staging.example.com/api/v1';

const hsts = { status: 307, headers: [{ name: 'Non-Authoritative-Reason', value: 'HSTS' }] };

interface Written {
  readonly url?: string;
  readonly method?: string;
  readonly status?: number;
  readonly body?: unknown;
  readonly content?: Record<string, unknown>;
  readonly headers?: readonly { name: string; value: string }[];
  readonly extra?: Record<string, unknown>;
}

function entry({ url = `${base}/sites`, method = 'GET', status = 200, body = { data: [] }, ...rest }: Written = {}) {
  const text = JSON.stringify(body);
  return {
    startedDateTime: '2026-01-15T12:00:00.000Z',
    time: 12,
    request: { method, url, headers: rest.headers ?? [{ name: 'Authorization', value: `Bearer ${key}` }] },
    response: {
      status,
      headers: [{ name: 'Content-Type', value: 'application/json' }],
      content: rest.content ?? { text, size: text.length },
    },
    ...rest.extra,
  };
}

const file = (...entries: unknown[]) => JSON.stringify({ log: { version: '1.2', entries } });
const read = (text: string, base: string | null = null) => readHar({ file: 'a.har', text, attached: () => null }, base);

function checkHar(text: string): Report {
  return checkRecording(read(text), { runId: 'abcd1234', nowMs: 0, only: [], skip: [], keepBodies: true });
}
const resultOf = (report: Report, id: string) => report.checks.find((check) => check.id === id)?.result.kind;

describe('contradictions between recorded responses', () => {
  const other = 'key_fedcba9876543210fedcba9876543210';
  const uuid = (mark: string) => `${mark.repeat(8)}-1111-4111-8111-111111111111`;
  const as = (value: string) => [{ name: 'Authorization', value: `Bearer ${value}` }];
  const sites = (marks: string, value = key) =>
    entry({ body: { data: [...marks].map((mark) => ({ id: uuid(mark) })) }, headers: as(value) });
  const single = (mark: string, value = key) =>
    entry({ url: `${base}/sites/${uuid(mark)}`, body: { data: { id: uuid(mark) } }, headers: as(value) });
  const refused = entry({ status: 401, body: { error: { code: 'unauthorized', m: '' } }, headers: as(`${other}0`) });
  const [isolation, noReturn] = ['isolation/all-responses', 'lists/no-return'];
  const left = (n: number) =>
    entry({ extra: { startedDateTime: new Date(Date.UTC(2026, 0, 15) + n * 1000).toISOString() }, headers: as(key) });

  test.each<[string, string, readonly unknown[], string]>([
    ['a foreign record', isolation, [refused, sites('ab'), sites('cd', other), single('a', other)], 'fail'],
    ['a renewed key', isolation, [sites('ab'), sites('ab', other), single('a', other)], 'no result'],
    ['a site that disappears and returns', noReturn, [sites('ab'), sites('a'), sites('ab')], 'fail'],
    ['a list from a cache', noReturn, [sites('ab'), { ...sites('a'), _fromCache: 'disk' }, sites('ab')], 'no result'],
    ['a list without a body', noReturn, [sites('ab'), entry({ content: {} }), sites('ab')], 'no result'],
    ['no rate-limit headers', 'limits/key-remaining', Array.from({ length: 20 }, (_, n) => left(n)), 'no result'],
  ])('are found: %s', (_, id, entries, result) => {
    const report = checkHar(file(...entries));
    expect(resultOf(report, id) ?? 'no result').toBe(result);
    expect(JSON.stringify(report)).not.toMatch(/key_[\da-f]{32}/);
  });
});

describe('a HAR file', () => {
  test.each([
    ['nonsense', 'is not a HAR file: it is not JSON'],
    ['[]', 'it has no list log.entries'],
    ['{"log":{"entries":{}}}', 'it has no list log.entries'],
    ['{"log":{"entries":[null, 7, {"request":{"url":"/sites"}}]}}', 'no request goes to an address with /api/v1'],
    [file(entry({ status: 304 })), 'to check: 1 cached, aborted, or made by the browser'],
    [file(entry({ url: 'https://staging.example.com/index.html' })), 'no request goes to an address with /api/v1'],
    [file(), 'no request goes to an address with /api/v1'],
  ])('that is %s is rejected in one sentence', (text, sentence) => {
    expect(() => read(text)).toThrow(sentence);
  });

  test.each([
    'data:text/html,/api/v1/sites',
    'file:///api/v1/sites',
    'javascript:alert(1)//api/v1/sites',
    'blob:https://staging.example.com/api/v1/sites',
    'ws://staging.example.com/api/v1/sites',
    'chrome-extension://abc/api/v1/sites',
  ])('may hold a request to %s, which is left out and counted', (url) => {
    const strange = Array.from({ length: 5 }, () => entry({ url }));
    expect(read(file(...strange, entry()))).toMatchObject({ baseUrl: base, others: 5, exchanges: { length: 1 } });
    expect(() => read(file(...strange))).toThrow('no request goes to an address with /api/v1');
  });

  test('without requests to the named deployment is rejected', () => {
    expect(() => read(file(entry()), 'https://other.example.com/api/v1')).toThrow('no request goes to https://other');
  });

  test('with more entries than the kit takes is rejected', () => {
    const text = `{"log":{"entries":[${Array.from({ length: 20_001 }, () => '{}').join()}]}}`;
    expect(() => read(text)).toThrow('reads at most 20000');
  });

  test('shows its base URL by the version segment, and the service by the operations', () => {
    const others = Array.from({ length: 5 }, () => entry({ url: 'https://other.example.com/api/v1/tracking' }));
    const {
      baseUrl,
      exchanges,
      others: left,
    } = read(file(...others, entry(), entry({ url: `${base}/articles?limit=3` })));
    expect(baseUrl).toBe(base);
    expect(exchanges.map(({ operation, target }) => [operation, target])).toEqual([
      ['listSites', '/sites'],
      ['listArticles', '/articles?limit=3'],
    ]);
    expect(left).toBe(5);
  });

  test('can have a path', () => {
    expect(read(file(entry({ url: 'https://host/proxy/api/v1/sites' }))).baseUrl).toBe('https://host/proxy/api/v1');
    expect(read(file(entry({ url: 'https://host/v1/sites' })), 'https://HOST:443/v1/')).toMatchObject({
      baseUrl: 'https://host/v1',
      exchanges: { length: 1 },
    });
  });

  test('with several services is rejected with a list of them', () => {
    const other = 'http://[::1]:8080/x/api/v1';
    const text = file(entry(), entry({ url: `${base}/keywords` }), entry({ url: `${other}/sites` }));
    expect(() => read(text)).toThrow(
      `a.har has requests to 2 services. Choose one with --base-url:\n  --base-url ${base}  (2)\n  --base-url ${other}  (1)`,
    );
    expect(read(text, other)).toMatchObject({ baseUrl: other, others: 2, exchanges: [{ operation: 'listSites' }] });
  });

  test.each<[string, Written]>([
    ['only redirects', { status: 301 }],
    ['no response', { status: 0 }],
    ['no operation of the contract', { url: 'http://staging.example.com/api/v1/events' }],
    ['redirects of the browser', { status: 307, headers: [], extra: { response: hsts } }],
  ])('leaves out an address with %s', (_, written) => {
    const others = Array.from({ length: 3 }, () =>
      entry({ url: 'http://staging.example.com/api/v1/sites', ...written }),
    );
    expect(read(file(...others, entry()))).toMatchObject({ baseUrl: base, others: 3 });
  });

  test.each<[string, Written]>([
    ['a preflight', { method: 'OPTIONS' }],
    ['a response that was not modified', { status: 304 }],
    ['a response from a cache', { extra: { _fromCache: 'disk' } }],
    ['a response from the cache of Safari', { extra: { _fetchType: 'Memory Cache' } }],
    ['a response of a service worker', { extra: { response: { status: 200, _fetchedViaServiceWorker: true } } }],
    ['an aborted response', { extra: { response: { status: 200, _error: 'net::ERR_ABORTED' } } }],
    ['a response that failed in Playwright', { extra: { response: { status: -1, _failureText: 'aborted' } } }],
    ['a missing response', { extra: { response: null } }],
    ['a redirect that the browser made up', { extra: { response: hsts } }],
    ['a tunnel', { method: 'CONNECT' }],
    ['an entry with an odd address', { url: 'staging.example.com:443' }],
  ])('leaves out %s', (_, written) => {
    expect(read(file(entry(), entry(written)))).toMatchObject({ others: 1, exchanges: { length: 1 } });
  });

  test.each([[false], [null], [''], ['false']])('takes _fromCache %j for a response of the service', (_fromCache) => {
    const response = { ...entry().response, status: '200', _error: null };
    expect(read(file(entry({ method: 'get', extra: { _fromCache, response } }))).exchanges).toMatchObject([
      { operation: 'listSites', status: 200, json: { data: [] } },
    ]);
  });

  test('reads headers, addresses and times as different tools write them', () => {
    const headers = [
      { name: ':authority', value: 'staging.example.com' },
      { name: 'AUTHORIZATION', value: `Bearer ${key}` },
      { name: 'X-Api-Key', value: 'gateway' },
      { name: 'accept', value: 'a' },
      { name: 'Accept', value: 'a' },
    ];
    const url = 'https://STAGING.example.com:443/api/v1/sites';
    const [exchange] = read(
      file(entry({ url, headers, extra: { startedDateTime: '2026-01-15T14:00:00+02:00' } })),
    ).exchanges;
    expect(exchange).toMatchObject({
      url: `${base}/sites`,
      sentAt: Date.UTC(2026, 0, 15, 12),
      requestHeaders: { authorization: `Bearer ${key}`, 'x-api-key': '(not kept)', accept: 'a' },
    });
    expect(Object.keys(exchange?.requestHeaders ?? {})).toHaveLength(3);
  });
});

describe('recorded traffic', () => {
  test('is checked by the rules of a run', () => {
    const report = checkHar(file(entry({ body: { data: [{ id: 'no-uuid' }] } })));
    expect(resultOf(report, 'rule/list-sites-shape')).toBe('fail');
    expect(resultOf(report, 'rule/json')).toBe('pass');
    expect(report).toMatchObject({ used: { requests: 0 }, recorded: { judged: 1, others: 0 } });
  });

  test('is not blamed for bodies that were not recorded', () => {
    const report = checkHar(file(entry({ content: { size: 300, mimeType: 'application/json' } })));
    expect(report.summary.fail).toBe(0);
    expect(resultOf(report, 'rule/list-sites-shape')).toBe('inconclusive');
  });

  test('keeps keys and cookies out of the report', () => {
    const headers = [
      { name: 'authorization', value: `Bearer ${key}` },
      { name: 'cookie', value: 'session=secret' },
    ];
    const text = JSON.stringify(checkHar(file(entry({ headers, body: { data: [], echo: key } }))));
    expect(text).not.toContain(key);
    expect(text).not.toContain('session=secret');
    expect(text).toContain('Bearer $CONFORMANCE_API_KEY');
  });

  test.each([
    ['no header', []],
    ['an empty header', [{ name: 'Authorization', value: '' }]],
    ['a text of the recorder', [{ name: 'Authorization', value: 'Bearer [redacted]' }]],
  ])('with %s instead of a key is not said to have none', (_, headers) => {
    const body = { data: [{ id: 'no-uuid', note: '[redacted]' }] };
    const report = checkHar(file(entry({ headers, body }), entry({ headers: [], status: 401, body: {} })));
    const check = report.checks.find(({ id }) => id === 'rule/list-sites-shape') ?? report.checks[0];
    const [quoted] = check === undefined ? [] : quoteFindings(check, report);
    expect(quoted?.text).toMatch(/^GET \/sites returned/);
    expect(quoted?.curl).toContain('-H "authorization: Bearer $CONFORMANCE_API_KEY"');
    expect(report.exchanges.map((exchange) => exchange.key)).toEqual(['good', 'none']);
    expect(resultOf(report, 'rule/key-secrecy')).toBe('pass');
  });

  test('without Authorization headers keeps keys out of the report', () => {
    const body = { data: [], echo: key, text: `%7B${key.toUpperCase()}` };
    const url = `${base}/sites?key=${key}`;
    const report = checkHar(file(entry({ headers: [{ name: 'x-gateway', value: key }], url, body })));
    const text = json.render(report, conclude(report)).toLowerCase();
    expect(text).toContain('<key>');
    expect(text).not.toContain(key);
  });

  const rejected = { status: 401, body: { error: { code: 'unauthorized', message: 'No.' } } };
  test.each([
    [`Basic ${key}`, 'of a gateway', {}, 'good'],
    ...[`Basic ${key}`, key, `Bearer ${key}0`].map((value) => [value, 'that is rejected', rejected, 'wrong'] as const),
  ] as const)('takes %s %s by its response', (value, _, response, name) => {
    const { exchanges } = checkHar(file(entry({ headers: [{ name: 'authorization', value }], ...response }), entry()));
    expect(exchanges.map((each) => each.key)).toEqual([name, 'good']);
  });

  test('takes no scheme without a key for a key', () => {
    const headers = [{ name: 'authorization', value: 'Bearer' }];
    const body = { error: { code: 'unauthorized', message: 'Send Authorization: Bearer <API_KEY>.' } };
    const report = checkHar(file(entry(), entry({ headers, status: 401, body })));
    expect(resultOf(report, 'rule/key-secrecy')).toBe('pass');
  });

  test('of the kit itself is checked as the run was', async () => {
    const clock = virtualClock(Date.UTC(2026, 4, 1));
    const server = await startIndependent({ now: clock.now });
    const report = await runConformance({ baseUrl: server.baseUrl, keys: server.keys, clock, keepBodies: true });
    await server.close();
    const again = checkHar(har.render(report, conclude(report)));
    const rulesOf = ({ checks }: Report) =>
      checks.filter(({ id }) => id.startsWith('rule/')).map(({ id, result, evidence }) => [id, result.kind, evidence]);
    expect(rulesOf(again)).toEqual(rulesOf(report));
    expect(again.recorded?.judged).toBeGreaterThan(30);
    expect(conclude(again)).toMatchObject({
      exitCode: 0,
      sentence: expect.stringContaining('of pagination, order, rate limits and isolation only by chance'),
    });
  });

  const failed = sampleCheck('articles/list', { kind: 'fail' }, { findings: [sampleFinding()] });
  test.each<[string, Partial<Report>, Partial<ExitRules>, number, string]>([
    ['failed', { checks: [failed] }, {}, 1, '1 failed check (articles/list)'],
    ['ended early', { abort: { exitCode: 4, sentence: 'It was stopped.' } }, {}, 3, 'exit code 4'],
    ['proved too little', { checks: [] }, { minVerified: { count: 5 } }, 3, 'exit code 3'],
  ])('of a run that %s never ends with 0', (_, rest, rules, exitCode, words) => {
    const report = sampleReport({ exchanges: [sampleExchange({ bodyText: '{"data":[]}' })], ...rest });
    const outcome = conclude(checkHar(har.render(report, conclude(report, rules))));
    expect(outcome).toMatchObject({ exitCode, sentence: expect.stringContaining(words) });
    expect(outcome.sentence).not.toMatch(/nothing failed/i);
  });

  test('of a run that does not say how it ended never ends with 0', () => {
    const creator = { name: 'casa-kit conformance', version: '0.1.0' };
    const report = checkHar(JSON.stringify({ log: { version: '1.2', creator, entries: [entry()] } }));
    expect(conclude(report)).toMatchObject({ exitCode: 3, sentence: expect.stringContaining('does not say how') });
  });

  test.each([[7], ['1'], [null]])('says nothing of its run when the exit code is %j', (exitCode) => {
    const creator = { name: 'casa-kit conformance', version: '1.0.0' };
    const log = { version: '1.2', creator, _run: { exitCode, failed: [{}] }, entries: [entry()] };
    expect(conclude(checkHar(JSON.stringify({ log })))).toMatchObject({ exitCode: 3 });
  });
});
