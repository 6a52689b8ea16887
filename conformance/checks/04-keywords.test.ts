import { describe, expect, test } from 'vitest';
import { VARIANT_NAMES } from '../../proof/independent/index.ts';
import { bench } from '../../proof/rigs/check-bench.ts';
import type { Answered, Spoiled } from '../../proof/rigs/rewriting-proxy.ts';
import { keywords } from './04-keywords.ts';

const run = { watch: true } as const;
const error = (status: number, code: string): Spoiled => ({ status, body: { error: { code, message: '' } } });
const none: Spoiled = { status: 200, body: { data: [] } };
const missing = error(404, 'not_found');

type Spoil = (one: Answered) => Spoiled | undefined;

/** Spoils the answer to one siteId: absent, empty, some other text, a UUID that nobody has, or that of a real site. */
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

const isLike = ({ path, query }: Answered) =>
  path === '/keywords' && /^[\da-f-]{35}g$/i.test(query.get('siteId') ?? '');
const isOfReal = ({ path, status, body }: Answered) => path === '/keywords' && status === 200 && body.data.length > 0;
const twice = ({ body }: Answered): Spoiled => ({ body: { data: [...body.data, body.data[0]] } });

const benchKeywords = (spoil: Spoil) => bench({ checks: keywords, run, spoil: () => spoil });

describe('the checks of keywords', () => {
  test.each(VARIANT_NAMES)('raise no alarm on the legal variant %s', async (variant) => {
    expect((await bench({ checks: keywords, variant, run })).alarms).toEqual([]);
  });

  test('catch keywords that every site has for its own', async () => {
    const { verdicts } = await bench({ checks: keywords, run, mutate: 'keywords-of-one-site-for-all' });
    expect(verdicts['keywords/of-one-site']).toBe('fail');
  });

  test.each<[string, Spoil, string, string]>([
    ['nothing of a real site', onSite('real', missing), 'keywords/of-site', 'fail'],
    ['no keywords anywhere', onSite('real', none), 'keywords/of-site', 'inconclusive(vacuous)'],
    ['null for none', onSite('real', { body: { data: null } }), 'keywords/of-site', 'inconclusive(precondition)'],
    ['a list without siteId', onSite('absent', none), 'keywords/missing-site-id', 'fail'],
    ['404 without siteId', onSite('absent', missing), 'keywords/missing-site-id', 'fail'],
    ['any code of a 400', onSite('absent', error(400, 'missing')), 'keywords/missing-site-id', 'pass'],
    ['404 to a text', onSite('text', missing), 'keywords/invalid-site-id', 'fail'],
    ['a list for an empty siteId', onSite('empty', none), 'keywords/odd-site-ids', 'fail'],
    [
      'a list for a letter that is not a digit',
      (one) => (isLike(one) ? none : undefined),
      'keywords/odd-site-ids',
      'fail',
    ],
    ['a keyword twice', (one) => (isOfReal(one) ? twice(one) : undefined), 'keywords/of-site', 'fail'],
    ['an empty list for nobody', onSite('nobody', none), 'keywords/unknown-site', 'pass'],
    ['404 for nobody', onSite('nobody', missing), 'keywords/unknown-site', 'pass'],
    ['400 for nobody', onSite('nobody', error(400, 'x')), 'keywords/unknown-site', 'fail'],
    ['keywords for nobody', onSite('nobody', { status: 200, body: { data: [{}] } }), 'keywords/unknown-site', 'fail'],
  ])('judge %s', async (_, spoil, id, verdict) => {
    expect((await benchKeywords(spoil)).verdicts[id]).toBe(verdict);
  });

  test.each([
    ['keywords-without-site-all', 'keywords/missing-site-id'],
    ['keywords-malformed-site-empty', 'keywords/invalid-site-id'],
    ['keywords-of-unknown-site-all', 'keywords/unknown-site'],
    ['keywords-null-when-none', 'keywords/each-site'],
  ])('catch the server with %s', async (mutate, id) => {
    expect((await bench({ checks: keywords, mutate, run })).verdicts[id]).toBe('fail');
  });

  test('take a keyword that is listed twice in one of two reads as it is', async () => {
    let asked = 0;
    const { verdicts } = await benchKeywords((one) => {
      if (!isOfReal(one)) return undefined;
      asked += 1;
      return asked === 1 ? twice(one) : undefined;
    });
    expect(verdicts['keywords/of-site']).toBe('pass');
  });

  test('catch keywords of another site', async () => {
    const { verdicts } = await benchKeywords(({ path, body }) => {
      if (path !== '/keywords' || !Array.isArray(body.data)) return undefined;
      const siteId = '00000000-0000-4000-8000-000000000001';
      return { body: { data: body.data.map((row: object) => ({ ...row, siteId })) } };
    });
    expect(verdicts['keywords/of-site']).toBe('fail');
  });

  test('leave sites out that have gone meanwhile', async () => {
    const gone = onSite('real', missing);
    const { verdicts } = await benchKeywords(
      (one) => gone(one) ?? (one.path.startsWith('/sites/') ? missing : undefined),
    );
    expect(verdicts['keywords/of-site']).toBe('inconclusive(vacuous)');
  });
});
