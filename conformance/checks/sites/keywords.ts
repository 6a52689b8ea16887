// Keywords are read by site: which sites have some, and how an invalid siteId is rejected.

import { count } from '../../../src/terminal/count.ts';
import { siteById, sitesByArticles } from '../../assertions/article-reads.ts';
import { askForNone, drawn, hasTime } from '../../assertions/invalid-inputs.ts';
import { expectFound, expectOfSite, expectOnce, expectRows } from '../../assertions/same-record.ts';
import { type Exchange, isObject, listOf } from '../../exchange/exchange.ts';
import { noUuid, otherCase, sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { repeatsMax } from '../../judge/standing.ts';
import { contractWindows } from '../../pace/lanes.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Judged } from '../../probe/confirm.ts';
import { type Row, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

/** An organization may have a site without keywords; three without any are left undecided. */
const sitesTriedMax = 3;
const sitesMax = 5;
/** Where the run has another minute for other checks. */
const sitesMost = 10;

const ofSite: CheckRow = {
  id: 'keywords/of-site',
  title: 'GET /keywords returns only keywords of the requested site',
  cites: ['4.keywords.list.endpoint', '4.keywords.list.of-site', '4.keywords.list.site-id', '4.keywords.list.statuses'],
  cost: {
    requests: sitesTriedMax,
    confirms: repeatsMax * sitesTriedMax,
    uses: ['sites'],
    withTime: {
      requests: sitesMost - sitesTriedMax,
      optional: sitesMost - sitesMax,
      confirms: repeatsMax * (sitesMost - sitesTriedMax),
    },
  },
  async run(probe) {
    await probe.facts.site();
    let known = 0;
    const sites = (await probe.facts.sites()).map(({ id }) => id);
    // A site with many articles has most to show. One with few might have no keywords, and so an empty list.
    const usual = hasTime(probe) ? sites : sitesByArticles(probe, sites);
    const few = hasTime(probe) ? [] : sitesByArticles(probe, sites.slice(1)).slice(-1);
    const queried = [...new Set([...usual.slice(0, 1), ...few, ...usual])];
    for (const [at, siteId] of queried.slice(0, hasTime(probe) ? sitesMost : sitesTriedMax).entries()) {
      if (at >= sitesMax && probe.requestsLeft() < contractWindows.key.limit) break;
      const exchange = await probe.get('listKeywords', { siteId });
      const site = { clause: '4.keywords.list.endpoint', ...siteById(siteId) } as const;
      if (!(await expectFound(probe, exchange, site))) return;
      if (exchange.status !== 200) continue;
      const data = isObject(exchange.json) ? exchange.json.data : undefined;
      const claim = about(exchange, '4.keywords.list.endpoint', '/data');
      const words = { expected: 'a list, which can be empty', actual: show(data), proves: [] };
      // Otherwise the shape rule reports it.
      if (hasTime(probe) && !probe.holds(Array.isArray(data), { ...claim, ...words })) continue;
      known += Number((await expectKeywords(probe, exchange, siteId)) > 0);
      // A second site with keywords shows whether the first one has them for itself.
      if (!hasTime(probe) && (known > 1 || (known > 0 && probe.requestsLeft() < 1))) break;
    }
    if (known === 0) probe.doubt('vacuous', 'needs a site with keywords');
  },
};

/** Returns the number of keywords. */
async function expectKeywords(probe: Probe, exchange: Exchange, siteId: string): Promise<number> {
  expectOfSite(probe, exchange, { siteId, clause: '4.keywords.list.of-site' });
  const idsOf = (page: Exchange) => rowsOf(page, ['data']).map(({ id }) => id);
  await expectOnce(probe, exchange, { what: 'keyword', clause: '4.keywords.list.endpoint', idsOf });
  return rowsOf(exchange, ['data']).length;
}

const ofOneSite: CheckRow = {
  id: 'keywords/of-one-site',
  title: 'Every keyword belongs to one site only',
  cites: ['4.keywords.list.of-site'],
  phase: 'log',
  after: ['keywords/of-site'],
  // Both lists again: a keyword may have been moved to another site.
  cost: { requests: 0, confirms: 2 },
  async run(probe) {
    const reads = probe.shown('listKeywords');
    const rows = reads.flatMap((exchange) => rowsOf(exchange, ['data'], ['id', 'siteId']));
    if (new Set(rows.map(({ siteId }) => siteId)).size < 2) return probe.stop('vacuous', 'needs keywords of two sites');
    const outcome = await probe.judge(reads, strayKeywords);
    const claim = { clause: '4.keywords.list.of-site', pointer: '/data' } as const;
    if (outcome === 'none')
      probe.holds(true, { ...claim, expected: 'keywords of one site each', actual: 'as expected' });
  },
};

/** Keywords that two lists show with two sites. */
function strayKeywords(reads: readonly Exchange[]): readonly Judged[] {
  const homes = new Map<string, { readonly row: Row; readonly exchange: Exchange }>();
  const all = reads.flatMap((exchange) => rowsOf(exchange, ['data']).map((row) => ({ row, exchange })));
  return all.flatMap(({ row, exchange }) => {
    const name = String(row.id).toLowerCase();
    const home = homes.get(name) ?? { row, exchange };
    homes.set(name, home);
    if (sameId(home.row.siteId, row.siteId)) return [];
    const actual = `keyword ${name} with the sites ${show(home.row.siteId)} and ${show(row.siteId)}`;
    const claim = {
      ...about(exchange, '4.keywords.list.of-site', '/data'),
      expected: 'one site for each keyword',
      actual,
    };
    return [{ ...claim, rows: [home.row], fields: ['siteId'], witness: home.exchange }];
  });
}

/** Hexadecimal digits have no case, and yet the contract does not say it: hence only a "should". */
const inCapitals: CheckRow = {
  id: 'keywords/capitals',
  title: 'GET /keywords treats siteId as case-insensitive',
  cites: ['4.keywords.list.site-id'],
  level: 'should',
  phase: 'rejections',
  after: ['keywords/of-site'],
  needs: ['extended'],
  // Both lists once more: the keywords may be gone (R59).
  cost: { requests: 1, confirms: 2 },
  async run(probe) {
    const isFull = (one: Exchange) => one.operation === 'listKeywords' && one.key === 'good' && countOf(one) > 0;
    const usual = probe.history().find(isFull) ?? probe.stop('vacuous', 'needs a site with keywords');
    const siteId = new URLSearchParams(usual.target.split('?')[1]).get('siteId') ?? '';
    const other = otherCase(siteId);
    if (other === siteId) return probe.stop('vacuous', 'the id has no letters');
    const exchange = await probe.get('listKeywords', { siteId: other });
    const rows = rowsOf(usual, ['data']).slice(0, 1);
    await expectRows(probe, exchange, { clause: '4.keywords.list.site-id', rows, witness: usual });
  },
};

/** Returns the number of keywords in a response; 0 for a rejection. */
function countOf({ status, json }: Exchange): number {
  return status === 200 && isObject(json) ? listOf(json.data).length : 0;
}

const missingSiteId: CheckRow = {
  id: 'keywords/missing-site-id',
  title: 'GET /keywords returns 400 without siteId',
  cites: ['4.keywords.list.missing-site-id', '4.keywords.list.site-id'],
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.get('listKeywords');
    const proves = ['4.keywords.list.missing-site-id', '4.keywords.list.site-id'] as const;
    probe.expectRejection(exchange, { status: 400, clause: '4.keywords.list.missing-site-id', proves });
  },
};

const invalidSiteId: CheckRow = {
  id: 'keywords/invalid-site-id',
  title: 'GET /keywords returns 400 for a malformed siteId',
  cites: ['4.keywords.list.invalid-site-id', '4.keywords.list.site-id'],
  cost: { requests: 1, least: 1, uses: ['sites'], withTime: { requests: 6 } },
  async run(probe) {
    const [site] = await probe.facts.sites();
    const ids = invalidSiteIds(site?.id ?? probe.facts.unknownId, site?.domain);
    // Alone, one without odd characters: a server may reject these elsewhere. An empty one can count as missing.
    for (const siteId of hasTime(probe) ? [...ids, ''] : [drawn(probe, ids.slice(0, 2))]) {
      const exchange = await probe.get('listKeywords', { siteId });
      const proves = ['4.keywords.list.invalid-site-id', '4.keywords.list.site-id'] as const;
      // No code is shown for it.
      probe.expectRejection(exchange, { status: 400, clause: '4.keywords.list.invalid-site-id', proves });
    }
  },
};

/** Near a real id, or what a careless client sends; by the domain a server finds a site that looks at more than ids. */
function invalidSiteIds(id: string, domain: unknown): readonly string[] {
  return [`${noUuid(domain)}`, `${id.slice(0, -1)}g`, "no-uuid'\u0000", id.slice(0, -1), `${id}0`, 'null'];
}

const unknownSite: CheckRow = {
  id: 'keywords/unknown-site',
  title: 'GET /keywords returns no keywords of an unknown site',
  cites: ['1.organization-scope', '4.keywords.list.unknown-site', '4.keywords.list.of-site'],
  cost: { requests: 1, confirms: 1 },
  async run(probe) {
    const exchange = await askForNone(probe, 'listKeywords', (siteId) => probe.get('listKeywords', { siteId }));
    // An unknown site does not show which organization sees the data.
    const proof = { clause: '1.organization-scope', proves: ['4.keywords.list.unknown-site'] } as const;
    if (!probe.expectStatus(exchange, [404, 200], proof) || exchange.status === 404) return;
    const rows = rowsOf(exchange, ['data']);
    const claim = { pointer: '/data', expected: 'none', actual: count(rows.length, 'keyword'), exchange };
    const isOfOthers = rows.some(({ siteId }) => !exchange.target.includes(String(siteId)));
    const clause = isOfOthers ? '4.keywords.list.of-site' : '1.organization-scope';
    probe.holds(rows.length === 0, { ...claim, clause, proves: ['4.keywords.list.of-site'] });
  },
};

export const keywords = defineChecks({ phase: 'read' }, [
  ofSite,
  // At once: a cache that ignores siteId may keep a list only for some seconds.
  unknownSite,
  inCapitals,
  missingSiteId,
  invalidSiteId,
  ofOneSite,
]);
