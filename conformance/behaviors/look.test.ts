import { describe, expect, test } from 'vitest';
import type { Exchange } from '../exchange/exchange.ts';
import { lookAt, rowsSeenMax } from '../exchange/look.ts';

const response = (json: unknown, operation = 'listSites') =>
  ({ id: 'x1', operation, target: '/sites', status: 200, key: 'good', problem: 'none', json }) as unknown as Exchange;
const rows = (count: number) => Array.from({ length: count }, (_, index) => ({ id: `s${index}` }));
const seen = (json: unknown) => lookAt([response(json)], null).exchanges[0]?.json;

describe('what observers look at', () => {
  test.each<[string, (list: object[]) => unknown]>([
    ['a list', (data) => ({ data, cursor: null })],
    ['a list within data', (calls) => ({ data: { calls, nextCursor: null } })],
  ])('is the beginning of %s that has very many rows, and all of another', (_, jsonOf) => {
    const all = jsonOf(rows(rowsSeenMax));
    expect(seen(all)).toBe(all);
    expect(seen(jsonOf(rows(rowsSeenMax + 1)))).toEqual(all);
  });

  test.each([[null], ['text'], [{ data: null }], [{ error: {} }]])('is %j as it came', (json) => {
    expect(seen(json)).toBe(json);
  });

  test('knows every site all the same', () => {
    expect(lookAt([response({ data: rows(rowsSeenMax + 5) })], null).siteIds?.size).toBe(rowsSeenMax + 5);
  });
});
