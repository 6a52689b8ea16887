import { describe, expect, expectTypeOf, it } from 'vitest';
import type * as z from 'zod/v4';
import { samples } from '../../fixtures/test-kit/actors.ts';
import { type OperationId, operations } from '../contract/generated/operations.ts';
import * as generated from '../contract/generated/zod-schemas.ts';
import { createMock } from '../testing/create-mock.ts';
import type { Article as ArticleType, InsightMetric, InsightPoint } from './index.ts';
import { Article, CreatePostInput, ListReviewsResponse, Review, ToolError } from './zod.ts';

const schemas = generated as unknown as Readonly<Record<string, z.ZodType>>;

describe('the schemas', () => {
  it.each(Object.keys(operations) as OperationId[])('accept the responses of %s', async (id) => {
    const { method, target, body } = samples[id];
    for (const grease of [false, 3, 4]) {
      const casa = await createMock({ grease });
      const headers = { authorization: `Bearer ${casa.keys.good}` };
      const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      const response = await (await casa.fetch(target, init)).json();
      expect(schemas[operations[id].output]?.parse(response)).toEqual(response);
    }
  });

  const article = {
    id: 'd4eb016a-1355-4e9e-af8b-f38083d082f4',
    siteId: 'd4eb016a-1355-4e9e-af8b-f38083d082f4',
    title: 'x',
    slug: 'x',
    status: 'draft',
    targetKeyword: null,
    wordCount: 1,
    seoScore: null,
    publishedAt: null,
    createdAt: '2026-01-15T12:00:00+01:00',
    updatedAt: '20260115T110000Z',
  } as const;

  it.each([
    ['unchanged', {}, true],
    ['with a field more', { extra: 1 }, true],
    ['without a title', { title: undefined }, false],
    ['with another status', { status: 'lost' }, false],
    ['with half a word', { wordCount: 1.5 }, false],
    ['with an invalid day', { createdAt: '2026-02-30T00:00:00Z' }, false],
    ['with an invalid id', { id: 'x' }, false],
    ['published never', { publishedAt: '' }, false],
  ])('judge an article %s', (_what, change, isGood) => {
    expect(Article.safeParse({ ...article, ...change }).success).toBe(isGood);
  });

  it.each([
    [{ text: '' }, false],
    [{ text: '😀'.repeat(5000) }, true],
    [{ text: '😀'.repeat(5001) }, false],
    [{ link: 'no link' }, false],
    [{ link: 'https://x.example' }, true],
    [{ media: {} }, false],
    [{ accountId: '00000000-0000-0000-0000-000000000000' }, true],
    [{ accountId: 'd4eb016a-1355-9e9e-af8b-f38083d082f4' }, false],
  ])('judge a post with %j', (change, isGood) => {
    const post = { accountId: article.id, text: 'x', ...change };
    expect(CreatePostInput.safeParse(post).success).toBe(isGood);
  });

  it('have the types of the contract', () => {
    expectTypeOf<InsightPoint>().toEqualTypeOf<{ date: string; value: number }>();
    expectTypeOf<InsightMetric['total']>().toEqualTypeOf<number>();
    expectTypeOf<ArticleType>().toExtend<z.input<typeof Article>>();
    expectTypeOf<z.infer<typeof Article>['status']>().toEqualTypeOf<ArticleType['status']>();
    expect(Review).toBe(generated.ReviewItem);
    expect(ListReviewsResponse.safeParse({ data: { reviews: [] }, summary: '' }).success).toBe(true);
    expect(ToolError.safeParse({ error: { code: 'not_found', message: '', more: 1 } }).success).toBe(true);
  });
});
