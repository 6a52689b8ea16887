import { setupServer as setupServer3 } from 'msw/node';
import { setupServer as setupServer2 } from 'msw2/node';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Profile } from '../contract/profile.ts';
import { createMock } from './create-mock.ts';

interface Server {
  listen(options: { onUnhandledRequest: 'error' }): void;
  use(...handlers: readonly unknown[]): void;
  resetHandlers(): void;
  close(): void;
}

const versions = [
  ['2', () => import('msw2'), setupServer2 as unknown as () => Server],
  ['3', () => import('msw'), setupServer3 as unknown as () => Server],
] as const;

describe.each(versions)('casaHandlers with msw %s', (_version, msw, setupServer) => {
  const server = setupServer();
  let casaHandlers: typeof import('./msw.ts').casaHandlers;

  beforeAll(async () => {
    vi.resetModules();
    const loaded = await msw();
    vi.doMock('msw', () => loaded);
    ({ casaHandlers } = await import('./msw.ts'));
    server.listen({ onUnhandledRequest: 'error' });
  });
  afterEach(() => server.resetHandlers());
  afterAll(() => {
    server.close();
    vi.doUnmock('msw');
  });

  const ask = async (url: string, init: RequestInit = {}) => {
    const headers = { authorization: 'Bearer casa_0123456789abcdef0123456789abcdef' };
    return fetch(url, { headers, ...init });
  };

  it('responds at the base URL, deep paths, queries and bodies included', async () => {
    server.use(...casaHandlers({ baseUrl: 'https://api.example.com/api/v1' }));
    const articles = await ask('https://api.example.com/api/v1/articles?limit=2');
    const created = await ask('https://api.example.com/api/v1/connect/accounts', {
      method: 'POST',
      body: JSON.stringify({ provider: 'tiktok', label: 'Läden' }),
    });
    const listed = await ask('https://api.example.com/api/v1/connect/accounts');
    expect(((await articles.json()) as { data: unknown[] }).data).toHaveLength(2);
    expect(articles.headers.get('x-ratelimit-remaining')).toBe('59');
    expect(created.status).toBe(200);
    expect(await listed.text()).toContain('Läden');
  });

  it('responds like a deployment by its profile', async () => {
    const head = { casaProfile: 1, kit: '0.1.0', contract: '1.0.0', target: 'x', learntOn: '2026-11-22' } as const;
    const learnt = {
      articleOrder: { value: 'oldest', seen: 6 },
      timestampForm: { value: 'YYYY-MM-DDThh:mmZ', seen: 9 },
    };
    server.use(...casaHandlers({ profile: { ...head, behaviors: learnt, unknown: {}, notLearnt: [] } as Profile }));
    const { data } = (await (await ask('http://casa.mock/api/v1/articles')).json()) as {
      data: { createdAt: string }[];
    };
    const times = data.map(({ createdAt }) => createdAt);
    expect(times).toEqual([...times].sort());
    expect(times[0]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/);
  });

  it('serves the consent page and the admin API on the same origin', async () => {
    server.use(...casaHandlers());
    const created = await ask('http://casa.mock/api/v1/connect/accounts', {
      method: 'POST',
      body: JSON.stringify({ provider: 'tiktok', label: 'x' }),
    });
    const { data } = (await created.json()) as { data: { connectUrl: string } };
    const consent = await fetch(data.connectUrl);
    const health = await fetch('http://casa.mock/__admin/health');
    const dashboard = await fetch('http://casa.mock/__admin');
    expect(consent.headers.get('content-type')).toContain('text/html');
    expect([consent.status, health.status, dashboard.status]).toEqual([200, 200, 200]);
    expect(await dashboard.text()).toContain('<title>casa mock</title>');
  });

  it('responds with a mock of the test, which has a frozen clock', async () => {
    const casa = await createMock({ baseUrl: 'http://localhost:8080/api/v1' });
    server.use(...casaHandlers(casa));
    casa.faults.add('listSites=transient@1x');
    const statuses = [];
    for (let i = 0; i < 2; i += 1) statuses.push((await ask(`${casa.baseUrl}/sites`)).status);
    expect(statuses).toEqual([503, 200]);
    expect(casa.requests.count({ operation: 'listSites' })).toBe(2);
  });

  it('fails as a network does when a fault leaves no response', async () => {
    const casa = await createMock();
    server.use(...casaHandlers(casa));
    casa.faults.add('*=network:reset');
    await expect(ask(`${casa.baseUrl}/sites`)).rejects.toThrow(TypeError);
  });

  it('breaks off in the middle on request', async () => {
    const casa = await createMock();
    server.use(...casaHandlers(casa));
    casa.faults.add('*=network:truncated');
    const readWhole = async () => (await ask(`${casa.baseUrl}/sites`)).text();
    await expect(readWhole()).rejects.toThrow(TypeError);
  });

  it('responds at any base URL, and opens its connect links', async () => {
    const baseUrl = 'http://localhost:3000/casa/api/v1';
    server.use(...casaHandlers({ baseUrl }));
    const body = JSON.stringify({ provider: 'tiktok', label: 'x' });
    const created = await ask(`${baseUrl}/connect/accounts`, { method: 'POST', body });
    const { data } = (await created.json()) as { data: { connectUrl: string } };
    expect((await ask(data.connectUrl)).status).toBe(200);
    expect((await ask(`${baseUrl}/sites`)).status).toBe(200);
  });

  it.each([
    [{ baseUrl: '/api/v1' }, 'casaHandlers: baseUrl must be an absolute URL'],
    [{ baseUrl: 'ftp://x/api' }, 'casaHandlers: baseUrl must be an absolute URL'],
    [{ limit: true }, 'casaHandlers: there is no option "limit". Did you mean "limits"?'],
  ])('rejects %j when it is called', (options, sentence) => {
    expect(() => casaHandlers(options as object)).toThrow(sentence);
  });
});
