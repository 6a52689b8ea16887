import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import type { Exchanged, Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { keywords } from './keywords.ts';

const run = { watch: true } as const;
const error = (status: number, code: string): Spoiled => ({ status, body: { error: { code, message: '' } } });
const none: Spoiled = { status: 200, body: { data: [] } };
const missing = error(404, 'not_found');

type Spoil = (one: Exchanged) => Spoiled | undefined;

/** Changes the response for one siteId: absent, empty, malformed, an unknown UUID, or the id of a real site. */
function onSite(which: 'absent' | 'empty' | 'text' | 'nobody' | 'real', spoiled: Spoiled): Spoil {
  return ({ path, query }) => {
    const siteId = query.get('siteId');
    const kind =
      siteId === null
        ? 'absent'
        : siteId === ''
          ? 'empty'
          : siteId.startsWith('c0ffee')
            ? 'nobody'
            : /^[\da-f-]{36}$/i.test(siteId)
              ? 'real'
              : 'text';
    return path === '/keywords' && kind === which ? spoiled : undefined;
  };
}

const isOfReal = ({ path, status, body }: Exchanged) => path === '/keywords' && status === 200 && body.data.length > 0;
const twice = ({ body }: Exchanged): Spoiled => ({ body: { data: [...body.data, body.data[0]] } });

const benchKeywords = (spoil: Spoil) => bench({ checks: keywords, run, spoil: () => spoil });

describe('the checks of keywords', () => {
  test.each<[string, Spoil, string, string]>([
    ['no keywords anywhere', onSite('real', none), 'keywords/of-site', 'inconclusive(vacuous)'],
    ['any code of a 400', onSite('absent', error(400, 'missing')), 'keywords/missing-site-id', 'pass'],
    ['an empty list for an unknown site', onSite('nobody', none), 'keywords/unknown-site', 'pass'],
    ['404 for nobody', onSite('nobody', missing), 'keywords/unknown-site', 'pass'],
  ])('check %s', async (_, spoil, id, result) => {
    expect((await benchKeywords(spoil)).results[id]).toBe(result);
  });

  test('accept a keyword that is listed twice in one of two reads', async () => {
    let sent = 0;
    const { results } = await benchKeywords((one) => {
      if (!isOfReal(one)) return undefined;
      sent += 1;
      return sent === 1 ? twice(one) : undefined;
    });
    expect(results['keywords/of-site']).toBe('pass');
  });

  test('leave sites out that have gone meanwhile', async () => {
    const gone = onSite('real', missing);
    const { results } = await benchKeywords(
      (one) => gone(one) ?? (one.path.startsWith('/sites/') ? missing : undefined),
    );
    expect(results['keywords/of-site']).toBe('inconclusive(vacuous)');
  });
});
