// Sites: their list, each of them by its id, and whether the articles of the run belong to one of them.

import { fields } from '../../../src/contract/generated/record-fields.ts';
import { readsOf, type Shown, shownIn, siteById } from '../../assertions/article-reads.ts';
import { about } from '../../assertions/claims.ts';
import { askForNone, hasTime, invalidIds, malformedIds, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { differences, expectFound, expectOnce } from '../../assertions/same-record.ts';
import { dataOf, type Exchange, nameOfResponse } from '../../exchange/exchange.ts';
import { noUuid, sameId } from '../../exchange/same-id.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type Judged, repeatsMax } from '../../probe/confirm.ts';
import { rowsOf, type SiteRow } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const list: CheckRow = {
  id: 'sites/list',
  title: 'GET /sites returns the sites of the organization',
  cites: ['4.sites.list'],
  phase: 'discover',
  // The list again, when it shows a site twice.
  cost: { requests: 0, confirms: repeatsMax, uses: ['sites'] },
  async run(probe) {
    const exchange = await probe.get('listSites');
    if (!probe.expectStatus(exchange, 200, '4.sites.list')) return;
    // The preflight sends a second request if the first one is rejected: a worker may not know the key.
    const own = probe.history().filter(({ key, operation }) => key === 'good' && operation === 'listSites');
    const rejected = own.find(({ status }) => status === 401);
    if (rejected) probe.expectStatus(rejected, 200, '4.sites.list');
    const idsOf = (page: Exchange) => rowsOf(page, ['data']).map(({ id }) => id);
    await expectOnce(probe, exchange, { what: 'site', clause: '4.sites.list', idsOf });
  },
};

/** The list and the site, again. */
const confirms = 2;
const sitesMax = 5;

const byId: CheckRow = {
  id: 'sites/by-id',
  title: 'GET /sites/{id} returns the site as listed',
  cites: ['4.sites.get.endpoint', '4.sites.get.same-id', '4.sites.get.id'],
  mayComeEarlier: true,
  // The site, and what confirms that it is not found, or differs.
  cost: { requests: 2, optional: 1, confirms: confirms, uses: ['sites'], withTime: { requests: sitesMax } },
  async run(probe) {
    await probe.facts.site();
    // The last site: the first one would not detect a server that always returns the first.
    const sites = await probe.facts.sites();
    const last = sites.at(-1) as SiteRow;
    const others = sites.slice(0, hasTime(probe) ? sitesMax : Number(probe.requestsLeft() >= 1));
    for (const site of new Set([last, ...others])) {
      if (!(await expectSite(probe, site))) return;
    }
    // A cache may return it in another way.
    if (hasTime(probe)) await expectSite(probe, last, 'again');
  },
};

/** Returns whether the list and the single record agree. */
async function expectSite(probe: Probe, { id }: SiteRow, turn?: 'again'): Promise<boolean> {
  const spec = { operation: 'getSite', params: { id } } as const;
  const exchange = turn === 'again' ? await probe.send(spec) : await probe.get('getSite', { id });
  const witness = await probe.get('listSites');
  const isFound = await expectFound(probe, exchange, { clause: '4.sites.get.endpoint', rows: [{ id }], witness });
  if (!isFound || exchange.status !== 200) return false;
  const clause = '4.sites.get.same-id';
  const words = { expected: show(id), actual: show(dataOf(exchange).id) };
  if (!probe.holds(sameId(dataOf(exchange).id, id), { ...about(exchange, clause, '/data/id'), ...words })) return false;
  const names = fields.Site.filter((name) => name !== 'id');
  const outcome = await probe.judge([witness, exchange], ([list, single]) => {
    const listed = rowsOf(list, ['data']).find((row) => sameId(row.id, id));
    // Domains and names of languages have no case.
    return differences(single, { listed, list, clause }, names).map(
      (one): Judged => (one.expected.toLowerCase() === one.actual.toLowerCase() ? { ...one, severity: 'warn' } : one),
    );
  });
  return outcome === 'none';
}

async function expectInvalid(probe: Probe, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const exchange = await sendInvalid(probe, { operation: 'getSite', params: { id } });
    probe.expectStatus(exchange, [404, 400], '4.sites.get.id');
  }
}

const unknownId: CheckRow = {
  id: 'sites/unknown-id',
  title: 'GET /sites/{id} returns 404 for an unknown id',
  cites: [
    '4.sites.get.not-found',
    '1.unknown-record',
    '4.sites.get.id',
    '4.sites.get.statuses',
    '4.sites.get.malformed-id',
  ],
  mayComeEarlier: true,
  cost: {
    requests: 2,
    optional: 1,
    least: 1,
    confirms: 2,
    withTime: { requests: invalidIds.length, confirms: invalidIds.length + 1, uses: ['sites'] },
  },
  async run(probe) {
    const exchange = await askForNone(probe, 'getSite', (id) => probe.get('getSite', { id }));
    const proves = ['4.sites.get.not-found', '1.unknown-record'] as const;
    probe.expectRejection(exchange, { status: 404, code: 'not_found', clause: '4.sites.get.not-found', proves });
    if (!hasTime(probe)) return expectInvalid(probe, malformedIds(probe, 1));
    // The domain of a real site: a server that finds sites by anything but their id would return it.
    const [site] = await probe.facts.sites();
    await expectInvalid(probe, [noUuid(site?.domain), ...invalidIds]);
  },
};

const noDelete: CheckRow = {
  id: 'sites/read-only',
  title: 'DELETE /sites/{id} is rejected',
  cites: ['1.read-only'],
  mayComeEarlier: true,
  cost: { requests: 1, optional: 1 },
  async run(probe) {
    if (probe.requestsLeft() < 1) return probe.stop('budget', 'no requests left for this check');
    // Nobody has the site, so nothing is lost where there is such an endpoint after all.
    const exchange = await probe.sendRaw({ method: 'DELETE', path: `/sites/${probe.facts.unknownId}` });
    const isSuccess = exchange.status >= 200 && exchange.status < 300;
    if (!isSuccess && (exchange.status < 400 || exchange.status >= 500)) {
      return probe.stop('platform', `returned ${nameOfResponse(exchange)}`);
    }
    const claim = { ...about(exchange, '1.read-only', '#status'), expected: 'a rejection' };
    probe.holds(!isSuccess, { ...claim, actual: nameOfResponse(exchange) });
  },
};

/** A site that the list hides shows in the articles of it. */
const ofArticles: CheckRow = {
  id: 'sites/of-articles',
  title: 'Every article belongs to a listed site',
  cites: ['4.sites.list', '1.organization-scope'],
  phase: 'after bursts',
  // The site that is missing and the list again, because it may be new; the article and its page.
  cost: { requests: 0, confirms: 5, uses: ['sites', 'articles'] },
  async run(probe) {
    const sites = await probe.facts.sites();
    await probe.facts.articles();
    const all = shownIn(readsOf(probe)).filter(({ row }) => typeof row.siteId === 'string');
    if (all.length === 0) return;
    const stray = all.find(({ row }) => !sites.some(({ id }) => sameId(id, row.siteId)));
    const claim = about(await probe.get('listSites'), '4.sites.list', '/data');
    if (stray === undefined) {
      // Articles of another organization would be of its sites.
      const proves = ['4.sites.list', '1.organization-scope'] as const;
      probe.holds(true, { ...claim, proves, expected: 'the site of each article in the list', actual: 'each' });
    } else if ((await probe.get('getSite', { id: stray.row.siteId })).status !== 200) {
      await checkStray(probe, stray);
    } else {
      // A site that can be read by its id is one of the organization.
      const id = stray.row.siteId;
      await probe.judge([await probe.get('listSites')], ([list]) => {
        const isTrue = rowsOf(list, ['data']).some((row) => sameId(row.id, id));
        const words = { expected: `one with ${id}`, actual: 'a list without a site of an article' };
        return [{ ...about(list, '4.sites.list', '/data'), ...words, ...siteById(id), isTrue }];
      });
    }
  },
};

/** An article can remain after its site was deleted; one that cannot be read belongs to another organization. */
async function checkStray(probe: Probe, stray: Shown): Promise<void> {
  const { row, read } = stray;
  const single = await probe.send({ operation: 'getArticle', params: { id: row.id } });
  const claim = about(read.exchange, '1.organization-scope', '/data');
  const words = {
    expected: 'articles of listed sites only',
    actual: `article ${row.id} of the unlisted site ${row.siteId}`,
  };
  if (single.status !== 404) probe.note({ ...claim, ...words });
  else {
    const message = 'GET /articles/{id} returns 404 for it';
    const witnessed = { rows: [row], witness: read.exchange, pointer: '#status', message };
    const judge = ([one]: readonly [Exchange]) => [
      { ...claim, ...words, ...witnessed, exchange: one, isTrue: one.status !== 404 },
    ];
    await probe.judge([single], judge);
  }
  probe.holds(true, { ...claim, ...words, clause: '4.sites.list', proves: [] });
}

export const sites = defineChecks({ phase: 'after bursts' }, [
  list,
  // The unknown site right after a known one, which a cache or a buffer may still hold.
  byId,
  unknownId,
  noDelete,
  ofArticles,
]);
