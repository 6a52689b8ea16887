import { describe, expect, it } from 'vitest';
import type { OrganizationData } from '../domain/world-data.ts';
import { createMock } from '../testing/create-mock.ts';
import { fillWorld, type PartialOrganization, type PartialWorld } from './fill.ts';
import { defaultWorld, readWorld } from './load.ts';
import { rebase } from './rebase.ts';

const startMs = Date.parse('2026-11-29T00:00:00.000Z');

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

  describe('leaves the times of a file without an anchor as written', () => {
    const at = '2026-11-28T02:41:17Z';
    it.each<[what: string, parts: PartialOrganization, times: (first: OrganizationData) => unknown[]]>([
      ['article', { articles: [{ createdAt: at }] }, ({ articles: [one] }) => [one?.createdAt, one?.updatedAt]],
      ['site', { sites: [{ createdAt: at }] }, ({ sites: [one] }) => [one?.createdAt]],
      ['review', { accounts: [{ reviews: [{ date: at }] }] }, ({ accounts: [one] }) => [one?.reviews[0]?.date]],
      ['account', { accounts: [{ connectedAt: at }] }, ({ accounts: [one] }) => [one?.connectedAt]],
      ['call', { calls: [{ endedAt: at }] }, ({ calls: [one] }) => [one?.endedAt]],
    ])('%s', (_, parts, times) => {
      for (const world of [parts, { organizations: [parts] }]) {
        const moved = rebase(rebase(fillWorld(world), startMs), startMs + 1).organizations[0] as OrganizationData;
        for (const time of times(moved)) expect(time).toBe(at);
      }
    });

    it('and the end of a call that follows from them, and moves all others', () => {
      const written = { calls: [{ startedAt: at }, {}] };
      const { calls, accounts } = rebase(fillWorld(written), startMs).organizations[0] as OrganizationData;
      expect(calls[0]).toMatchObject({ startedAt: at, endedAt: '2026-11-28T02:42:17.000Z' });
      expect(calls[1]?.startedAt).toBe(new Date(startMs - 2 * 3_600_000).toISOString());
      expect(accounts[0]?.connectedAt).not.toBe(defaultWorld.organizations[0]?.accounts[0]?.connectedAt);
      const anchored = rebase(fillWorld({ anchor: at, ...written }), startMs).organizations[0];
      expect(anchored?.calls[0]?.startedAt).toBe(new Date(startMs).toISOString());
    });
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
