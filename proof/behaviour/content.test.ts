import { expect } from 'vitest';
import { home, samples } from './cast.ts';
import { describeDoors } from './doors.ts';

const nil = '00000000-0000-0000-0000-000000000000';
const newestFirst = [...home.articles].sort((a, b) => (a.createdAt < b.createdAt ? 1 : -1));
const [site, otherSite] = home.sites;

describeDoors('GET /articles', ({ it, open }) => {
  it.each([
    ['', 20],
    ['?limit=1', 1],
    ['?limit=2', 2],
    ['?limit=99', home.articles.length],
    ['?limit=100', home.articles.length],
    ['?limit=05', 5],
    ['?limit=2&limit=50', 2],
    ['?limit=2&unknown=1', 2],
  ])('with %j gives %i articles, newest first', async (query, count) => {
    const { ask } = await open();
    const { data, cursor } = (await ask('GET', `/articles${query}`)).success('listArticles');
    expect(data).toEqual(newestFirst.slice(0, count));
    expect(cursor).toBe(count < home.articles.length ? data.at(-1)?.createdAt : null);
  });

  it.each([
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=',
    'limit=ten',
    'limit=1.0',
    'limit=1e1',
    'limit=%201',
    'limit=99999999999999999999',
    'siteId=',
    'siteId=x',
    'siteId=0000',
    'cursor=',
    'cursor=yesterday',
    'cursor=2026-01-01',
    'cursor=2026-02-30T00:00:00Z',
    'cursor=2026-01-15T10:00:00+01:00',
  ])('refuses %s', async (query) => {
    const { ask } = await open();
    const { status, error } = await ask('GET', `/articles?${query}`);
    expect([status, error.code, error.issues?.map(({ path }) => path)]).toEqual([
      400,
      'invalid_input',
      [`/${query.split('=', 1)[0]}`],
    ]);
  });

  it('lists each problem of a query', async () => {
    const { ask } = await open();
    const { error } = await ask('GET', '/articles?limit=0&siteId=x&cursor=y');
    expect(error.issues?.map(({ path }) => path).sort()).toEqual(['/cursor', '/limit', '/siteId']);
  });

  it('goes on after the createdAt of the last article, until null', async () => {
    const { ask } = await open();
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

  it('filters by site, in either case of letters', async () => {
    const { ask } = await open();
    const expected = newestFirst.filter(({ siteId }) => siteId === site?.id);
    for (const id of [site?.id, site?.id.toUpperCase()]) {
      expect((await ask('GET', `/articles?limit=100&siteId=${id}`)).success('listArticles').data).toEqual(expected);
    }
    expect((await ask('GET', `/articles?siteId=${nil}`)).json).toEqual({ data: [], cursor: null });
  });

  it('takes a cursor as an instant, in any form of ISO 8601', async () => {
    const { ask } = await open();
    const third = newestFirst[2]?.createdAt ?? '';
    const expected = (await ask('GET', `/articles?cursor=${third}`)).text;
    const shifted = `${new Date(Date.parse(third) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
    for (const form of [shifted, third.replace('.', ','), third.replace('Z', '000Z')]) {
      expect((await ask('GET', `/articles?cursor=${encodeURIComponent(form)}`)).text).toBe(expected);
    }
  });

  it('shows every status of the contract', async () => {
    const { ask } = await open();
    const { data } = (await ask('GET', '/articles?limit=100')).success('listArticles');
    expect(new Set(data.map(({ status }) => status))).toEqual(
      new Set(['planned', 'generating', 'draft', 'scheduled', 'published', 'failed']),
    );
  });

  it('never gives more than its limit where articles tie, and loses only tied ones', async () => {
    const { ask } = await open({ world: 'tied-articles' });
    const all = (await ask('GET', '/articles?limit=100')).success('listArticles').data;
    const first = (await ask('GET', '/articles')).success('listArticles');
    const second = (await ask('GET', `/articles?cursor=${first.cursor}`)).success('listArticles');
    expect([first.data.length, second.data.length]).toEqual([20, 20]);
    const last = first.data.at(-1)?.createdAt;
    const lost = all.slice(20, 40).filter(({ id }) => !second.data.some((other) => other.id === id));
    expect(lost.length).toBeGreaterThan(0);
    expect(lost.every(({ createdAt }) => createdAt === last)).toBe(true);
  });
});

describeDoors('GET by id', ({ it, open }) => {
  it('gives the article or site with that id, in either case of letters', async () => {
    const { ask } = await open();
    const article = home.articles[3];
    for (const id of [article?.id, article?.id.toUpperCase()]) {
      expect((await ask('GET', `/articles/${id}`)).success('getArticle').data).toEqual(article);
    }
    expect((await ask('GET', `/sites/${otherSite?.id}`)).success('getSite').data).toEqual(otherSite);
  });

  it.each([nil, 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'x', '1', '%20', 'a%2Fb'])('does not find %s', async (id) => {
    const { ask } = await open();
    for (const noun of ['articles', 'sites']) {
      const answer = await ask('GET', `/${noun}/${id}`);
      expect([answer.status, answer.code]).toEqual([404, 'not_found']);
    }
  });

  it('does not mistake an article for a site', async () => {
    const { ask } = await open();
    expect((await ask('GET', `/sites/${home.articles[0]?.id}`)).status).toBe(404);
    expect((await ask('GET', `/articles/${site?.id}`)).status).toBe(404);
  });
});

describeDoors('GET /sites and /keywords', ({ it, open }) => {
  it('list what the organization has', async () => {
    const { ask } = await open();
    expect((await ask('GET', '/sites')).success('listSites').data).toEqual(home.sites);
    for (const { id } of home.sites) {
      const expected = home.keywords.filter(({ siteId }) => siteId === id);
      expect((await ask('GET', `/keywords?siteId=${id}`)).success('listKeywords').data).toEqual(expected);
    }
  });

  it.each(['', '?siteId=', '?siteId=x', '?siteid=00000000-0000-0000-0000-000000000000'])(
    'refuse keywords of %j',
    async (query) => {
      const { ask } = await open();
      const { status, error } = await ask('GET', `/keywords${query}`);
      expect([status, error.code, error.issues?.map(({ path }) => path)]).toEqual([400, 'invalid_input', ['/siteId']]);
    },
  );

  it('do not find keywords of an unknown site', async () => {
    const { ask } = await open();
    expect((await ask('GET', `/keywords?siteId=${nil}`)).code).toBe('not_found');
  });
});

describeDoors('a path or method that is not offered', ({ it, open, ownsOrigin }) => {
  it.each([
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
  ])('%s %s answers %i in the form of the contract', async (method, target, status) => {
    const { ask } = await open();
    const answer = await ask(method, target);
    expect([answer.status, answer.code]).toEqual([status, status === 404 ? 'not_found' : 'method_not_allowed']);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('names the methods that are offered', async () => {
    const { ask } = await open();
    expect((await ask('DELETE', '/connect/accounts')).headers.allow?.split(', ').sort()).toEqual(['GET', 'POST']);
    expect((await ask('HEAD', '/sites')).status).toBe(405);
  });

  it.runIf(ownsOrigin)('stands beside the base path: other versions and no version are unknown', async () => {
    const { ask, casa } = await open();
    for (const path of ['/articles', '/api/articles', '/api/v2/articles']) {
      const answer = await ask('GET', `${casa.origin}${path}`);
      expect([answer.status, answer.code]).toEqual([404, 'not_found']);
    }
  });
});

describeDoors('an empty world', ({ it, open }) => {
  it('answers with empty lists', async () => {
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
