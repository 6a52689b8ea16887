// Sites: each by its id, unknown ids, and a method that the contract does not have.
import type { History } from '../exchange/history.ts';
import { responsesTo } from '../exchange/history.ts';
import { rowsAt } from '../exchange/records.ts';
import { noUuid, sameId } from '../exchange/same-id.ts';
import { invalidIds } from './inputs.ts';
import { get, type Scenario, send, sendInvalid, sendRaw } from './scenario.ts';

const sitesMax = 5;

const byId: Scenario = {
  id: 'sites/by-id',
  cost: { least: 1, most: 2 },
  *ask() {
    const rows = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
    const last = rows.at(-1);
    if (last === undefined) return 'the organization has no site';
    // The last site: the first one would not detect a server that always returns the first.
    yield* get('getSite', { id: last.id });
    if (rows[0] !== undefined) yield* get('getSite', { id: rows[0].id });
    return undefined;
  },
};

const each: Scenario = {
  id: 'sites/each',
  cost: { least: 1, most: sitesMax },
  *ask() {
    const rows = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
    for (const { id } of rows.slice(0, sitesMax)) yield* get('getSite', { id });
    const last = rows.at(-1);
    // A cache may return it in another way.
    if (last !== undefined) yield* send({ operation: 'getSite', params: { id: last.id } });
    return undefined;
  },
};

const unknown: Scenario = {
  id: 'sites/unknown-id',
  cost: { least: 1, most: 1 },
  *ask({ history }) {
    yield* get('getSite', { id: history().given.unknownId });
    return undefined;
  },
};

const invalid: Scenario = {
  id: 'sites/invalid-ids',
  cost: { least: invalidIds.length, most: invalidIds.length + 1 },
  *ask() {
    const [site] = rowsAt(yield* get('listSites'), '/data') ?? [];
    // The domain of a real site: a server that finds sites by anything but their id would return it.
    for (const id of [noUuid(site?.domain), ...invalidIds]) {
      yield* sendInvalid({ operation: 'getSite', params: { id }, label: 'site with an invalid id' });
    }
    return undefined;
  },
};

const readOnly: Scenario = {
  id: 'sites/read-only',
  cost: { least: 1, most: 1 },
  *ask({ history }) {
    // Nobody has the site, so nothing is lost where there is such an endpoint after all.
    yield* sendRaw({ method: 'DELETE', path: `/sites/${history().given.unknownId}` });
    return undefined;
  },
};

/** Follows up where articles name a site that the list does not show. */
const ofArticles: Scenario = {
  id: 'sites/of-articles',
  cost: { least: 0, most: 2 },
  *ask({ history }) {
    const sites = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
    yield* get('listArticles', { limit: 100 });
    const stray = articlesIn(history()).find(({ siteId }) => !sites.some(({ id }) => sameId(id, siteId)));
    if (stray === undefined) return undefined;
    const site = yield* get('getSite', { id: stray.siteId });
    if (site.status !== 200) yield* get('getArticle', { id: stray.id });
    return undefined;
  },
};

function articlesIn(history: History) {
  return responsesTo(history, 'listArticles').flatMap((one) => rowsAt(one, '/data', ['id', 'siteId']) ?? []);
}

export const siteScenarios: readonly Scenario[] = [byId, each, unknown, invalid, readOnly, ofArticles];
