import { describe, expect, it } from 'vitest';
import type { OrganizationData } from '../domain/world-data.ts';
import { checkWorld } from './check.ts';
import { formatWorld } from './format.ts';
import { generateWorld } from './generate.ts';

describe('generateWorld', () => {
  it('gives other worlds for other seeds, with the same keys', async () => {
    const [a, b] = [await generateWorld({ seed: 1 }), await generateWorld({ seed: 2 })];
    expect(a.organizations[0]?.articles[0]).not.toEqual(b.organizations[0]?.articles[0]);
    expect(a.organizations.map(({ keys }) => keys)).toEqual(b.organizations.map(({ keys }) => keys));
  });

  it('leaves the other sections alone when one grows', async () => {
    const small = await generateWorld({ seed: 1 });
    const grown = await generateWorld({ seed: 1, size: { articles: 200 } });
    const { articles: _small, ...restOfSmall } = small.organizations[0] as OrganizationData;
    const { articles, ...rest } = grown.organizations[0] as OrganizationData;
    expect(articles).toHaveLength(200);
    expect(rest).toEqual(restOfSmall);
  });

  it.each([
    { organizations: 1, sites: 1, articles: 0, keywords: 0, calls: 0, reviews: 0 },
    { organizations: 3, sites: 1, articles: 1, keywords: 1, calls: 1, reviews: 1 },
    { organizations: 20, sites: 12, articles: 500, keywords: 300, calls: 900, reviews: 200 },
    { calls: 4 },
    { calls: 6 },
  ])('makes a sound world of %j', async (size) => {
    const world = await generateWorld({ seed: 5, size });
    const violation = checkWorld(world);
    expect(violation.ok ? [] : violation.problems).toEqual([]);
    const [first] = world.organizations;
    const lists = { sites: first?.sites, articles: first?.articles, keywords: first?.keywords, calls: first?.calls };
    for (const [name, list] of Object.entries(lists)) {
      if (name in size) expect(list).toHaveLength(size[name as keyof typeof size] as number);
    }
  });

  it('takes another anchor', async () => {
    const anchor = '2030-06-01T00:00:00.000Z';
    const world = await generateWorld({ seed: 1, anchor });
    expect(world.anchor).toBe(anchor);
    expect((world.organizations[0]?.articles[0]?.createdAt ?? '') < anchor).toBe(true);
    expect((world.organizations[0]?.articles[0]?.createdAt ?? '') > '2030-05').toBe(true);
  });

  it('rejects an anchor that is not a timestamp', async () => {
    await expect(generateWorld({ seed: 1, anchor: 'noon' })).rejects.toThrow(
      'The anchor "noon" is not an ISO 8601 date-time.',
    );
  });
});

describe('formatWorld', () => {
  it('writes what JSON.parse reads back, one record a line', async () => {
    const world = await generateWorld({ seed: 3 });
    const text = formatWorld(world);
    expect(JSON.parse(text)).toEqual(world);
    const [first] = world.organizations;
    for (const record of [first?.articles[5], first?.calls[5], first?.accounts[0]?.reviews[5]]) {
      expect(text).toContain(
        `\n${' '.repeat(record === first?.accounts[0]?.reviews[5] ? 12 : 8)}${JSON.stringify(record)}`,
      );
    }
  });
});
