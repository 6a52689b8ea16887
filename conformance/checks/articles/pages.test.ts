import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { articlePages } from './pages.ts';

const cursor = (one: Exchanged) => one.query.get('cursor');
const limit = (one: Exchanged) => one.query.get('limit');
const withRows = ({ body }: Exchanged, data: readonly unknown[]): Spoiled => ({ body: { ...body, data } });

type Spoil = (one: Exchanged) => Spoiled | undefined;

function benchPages(spoil: () => Spoil) {
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
