import { parseInstant } from '../../src/contract/instants.ts';
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isObject } from '../exchange.ts';
import { type Row, rowsOf } from '../facts.ts';
import { show } from '../ledger.ts';
import type { Probe } from '../probe.ts';
import { noUuid, sameId } from '../same-id.ts';
import { thorough } from './thorough.ts';

const list: Check = {
  id: 'sites/list',
  title: 'GET /sites answers 200 with the sites of the organization',
  cites: ['4.sites.list'],
  level: 'must',
  phase: 'discover',
  cost: { requests: 0, uses: ['sites'] },
  async run(probe) {
    const exchange = await probe.get('listSites');
    if (!probe.expectStatus(exchange, 200, '4.sites.list')) return;
    const ids = (await probe.facts.sites()).map(({ id }) => id.toLowerCase());
    const twice = ids.find((id, index) => ids.indexOf(id) < index);
    const claim = { clause: '4.sites.list', pointer: '/data', proves: [], exchange } as const;
    probe.holds(twice === undefined, { ...claim, expected: 'each site once', actual: `${show(twice)} twice` });
  },
};

const byId: Check = {
  id: 'sites/by-id',
  title: 'GET /sites/{id} answers 200 with the site that was asked for',
  cites: ['4.sites.get.endpoint', '4.sites.get.same-id', '4.sites.get.id'],
  level: 'must',
  phase: 'read',
  // The site, and the list again when it is not found.
  cost: { requests: 1, confirms: 2, uses: ['sites'] },
  async run(probe) {
    await probe.facts.site();
    // The last one: a server that always answers the first would not be noticed by it.
    const { id } = (await probe.facts.sites()).at(-1) as { id: string };
    await expectSite(probe, id);
  },
};

async function expectSite(probe: Probe, id: string): Promise<void> {
  const exchange = await probe.get('getSite', { id });
  if (exchange.status === 404 && !(await isListed(probe, id))) return probe.stop('interference', 'the site is gone');
  if (!probe.expectStatus(exchange, 200, '4.sites.get.endpoint')) return;
  const data = isObject(exchange.json) && isObject(exchange.json.data) ? exchange.json.data : {};
  const claim = {
    clause: '4.sites.get.same-id',
    pointer: '/data/id',
    expected: show(id),
    actual: show(data.id),
    exchange,
  } as const;
  if (probe.holds(sameId(data.id, id), claim)) await compareWithList(probe, exchange, data);
}

/** A site was created once; whatever else the list shows of it may have been changed meanwhile, and then shows so there. */
async function compareWithList(probe: Probe, exchange: Exchange, data: Row): Promise<void> {
  const rowIn = (rows: readonly Row[]) => rows.find((row) => sameId(row.id, data.id)) ?? {};
  const row = rowIn(await probe.facts.sites());
  const names = ['createdAt', 'name', 'domain', 'cms', 'language'] as const;
  const name = names.find((each) => row[each] !== undefined && data[each] !== undefined && !areEqual(row, data, each));
  if (name === undefined) return;
  const again = rowIn(rowsOf(await probe.send({ operation: 'listSites' }), ['data']));
  if (areEqual(again, data, name)) return;
  const claim = { clause: '4.sites.get.same-id', pointer: `/data/${name}`, exchange } as const;
  const words = { expected: `${show(row[name])}, as in the list`, actual: show(data[name]) };
  if (name === 'createdAt') probe.holds(false, { ...claim, ...words });
  else probe.warn({ ...claim, ...words });
}

function areEqual(left: Row, right: Row, name: string): boolean {
  const instants = [left[name], right[name]].map((value) => (typeof value === 'string' ? parseInstant(value) : null));
  return instants[0] != null ? instants[0] === instants[1] : show(left[name]) === show(right[name]);
}

async function isListed(probe: Probe, id: string): Promise<boolean> {
  return rowsOf(await probe.send({ operation: 'listSites' }), ['data']).some((row) => sameId(row.id, id));
}

const SITES_MAX = 5;

const eachById: Check = {
  id: 'sites/each-by-id',
  title: 'Every site of the list can be read by its id',
  cites: ['4.sites.get.same-id', '4.sites.get.endpoint'],
  level: 'must',
  phase: 'refusals',
  after: ['sites/by-id'],
  needs: thorough,
  cost: { requests: SITES_MAX, confirms: SITES_MAX, uses: ['sites'] },
  async run(probe) {
    for (const { id } of (await probe.facts.sites()).slice(0, SITES_MAX)) await expectSite(probe, id);
  },
};

const malformedId: Check = {
  id: 'sites/malformed-id',
  title: 'GET /sites/{id} refuses an id that is no UUID',
  cites: ['4.sites.get.id', '4.sites.get.statuses', '4.sites.get.malformed-id'],
  level: 'must',
  phase: 'refusals',
  needs: thorough,
  cost: { requests: 1, least: 1, uses: ['sites'] },
  async run(probe) {
    // The domain of a real site: a server that finds sites by anything but their id would answer.
    const [site] = await probe.facts.sites();
    const id = noUuid(site?.domain);
    probe.expectStatus(await probe.get('getSite', { id }), [404, 400], '4.sites.get.id');
  },
};

const unknownId: Check = {
  id: 'sites/unknown-id',
  title: 'GET /sites/{id} answers 404 not_found for a site the organization does not have',
  cites: ['4.sites.get.not-found', '1.unknown-record'],
  level: 'must',
  phase: 'refusals',
  cost: { requests: 1, least: 1 },
  async run(probe) {
    const exchange = await probe.get('getSite', { id: probe.facts.unknownId });
    const proves = ['4.sites.get.not-found', '1.unknown-record'] as const;
    probe.expectRefusal(exchange, { status: 404, code: 'not_found', clause: '4.sites.get.not-found', proves });
  },
};

const ofArticles: Check = {
  id: 'sites/of-articles',
  title: 'The sites that articles belong to are among the sites of the organization',
  cites: ['4.sites.list'],
  level: 'must',
  phase: 'read',
  // The site that is missing, and the list again: it may be new.
  cost: { requests: 0, confirms: 2, uses: ['sites', 'articles'] },
  async run(probe) {
    const sites = await probe.facts.sites();
    const owners = [...new Set((await probe.facts.articles()).map(({ siteId }) => siteId))];
    const missing = owners.find((siteId) => !sites.some(({ id }) => sameId(id, siteId)));
    const claim = { clause: '4.sites.list', pointer: '/data', exchange: await probe.get('listSites') } as const;
    if (owners.length === 0) return;
    // An article may outlive its site; a site that can be read by its id is one of the organization.
    const isThere = missing !== undefined && (await probe.get('getSite', { id: missing })).status === 200;
    if (isThere && (await isListed(probe, missing))) return probe.stop('interference', 'a site has come meanwhile');
    probe.holds(!isThere, { ...claim, expected: `site ${missing ?? ''} in the list`, actual: 'not in the list' });
  },
};

export const sites = defineChecks([list, byId, eachById, ofArticles, unknownId, malformedId]);
