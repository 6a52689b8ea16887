import { describe, expect, it, vi } from 'vitest';
import * as entry from '../index.ts';
import type { Casa } from './casa.ts';
import { createMock } from './create-mock.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

const transports: readonly (readonly [string, (options?: StartMockOptions) => Promise<Casa>])[] = [
  ['startMock', startMock],
  ['createMock', createMock],
];

/** Asks over the socket where there is one. */
async function ask(casa: Casa, path: string, init: RequestInit & { key?: string; json?: object } = {}) {
  const { key = casa.keys.good, json, ...rest } = init;
  const body = json === undefined ? {} : { method: 'POST', body: JSON.stringify(json) };
  const headers = { authorization: `Bearer ${key}` };
  const send = casa.origin.startsWith('http://127.') ? fetch : casa.fetch;
  const response = await send(`${casa.baseUrl}${path}`, { headers, ...body, ...rest });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

async function mocked(
  start: (typeof transports)[number][1],
  options: StartMockOptions,
  use: (casa: Casa) => Promise<void>,
) {
  const casa = await start(options);
  try {
    await use(casa);
  } finally {
    await casa.close();
  }
}

it('exports these names and no others', () => {
  expect(Object.keys(entry).sort()).toEqual(['connectMock', 'createMock', 'startMock']);
});

describe.each(transports)('%s', (_name, start) => {
  it('responds with its keys, and says who is who', () =>
    mocked(start, {}, async (casa) => {
      const { good, second, revoked, list } = casa.keys;
      const found = await Promise.all([good, second, revoked].map((key) => ask(casa, '/sites', { key })));
      expect(found.map(({ status }) => status)).toEqual([200, 200, 401]);
      expect(found[0]?.body).not.toEqual(found[1]?.body);
      expect(list.map(({ organizationId }) => organizationId)).toEqual(['org_1', 'org_1', 'org_2']);
    }));

  it('fails on demand, by spec and by rule, and stops on request', () =>
    mocked(start, {}, async (casa) => {
      casa.faults.add('listSites=transient@1x');
      const id = casa.faults.add({ match: { operation: 'listAccounts' }, error: 'provider_auth' });
      const statuses = [];
      for (const path of ['/sites', '/sites', '/connect/accounts']) statuses.push((await ask(casa, path)).status);
      expect(casa.faults.list().map((rule) => rule.id)).toEqual([id]);
      expect([casa.faults.remove(id), casa.faults.remove(id)]).toEqual([true, false]);
      statuses.push((await ask(casa, '/connect/accounts')).status);
      casa.faults.add('*=not_found');
      casa.faults.clear();
      statuses.push((await ask(casa, '/sites')).status);
      expect(statuses).toEqual([503, 200, 401, 200, 200]);
    }));

  it('keeps a request log for queries', () =>
    mocked(start, {}, async (casa) => {
      await ask(casa, '/sites?x=1');
      await ask(casa, '/keywords');
      await ask(casa, '/nothing');
      const { requests } = casa;
      expect(requests.all().map(({ operation }) => operation)).toEqual(['listSites', 'listKeywords', null]);
      expect(requests.find({ operation: 'listSites', method: 'get', path: '/api/v1/sites', status: 200 })).toHaveLength(
        1,
      );
      expect(requests.find({ path: /nothing$/, status: 404 })).toHaveLength(1);
      expect(requests.find({ organizationId: 'org_1' })).toHaveLength(3);
      expect([requests.count(), requests.count({ status: 400 }), requests.count(() => false)]).toEqual([3, 1, 0]);
      expect(JSON.stringify(requests.all())).not.toContain(casa.keys.good);
      requests.clear();
      expect(requests.count()).toBe(0);
    }));

  it('explains in its request log why a poll ahead of its clock sees nothing', () =>
    mocked(start, {}, async (casa) => {
      for (const aheadMs of [60_000, 60_001]) {
        await ask(casa, `/connect/calls/log?since=${new Date(casa.clock.now() + aheadMs).toISOString()}`);
      }
      const told = casa.requests
        .all()
        .map(({ assumptions }) => assumptions.filter((text) => text.startsWith('since lies')));
      expect(told.map(({ length }) => length)).toEqual([0, 1]);
      expect(told[1]?.[0]).toContain("Start the mock with clock: 'running'");
    }));

  it('goes back to the start, and back to a snapshot', () =>
    mocked(start, {}, async (casa) => {
      const labels = async () => {
        const { body } = await ask(casa, '/connect/accounts');
        return (body.data.pendingInvites as { label: string }[]).map(({ label }) => label);
      };
      const beginMs = casa.clock.now();
      const before = await labels();
      await ask(casa, '/connect/accounts', { json: { provider: 'tiktok', label: 'first' } });
      casa.clock.advance('1h');
      const snapshot = JSON.parse(JSON.stringify(casa.snapshot())) as ReturnType<Casa['snapshot']>;
      const logged = casa.requests.count();
      await ask(casa, '/connect/accounts', { json: { provider: 'tiktok', label: 'second' } });
      casa.restore(snapshot);
      expect(casa.requests.count()).toBe(logged);
      expect(await labels()).toEqual([...before, 'first']);
      expect(casa.clock.now()).toBe(beginMs + 3_600_000);
      casa.reset();
      expect(casa.requests.count()).toBe(0);
      expect(await labels()).toEqual(before);
      expect(casa.clock.now()).toBe(beginMs);
    }));

  it.each([
    ['a clock that starts elsewhere', { startAt: '2030-01-01T00:00:00Z' }, '2030-01-01T00:00:00.000Z'],
    ['a date', { startAt: new Date(0) }, '1970-01-01T00:00:00.000Z'],
    ['milliseconds', { startAt: 86_400_000 }, '1970-01-02T00:00:00.000Z'],
  ])('takes %s', (_what, options, timestamp) =>
    mocked(start, options, async (casa) => {
      expect(new Date(casa.clock.now()).toISOString()).toBe(timestamp);
      expect(new Date((await ask(casa, '/sites')).headers.get('date') ?? '').toISOString()).toBe(timestamp);
    }),
  );

  it('runs with the time of the system when asked', () =>
    mocked(start, { clock: 'running' }, async (casa) => {
      expect(casa.clock.frozen).toBe(false);
      expect(Math.abs(Date.now() - casa.clock.now())).toBeLessThan(1_000);
    }));

  it('says which key a world lacks', () =>
    mocked(start, { world: 'empty' }, async ({ keys }) => {
      expect(() => keys.second).toThrow('This world has no second organization; casa.organizations.add() makes one.');
    }));
});

describe('startMock', () => {
  it('starts within 50 ms', async () => {
    await (await startMock()).close();
    const before = process.cpuUsage();
    const casa = await startMock();
    const { user } = process.cpuUsage(before);
    await casa.close();
    expect(user).toBeLessThan(50_000);
  });

  it('closes once, and is closed by its scope', async () => {
    let baseUrl = '';
    {
      await using casa = await startMock();
      baseUrl = casa.baseUrl;
      await casa.close();
    }
    await expect(fetch(`${baseUrl}/sites`)).rejects.toThrow('fetch failed');
  });
});

describe('casa.fetch', () => {
  it('counts paths from the base URL, and takes what fetch takes', async () => {
    await using casa = await createMock({ baseUrl: 'https://api.example/api/v1/' });
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    const responses = await Promise.all([
      casa.fetch('/sites', { headers }),
      casa.fetch('/api/v1/sites', { headers }),
      casa.fetch(new URL('https://api.example/api/v1/sites'), { headers }),
      casa.fetch(new Request('https://api.example/api/v1/sites', { headers })),
    ]);
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(casa.baseUrl).toBe('https://api.example/api/v1');
  });

  it.each([
    'http://localhost:3000/casa/api/v1',
    'https://x.test/api/casa/',
    'https://x.test',
    'https://x.test/connect',
    'http://casa.mock/api/v2',
  ])('reaches the API at the base URL %s', async (given) => {
    await using casa = await createMock({ baseUrl: given });
    const baseUrl = given.replace(/\/$/, '');
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    expect(casa.baseUrl).toBe(baseUrl);
    expect((await casa.fetch('/sites?x=1', { headers })).status).toBe(200);
    expect((await casa.fetch(new URL(`${baseUrl}/connect/calls/log`), { headers })).status).toBe(200);
    expect(casa.requests.all().map(({ request }) => request.path)).toEqual([
      '/api/v1/sites',
      '/api/v1/connect/calls/log',
    ]);
    const json = JSON.stringify({ provider: 'tiktok', label: 'x' });
    const made = await casa.fetch('/connect/accounts', { method: 'POST', body: json, headers });
    const { connectUrl } = (await made.json()).data;
    expect((await casa.fetch(connectUrl)).status).toBe(200);
    expect(await (await casa.fetch('/__admin/health')).json()).toMatchObject({ baseUrl });
    expect((await casa.fetch(new URL('https://other.test/sites'), { headers })).status).toBe(404);
  });

  it.each(['/api/v1', 'nothing', 'ftp://x/api/v1', 'http://x/api/v1?y=1'])(
    'rejects the base URL %s',
    async (baseUrl) => {
      await expect(createMock({ baseUrl })).rejects.toThrow(
        `createMock: baseUrl must be an absolute URL without a query, for example https://api.example.com/api/v1, not "${baseUrl}".`,
      );
    },
  );
});

it('sends CORS headers to an origin that was written with its default port', async () => {
  const casa = await startMock({ cors: ['https://app.example.com:443/'] });
  const response = await fetch(`${casa.baseUrl}/sites`, { headers: { origin: 'https://app.example.com' } });
  expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
  await casa.close();
});

it('responds while the timers of the test are fake', async () => {
  vi.useFakeTimers();
  const casa = await startMock();
  try {
    expect((await fetch(`${casa.baseUrl}/sites`)).status).toBe(401);
  } finally {
    await casa.close();
    vi.useRealTimers();
  }
});
