import { afterEach, describe, expect, test } from 'vitest';
import { idleCheck } from '../../fixtures/test-kit/sample-report.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import { exitCodeOf, type RunOptions, runConformance } from '../index.ts';
import type { Check } from '../probe/check.ts';
import { planConformance } from './audit.ts';

const key = 'key_0123456789abcdef0123456789abcdef';
const limited = { status: 429, body: { error: 'rate_limit_exceeded' } };
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

const check = (run: Check['run'], rest: Partial<Check> = {}) => idleCheck('test/one', { ...rest, run });

async function audit(script: Script, checks: readonly Check[], rest: Partial<RunOptions> = {}) {
  server = await startScriptedServer(script);
  const clock = virtualClock(Date.UTC(2026, 0, 1));
  const report = await runConformance({ baseUrl: server.baseUrl, keys: { good: key }, clock, checks, ...rest });
  const resultOf = (id: string) => report.checks.find((row) => row.id === id)?.result;
  return { report, clock, resultOf, requests: server.requests, result: resultOf('test/one') };
}

const readArticles = check(async (probe) => {
  probe.expectStatus(await probe.get('listArticles'), 200, '4.articles.list.endpoint');
});

test('a plan counts the latency that an earlier run has measured', () => {
  const planned = (latencyMs: number | null) => {
    const trafficFile = { read: () => ({ uses: [], latencyMs }), write: () => undefined };
    const options = { baseUrl: 'http://127.0.0.1:9/api/v1', keys: { good: key }, seed: 1, trafficFile };
    return planConformance(options).seconds.ceiling;
  };
  expect(planned(3000)).toBeGreaterThan(1.5 * planned(null));
  expect(planned(20)).toBe(planned(null));
});

describe('a run', () => {
  test('sends an equal GET once, for all checks that ask', async () => {
    const twice = [readArticles, { ...readArticles, id: 'test/two' }];
    const { requests, resultOf } = await audit(() => ({}), twice, { skip: ['rule/*'] });
    expect(requests).toEqual(['GET /sites', 'GET /articles']);
    expect(resultOf('test/two')).toEqual({ kind: 'pass' });
  });

  test('waits as a limiter states and retries', async () => {
    const script: Script = (_, __, count) => (count === 2 ? { ...limited, headers: { 'retry-after': '7' } } : {});
    const { result, clock, requests } = await audit(script, [readArticles], { skip: ['rule/*'] });
    expect(result).toEqual({ kind: 'pass' });
    expect(requests).toHaveLength(3);
    expect(clock.now() - Date.UTC(2026, 0, 1)).toBe(1050 + 7050);
  });

  test('gives up on a limiter that never lets it through, without blaming the check', async () => {
    const script: Script = (path) => (path === '/articles' ? limited : {});
    const { result, requests } = await audit(script, [readArticles]);
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'interference' });
    expect(requests).toHaveLength(5);
  });

  test('repeats a GET twice over platform trouble, then leaves it open', async () => {
    const body = { error: { code: 'provider_error', message: 'no' } };
    const script: Script = (path) => (path === '/connect/accounts' ? { status: 502, body } : {});
    const reads = check(async (probe) => void (await probe.get('listAccounts')));
    const { result, requests } = await audit(script, [reads]);
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'platform' });
    expect(requests.filter((line) => line.includes('accounts'))).toHaveLength(3);
  });

  test('never sends a write twice', async () => {
    const script: Script = (path) => (path === '/sites' ? {} : limited);
    const writes = check(async (probe) => void (await probe.write({ operation: 'createConnectLink', body: {} })));
    const { result, requests } = await audit(script, [writes]);
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'interference' });
    expect(requests).toEqual(['GET /sites', 'POST /connect/accounts']);
  });

  test('sends what must be rejected again after a limiter', async () => {
    const script: Script = (path, _request, count) => (path === '/sites' || count > 2 ? {} : limited);
    const rejected = check(async (probe) => void (await probe.send({ operation: 'createConnectLink', body: {} })));
    const { requests } = await audit(script, [rejected]);
    expect(requests).toEqual(['GET /sites', 'POST /connect/accounts', 'POST /connect/accounts']);
  });

  test('keeps a check that breaks from breaking the run', async () => {
    const broken = check(async () => {
      throw new TypeError('oops');
    });
    const { result, resultOf } = await audit(() => ({}), [broken, { ...readArticles, id: 'test/two' }]);
    expect(result).toEqual({ kind: 'error', message: 'the check itself ended with an error: oops' });
    expect(resultOf('test/two')).toEqual({ kind: 'pass' });
  });

  test('leaves out checks without permission, and blocks checks that rest on a failure', async () => {
    const failing = check(async (probe) => void probe.expectStatus(await probe.get('listSites'), 418, '4.sites.list'));
    const after = { ...readArticles, id: 'test/two', after: ['test/one'] };
    const needy = { ...readArticles, id: 'test/three', needs: ['writes:posts'] as const };
    const { resultOf, requests, report } = await audit(() => ({}), [failing, after, needy]);
    expect(resultOf('test/two')).toMatchObject({ kind: 'inconclusive', message: 'blocked by test/one' });
    expect(resultOf('test/three')).toEqual({ kind: 'skipped', message: 'needs --allow-writes=posts' });
    // Two repetitions show how often it fails.
    expect(requests).toEqual(['GET /sites', 'GET /sites', 'GET /sites']);
    expect(exitCodeOf(report)).toBe(1);
  });

  test.each([
    [7, 'needs --minutes 8'],
    [8, 'not enough requests in this run: use --only, or a larger --minutes'],
  ])('of %i minutes in which writes take the requests says what to do', async (minutes, message) => {
    const write = idleCheck('test/write', { needs: ['writes:posts'], cost: { requests: 400 } });
    const extended = idleCheck('test/extended', { needs: ['extended'], cost: { requests: 90 } });
    const { resultOf } = await audit(() => ({}), [write, extended], { minutes, allowWrites: ['posts'], account: 'a' });
    expect(resultOf('test/extended')).toEqual({ kind: 'skipped', message });
  });

  test('stops sending when the target has fallen silent', async () => {
    const checks = ['one', 'two', 'three', 'four', 'five'].map((name, index) =>
      check(async (probe) => void (await probe.get('getSite', { id: String(index) })), { id: `test/${name}` }),
    );
    const script: Script = (_path, request, count) => {
      if (count > 1) request.socket.destroy();
      return {};
    };
    const { report, requests } = await audit(script, checks);
    expect(report.abort?.sentence).toContain('went down during the run: GET /sites/0 got no response');
    expect(report.checks.filter(({ result }) => result.reason === 'platform')).toHaveLength(3);
    expect(requests.length).toBeLessThan(15);
    expect(exitCodeOf(report)).toBe(4);
  });

  test('keeps keys out of the report, even where the server repeats them', async () => {
    const script: Script = (_, request) => ({ body: { data: [], echo: request.headers.authorization } });
    const { report, resultOf } = await audit(script, [readArticles]);
    expect(resultOf('rule/key-secrecy')).toEqual({ kind: 'warn' });
    expect(JSON.stringify(report)).not.toContain(key);
    expect(JSON.stringify(report)).toContain('$CONFORMANCE_API_KEY');
  });

  test('rejects a glob that matches nothing', async () => {
    await expect(audit(() => ({}), [readArticles], { only: ['tset/*'] })).rejects.toThrow('Did you mean "test/*"?');
  });
});

const page = (status: number, title?: string) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<!doctype html><html>${title === undefined ? '' : `<title lang="en">${title}</title>`}</html>`,
});
const redirect = (location: string) => ({ status: 308, headers: { location } });

describe('the preflight', () => {
  const cases: [string, Script, number, string][] = [
    ['a key that is rejected', () => ({ status: 401, body: { error: {} } }), 2, 'rejects the API key'],
    [
      'a page without a title',
      () => page(200),
      4,
      'returns 200 with a web page without a title, so it is not the service: check',
    ],
    [
      'a page',
      () => page(200, 'It works!'),
      4,
      'returns 200 with a web page titled "It works!", so it is not the service: check',
    ],
    [
      'a firewall',
      () => page(403, 'Attention Required! | WAF'),
      4,
      'returns 403 with a web page titled "Attention Required! | WAF": a firewall',
    ],
    [
      'how to pass a firewall',
      () => page(406, 'No'),
      4,
      'so allow the User-Agent casa-conformance or the address of this machine',
    ],
    [
      'a maintenance page',
      () => page(200, 'We will be back soon'),
      4,
      'returns 200 with a web page titled "We will be back soon": try again',
    ],
    [
      'a gateway in maintenance',
      () => page(503, 'Maintenance'),
      4,
      'is down: every request got the 503 page of a gateway titled "Maintenance", so try again',
    ],
    [
      'a login page',
      () => page(200, 'Sign in\n - Acme'),
      2,
      'returns 200 with a web page titled "Sign in - Acme", a login: use an address',
    ],
    [
      'a login page with 401',
      () => page(401),
      2,
      'returns 401 with a web page without a title, a login: use an address',
    ],
    [
      'a redirect',
      () => redirect('/x'),
      4,
      'redirects with 308 to /x: redirects are not followed, so use the final address',
    ],
    [
      'a redirect to a login',
      () => redirect('/users/sign_in?next=%2F&t=secret'),
      2,
      '/users/sign_in, a login: use an address',
    ],
    [
      'a redirect to another host',
      () => redirect('https://login.example.com/a'),
      2,
      'to https://login.example.com/a, a login',
    ],
    ['a proxy that wants a login', () => ({ status: 407, body: {} }), 2, 'The proxy of HTTP_PROXY returns 407'],
    ['another service', () => ({ status: 404 }), 4, 'returns 404'],
    ['a limiter that never opens', () => limited, 3, 'a rate limit'],
  ];
  test.each(cases)('names %s in one sentence', async (_, script, exitCode, sentence) => {
    const { report } = await audit(script, [readArticles]);
    expect(report.abort?.sentence).toContain(sentence);
    expect(report.abort?.sentence).not.toContain('secret');
    expect(report.abort?.sentence).toMatch(/^[^.]*(\.\S[^.]*)*\.$/);
    expect(exitCodeOf(report)).toBe(exitCode);
    expect(report.used.requests).toBeLessThanOrEqual(6);
  });

  test.each([
    ['a page that redirects to a login', redirect('/login')],
    ['a page that does not exist', { status: 404 }],
  ])('finds the version path after %s', async (_, other) => {
    server = await startScriptedServer((_path, { url }) => (url === '/api/v1/sites' ? {} : other));
    const { origin } = new URL(server.baseUrl);
    const report = await runConformance({ baseUrl: origin, keys: { good: key }, clock: virtualClock(0), checks: [] });
    const sentence = `The base URL lacks the version: use --base-url ${origin}/api/v1 instead.`;
    expect(report.abort).toEqual({ exitCode: 2, sentence });
  });
});
