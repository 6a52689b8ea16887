import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endless, startHttp } from '../../fixtures/test-kit/scripted-server.ts';
import { adminVersion } from '../admin/verbs/state.ts';
import { type Casa, type ConnectedCasa, connectMock, createMock, startMock } from '../index.ts';

let mock: Casa;
let casa: ConnectedCasa;

beforeAll(async () => {
  mock = await startMock({ organizationHeader: true });
  casa = await connectMock(`${mock.baseUrl}/sites`);
});
afterAll(() => mock.close());

const get = (path: string, headers: Record<string, string> = {}, key = mock.keys.good) =>
  fetch(`${mock.baseUrl}${path}`, { headers: { authorization: `Bearer ${key}`, ...headers } });

describe('connectMock', () => {
  it('returns every handle of startMock', () => {
    const namesOf = (handle: object, path = ''): string[] =>
      Object.entries(handle).flatMap(([name, part]) =>
        part !== null && typeof part === 'object' && !(part instanceof Promise) && path === ''
          ? namesOf(part, `${name}.`)
          : [path + name],
      );
    const own = ['organizationId', 'choosesOrganizations'];
    const known = namesOf(mock).filter((name) => name !== 'clock.drive'); // timers of this process
    expect(namesOf(casa).sort()).toEqual([...known, ...own].sort());
    expect(casa.keys.good).toBe(mock.keys.good);
    expect([casa.baseUrl, casa.mcpUrl, casa.origin]).toEqual([mock.baseUrl, mock.mcpUrl, mock.origin]);
  });

  it('moves the clock', async () => {
    const before = await casa.clock.now();
    expect(await casa.clock.frozen).toBe(true);
    await casa.clock.advance('5m');
    await casa.clock.advance(500);
    expect(mock.clock.now() - before).toBe(300_500);
    await casa.clock.set(new Date(before + 600_000));
    await casa.clock.resume();
    await casa.clock.scale(2);
    await casa.clock.freeze();
    expect(mock.clock.now()).toBeGreaterThanOrEqual(before + 600_000);
    await expect(casa.clock.advance('soon')).rejects.toThrow('"soon" is not a duration');
  });

  it('adds records, and returns them', async () => {
    expect(await casa.calls.ring({ durationS: 30 })).toMatchObject({ status: 'in_progress' });
    expect(await casa.reviews.arrive({ rating: 1 })).toMatchObject({ rating: 1, replied: false });
    const { id } = await casa.articles.put({ title: 'Tea' });
    expect(await casa.articles.publish(id)).toMatchObject({ title: 'Tea', status: 'published' });
    const { accountId } = (await (await get('/connect/accounts')).json()).data.accounts[0];
    await casa.accounts.set(accountId, { status: 'expired', trouble: null, needsPayment: true });
    expect((await (await get('/connect/accounts')).json()).data.accounts[0].status).toBe('expired');
    await expect(casa.accounts.set('nobody', {})).rejects.toThrow(
      /^casa\.accounts\.set: Organization .* has no account/,
    );
  });

  it('adds, lists and removes faults', async () => {
    const id = await casa.faults.add('listSites=503@1x');
    expect(await casa.faults.list()).toEqual([{ id, match: { operation: 'listSites' }, error: 'transient', times: 1 }]);
    expect((await get('/sites')).status).toBe(503);
    const other = await casa.faults.add({ network: 'reset', id: 'mine' });
    expect([await casa.faults.remove(other), await casa.faults.remove(other)]).toEqual([true, false]);
    await casa.faults.add('*=503');
    await casa.faults.clear();
    expect(mock.faults.list()).toEqual([]);
    await expect(casa.faults.add('listSite=503')).rejects.toThrow('Did you mean "listSites"?');
  });

  it('reads requests and violations, and clears them', async () => {
    await casa.reset();
    for (let n = 0; n < 3; n += 1) await get('/nothing');
    expect(await casa.requests.all()).toEqual(mock.requests.all());
    expect(await casa.requests.find({ path: /nothing$/ })).toHaveLength(3);
    expect(await casa.requests.count((record) => record.response.status === 404)).toBe(3);
    await expect(casa.requests.find({ pth: '/' } as object)).rejects.toThrow('there is no option "pth"');
    expect(await casa.violations()).toEqual(mock.violations());
    await casa.requests.clear();
    expect(await casa.requests.count()).toBe(0);
  });

  it('reads all requests when their bodies fill more than one page', async () => {
    await casa.reset();
    for (let n = 0; n < 150; n += 1) await get('/articles?limit=100');
    expect((await casa.requests.all()).map(({ id }) => id)).toEqual(mock.requests.all().map(({ id }) => id));
  });

  it('takes and restores snapshots', async () => {
    const snapshot = await casa.snapshot();
    await casa.articles.put({ title: 'Later' });
    await casa.restore(snapshot);
    expect(mock.snapshot().world).toEqual(snapshot.world);
    await expect(casa.restore(undefined as never)).rejects.toThrow('casa.snapshot() gave back');
  });

  it('sends requests like casa.fetch', async () => {
    const response = await casa.fetch('/sites', { headers: { authorization: `Bearer ${casa.keys.good}` } });
    expect(response.status).toBe(200);
  });
});

describe('a handle for one organization', () => {
  it('is separate from the others', async () => {
    await casa.reset();
    await casa.organizations.add({ name: 'worker 1' });
    const worker = await connectMock(mock.origin, { organization: 'worker 1' });
    expect((await connectMock(mock.origin, { organization: 'worker 1' })).organizationId).toBe(worker.organizationId);
    await worker.articles.put({ title: 'Only mine' });
    await worker.faults.add('listSites=503');
    expect((await get('/sites')).status).toBe(200);
    expect((await get('/sites', {}, worker.keys.good)).status).toBe(503);
    await get('/nothing', {}, worker.keys.good);
    await get('/nothing', {}, worker.keys.good);
    expect(await worker.requests.count()).toBe(3);
    expect((await worker.violations()).length).toBe(1);
    await mock.faults.add('listSites=502');
    await worker.faults.clear();
    expect(mock.faults.list()).toHaveLength(1);
    await expect(worker.reset()).rejects.toThrow('casa.reset changes the whole mock');
    mock.reset();
  });

  it('rejects a mistyped organization, and names those of the mock', async () => {
    await expect(connectMock(mock.origin, { organization: 'org_11' })).rejects.toThrow(
      /^The mock has no organization "org_11"\. It has org_1 \(.+\), org_\d+ \(.+\)\. Pass one of these, or add one/,
    );
    const { organizations } = (await (await fetch(`${mock.origin}/__admin/organizations`)).json()) as {
      organizations: object[];
    };
    expect(organizations).toHaveLength(2);
  });

  it('is chosen by a header or a cookie of a request with another valid key', async () => {
    const { id, key } = mock.organizations.add({ world: 'empty' });
    const sites = async (headers: Record<string, string>, sent?: string) => {
      const response = await get('/sites', headers, sent);
      return response.ok
        ? (await response.json()).data.length
        : [response.status, (await response.json()).error.message];
    };
    expect(await sites({})).toBeGreaterThan(0);
    expect(await sites({ 'x-casa-organization': id })).toBe(0);
    expect(await sites({ cookie: `a=1; casa-organization=${id}` })).toBe(0);
    expect(mock.requests.find({ organizationId: id })).toHaveLength(2);
    expect(mock.requests.all().at(-1)?.key?.slice(-4)).toBe(key.slice(-4));
    // A missing key still has its 401.
    expect(await sites({ 'x-casa-organization': id }, 'casa_wrong')).toEqual([401, 'The API key is not valid.']);
    expect(await sites({ 'x-casa-organization': 'org_9' })).toEqual([
      400,
      expect.stringContaining('no organization "org_9"'),
    ]);
    expect(await sites({ 'x-casa-organization': id, 'x-forwarded-for': '203.0.113.7' })).toEqual([
      400,
      expect.stringContaining('needs a request from this machine'),
    ]);
  });

  it('is not chosen unless the option is on', async () => {
    const plain = await createMock();
    const { id } = plain.organizations.add({ world: 'empty' });
    const headers = { authorization: `Bearer ${plain.keys.good}`, 'x-casa-organization': id };
    const { data } = await (await plain.fetch('/sites', { headers })).json();
    expect(data.length).toBeGreaterThan(0);
  });
});

describe('errors of connectMock are one sentence', () => {
  it.each([
    ['localhost:4010', 'connectMock takes a URL such as http://127.0.0.1:4010, not "localhost:4010".'],
    [
      'http://127.0.0.1:1',
      /^No response of a casa mock at http:\/\/127\.0\.0\.1:1: .+\. Check that it runs and has the URL that casa mock printed\.$/,
    ],
  ])('for %s', async (url, message) => {
    await expect(connectMock(url)).rejects.toThrow(message);
  });

  it.each<[string, number, string, RegExp]>([
    ['another server', 200, '<html>', /is not a casa mock: its response to GET \/__admin\/health is not JSON/],
    ['another API', 404, '{}', /is not a casa mock: GET \/health returned 404/],
    ['another health page', 200, '{"status":"up"}', /is not a casa mock: GET \/__admin\/health has another form/],
    ['a mock with a token', 401, '{"error":{"message":"x"}}', /needs its admin token. Pass adminToken/],
    ['another version', 200, '{"status":"ok","baseUrl":"x"}', /has version 1\.0\.0 of the admin API, not 2\.0\.0/],
  ])('for %s', async (_, status, body, message) => {
    const server = await startHttp((_request, response) => response.writeHead(status).end(body));
    await expect(connectMock(server.origin)).rejects.toThrow(message);
    await server.close();
  });

  const health = JSON.stringify({ status: 'ok', baseUrl: 'http://a', adminVersion });
  it.each<[string, (path: string) => string | null, RegExp]>([
    ['a response without an end', () => null, /its response is over 50 MB/],
    ['a deep response', () => '['.repeat(100_000) + ']'.repeat(100_000), /is not JSON/],
    ['null', () => 'null', /GET \/__admin\/health has another form/],
    ['no organizations', (path) => (path.endsWith('/health') ? health : '{}'), /organizations has another form/],
  ])('for %s', async (_, bodyOf, message) => {
    const server = await startHttp(({ url = '' }, response) => {
      const body = bodyOf(url);
      if (body === null) endless().pipe(response);
      else response.end(body);
    });
    await expect(connectMock(server.origin)).rejects.toThrow(message);
    await server.close();
  });

  it('for a request log without an end', async () => {
    const server = await startHttp(({ url = '' }, response) => {
      const { pathname } = new URL(url, 'http://a');
      const requests = Array.from({ length: 1000 }, (_, id) => ({ id }));
      response.end(pathname.endsWith('/health') ? health : JSON.stringify({ organizations: [], requests: requests }));
    });
    const connected = await connectMock(server.origin);
    await expect(connected.requests.all()).rejects.toThrow('its request log has no end');
    await server.close();
  });
});
