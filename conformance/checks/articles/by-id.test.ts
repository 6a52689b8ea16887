import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { articleById } from './by-id.ts';
import { articlePages } from './pages.ts';

const run = { watch: true } as const;
const checks = [...articlePages, ...articleById];
const missing = rejection(404, 'not_found');
const isList = ({ path }: Exchanged) => path === '/articles';
const isOne = ({ path }: Exchanged) => path.startsWith('/articles/');

type Spoil = (one: Exchanged) => Spoiled | undefined;
type Row = Record<string, unknown>;

function benchById(spoil: () => Spoil, variant: 'plain' | { articleCount: number } = 'plain') {
  return bench({ checks, run, spoil, variant });
}

/** Changes every article of a response, from a list or by id. */
function changed(one: Exchanged, change: (row: Row) => Row): Spoiled | undefined {
  if (isList(one) && one.status === 200) return { body: { ...one.body, data: one.body.data.map(change) } };
  return isOne(one) && one.status === 200 ? { body: { data: change(one.body.data) } } : undefined;
}

describe('the checks of single articles', () => {
  test('warn of a server that knows ids in small letters only', async () => {
    const { results } = await benchById(() => (one) => (/[A-F]/.test(one.path) ? missing : undefined));
    expect(results['articles/capitals']).toBe('warn');
  });

  test('say nothing of capitals where the article has gone meanwhile', async () => {
    let isGone = false;
    const { results } = await benchById(() => (one) => {
      isGone ||= /^\/articles\/[\dA-F-]{36}$/.test(one.path) && /[A-F]/.test(one.path);
      return isOne(one) && one.status === 200 && isGone ? missing : undefined;
    });
    expect(results['articles/capitals']).toBe('inconclusive(interference)');
  });

  test('are inconclusive for an article that is deleted before its request', async () => {
    const { results } = await benchById(() => {
      const gone = new Set<string>();
      return (one) => {
        if (isOne(one) && one.status === 200) gone.add(one.body.data.id);
        if (isOne(one)) return one.status === 200 ? missing : undefined;
        if (one.status !== 200) return undefined;
        return { body: { ...one.body, data: one.body.data.filter(({ id }: { id: string }) => !gone.has(id)) } };
      };
    });
    expect(results['articles/by-id']).toBe('inconclusive(interference)');
  });

  test('do not blame other users for a server error', async () => {
    let isBroken = false;
    const { results } = await benchById(() => (one) => {
      isBroken ||= isOne(one) && one.status === 200;
      return isBroken ? (isOne(one) ? missing : rejection(500, 'internal')) : undefined;
    });
    expect(results['articles/by-id']).toBe('inconclusive(platform)');
  });
});

describe('an article by its id that differs from the list', () => {
  test.each([
    ['title', 'other', 'fail'],
    ['createdAt', '2001-01-01T00:00:00Z', 'fail'],
    ['siteId', '00000000-0000-4000-8000-000000000001', 'fail'],
    ['updatedAt', '2001-01-01T00:00:00Z', 'warn'],
    ['targetKeyword', undefined, 'pass'],
    ['seoScore', 1, 'pass'],
    ['seoScore', null, 'warn'],
  ])('in its %s', async (name, value, result) => {
    const { results } = await benchById(
      () => (one) =>
        isOne(one) && one.status === 200 ? { body: { data: { ...one.body.data, [name]: value } } } : undefined,
    );
    expect(results['articles/by-id']).toBe(result);
  });

  test('and is updated while it is read', async () => {
    const { results } = await benchById(() => {
      let isUpdated = false;
      return (one) => {
        isUpdated ||= isOne(one);
        return isUpdated ? changed(one, (row) => ({ ...row, title: 'new' })) : undefined;
      };
    });
    expect(results['articles/by-id']).toBe('pass');
  });

  test('and grows with every read', async () => {
    const { results } = await benchById(() => {
      let words = 0;
      return (one) => {
        words += 1;
        return changed(one, (row) => ({ ...row, wordCount: words }));
      };
    });
    expect(results['articles/by-id']).toBe('pass');
  });

  test('and a stale list still shows it', async () => {
    const { results } = await benchById(
      () => (one) =>
        isOne(one) ? changed(one, (row) => ({ ...row, title: 'new', updatedAt: '2026-05-01T11:59:59Z' })) : undefined,
    );
    expect(results['articles/by-id']).toBe('warn');
  });
});
