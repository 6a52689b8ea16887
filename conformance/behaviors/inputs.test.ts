import { expect, it } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { observeOne } from './observe.ts';

let id = 0;
function articles(query: string, status: number, rows = 0): Exchange {
  id += 1;
  const data = Array.from({ length: rows }, () => ({}));
  const json = status === 200 ? { data, cursor: 'next' } : { error: { code: 'invalid_input', message: '' } };
  const target = `/articles?${query}`;
  return {
    id: `x${id}`,
    operation: 'listArticles',
    key: 'good',
    target,
    status,
    json,
    receivedAt: 0,
  } as unknown as Exchange;
}

const seen = (name: Parameters<typeof observeOne>[0], exchanges: Exchange[]) =>
  observeOne(name, { exchanges, results: [], keyPrefix: null });

it.each([
  ['articleLimitBelow', 'limit=0', 'clamp', 1],
  ['articleLimitNegative', 'limit=-1', 'ignore', 20],
  ['articleLimitFraction', 'limit=1.5', 'truncate', 1],
  ['articleLimitEmpty', 'limit=', 'ignore', 20],
  ['articleLimitAbove', 'limit=101', 'clamp', 40],
  ['articleLimitAbove', 'limit=101', 'ignore', 20],
  ['emptyArticleSite', 'siteId=', 'ignore', 20],
] as const)('reads %s from a success of %s as %s', (name, query, value, rows) => {
  expect(seen(name, [articles(query, 200, rows)])).toMatchObject({ state: 'known', value });
  expect(seen(name, [articles(query, 400)])).toMatchObject({ state: 'known', value: 'reject' });
  expect(seen(name, [articles('limit=5', 400), articles(`${query}&cursor=x`, 400)]).state).toBe('unknown');
});

it('calls one request with two responses a mixture, and two requests with two responses a dependence on the input', () => {
  const one = [articles('limit=101', 400), articles('limit=101', 200, 40)];
  expect(seen('articleLimitAbove', one)).toMatchObject({ state: 'mixed' });
  const two = [articles('limit=999999', 400), articles('limit=101', 200, 40)];
  expect(seen('articleLimitAbove', two)).toMatchObject({ state: 'known', value: 'clamp', varies: true });
});
