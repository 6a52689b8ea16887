import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Article, ListArticlesResponse } from '../contract/generated/types.ts';
import { bodyText } from './message.ts';
import { serialize } from './operate.ts';

const articles: Article[] = Array.from({ length: 30 }, (_, i) => ({
  id: `a0000000-0000-4000-8000-${String(i).padStart(12, '0')}`,
  siteId: `b0000000-0000-4000-8000-00000000000${i % 3}`,
  title: `Crème brûlée, part ${i} 💥 "quoted"`,
  slug: `part-${i}`,
  status: 'published',
  targetKeyword: i % 2 === 0 ? null : 'crème',
  wordCount: i,
  seoScore: null,
  publishedAt: null,
  createdAt: `2026-01-${String(30 - i).padStart(2, '0')}T00:00:00.000Z`,
  updatedAt: '2026-02-01T00:00:00.000Z',
}));

const page = fc.record({
  shelf: fc.constantFrom(articles, ...[0, 1, 2].map((n) => articles.filter((_, i) => i % 3 === n))),
  start: fc.nat(30),
  limit: fc.integer({ min: 1, max: 30 }),
  more: fc.boolean(),
});

it('gives every page its own text, for any order of pages and lists', () => {
  fc.assert(
    fc.property(fc.array(page, { maxLength: 40 }), (pages) => {
      for (const { shelf, start, limit, more } of pages) {
        const data = shelf.slice(start, start + limit);
        const output = { data, cursor: more ? (data.at(-1)?.createdAt ?? null) : null } as ListArticlesResponse;
        expect(JSON.parse(bodyText(serialize('listArticles', output)))).toEqual(output);
      }
    }),
  );
});

it('encodes a page once', () => {
  const output = { data: articles.slice(0, 5), cursor: null } as ListArticlesResponse;
  expect(serialize('listArticles', output).body).toBe(serialize('listArticles', { ...output }).body);
});

it('shows an article that changed in the middle of a page', () => {
  const data = articles.slice(0, 5);
  serialize('listArticles', { data, cursor: null } as ListArticlesResponse);
  const changed = data.map((article, i) => (i === 2 ? { ...article, title: 'Changed' } : article));
  const { body } = serialize('listArticles', { data: changed, cursor: null } as ListArticlesResponse);
  expect(bodyText({ body })).toContain('"title":"Changed"');
});
