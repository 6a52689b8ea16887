import { describe, expect, test } from 'vitest';
import { sampleCheck, sampleExchange, sampleFinding, sampleReport } from '../../fixtures/test-kit/sample-report.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { startIndependent } from '../../proof/independent/index.ts';
import { runConformance } from '../index.ts';
import { conclude, type ExitRules } from '../report/outcome.ts';
import type { Report } from '../report/report.ts';
import { har } from '../reporters/har.ts';
import { rules } from '../rules/index.ts';
import { checkRecording, readHar } from './har.ts';

const key = 'key_0123456789abcdef0123456789abcdef';
const base = 'https://staging.example.com/api/v1';

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
  return checkRecording(read(text), {
    runId: 'abcd1234',
    nowMs: 0,
    rules,
    only: [],
    skip: [],
    keepBodies: true,
  });
}
const resultOf = (report: Report, id: string) => report.checks.find((check) => check.id === id)?.result.kind;

describe('a HAR file', () => {
  test.each([
    ['nonsense', 'is not a HAR file: it is not JSON'],
    ['[]', 'it has no list log.entries'],
    ['{"log":{"entries":{}}}', 'it has no list log.entries'],
    ['{"log":{"entries":[null]}}', 'entry 1 has no request with a URL'],
    ['{"log":{"entries":[{"request":{"url":"/sites"},"response":{}}]}}', 'entry 1 has no request with a URL'],
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
    expect(read(file(entry({ url: 'https://host/v1/sites' })), 'https://host/v1/').exchanges).toHaveLength(1);
  });

  test.each<[string, Written]>([
    ['a preflight', { method: 'OPTIONS' }],
    ['a response that was not modified', { status: 304 }],
    ['a response from a cache', { extra: { _fromCache: 'disk' } }],
  ])('leaves out %s', (_, written) => {
    expect(read(file(entry(), entry(written)))).toMatchObject({ others: 1, exchanges: { length: 1 } });
  });

  test('may hold bodies in base64', () => {
    const text = Buffer.from('{"data":[]}').toString('base64');
    const [exchange] = read(file(entry({ content: { text, encoding: 'base64' } }))).exchanges;
    expect(exchange).toMatchObject({ json: { data: [] }, problem: 'none' });
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

  test('takes no scheme without a key for a key', () => {
    const headers = [{ name: 'authorization', value: 'Bearer' }];
    const body = { error: { code: 'unauthorized', message: 'Send Authorization: Bearer <API_KEY>.' } };
    const report = checkHar(file(entry(), entry({ headers, status: 401, body })));
    expect(resultOf(report, 'rule/key-secrecy')).toBe('pass');
  });

  test('of the kit itself is checked as the run was', async () => {
    const clock = virtualClock(Date.UTC(2026, 4, 1));
    const server = await startIndependent({ now: clock.now });
    const report = await runConformance({ baseUrl: server.baseUrl, keys: server.keys, clock });
    await server.close();
    const again = checkHar(har.render(report, conclude(report)));
    const rulesOf = ({ checks }: Report) =>
      checks.filter(({ id }) => id.startsWith('rule/')).map(({ id, result, evidence }) => [id, result.kind, evidence]);
    expect(rulesOf(again)).toEqual(rulesOf(report));
    expect(again.recorded?.judged).toBeGreaterThan(30);
    expect(conclude(again)).toMatchObject({
      exitCode: 0,
      sentence: expect.stringContaining('cannot show violations of pagination'),
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

  test('of an older version, which does not say how its run ended, never ends with 0', () => {
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
