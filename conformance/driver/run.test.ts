import { afterEach, describe, expect, test } from 'vitest';
import { idleCheck, idleScenario } from '../../fixtures/test-kit/sample-report.ts';
import { type Script, type ScriptedServer, startScriptedServer } from '../../fixtures/test-kit/scripted-server.ts';
import { virtualClock } from '../../fixtures/test-kit/virtual-clock.ts';
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { responsesTo } from '../exchange/history.ts';
import { exitCodeOf, type RunOptions, runConformance } from '../index.ts';
import { about, hasStatus } from '../judge/expect.ts';
import type { Judged } from '../judge/judge.ts';
import { get, type Scenario, send, write } from '../scenarios/scenario.ts';
import { planConformance } from './audit.ts';

const key = 'key_0123456789abcdef0123456789abcdef';
const limited = { status: 429, body: { error: 'rate_limit_exceeded' } };
let server: ScriptedServer | undefined;
afterEach(() => server?.close());

type Ask = Scenario['ask'];
const scenario = (ask: Ask, rest: Partial<Scenario> = {}) => idleScenario('test/one', { ask, ...rest });

interface Kit {
  readonly checks: readonly Judged[];
  readonly scenarios: readonly Scenario[];
}

async function audit(script: Script, { checks, scenarios }: Kit, rest: Partial<RunOptions> = {}) {
  server = await startScriptedServer(script);
  const clock = virtualClock(Date.UTC(2026, 0, 1));
  const own = { keys: { good: key }, clock, checks, scenarios };
  const report = await runConformance({ baseUrl: server.baseUrl, ...own, ...rest });
  const resultOf = (id: string) => report.checks.find((row) => row.id === id)?.result;
  return { report, clock, resultOf, requests: server.requests, result: resultOf('test/one') };
}

/** A check that demands this status of each response to an operation. */
const demands = (operation: OperationId, status = 200, rest: Partial<Judged> = {}) =>
  idleCheck('test/one', {
    *judge(history) {
      for (const exchange of responsesTo(history, operation)) {
        const tested = hasStatus(exchange, status, '4.articles.list.endpoint');
        if (tested !== null) yield tested;
      }
    },
    ...rest,
  });
const readArticles: Ask = function* () {
  yield* get('listArticles');
  return undefined;
};
const articles = demands('listArticles');
const kit = (ask: Ask, rest: Partial<Scenario> = {}): Kit => ({ checks: [articles], scenarios: [scenario(ask, rest)] });
const oneCheck = kit(readArticles);

test('a plan counts the latency that an earlier run has measured', () => {
  const planned = (latencyMs: number | null) => {
    const trafficFile = { read: () => ({ uses: [], latencyMs }), write: () => undefined };
    const options = { baseUrl: 'http://127.0.0.1:9/api/v1', keys: { good: key }, trafficFile };
    return planConformance(options).plan.seconds.ceiling;
  };
  expect(planned(3000)).toBeGreaterThan(1.5 * planned(null));
  expect(planned(20)).toBe(planned(null));
});

describe('a run', () => {
  test('sends an equal GET once, for all scenarios that ask', async () => {
    const two = { checks: [articles, demands('listArticles', 200, { id: 'test/two', scenarios: ['test/two'] })] };
    const scenarios = [scenario(readArticles), scenario(readArticles, { id: 'test/two' })];
    const { requests, resultOf, report } = await audit(() => ({}), { ...two, scenarios }, { skip: ['rule/*'] });
    expect(requests).toEqual(['GET /sites', 'GET /articles']);
    expect(resultOf('test/two')).toEqual({ kind: 'pass' });
    expect(report.scenarios).toEqual(['test/one', 'test/two'].map((id) => ({ id, kind: 'asked', exchanges: ['x2'] })));
  });

  test('waits as a limiter states and retries', async () => {
    const script: Script = (_, __, count) => (count === 2 ? { ...limited, headers: { 'retry-after': '7' } } : {});
    const { result, clock, requests } = await audit(script, oneCheck, { skip: ['rule/*'] });
    expect(result).toEqual({ kind: 'pass' });
    expect(requests).toHaveLength(3);
    expect(clock.now() - Date.UTC(2026, 0, 1)).toBe(1050 + 7050);
  });

  test('gives up on a limiter that never lets it through, without blaming the check', async () => {
    const script: Script = (path) => (path === '/articles' ? limited : {});
    const { result, requests } = await audit(script, oneCheck);
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'interference' });
    expect(requests).toHaveLength(5);
  });

  test('repeats a GET twice over platform trouble, then leaves it open', async () => {
    const body = { error: { code: 'provider_error', message: 'no' } };
    const script: Script = (path) => (path === '/connect/accounts' ? { status: 502, body } : {});
    const reads = kit(function* () {
      yield* get('listAccounts');
      return undefined;
    });
    const { result, requests } = await audit(script, reads);
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'platform' });
    expect(requests.filter((line) => line.includes('accounts'))).toHaveLength(3);
  });

  const post = { operation: 'createConnectLink', body: {} } as const;
  const writing: Ask = function* () {
    yield* write(post);
    return undefined;
  };

  test('never sends a write twice', async () => {
    const script: Script = (path) => (path === '/sites' ? {} : limited);
    const { result, requests } = await audit(script, kit(writing, { changes: 'a link' }));
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'interference' });
    expect(requests).toEqual(['GET /sites', 'POST /connect/accounts']);
  });

  test('does not send a write of a scenario that names no trace', async () => {
    const { result, requests } = await audit(() => ({}), kit(writing));
    expect(result).toMatchObject({ kind: 'error', message: expect.stringContaining('says nothing of its trace') });
    expect(requests).toEqual(['GET /sites']);
  });

  test('sends what must be rejected again after a limiter', async () => {
    const script: Script = (path, _request, count) => (path === '/sites' || count > 2 ? {} : limited);
    const rejected = kit(function* () {
      yield* send(post);
      return undefined;
    });
    const { requests } = await audit(script, rejected);
    expect(requests).toEqual(['GET /sites', 'POST /connect/accounts', 'POST /connect/accounts']);
  });

  test.each<[string, Kit]>([
    [
      'the check itself',
      { scenarios: [scenario(readArticles)], checks: [idleCheck('test/one', { judge: () => expect.fail('oops') })] },
    ],
    ['the scenario itself', kit(() => expect.fail('oops'))],
  ])('continues if %s breaks', async (what, { checks, scenarios }) => {
    const two = demands('listArticles', 200, { id: 'test/two', scenarios: ['test/two'] });
    const more = { checks: [...checks, two], scenarios: [...scenarios, scenario(readArticles, { id: 'test/two' })] };
    const { result, resultOf } = await audit(() => ({}), more);
    expect(result).toEqual({ kind: 'error', message: `${what} ended with an error: oops` });
    expect(resultOf('test/two')).toEqual({ kind: 'pass' });
  });

  test('leaves a finding open if a limiter rejects its confirmation', async () => {
    const script: Script = (path, _, count) => (path === '/articles' && count > 2 ? limited : {});
    const empty = idleCheck('test/one', {
      *judge(history) {
        const claim = { expected: 'an article', actual: 'none', isTrue: false };
        for (const one of responsesTo(history, 'listArticles')) yield { ...about(one, '4.json'), ...claim, of: [one] };
      },
    });
    const { result } = await audit(script, { checks: [empty], scenarios: [scenario(readArticles)] });
    expect(result).toMatchObject({ kind: 'inconclusive', reason: 'interference' });
  });

  test('leaves out scenarios without permission, and says why one sends no requests', async () => {
    const failing = demands('listSites', 418);
    const others = ['test/two', 'test/three'].map((id) => idleCheck(id));
    const scenarios = [
      scenario(readArticles),
      idleScenario('test/two', { ask: () => expect.fail('asked'), needs: ['writes:posts'] }),
      idleScenario('test/three', {
        *ask() {
          yield* [];
          return 'the organization has no site';
        },
      }),
    ];
    const { resultOf, requests, report } = await audit(() => ({}), { checks: [failing, ...others], scenarios });
    expect(resultOf('test/two')).toEqual({ kind: 'skipped', message: 'needs --allow-writes=posts' });
    expect(resultOf('test/three')).toMatchObject({ reason: 'precondition', message: 'the organization has no site' });
    // Two repetitions show how often it fails.
    expect(requests.filter((line) => line === 'GET /sites')).toHaveLength(3);
    expect(exitCodeOf(report)).toBe(1);
  });

  test('leaves out a scenario that does not fit, and continues with the next one', async () => {
    const scenarios = [
      scenario(readArticles, { cost: { least: 1, most: 61 } }),
      scenario(readArticles, { id: 'test/two' }),
    ];
    const checks = [articles, idleCheck('test/two')].map((check) => ({ ...check, scenarios: [check.id] }));
    const { report, requests } = await audit(() => ({}), { checks, scenarios }, { minutes: 1, skip: ['rule/*'] });
    expect(report.scenarios?.map(({ id, kind }) => [id, kind])).toEqual([
      ['test/one', 'left out'],
      ['test/two', 'asked'],
    ]);
    // Another scenario has asked what the check judges.
    expect(report.checks.find(({ id }) => id === 'test/one')?.result).toEqual({ kind: 'pass' });
    expect(requests).toEqual(['GET /sites', 'GET /articles']);
  });

  test('stops sending when the target has fallen silent', async () => {
    const ids = ['one', 'two', 'three', 'four', 'five'].map((name) => `test/${name}`);
    const scenarios = ids.map((id, index) =>
      idleScenario(id, {
        *ask() {
          yield* get('getSite', { id: String(index) });
          return undefined;
        },
      }),
    );
    const script: Script = (_path, request, count) => {
      if (count > 1) request.socket.destroy();
      return {};
    };
    const { report, requests } = await audit(script, { checks: ids.map((id) => idleCheck(id)), scenarios });
    expect(report.abort?.sentence).toContain('went down during the run: GET /sites/0 got no response');
    expect(report.checks.filter(({ result }) => result.reason === 'platform')).toHaveLength(3);
    expect(requests.length).toBeLessThan(15);
    expect(exitCodeOf(report)).toBe(4);
  });

  test('keeps keys out of the report, even where the server repeats them', async () => {
    const script: Script = (_, request) => ({ body: { data: [], echo: request.headers.authorization } });
    const { report, resultOf } = await audit(script, oneCheck);
    expect(resultOf('rule/key-secrecy')).toEqual({ kind: 'warn' });
    expect(JSON.stringify(report)).not.toContain(key);
    expect(JSON.stringify(report)).toContain('$CONFORMANCE_API_KEY');
  });

  test('rejects a glob that matches nothing', async () => {
    await expect(audit(() => ({}), oneCheck, { only: ['tset/*'] })).rejects.toThrow('Did you mean "test/*"?');
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
    ['a page without a title', () => page(200), 4, 'a web page without a title, so it is not the service: check'],
    ['a page', () => page(200, 'It works!'), 4, 'a web page titled "It works!", so it is not the service'],
    ['a firewall', () => page(403, 'Blocked'), 4, 'returns 403 with a web page titled "Blocked": a firewall'],
    ['how to pass a firewall', () => page(406, 'No'), 4, 'so allow the User-Agent casa-conformance'],
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
    ['a login page', () => page(200, 'Sign in\n - Acme'), 2, '200 with a web page titled "Sign in - Acme", a login'],
    ['a login page with 401', () => page(401), 2, 'returns 401 with a web page without a title, a login'],
    ['a redirect', () => redirect('/x'), 4, 'to /x: redirects are not followed, so use the final address'],
    ['a redirect to a login', () => redirect('/users/sign_in?next=%2F&t=secret'), 2, '/users/sign_in, a login'],
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
    const { report } = await audit(script, oneCheck);
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
