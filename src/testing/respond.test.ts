import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Casa, type CustomResponse, connectMock, createMock, startMock } from '../index.ts';

let casa: Casa;
beforeEach(async () => {
  casa = await createMock({ strict: true });
});
afterEach(() => casa.close());

const get = (path: string, key = casa.keys.good) => casa.fetch(path, { headers: { authorization: `Bearer ${key}` } });

describe('casa.respond', () => {
  it('replaces the response of an operation, and only of it', async () => {
    casa.respond('listSites', { status: 200, body: { data: [] }, headers: { 'X-Cache': 'HIT' } });
    const response = await get('/sites');
    expect(await response.json()).toEqual({ data: [] });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-cache': 'HIT',
      'x-casa-fault': 'respond',
    });
    expect(response.headers.has('x-casa-violates')).toBe(false);
    expect(casa.requests.all()[0]).toMatchObject({ fault: 'casa.faults 1', violates: null });
    expect((await (await get('/articles')).json()).data).toHaveLength(20);
  });

  it('marks a response that violates the contract, also in strict mode', async () => {
    casa.respond('listSites', { body: { data: [{ id: 1 }] } });
    const response = await get('/sites');
    expect(response.status).toBe(200);
    const [logged] = casa.requests.all();
    expect(logged?.violates).toMatch(/^\/data\/0 must have required property/);
    expect(response.headers.get('x-casa-violates')).toBe(logged?.violates);
  });

  it.each([
    [
      { status: 404, body: { error: { code: 'not_found', message: 'Gone.' } } },
      '/articles/99468ad8-360d-42af-aac0-57a2e0337c5d',
      null,
    ],
    [
      { status: 418, body: { error: { code: 'teapot', message: 'No.' } } },
      '/articles',
      'the operation lists no such status',
    ],
    [
      { status: 502, body: '<h1>Bad gateway</h1>', headers: { 'content-type': 'text/html' } },
      '/articles',
      'the content type is not JSON',
    ],
    [{ status: 204 }, '/articles', 'the content type is not JSON'],
  ] as const)('checks %j against the contract', async (custom: CustomResponse, path, violates) => {
    casa.respond('*', custom);
    const response = await get(path);
    expect(response.status).toBe(custom.status);
    const body = custom.body ?? '';
    expect(await response.text()).toBe(typeof body === 'string' ? body : JSON.stringify(body));
    expect(casa.requests.all()[0]?.violates).toBe(violates);
  });

  it.each([
    [{}, 'X-RateLimit-Remaining is 59, but a blocked request has 0'],
    [{ 'x-ratelimit-remaining': '0' }, null],
    [{ 'x-ratelimit-remaining': 'few' }, 'X-RateLimit-Remaining is not a whole number'],
  ])('checks a 429 with the headers as sent: %j', async (headers, violates) => {
    casa = await createMock({ limits: true });
    casa.respond('listAccounts', { status: 429, body: { error: 'rate_limit_exceeded' }, headers });
    const response = await get('/connect/accounts');
    expect(response.headers.get('x-casa-violates')).toBe(violates);
    expect(casa.requests.all()[0]?.violates).toBe(violates);
  });

  it('counts times, follows conditions, and comes after the key', async () => {
    const other = casa.keys.second;
    casa.respond('listSites', { body: { data: [] } }, { times: 1, when: { key: other } });
    const lengths = async (key?: string) => (await (await get('/sites', key)).json()).data.length;
    expect(await lengths()).toBeGreaterThan(0);
    casa.respond('*', { status: 200, body: {} }, { times: 1 });
    expect((await get('/sites', 'casa_wrong')).status).toBe(401);
    expect(casa.faults.list()).toHaveLength(2);
    expect((await get('/sites')).headers.get('x-casa-fault')).toBe('respond');
    expect(await lengths(other)).toBe(0);
    expect(casa.faults.list()).toEqual([]);
  });

  it('survives a snapshot, and is sent to the MCP endpoint too', async () => {
    casa.respond('listSites', { body: 'plain' });
    casa.respond('listAccounts', { body: { own: true } });
    casa.respond('listReviews', { body: 'no JSON' });
    const other = await createMock();
    other.restore(JSON.parse(JSON.stringify(casa.snapshot())));
    const call = async (name: string, given: object) => {
      const params = { name, arguments: given };
      const response = await other.fetch('/mcp', {
        method: 'POST',
        headers: {
          authorization: `Bearer ${other.keys.good}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      return (await response.json()).result;
    };
    expect(await call('list_accounts', {})).toMatchObject({ structuredContent: { own: true } });
    const reviews = await call('list_reviews', { accountId: crypto.randomUUID() });
    expect(reviews).toEqual({ content: [{ type: 'text', text: 'no JSON' }] });
  });

  it.each([
    ['listSite', {}, {}, /match\.operation must be one of/],
    ['listSites', { status: 99 }, {}, /respond\.status must be/],
    ['listSites', { stauts: 200 }, {}, /There is no field respond\.stauts/],
    ['listSites', { headers: { date: 'x' } }, {}, /respond\.headers must be .* Check "date"\.$/],
    ['listSites', { headers: { 'x-a': 'a\nb' } }, {}, /Check "x-a"\.$/],
    ['listSites', { body: 'a'.repeat(1_000_001) }, {}, /respond\.body must have at most 1000000 characters/],
    ['listSites', {}, { time: 1 }, /^casa\.respond: there is no option "time"\. Did you mean "times"/],
  ])('rejects %s %j %j', (operation, response, options, message) => {
    expect(() => casa.respond(operation as '*', response as object, options as object)).toThrow(message);
    expect(casa.faults.list()).toEqual([]);
  });

  it('works on a running mock', async () => {
    const mock = await startMock();
    const connected = await connectMock(mock.origin);
    await connected.respond('listSites', { status: 503, body: 'down' }, { times: 1 });
    const headers = { authorization: `Bearer ${mock.keys.good}` };
    const statuses = [];
    for (let n = 0; n < 2; n += 1) statuses.push((await fetch(`${mock.baseUrl}/sites`, { headers })).status);
    expect(statuses).toEqual([503, 200]);
    await mock.close();
  });
});
