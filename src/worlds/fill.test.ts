import { describe, expect, it } from 'vitest';
import { createMock } from '../testing/create-mock.ts';
import { fillWorld, type PartialWorld } from './fill.ts';
import { defaultWorld, readWorld } from './load.ts';

async function ask(world: PartialWorld, path: string) {
  const casa = await createMock({ world, strict: true });
  const response = await casa.fetch(path, { headers: { authorization: `Bearer ${casa.keys.good}` } });
  return (await response.json()).data;
}

describe('a world by its parts', () => {
  it.each<[string, PartialWorld]>([
    ['nothing', {}],
    ['an article', { articles: [{ title: 'One' }] }],
    ['a site', { sites: [{ name: 'Mine' }] }],
    ['a keyword', { keywords: [{ keyword: 'tea' }] }],
    [
      'accounts',
      { accounts: [{ provider: 'tiktok' }, { status: 'expired' }, { status: 'pending' }, { locked: true }] },
    ],
    ['reviews', { accounts: [{ reviews: [{}, { rating: null }, { replyText: 'Thanks' }] }] }],
    ['calls', { calls: [{ outcome: 'missed' }, { agent: 'Ada' }] }],
    ['a payment', { payment: 'renewal_pending', name: 'Poor Ltd' }],
    ['organizations', { organizations: [{ articles: [] }, { articles: [{ title: 'Two' }] }] }],
    ['no records', { sites: [], articles: [], keywords: [], accounts: [], calls: [] }],
    ['another anchor', { anchor: '2030-01-01T00:00:00Z', articles: [{}] }],
  ])('is whole with %s given', async (_what, world) => {
    expect(await readWorld(fillWorld(world))).toMatchObject({ ok: true });
  });

  it('shows what was given, and the rest as it is in the world default', async () => {
    const world = { articles: [{ title: 'Fresh & new', status: 'draft' as const }, { title: 'Older' }] };
    const articles = await ask(world, '/articles');
    expect(articles).toMatchObject([
      { title: 'Fresh & new', slug: 'fresh-new', status: 'draft', publishedAt: null },
      { title: 'Older' },
    ]);
    expect(await ask(world, '/sites')).toHaveLength(defaultWorld.organizations[0]?.sites.length ?? 0);
  });

  it('has the same bytes each time', () => {
    const world = { accounts: [{ reviews: [{ text: 'Hm.' }] }] };
    expect(fillWorld(world)).toEqual(fillWorld(world));
    expect(fillWorld({ ...world, seed: 9 })).not.toEqual(fillWorld(world));
  });

  it('is read from a text too', async () => {
    const read = await readWorld('{ "articles": [{ "title": "From a file" }] }');
    expect(read).toMatchObject({ ok: true, data: { organizations: [{ articles: [{ title: 'From a file' }] }, {}] } });
  });

  it.each([
    [{ artcles: [] }, 'artcles: unknown field, did you mean articles? (fields: name, payment, sites, articles, '],
    [
      { articles: [{ titel: 'x' }] },
      'articles[0].titel: unknown field, did you mean title? (fields: id, siteId, title, ',
    ],
    [{ calls: [{ durationS: 5 }] }, 'calls[0].durationS: unknown field (fields: id, direction, from, to, agent, '],
    [{ accounts: [{ reviews: [{ ratin: 5 }] }] }, 'accounts[0].reviews[0].ratin: unknown field, did you mean rating?'],
    [
      { accounts: [{ posts: [{ txt: '' }] }] },
      'accounts[0].posts[0].txt: unknown field, did you mean text? (fields: postId, ',
    ],
    [{ articles: {} }, 'articles: not a list'],
    [{ articles: ['x'] }, 'articles[0]: not an object'],
    [{ accounts: [{ provider: 'myspace' }] }, 'accounts[0].provider: not one of'],
    [{ accounts: [{ reviews: 'none' }] }, 'accounts[0].reviews: not a list'],
    [{ organizations: [{}, {}, {}] }, 'organizations: the world default has 2'],
    [{ anchor: 'soon' }, 'anchor: not an ISO 8601 date-time'],
    [{ articles: [{ title: 7 }] }, /^articles\[0\]\.title: /],
    [{ articles: [{ title: null }] }, /^articles\[0\]\.title: /],
    [{ articles: [{ createdAt: 'soon' }] }, /^articles\[0\]\.\w+At: /],
    [{ calls: [{ startedAt: 'soon' }] }, /^calls\[0\]\.\w+At: /],
    [{ calls: [{ startedAt: 7 }] }, /^calls\[0\]\.\w+At: /],
    [{ articles: [{ wordCount: 'many' }] }, /^articles\[0\]\.wordCount: /],
    [{ organizations: [{ articles: [{ wordCount: 'many' }] }] }, /^organizations\[0\]\.articles\[0\]\.wordCount: /],
  ])('rejects %j', async (world, problem) => {
    const read = await readWorld(world);
    expect(read.ok ? '' : read.problems[0]).toMatch(problem);
  });
});
