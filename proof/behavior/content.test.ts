import { expect, it } from 'vitest';
import { defaultWorld } from '../../src/worlds/load.ts';
import { home, samples } from '../test-kit/actors.ts';
import { goodKey, startTestEngine, toRequest } from '../test-kit/engine.ts';
import { describeTransports, mcpHeaders, toolCall } from './transports.ts';

const nil = '00000000-0000-0000-0000-000000000000';
const newestFirst = [...home.articles].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
const [, otherSite] = home.sites;

describeTransports('GET /articles', ({ it }) => {
  it.for([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=2', 2],
    ['?limit=99', home.articles.length],
    ['?limit=100', home.articles.length],
    ['?limit=05', 5],
    ['?limit=2&limit=50', 2],
    ['?limit=2&unknown=1', 2],
  ] as const)('with %j gives %i articles, newest first', async ([query, count], { ask }) => {
    const { data, cursor } = (await ask('GET', `/articles${query}`)).success('listArticles');
    expect(data).toEqual(newestFirst.slice(0, count));
    expect(cursor).toBe(count < home.articles.length ? data.at(-1)?.createdAt : null);
  });

  it('continues after the createdAt of the last article, until null', async ({ ask }) => {
    const seen: string[] = [];
    let target = '/articles?limit=10';
    for (;;) {
      const { data, cursor } = (await ask('GET', target)).success('listArticles');
      seen.push(...data.map(({ id }) => id));
      expect(seen.length).toBeLessThanOrEqual(home.articles.length);
      if (cursor === null) break;
      target = `/articles?limit=10&cursor=${encodeURIComponent(cursor)}`;
    }
    expect(seen).toEqual(newestFirst.map(({ id }) => id));
  });
});

describeTransports('GET by id', ({ it }) => {
  it('gives the article or site with that id, in either case of letters', async ({ ask }) => {
    const article = home.articles[3];
    for (const id of [article?.id, article?.id.toUpperCase()]) {
      expect((await ask('GET', `/articles/${id}`)).success('getArticle').data).toEqual(article);
    }
    expect((await ask('GET', `/sites/${otherSite?.id}`)).success('getSite').data).toEqual(otherSite);
  });

  it.for([nil, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'x', '1', '%20', 'a%2Fb'])(
    'does not find %s',
    async (id, { ask }) => {
      for (const noun of ['articles', 'sites']) {
        const response = await ask('GET', `/${noun}/${id}`);
        expect([response.status, response.code]).toEqual([404, 'not_found']);
      }
    },
  );
});

describeTransports('GET /sites and /keywords', ({ it }) => {
  it('list what the organization has', async ({ ask }) => {
    expect((await ask('GET', '/sites')).success('listSites').data).toEqual(home.sites);
    for (const { id } of home.sites) {
      const expected = home.keywords.filter(({ siteId }) => siteId === id);
      expect((await ask('GET', `/keywords?siteId=${id}`)).success('listKeywords').data).toEqual(expected);
    }
  });

  it('do not find keywords of an unknown site', async ({ ask }) => {
    expect((await ask('GET', `/keywords?siteId=${nil}`)).code).toBe('not_found');
  });
});

describeTransports('a path or method that is not offered', ({ it, ownsOrigin }) => {
  it.for([
    ['GET', '/', 404],
    ['GET', '/article', 404],
    ['GET', '/articles/', 404],
    ['GET', '/Articles', 404],
    ['GET', '/connect', 404],
    ['GET', '/connect/calls', 404],
    ['GET', '/articles/x/y', 404],
    ['POST', '/articles', 405],
    ['DELETE', '/sites', 405],
    ['PUT', '/connect/accounts', 405],
    ['PATCH', samples.getInsights.target, 405],
    ['GET', samples.createPost.target, 405],
  ] as const)('%s %s responses %i in the form of the contract', async ([method, target, status], { ask }) => {
    const response = await ask(method, target);
    expect([response.status, response.code]).toEqual([status, status === 404 ? 'not_found' : 'method_not_allowed']);
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('names the methods that are offered', async ({ ask }) => {
    expect((await ask('DELETE', '/connect/accounts')).headers.allow?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect((await ask('HEAD', '/sites')).status).toBe(405);
  });

  it.runIf(ownsOrigin)('has one base path: other versions and no version are unknown', async ({ ask, casa }) => {
    for (const path of ['/articles', '/api/articles', '/api/v2/articles']) {
      const response = await ask('GET', `${casa.origin}${path}`);
      expect([response.status, response.code]).toEqual([404, 'not_found']);
    }
  });
});

describeTransports('an empty world', ({ it }) => {
  it('responds with empty lists', async ({ open }) => {
    const { ask } = await open({ world: 'empty' });
    expect((await ask('GET', '/articles')).json).toEqual({ data: [], cursor: null });
    expect((await ask('GET', '/sites')).json).toEqual({ data: [] });
    expect((await ask('GET', '/connect/accounts')).success('listAccounts').data).toEqual({
      accounts: [],
      pendingInvites: [],
      billing: { connected: 0, free: 0, billable: 0, needsPayment: false },
    });
    expect((await ask('GET', '/connect/calls/log')).success('listCalls').data).toEqual({ calls: [], nextCursor: null });
  });
});

const broken = {
  ...home,
  sites: home.sites.map((site) => ({ ...site, cms: 7 }) as never),
  customers: [{ ...home.customers?.[0], name: 7 } as never],
};
const data = { ...defaultWorld, organizations: [broken] };

it.each([
  ['listSites', '/data/0/cms', toRequest('GET /sites', '/api/v1', { key: goodKey })],
  [
    'customers_list',
    '/data/customers/0/name',
    toRequest('POST /mcp', '', { key: goodKey, headers: mcpHeaders, body: toolCall('customers_list') }),
  ],
])('a response of %s with a wrong %s is a bug that only a strict mock shows', async (name, path, request) => {
  const ask = async (strict: boolean) => {
    const { engine } = startTestEngine({ data, strict });
    return request.path === '/mcp' ? engine.handleMcp(request) : engine.handle(request);
  };
  await expect(ask(true)).rejects.toThrow(`${name} returned 200 against the contract: ${path} must be string`);
  expect((await ask(false)).status).toBe(200);
});
