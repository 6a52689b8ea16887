import { describe, expect, test } from 'vitest';
import { bench } from '../../../fixtures/test-kit/check-bench.ts';
import { type Exchanged, rejection, type Spoiled } from '../../../fixtures/test-kit/rewriting-proxy.ts';
import { keywords } from './keywords.ts';
import { sites } from './sites.ts';

const run = { watch: true } as const;
const missing = rejection(404, 'not_found');
const isOne = ({ path }: Exchanged) => path.startsWith('/sites/');
const lessOne = ({ body }: Exchanged): Spoiled => ({ body: { data: body.data.slice(1) } });

type Spoil = (one: Exchanged) => Spoiled | undefined;

const benchSites = (spoil: () => Spoil) => bench({ checks: sites, run, spoil });

describe('the checks of sites', () => {
  test.each([
    ['name', 'other', 'fail'],
    ['createdAt', '2001-01-01T00:00:00Z', 'fail'],
    ['cms', undefined, 'pass'],
  ])('check a site by its id that has another %s than in the list', async (name, value, outcome) => {
    const { results } = await benchSites(
      () => (one) =>
        isOne(one) && one.body.data ? { body: { data: { ...one.body.data, [name]: value } } } : undefined,
    );
    expect(results['sites/by-id']).toBe(outcome);
  });

  test('warn of a domain in other letters', async () => {
    const { results } = await benchSites(() => (one) => {
      const data = one.body.data;
      return isOne(one) && data ? { body: { data: { ...data, domain: data.domain.toUpperCase() } } } : undefined;
    });
    expect(results['sites/by-id']).toBe('warn');
  });

  test('let a site be renamed between two reads', async () => {
    const { results } = await benchSites(() => {
      let isRenamed = false;
      return (one) => {
        if (isOne(one)) isRenamed = true;
        if (!isRenamed || !one.body.data || one.path === '/articles') return undefined;
        const renamed = (site: object) => ({ ...site, name: 'renamed' });
        return { body: { data: isOne(one) ? renamed(one.body.data) : one.body.data.map(renamed) } };
      };
    });
    expect(results['sites/by-id']).toBe('pass');
  });

  test('catch an article of a foreign site that cannot be read by its id', async () => {
    const siteId = '00000000-0000-4000-8000-000000000001';
    const { result } = await benchSites(() => {
      let strayId = '';
      return (one) => {
        if (one.path === `/articles/${strayId}`) return missing;
        if (one.path !== '/articles') return undefined;
        const last = one.body.data.at(-1);
        strayId = last.id;
        return { body: { ...one.body, data: [...one.body.data.slice(0, -1), { ...last, siteId }] } };
      };
    });
    const { result: outcome, findings } = result('sites/of-articles');
    expect(outcome.kind).toBe('fail');
    expect(findings.map(({ clause }) => clause)).toEqual(['1.organization-scope']);
  });

  test('accept a site that is listed twice in one of two reads', async () => {
    const { results } = await benchSites(() => {
      let sent = 0;
      return (one) => {
        if (one.path === '/sites') sent += 1;
        const data = one.body.data;
        return one.path === '/sites' && sent === 1 ? { body: { data: [...data, data[0]] } } : undefined;
      };
    });
    expect(results['sites/list']).toBe('pass');
  });

  test('take a site that comes while the lists are read for interference', async () => {
    const { results } = await benchSites(() => {
      let sent = 0;
      return (one) => {
        if (one.path === '/sites') sent += 1;
        return one.path === '/sites' && sent === 1 ? lessOne(one) : undefined;
      };
    });
    expect(results['sites/of-articles']).toBe('inconclusive(interference)');
  });

  test('let articles outlive their site', async () => {
    const { results } = await benchSites(() => {
      let gone = '';
      return (one) => {
        if (one.path === '/sites') {
          gone = one.body.data[0].id;
          return lessOne(one);
        }
        return one.path.endsWith(gone) ? missing : undefined;
      };
    });
    expect(results['sites/of-articles']).toBe('inconclusive(vacuous)');
  });

  test('are inconclusive about a site that is deleted before its request', async () => {
    const { results } = await benchSites(() => {
      let isGone = false;
      return (one) => {
        if (isOne(one) && one.status === 200) isGone = true;
        if (isOne(one)) return missing;
        return isGone && one.path === '/sites' ? { body: { data: [] } } : undefined;
      };
    });
    expect(results['sites/by-id']).toBe('inconclusive(interference)');
  });
});

const none: Spoiled = { status: 200, body: { data: [] } };

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
    ['any code of a 400', onSite('absent', rejection(400, 'missing')), 'keywords/missing-site-id', 'pass'],
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
