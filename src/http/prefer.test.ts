import { describe, expect, it } from 'vitest';
import { goodKey, samples, unknownKey } from '../../fixtures/test-kit/actors.ts';
import { startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { type Init, openScenario } from '../../fixtures/test-kit/scenario.ts';
import { type ErrorCode, type ErrorExampleName, errorExamples, errorStatus } from '../contract/generated/errors.ts';
import type { OperationId } from '../contract/generated/operations.ts';

const names = Object.keys(errorExamples) as ErrorExampleName[];

type Wish = Init & { prefer?: string; query?: string };

function ask(id: OperationId, { prefer, query, ...wish }: Wish, scenario = openScenario()) {
  const { method, target, body } = samples[id];
  const full = query === undefined ? target : `${target}${target.includes('?') ? '&' : '?'}${query}`;
  return scenario.ask(method, full, {
    ...(body && { body }),
    ...wish,
    headers: prefer === undefined ? {} : { prefer },
  });
}

describe('on createPost', () => {
  it.each(names)('gives the example %s by header and by query', (name) => {
    const { status, body, code } = errorExamples[name];
    const wishes = [
      { prefer: `code=${status}, example=${name}` },
      { prefer: `example=${name}` },
      { query: `__code=${status}&__example=${name}` },
      { query: `__example=${name}` },
    ];
    for (const wish of wishes) {
      const response = ask('createPost', wish);
      expect([response.status, response.headers['x-casa-fault']]).toEqual([status, name]);
      if (name !== 'invalid_input') expect(response.json).toEqual(body);
      expect(response.headers['x-casa-complaint']).toBeUndefined();
      if (code === null) expect(response.headers['x-ratelimit-remaining']).toBe('0');
    }
  });
});

describe('a wish', () => {
  it.each([
    ['code=400', 'invalid_input'],
    ['code=401', 'unauthorized'],
    ['code=402', 'payment_method_required'],
    ['code=403', 'provider_permission'],
    ['code=404', 'not_found'],
    ['code=413', 'payload_too_large'],
    ['code=429', 'limiter_key'],
    ['code=502', 'provider_error'],
    ['code=503', 'transient'],
    ['code=provider_auth', 'provider_auth'],
    ['code="401"; example="provider_auth"', 'provider_auth'],
    ['CODE=401 , Example = provider_auth', 'provider_auth'],
    ['respond-async, code=503', 'transient'],
  ])('%s means %s', (prefer, name) => {
    expect(ask('createPost', { prefer }).headers['x-casa-fault']).toBe(name);
  });

  const idle = ['code=200', 'return=minimal', 'respond-async', 'dynamic=true', 'handling=lenient, safe', '__dealy=2'];
  it.each(idle)('%s has no effect', (prefer) => {
    const response = ask('listSites', { prefer });
    expect([response.status, response.headers['x-casa-complaint']]).toEqual([200, undefined]);
  });

  it.each([
    ['code=418', /^There is no error "418"\. Statuses: 400, 401, 402, 403, 404, 413, 429, 500, 502, 503\. Errors: /],
    ['example=teapot', /^There is no error "teapot"\. .* Errors: invalid_input, .*, login_redirect\.$/],
    ['example=provider_aut', 'There is no error "provider_aut". Did you mean "provider_auth"?'],
    ['network=rest', /^There is no network fault "rest"\. Did you mean "reset"\?$/],
    ['netwrok=reset', /^There is no preference "netwrok"\. Did you mean network\?$/],
    ['delay=2', 'delay takes a time up to 600 s, for example 2s or 250ms, not "2".'],
    [
      'code=401, example=not_found',
      /^The example "not_found" has the status 404, not 401\. Examples of 401: .*provider_auth/,
    ],
    ['code=599, example=not_found', 'The example "not_found" has the status 404, not 599.'],
    ['example=constructor', /^There is no error "constructor"/],
    ['wait=soon', 'wait takes a time up to 600 s, for example 2s or 250ms, not "soon".'],
    ['code=503, wait=99999', /^wait takes a time up to 600 s/],
  ])('%s cannot be granted: the request is rejected, says why, and changes nothing', (prefer, complaint) => {
    const scenario = openScenario();
    const before = [scenario.organization.links.size, scenario.world.random.position()];
    const response = ask('createConnectLink', { prefer }, scenario);
    expect([response.status, response.code]).toEqual([400, 'invalid_input']);
    const said = typeof complaint === 'string' ? complaint : expect.stringMatching(complaint);
    expect(response.json).toMatchObject({ error: { message: said, issues: [{ message: said }] } });
    expect(response.trace).toMatchObject({ fired: false, complaint: said });
    expect(response.headers['x-casa-complaint']).toBeDefined();
    expect([scenario.organization.links.size, scenario.world.random.position()]).toEqual(before);
  });

  it.each([
    [{ query: '__delay=5' }, '__delay takes a time up to 600 s, for example 2s or 250ms, not "5".'],
    [{ query: '__example=teapot' }, 'There is no error "teapot".'],
    [{ query: '__code=x' }, 'There is no error "x".'],
    [{ query: '__dealy=2s' }, 'There is no parameter "__dealy". Did you mean __delay?'],
    [
      { query: '__fault=503' },
      'There is no parameter "__fault". Known: __code, __example, __network, __delay, __wait, __basis.',
    ],
    [{ query: '__network=503' }, 'There is no network fault "503".'],
    [{ query: '__proto__=x' }, 'There is no parameter "__proto__".'],
  ])('%j cannot be granted either', (wish, complaint) => {
    const response = ask('listSites', wish);
    expect([response.status, response.headers['x-casa-complaint']]).toEqual([400, expect.stringContaining(complaint)]);
  });

  it.each(Object.keys(errorStatus) as ErrorCode[])('can name the code %s as an example', (code) => {
    for (const wish of [{ prefer: `example=${code}` }, { query: `__example=${code}&__code=${errorStatus[code]}` }]) {
      const response = ask('createPost', wish);
      expect([response.status, response.code]).toEqual([errorStatus[code], code]);
    }
  });

  const failures = [{ prefer: 'code=500' }, { query: '__code=500' }, { prefer: 'example=internal_error' }];
  it.each(failures)('can be a failure of the service: %j', (wish) => {
    const { status, code, headers } = ask('createPost', wish);
    expect([status, code, headers['x-casa-bug']]).toEqual([500, 'internal_error', undefined]);
  });

  it.each([
    ['gateway_error', 502, 'text/html; charset=utf-8', /^<html>.*502 Bad Gateway/s],
    ['empty_success', 200, 'application/json', /^$/],
    ['login_redirect', 302, 'text/html; charset=utf-8', /^$/],
  ] as const)('can be the response of a gateway: %s', (name, status, type, body) => {
    for (const wish of [{ prefer: `code=${name}` }, { query: `__example=${name}&__code=${status}` }]) {
      const { engine } = startTestEngine();
      const { prefer, query = '' } = { prefer: undefined, query: undefined, ...wish };
      const headers = prefer === undefined ? {} : { prefer };
      const response = engine.handle(toRequest(`GET /sites?${query}`, '/api/v1', { key: 'none', headers }));
      expect([response.status, response.headers['content-type']]).toEqual([status, type]);
      expect(String(response.body)).toMatch(body);
      expect(response.headers).toMatchObject({ 'x-casa-fault': name, date: expect.any(String) });
      expect(Object.keys(response.headers).filter((header) => /ratelimit|violates/.test(header))).toEqual([]);
      const { location = '/' } = response.headers;
      const page = engine.handle(toRequest(`GET ${location}`, '', { headers: { accept: 'text/html' } }));
      expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    }
  });

  it.each([
    [{ prefer: 'wait=2' }, 200, 2000],
    [{ prefer: 'code=503, wait=2' }, 503, 2000],
    [{ prefer: 'wait=250ms; code=200' }, 200, 250],
    [{ query: '__delay=2s' }, 200, 2000],
    [{ query: '__delay=PT2S&__code=404' }, 404, 2000],
  ])('can be a delay: %j', (wish, status, latencyMs) => {
    expect(ask('listSites', wish).response).toMatchObject({ status, latencyMs });
  });

  it.each([
    [{ prefer: 'network=reset' }, 200, 'reset'],
    [{ query: '__network=empty' }, 200, 'empty'],
    [{ prefer: 'network=slow, code=503' }, 503, 'slow'],
  ])('can be a network fault: %j', (wish, status, network) => {
    expect(ask('listSites', wish).response).toMatchObject({ status, network });
  });

  it('cannot smuggle anything into a header', () => {
    const { headers } = ask('listSites', { query: '__example=a%0d%0aset-cookie:%20b%00%C3%A9' });
    expect(headers['x-casa-complaint']).toMatch(/^[\x20-\x7e]+$/);
  });

  it('by header wins over one by query', () => {
    expect(ask('listSites', { prefer: 'code=404', query: '__code=503' }).status).toBe(404);
  });
});

describe('invalid_input on demand', () => {
  it.each([
    ['listKeywords', '/siteId'],
    ['getInsights', '/range'],
    ['listCalls', '/since'],
    ['getArticle', '/id'],
    ['createConnectLink', '/label'],
    ['replyToReview', '/text'],
    ['listSites', ''],
  ] as const)('of %s reports an input that it has: "%s"', (id, path) => {
    const { json } = ask(id, { prefer: 'example=invalid_input' });
    expect(json).toMatchObject({ error: { issues: [{ path }] } });
  });
});

describe('an error on demand fires at the stage that owns it', () => {
  const body = '{ no json';

  it.each([
    ['unauthorized', 401],
    ['limiter_address', 429],
    ['limiter_key', 429],
    ['payload_too_large', 413],
    ['invalid_input', 400],
  ])('so %s wins over an invalid body', (name, status) => {
    const response = ask('createPost', { prefer: `example=${name}`, body });
    expect([response.status, response.trace.fired]).toEqual([status, true]);
  });

  const later = ['provider_auth', 'renewal_pending', 'not_found', 'not_supported', 'rate_limited', 'transient'];
  it.each(later)('so an invalid body wins over %s', (name) => {
    const response = ask('createPost', { prefer: `example=${name}`, body });
    expect([response.status, response.code, response.trace.fired]).toEqual([400, 'invalid_input', false]);
    expect(response.headers['x-casa-fault']).toBeUndefined();
  });

  it.each(['provider_auth', 'limiter_key', 'invalid_input'])('so an invalid key wins over %s', (name) => {
    const response = ask('createPost', { prefer: `example=${name}`, key: unknownKey });
    expect([response.status, response.code]).toEqual([401, 'unauthorized']);
  });

  it('so an unknown path wins over an error of the platform', () => {
    const response = openScenario().ask('GET', '/nowhere', { key: goodKey, headers: { prefer: 'code=503' } });
    expect(response.status).toBe(404);
  });

  it('so a full window wins over everything', () => {
    const scenario = openScenario({ limits: true });
    for (let i = 0; i < 10; i += 1) ask('listSites', {}, scenario);
    expect(ask('listSites', { prefer: 'code=503' }, scenario).trace.blockedBy).toBe('address');
  });
});

describe('a fault rule', () => {
  it('strikes as often as it says, and counts only when it fired', () => {
    const scenario = openScenario();
    scenario.faults.add({ id: 'twice', match: { operation: 'createPost' }, error: 'transient', times: 2 });
    const post = (wish: Wish) => ask('createPost', wish, scenario).status;
    const first = [post({ key: unknownKey }), post({ body: '{' }), post({}), ask('listSites', {}, scenario).status];
    expect([...first, post({}), post({})]).toEqual([401, 400, 503, 200, 503, 200]);
    expect(scenario.faults.empty).toBe(true);
  });

  it.each([
    [{ operation: 'listSites' }, 503],
    [{ operation: 'getSite' }, 200],
    [{ key: goodKey }, 503],
    [{ key: unknownKey }, 200],
    [{ ip: '127.0.0.1' }, 503],
    [{ ip: '127.0.0.2' }, 200],
    [{ accountId: '5a7e9c32-4f10-4b8d-93c6-e2d1b0a8f745' }, 200],
    [{}, 503],
  ] as const)('that matches %j makes GET /sites response %i', (match, status) => {
    const scenario = openScenario();
    scenario.faults.add({ id: 'rule', match, error: 'transient' });
    expect(ask('listSites', {}, scenario).status).toBe(status);
  });

  it('with latency and a network fault passes both to the transport', () => {
    const scenario = openScenario();
    scenario.faults.add({ id: 'net', match: {}, network: 'truncated', latencyMs: 250, times: 1 });
    const { method, target } = samples.listSites;
    expect(scenario.ask(method, target).response).toMatchObject({ status: 200, network: 'truncated', latencyMs: 250 });
    expect(scenario.ask(method, target).response).not.toHaveProperty('network');
  });

  it('yields to a wish of the request itself', () => {
    const scenario = openScenario();
    scenario.faults.add({ id: 'rule', match: {}, error: 'transient' });
    expect(ask('listSites', { prefer: 'code=404' }, scenario).status).toBe(404);
  });
});
