import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { counted, testResults, withData, withRows } from '../../../fixtures/test-kit/check-tests.ts';
import { again, historyOf, inWords, type Line, rejected } from '../../../fixtures/test-kit/history.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { singleSites } from '../articles/by-id.ts';
import { keywords, sites } from './sites.ts';

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
  testResults({ checks: [...sites, ...singleSites], run }, [
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

const [one, two] = ['a', 'b'].map((digit) => `${digit.repeat(8)}-1111-4111-8111-111111111111`) as [string, string];
const none = 'c0ffee00-dead-4bad-8bad-000000000000';
const listed: Line = ['good GET /sites', { data: [{ id: one }, { id: two }] }];
const label = 'keywords without a valid siteId';

/** `k:ID` is a keyword of that site. */
const list = (siteId: string, ...keywords: readonly string[]): Line => {
  const data = keywords.map((row) => ({ id: row[0], siteId: row.slice(2) }));
  return [`good GET /keywords?siteId=${siteId}`, { data }];
};
const [ofOne, ofTwo, moved, empty] = [list(one, `k:${one}`), list(two, `l:${two}`), list(two, `k:${two}`), list(one)];
const [gone, inCapitals] = [rejected(`/keywords?siteId=${one}`, 'not_found'), list(one.toUpperCase())];
const isThere: Line = [`good GET /sites/${one}`, { data: { id: one } }, { confirms: 'witness' }];
const [vacuous, open] = ['inconclusive(vacuous)', 'inconclusive(interference)'];

describe('the checks of keywords', () => {
  const recorded = { isRecorded: true };
  const [isIn, inFull] = [list(one.toUpperCase(), `k:${one}`), again('x2', inCapitals)];
  test.each<[string, string, string, readonly Line[]]>([
    ['keywords of two sites', 'of-site', 'pass', [listed, ofOne, ofTwo]],
    ['sites without keywords', 'of-site', vacuous, [listed, empty]],
    ['one keyword twice', 'of-site', 'inconclusive(budget)', [listed, list(one, `k:${one}`, `k:${one}`)]],
    ['a keyword of another site', 'of-site', 'fail of-site x2', [listed, list(one, `k:${two}`)]],
    ['no list', 'of-site', 'fail endpoint x2', [listed, [ofOne[0], { data: null }]]],
    ['a site that was deleted', 'of-site', open, [listed, gone, again('x2', gone)]],
    ['a site that is rejected', 'of-site', 'fail endpoint x2', [listed, gone, again('x2', gone), isThere]],
    ['an unlisted site', 'of-site', vacuous, [gone]],
    ['a keyword of two', 'of-site', 'fail of-site x3', [listed, ofOne, moved, again('x3', moved), again('x2', ofOne)]],
    ['a keyword that moved', 'of-site', open, [listed, ofOne, moved, again('x3', moved), again('x2', empty)]],
    ['a site in the other case', 'capitals', 'pass', [ofOne, isIn]],
    ['none in the other case', 'capitals', 'warn site-id x2', [ofOne, inCapitals, inFull, again('x1', ofOne)]],
    ['only one case', 'capitals', vacuous, [ofOne]],
    ['any code of a 400', 'invalid-site-id', 'pass', [rejected('/keywords', 'x', { label, status: 400 })]],
    ['no siteId', 'invalid-site-id', 'fail missing-site-id x1', [rejected('/keywords', 'x', { label })]],
    ['404', 'invalid-site-id', 'fail invalid-site-id x1', [rejected('/keywords?siteId=x', 'not_found', { label })]],
    ['a NUL', 'invalid-site-id', vacuous, [rejected('/keywords?siteId=%00', 'not_found', { label })]],
    ['an unknown site', 'unknown-site', 'pass', [list(none)]],
    ['404 for an unknown site', 'unknown-site', 'pass', [rejected(`/keywords?siteId=${none}`, 'not_found')]],
    ['keywords of an unknown site', 'unknown-site', 'fail organization-scope x1', [list(none, `k:${none}`)]],
    ['keywords of others for it', 'unknown-site', 'fail of-site x1', [list(none, `k:${one}`)]],
  ])('%s: %s %s', (_, id, expected, lines) => {
    expect(inWords(keywords, `keywords/${id}`, historyOf(lines))).toBe(expected);
    if (lines.includes(gone)) expect(inWords(keywords, `keywords/${id}`, historyOf(lines, recorded))).toBe(vacuous);
  });
});
