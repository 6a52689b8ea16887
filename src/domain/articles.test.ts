import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Article } from '../contract/generated/types.ts';
import { formatTimestamp, parseTimestamp } from '../contract/timestamps.ts';
import { Articles } from './articles.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');
const siteIds = ['aaaaaaaa-0000-4000-8000-000000000001', 'bbbbbbbb-0000-4000-8000-000000000002'] as const;

function article(i: number, createdAt: string, siteId: string = siteIds[i % 2] as string): Article {
  return {
    id: `0000000${i % 10}-0000-4000-8000-${String(i).padStart(12, '0')}`,
    siteId,
    title: `Article ${i}`,
    slug: `article-${i}`,
    status: 'draft',
    targetKeyword: null,
    wordCount: 0,
    seoScore: null,
    publishedAt: null,
    createdAt,
    updatedAt: createdAt,
  };
}

function walk(articles: Articles, { siteId, limit }: { siteId?: string; limit: number }): Article[] {
  const seen: Article[] = [];
  let after: bigint | null = null;
  for (;;) {
    const page = articles.page({ siteId, limit, after });
    expect(page.articles.length).toBeLessThanOrEqual(limit);
    seen.push(...page.articles);
    expect(seen.length).toBeLessThanOrEqual(articles.toData().length);
    if (page.cursor === null) return seen;
    expect(page.cursor).toBe(page.articles.at(-1)?.createdAt);
    after = parseTimestamp(page.cursor);
  }
}

const idsOf = (list: readonly Article[]) => list.map(({ id }) => id);

describe('a walk through the articles', () => {
  it('shows each once, newest first, for any page size and filter', () => {
    const timestamps = fc.uniqueArray(fc.integer({ min: 0, max: 1_000_000 }), { maxLength: 120 });
    const siteId = fc.constantFrom(undefined, ...siteIds);
    fc.assert(
      fc.property(timestamps, siteId, fc.integer({ min: 1, max: 100 }), (offsets, site, limit) => {
        const all = offsets.map((ms, i) => article(i, formatTimestamp(startMs + ms)));
        const expected = all
          .filter((item) => site === undefined || item.siteId === site)
          .sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
        const seen = walk(new Articles(all), { limit, ...(site === undefined ? {} : { siteId: site }) });
        expect(idsOf(seen)).toEqual(idsOf(expected));
      }),
      { numRuns: 500 },
    );
  });

  it('loses nothing and repeats nothing away from a tie, and loses only the tied at an edge', () => {
    const offsets = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 60 });
    fc.assert(
      fc.property(offsets, fc.integer({ min: 1, max: 20 }), (ms, limit) => {
        const all = ms.map((offset, i) => article(i, formatTimestamp(startMs + offset)));
        const seen = walk(new Articles(all), { limit });
        expect(new Set(idsOf(seen)).size).toBe(seen.length);
        const tied = (item: Article) => all.filter(({ createdAt }) => createdAt === item.createdAt).length > 1;
        const lost = all.filter((item) => !seen.includes(item));
        expect(lost.every(tied)).toBe(true);
        expect(new Set(seen.map(({ createdAt }) => createdAt))).toEqual(new Set(all.map(({ createdAt }) => createdAt)));
      }),
      { numRuns: 500 },
    );
  });

  it('compares timestamps and not their texts', () => {
    const texts = ['2026-03-02T10:00:00.000+02:00', '2026-03-02T08:30:00.0000001Z', '2026-03-02T08:30:00.000Z'];
    const seen = walk(new Articles(texts.map((text, i) => article(i, text))), { limit: 1 });
    expect(seen.map(({ createdAt }) => createdAt)).toEqual([texts[1], texts[2], texts[0]]);
  });
});

describe('a page', () => {
  const articles = new Articles([1, 2, 3, 4].map((i) => article(i, formatTimestamp(startMs + i * 1000))));
  const page = (limit: number, after: string | null = null) =>
    articles.page({ limit, after: after === null ? null : parseTimestamp(after) });

  it('starts strictly after the time of any cursor, also one that no article has', () => {
    expect(idsOf(page(4, '2026-03-02T09:00:03.000Z').articles)).toEqual(idsOf(page(4).articles).slice(2));
    expect(idsOf(page(4, '2026-03-02T09:00:02.5Z').articles)).toEqual(idsOf(page(4).articles).slice(2));
    expect(page(4, '1970-01-01T00:00:00Z')).toEqual({ articles: [], cursor: null });
    expect(page(4, '2999-01-01T00:00:00Z').articles).toHaveLength(4);
  });
});
