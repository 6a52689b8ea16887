import { expect, it } from 'vitest';
import type { Shape } from '../../src/contract/shape.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { observeOne } from './observe.ts';

const exchange = (operation: string, json: object) =>
  ({
    id: operation,
    operation,
    key: 'good',
    target: `/${operation}`,
    status: 200,
    json,
    headers: {},
  }) as unknown as Exchange;

it('learns formats and shares of each field, by the state of a record, and no value', () => {
  const article = (n: number, status: string, publishedAt: string | null) => ({
    id: `${n}`,
    status,
    publishedAt,
    title: `Ada ${n}`,
  });
  const data = [article(1, 'draft', null), article(2, 'published', '2026-01-01T00:00:00Z'), article(3, 'draft', null)];
  const page = exchange('listArticles', { data: [...data, article(3, 'draft', null)], cursor: null });
  const accounts = exchange('listAccounts', { data: { accounts: [], pendingInvites: [] }, summary: '' });
  const state = observeOne('records', { exchanges: [page, accounts], results: [], keyPrefix: null });
  expect(state).toMatchObject({
    state: 'known',
    value: {
      fields: {
        article: {
          fields: {
            publishedAt: { form: 'YYYY-MM-DDThh:mm:ssZ', nullable: true, nulls: { draft: 1, published: 0 } },
            title: { type: 'string', form: 'text' },
          },
        },
        envelope: { fields: { summary: { blanks: 1 } } },
      },
    },
  });
  expect(JSON.stringify(state)).not.toContain('Ada');
});

it.each([
  ['is left out', {}, 'null'],
  ['is there', { aggregate: { ratingValue: 0, reviewCount: 0 } }, 'object'],
])('learns whether the aggregate of an account without ratings %s', (_what, aggregate, type) => {
  const pages = [
    exchange('listReviews', { data: { reviews: [], nextCursor: null, ...aggregate } }),
    exchange('listReviews', { data: { reviews: [{ rating: 5 }], aggregate: { ratingValue: 5, reviewCount: 1 } } }),
  ];
  const state = observeOne('records', { exchanges: pages, results: [], keyPrefix: null });
  const { unratedPage } = (state.state === 'unknown' ? null : (state.value as Shape))?.fields ?? {};
  expect([unratedPage?.type, unratedPage?.fields?.aggregate?.type]).toEqual(['object', type]);
});
