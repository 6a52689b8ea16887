import { describe, expect, it, vi } from 'vitest';
import { json, startTestEngine, toRequest } from '../../fixtures/test-kit/engine.ts';
import { openTransports } from '../transports/transport.ts';

const { engine } = startTestEngine();
const transport = openTransports(engine, {});
const get = async (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  transport(toRequest(`${method} ${path}`, '', { headers }));

describe('the root of the mock', () => {
  it('shows a tool the kind of server and its links', async () => {
    const response = await get('/', { accept: '*/*' });
    expect([response.status, response.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(json(response)).toEqual({
      name: 'casa mock',
      what: expect.stringMatching(/^A mock of the Content and Social Account service/),
      baseUrl: 'http://127.0.0.1:4010/api/v1',
      mcpUrl: 'http://127.0.0.1:4010/mcp',
      dashboard: 'http://127.0.0.1:4010/__admin',
      reference: 'http://127.0.0.1:4010/__admin/docs',
      document: 'http://127.0.0.1:4010/openapi.json',
    });
  });

  it('links to every place that it names', async () => {
    const { dashboard, reference, document, baseUrl } = json(await get('/'));
    for (const place of [dashboard, reference, document]) {
      expect((await get(place.slice(engineOrigin.length))).status, place).toBe(200);
    }
    expect((await get(`${baseUrl.slice(engineOrigin.length)}/sites`)).status).toBe(401);
  });

  it('shows a person a page, for any host name', async () => {
    const response = await transport({
      ...toRequest('GET /', '', { headers: { accept: 'text/html,*/*' } }),
      origin: 'http://a"><script>alert(1)</script>',
    });
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(String(response.body)).toContain('<h1>casa mock</h1>');
    expect(String(response.body)).not.toContain('<script');
  });

  it.each([
    ['https://dev.example.com/casa', '/casa/__admin'],
    ['https://dev.example.com', '/__admin'],
    ['https://dev.example.com/"x', '/__admin'],
  ])('links from %s, below which a proxy has put it, to %s', async (origin, path) => {
    const response = await transport({ ...toRequest('GET /', '', { headers: { accept: 'text/html' } }), origin });
    expect(String(response.body)).toContain(`<a href="${path}">`);
  });

  it('gives the document of the contract, which names this server', async () => {
    const document = json(await get('/openapi.json'));
    expect(document.openapi).toBe('3.1.0');
    expect(document.servers[0].url).toBe('http://127.0.0.1:4010/api/v1');
    expect(Object.keys(document.paths)).toHaveLength(11);
  });

  it('serializes the document once, for any address', async () => {
    await get('/openapi.json');
    const serialize = vi.spyOn(JSON, 'stringify');
    const origin = 'http://other"\\.example';
    const document = json(await transport({ ...toRequest('GET /openapi.json', '', {}), origin }));
    expect(document.servers[0].url).toBe(`${origin}/api/v1`);
    expect(Math.max(...serialize.mock.results.map(({ value }) => String(value).length))).toBeLessThan(1000);
    serialize.mockRestore();
  });

  it('responds to HEAD without a body, and keeps none of this in the request log', async () => {
    for (const path of ['/', '/openapi.json'])
      expect(await get(path, {}, 'HEAD')).toMatchObject({ status: 200, body: '' });
    expect(engine.requestLog.count).toBe(1);
  });

  it.each(['POST /', 'GET /other', 'GET /openapi.yaml'])(
    'responses %s as every path that there is not',
    async (line) => {
      const [method = '', path = ''] = line.split(' ');
      expect((await get(path, {}, method)).status).toBe(404);
    },
  );
});

it.each([
  ['/api/v1', '/api/v1 is the base path of the API. Add the path of an operation, for example /api/v1/sites.'],
  ['/api/v2', 'There is no /api/v2 here. The API is under /api/v1.'],
  [
    '/sites',
    'There is no /sites here. The API is under /api/v1. Did you mean GET /api/v1/sites? The path has to start with /api/v1.',
  ],
])('GET %s gets a 404 with a true message', async (path, message) => {
  expect(json(await get(path))).toEqual({ error: { code: 'not_found', message }, unmatched: `GET ${path}` });
});

it.each([
  ['/api/v1/', '', 'no similar path'],
  ['/api/v1/site', ' Did you mean GET /api/v1/sites? The path is spelt differently.', 'GET /api/v1/sites'],
  [
    '/api/v1/api/v1/sites',
    ' Did you mean GET /api/v1/sites? The path repeats /api/v1, which the base URL already has.',
    'GET /api/v1/sites',
  ],
])('GET %s with a key names the operation that does not exist, and the nearest one', async (path, hint, nearest) => {
  const response = await get(path, { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' });
  expect(json(response).error.message).toBe(`There is no operation GET ${path} in this API.${hint}`);
  expect(response.headers['x-casa-unmatched']).toBe(nearest);
});

const engineOrigin = 'http://127.0.0.1:4010';
