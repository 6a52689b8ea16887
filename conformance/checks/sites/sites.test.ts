import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, type Spoil, testResults, withData, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { keywords } from './keywords.ts';
import { sites } from './sites.ts';

const run = { watch: true } as const;
const missing = rejection(404, 'not_found');
const isOne = ({ path }: Exchanged) => path.startsWith('/sites/');
const isList = ({ path }: Exchanged) => path === '/sites';

/** A site by its id that differs from the list. */
const other = (fieldsOf: (data: Record<string, string>) => object) => () => (one: Exchanged) =>
  isOne(one) && one.body.data ? withData(one, fieldsOf(one.body.data)) : undefined;

describe('the checks of sites', () => {
  const once = (spoiled: (one: Exchanged) => Spoiled) =>
    counted(isList, (one, count) => (count === 1 ? spoiled(one) : undefined));
  const without = (one: Exchanged) => withRows(one, one.body.data.slice(1));
  const outlived = () => {
    let gone = '';
    return (one: Exchanged) => {
      if (!isList(one)) return one.path.endsWith(gone) ? missing : undefined;
      gone = one.body.data[0].id;
      return without(one);
    };
  };
  const deleted = () => {
    let isGone = false;
    return (one: Exchanged) => {
      isGone ||= isOne(one) && one.status === 200;
      if (isOne(one)) return missing;
      return isGone && isList(one) ? withRows(one, []) : undefined;
    };
  };
  const early = other(() => ({ createdAt: '2001-01-01T00:00:00Z' }));
  const capitals = other(({ domain }) => ({ domain: domain?.toUpperCase() }));
  const rejected = once(() => rejection(401, 'unauthorized'));
  testResults({ checks: sites, run }, [
    ['fail for a site with another name by its id', 'sites/by-id', 'fail', other(() => ({ name: 'other' }))],
    ['fail for a site with another createdAt by its id', 'sites/by-id', 'fail', early],
    ['fail for a worker that rejects the valid key once', 'sites/list', 'fail', rejected],
    ['let a site by its id lack its cms', 'sites/by-id', 'pass', other(() => ({ cms: undefined }))],
    ['warn of a domain in other letters', 'sites/by-id', 'warn', capitals],
    ['leave a site open that comes meanwhile', 'sites/of-articles', 'inconclusive(interference)', once(without)],
    ['let articles outlive their site', 'sites/of-articles', 'inconclusive(vacuous)', outlived],
    ['leave a site open that is deleted before its request', 'sites/by-id', 'inconclusive(platform)', deleted],
  ]);

  test('catch an article of a foreign site that cannot be read by its id', async () => {
    const siteId = '00000000-0000-4000-8000-000000000001';
    let strayId = '';
    const spoil = () => (one: Exchanged) => {
      if (one.path === `/articles/${strayId}`) return missing;
      if (one.path !== '/articles') return undefined;
      const last = one.body.data.at(-1);
      strayId = last.id;
      return withRows(one, [...one.body.data.slice(0, -1), { ...last, siteId }]);
    };
    const { result: outcome, findings } = (await bench({ checks: sites, run, spoil })).result('sites/of-articles');
    expect(outcome.kind).toBe('fail');
    expect(findings.map(({ clause }) => clause)).toEqual(['1.organization-scope']);
  });
});

const none: Spoiled = { status: 200, body: { data: [] } };

/** Changes the response for one siteId: absent, an unknown UUID, or the id of a real site. */
function onSite(which: 'absent' | 'nobody' | 'real', spoiled: Spoiled): () => Spoil {
  return () =>
    ({ path, query }) => {
      const siteId = query.get('siteId');
      const isReal = /^(?!c0ffee)[\da-f-]{36}$/i.test(siteId ?? '');
      const kind = siteId === null ? 'absent' : siteId.startsWith('c0ffee') ? 'nobody' : isReal ? 'real' : 'other';
      return path === '/keywords' && kind === which ? spoiled : undefined;
    };
}

describe('the checks of keywords', () => {
  testResults({ checks: keywords, run }, [
    ['leave sites without keywords open', 'keywords/of-site', 'inconclusive(vacuous)', onSite('real', none)],
    ['accept any code of a 400', 'keywords/missing-site-id', 'pass', onSite('absent', rejection(400, 'missing'))],
    ['accept an empty list for an unknown site', 'keywords/unknown-site', 'pass', onSite('nobody', none)],
    ['accept 404 for an unknown site', 'keywords/unknown-site', 'pass', onSite('nobody', missing)],
  ]);
});
