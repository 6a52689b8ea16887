import { type Check, defineChecks } from '../check.ts';
import { isObject } from '../exchange.ts';
import { rowsOf } from '../facts.ts';
import { show } from '../ledger.ts';
import { sameId } from '../same-id.ts';

const list: Check = {
  id: 'articles/list',
  title: 'GET /articles answers 200 and takes limits of 1 and 100',
  cites: ['4.articles.list.endpoint', '4.articles.list.limit', '8.articles-limit'],
  level: 'must',
  phase: 'discover',
  cost: { requests: 0, uses: ['articles', 'one article'] },
  async run(probe) {
    const all = await probe.get('listArticles', { limit: 100 });
    const one = await probe.get('listArticles', { limit: 1 });
    probe.expectStatus(all, 200, '4.articles.list.limit');
    if (!probe.expectStatus(one, 200, '4.articles.list.limit')) return;
    for (const [exchange, most] of [
      [all, 100],
      [one, 1],
    ] as const) {
      const rows = rowsOf(exchange, ['data']).length;
      const claim = {
        clause: '8.articles-limit',
        pointer: '/data',
        expected: `at most ${most} articles`,
        actual: `${rows}`,
        exchange,
      } as const;
      probe.holds(rows <= most, claim);
    }
  },
};

const bySite: Check = {
  id: 'articles/site-filter',
  title: 'With siteId GET /articles shows the articles of that site and no others',
  cites: ['4.articles.list.site-id'],
  level: 'must',
  phase: 'read',
  cost: { requests: 2, uses: ['articles'] },
  async run(probe) {
    const all = await probe.facts.articles();
    const siteId = all[0]?.siteId;
    if (siteId === undefined) return probe.stop('precondition', 'the organization has no article');
    const exchange = await probe.get('listArticles', { siteId, limit: 100 });
    if (!probe.expectStatus(exchange, 200, '4.articles.list.site-id')) return;
    const rows = rowsOf(exchange, ['data']);
    const claim = { clause: '4.articles.list.site-id', expected: show(siteId), exchange } as const;
    probe.every(rows, (row, index) => ({
      ...claim,
      isTrue: sameId(row.siteId, siteId),
      pointer: `/data/${index}/siteId`,
      actual: show(row.siteId),
    }));
    const shown = rows.map(({ id }) => id);
    const lost = all.filter((row) => sameId(row.siteId, siteId) && !shown.some((id) => sameId(id, row.id)));
    const isWhole = isObject(exchange.json) && exchange.json.cursor === null;
    if (isWhole && lost.length > 0 && (await isStill(probe, lost[0]?.id ?? ''))) {
      const actual = `${lost.length} missing, first ${lost[0]?.id}`;
      probe.holds(false, { ...claim, pointer: '/data', expected: 'every article of the site', actual });
    }
    if (all.every((row) => sameId(row.siteId, siteId))) probe.doubt('vacuous', 'all articles seen are of one site');
  },
};

/** A record that is missing from a later list may have been deleted meanwhile. */
async function isStill(probe: Parameters<Check['run']>[0], id: string): Promise<boolean> {
  return (await probe.send({ operation: 'getArticle', params: { id } })).status === 200;
}

const byId: Check = {
  id: 'articles/by-id',
  title: 'GET /articles/{id} answers 200 with the article that was asked for',
  cites: ['4.articles.get.endpoint', '4.articles.get.same-id', '4.articles.get.id'],
  level: 'must',
  phase: 'read',
  cost: { requests: 1, uses: ['articles'] },
  async run(probe) {
    const [first] = await probe.facts.articles();
    if (!first) return probe.stop('precondition', 'the organization has no article');
    const exchange = await probe.get('getArticle', { id: first.id });
    if (!probe.expectStatus(exchange, 200, '4.articles.get.endpoint')) return;
    const data = isObject(exchange.json) && isObject(exchange.json.data) ? exchange.json.data : {};
    const claim = {
      clause: '4.articles.get.same-id',
      pointer: '/data/id',
      expected: show(first.id),
      actual: show(data.id),
      exchange,
    } as const;
    probe.holds(sameId(data.id, first.id), claim);
  },
};

const unknownId: Check = {
  id: 'articles/unknown-id',
  title: 'GET /articles/{id} answers 404 not_found for an article the organization does not have',
  cites: ['4.articles.get.not-found', '1.unknown-record'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.get('getArticle', { id: probe.facts.unknownId });
    probe.expectRefusal(exchange, { status: 404, code: 'not_found', clause: '4.articles.get.not-found' });
  },
};

const malformedId: Check = {
  id: 'articles/malformed-id',
  title: 'GET /articles/{id} refuses an id that is no UUID',
  cites: ['4.articles.get.id', '4.articles.get.malformed-id'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    probe.expectStatus(await probe.get('getArticle', { id: 'no-uuid' }), [404, 400], '4.articles.get.id');
  },
};

const unknownSite: Check = {
  id: 'articles/unknown-site',
  title: 'GET /articles shows nothing of a site the organization does not have',
  cites: ['1.organization-scope', '4.articles.list.unknown-site'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.get('listArticles', { siteId: probe.facts.unknownId });
    if (!probe.expectStatus(exchange, [404, 200], '1.organization-scope') || exchange.status === 404) return;
    const rows = rowsOf(exchange, ['data']);
    const claim = { pointer: '/data', expected: 'no articles', actual: `${rows.length} articles`, exchange };
    probe.holds(rows.length === 0, { ...claim, clause: '1.organization-scope' });
  },
};

export const articles = defineChecks([list, bySite, byId, unknownId, malformedId, unknownSite]);
