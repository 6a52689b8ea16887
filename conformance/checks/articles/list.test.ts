import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { articles } from './list.ts';
import { articlePages } from './pages.ts';

const run = { watch: true } as const;
const missing = rejection(404, 'not_found');
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

const cursor = (one: Exchanged) => one.query.get('cursor');
const limit = (one: Exchanged) => one.query.get('limit');
const withRows = ({ body }: Exchanged, data: readonly unknown[]): Spoiled => ({ body: { ...body, data } });

type SpoilPage = (one: Exchanged) => Spoiled | undefined;

function benchPages(spoil: () => SpoilPage) {
  return bench({ checks: articlePages, spoil });
}

describe('the checks of article pages', () => {
  test('warn of articles that a tie at a page edge can lose', async () => {
    expect((await bench({ checks: articlePages, variant: 'tied' })).results['articles/page-walk']).toBe('warn');
  });

  test('warn of a default of nineteen, and only note pages that are short by any name', async () => {
    const short = (isShort: (one: Exchanged) => boolean) => () => (one: Exchanged) => {
      const data = one.body.data.slice(0, 19);
      return isShort(one) ? { body: { data, cursor: data.at(-1).createdAt } } : undefined;
    };
    const nineteen = await benchPages(short((one) => limit(one) === null && cursor(one) === null));
    expect(nineteen.results['articles/default-limit']).toBe('warn');
    const all = await benchPages(short((one) => limit(one) !== '100' && limit(one) !== '1' && cursor(one) === null));
    expect(all.results['articles/default-limit']).toBe('pass');
  });

  test('do not take a random order for a change of the articles', async () => {
    const { results } = await bench({ checks: articlePages, mutant: 'articles-in-random-order' });
    expect(results['articles/page-walk']).toBe('fail');
  });

  test('catch a chain that does not end', async () => {
    const spoil = () => (one: Exchanged) =>
      cursor(one) === null ? undefined : { body: { ...one.body, cursor: cursor(one) } };
    const { result } = await benchPages(spoil);
    expect(result('articles/page-walk').findings.map(({ clause }) => clause)).toContain('4.articles.list.end');
  });

  test('note nothing of a cursor that links to an empty last page', async () => {
    const { failures } = await bench({ checks: articlePages, variant: { articleEnd: 'empty-page', articleCount: 40 } });
    expect(failures).toEqual([]);
  });

  test.each([
    ['come', (rows: readonly unknown[]) => [{ ...(rows[0] as object), id: 'new' }, ...rows]],
    ['go', (rows: readonly unknown[]) => rows.slice(1)],
  ])('leave a walk open while articles %s', async (_, change) => {
    const { results } = await benchPages(() => {
      let whole = 0;
      return (one) => {
        if (limit(one) === '100' && cursor(one) === null) whole += 1;
        if (whole > 1) return withRows(one, change(one.body.data));
        return cursor(one) === null ? undefined : withRows(one, one.body.data.slice(1));
      };
    });
    expect(results['articles/page-walk']).toBe('inconclusive(interference)');
  });
});
