import { describe, expect, it } from 'vitest';
import { seed } from '../cli/seed.ts';
import { startMock } from './start-mock.ts';
import { buildWorld, generateWorld } from './worlds.ts';

describe('generateWorld', () => {
  it('makes what casa seed writes', async () => {
    const written: string[] = [];
    const out = { write: (text: string) => written.push(text), error: () => {} };
    await seed(['--seed', '7', '--articles', '30', '--organizations', '1'], out as never);
    expect(JSON.parse(written.join(''))).toEqual(await generateWorld({ seed: 7, articles: 30, organizations: 1 }));
  });

  it('makes a world that a mock takes', async () => {
    await using casa = await startMock({ world: await generateWorld({ seed: 3, articles: 120 }) });
    const headers = { authorization: `Bearer ${casa.keys.good}` };
    const page = (await (await casa.fetch('/articles?limit=100', { headers })).json()) as { data: unknown[] };
    expect(page.data).toHaveLength(100);
  });

  it.each([
    [{ articels: 5 }, 'generateWorld: there is no option "articels"; options: .* Did you mean articles\\?'],
    [{ articles: -1 }, 'generateWorld: articles must be a whole number from 0 to 1000000, not -1.'],
    [{ articles: 1.5 }, 'articles must be a whole number'],
    [{ sites: 0 }, 'sites must be a whole number from 1'],
    [{ seed: Number.NaN }, 'seed must be a whole number'],
  ])('rejects %j in one sentence', async (options, sentence) => {
    await expect(generateWorld(options as object)).rejects.toThrow(new RegExp(sentence));
  });
});

describe('buildWorld', () => {
  it('completes a partial world, the same each time, and a mock accepts it', async () => {
    const parts = { articles: [{ title: 'Tea', status: 'draft' as const }] };
    const world = await buildWorld(parts);
    expect(world).toEqual(await buildWorld(parts));
    expect(world.organizations[0]?.articles).toMatchObject([{ title: 'Tea', status: 'draft', seoScore: null }]);
    await (await startMock({ world })).close();
  });

  it.each([
    [{ artikels: [] }, 'artikels: unknown field, did you mean articles?'],
    [{ articles: [{ wordCount: 'many' }] }, 'wordCount'],
  ])('rejects %j, and names what is wrong', async (parts, words) => {
    await expect(buildWorld(parts as never)).rejects.toThrow(words);
  });
});
