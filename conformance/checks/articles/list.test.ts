import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { articles } from './list.ts';

const run = { watch: true } as const;
const error = (status: number, code: string): Spoiled => ({ status, body: { error: { code, message: '' } } });
const missing = error(404, 'not_found');
const isList = ({ path }: Exchanged) => path === '/articles';
const isOne = ({ path }: Exchanged) => path.startsWith('/articles/');

type Spoil = (one: Exchanged) => Spoiled | undefined;

function benchArticles(spoil: Spoil) {
  return bench({ checks: articles, run, spoil: () => spoil });
}

describe('the checks of articles', () => {
  test.each([
    ['lacks an article that can be read', false, 'fail'],
    ['lacks an article that has been deleted', true, 'pass'],
  ])('check a filter that %s', async (_, isDeleted, result) => {
    let lost = '';
    const { results } = await benchArticles((one) => {
      if (isOne(one)) return isDeleted && one.path.endsWith(lost) ? missing : undefined;
      if (!isList(one) || one.status !== 200) return undefined;
      if (!one.query.has('siteId') || !one.query.has('cursor')) return undefined;
      const [first, ...data] = one.body.data;
      lost = first.id;
      return { body: { ...one.body, data } };
    });
    expect(results['articles/site-filter']).toBe(result);
  });

  test('take a page that moves on between two reads for interference', async () => {
    let sent = 0;
    const { results } = await benchArticles((one) => {
      if (!isList(one) || !one.query.has('siteId') || one.status !== 200) return undefined;
      sent += 1;
      if (sent === 2) return { body: { ...one.body, data: [first, ...one.body.data] } };
      if (sent > 2) return { body: { ...one.body, data: one.body.data.slice(1) } };
      [first] = one.body.data;
      return undefined;
    });
    expect(results['articles/site-filter']).toBe('inconclusive(interference)');
  });
});

let first: unknown;
