// Keywords: of several sites, of a site in the other case, and of none.
import { responsesTo } from '../exchange/history.ts';
import { rowsAt } from '../exchange/records.ts';
import { noUuid, otherCase, sameId } from '../exchange/same-id.ts';
import { get, type Scenario, sendInvalid } from './scenario.ts';

const ofSites: Scenario = {
  id: 'keywords/of-sites',
  cost: { least: 1, most: 4 },
  *ask({ history }) {
    const articles = responsesTo(history(), 'listArticles').flatMap((one) => rowsAt(one, '/data', ['siteId']) ?? []);
    const countOf = (id: string) => articles.filter(({ siteId }) => sameId(siteId, id)).length;
    const [head, ...others] = (rowsAt(yield* get('listSites'), '/data', ['id']) ?? []).map(({ id }) => id);
    const [most, ...fewer] = others.sort((one, other) => countOf(other) - countOf(one));
    let known = 0;
    // A site with many articles has most to show. One with few might have no keywords, and so an empty list.
    for (const siteId of new Set([most ?? head, fewer.at(-1) ?? head, head])) {
      // A second site with keywords shows whether the first one has them for itself.
      if (siteId === undefined || known > 1) break;
      known += Number((rowsAt(yield* get('listKeywords', { siteId }), '/data') ?? []).length > 0);
    }
    // At once: a cache that ignores siteId may keep a list only for some seconds.
    yield* get('listKeywords', { siteId: history().given.unknownId });
    return undefined;
  },
};

const sitesMax = 10;

const each: Scenario = {
  id: 'keywords/each-site',
  cost: { least: 0, most: sitesMax + 1 },
  *ask({ history }) {
    const sites = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
    for (const { id } of sites.slice(0, sitesMax)) yield* get('listKeywords', { siteId: id });
    const [row] = responsesTo(history(), 'listKeywords').flatMap((one) => rowsAt(one, '/data', ['siteId']) ?? []);
    if (row !== undefined) yield* get('listKeywords', { siteId: otherCase(row.siteId) });
    return undefined;
  },
};

const label = 'keywords without a valid siteId';

const withoutSite: Scenario = {
  id: 'keywords/without-site',
  cost: { least: 2, most: 4 },
  *ask() {
    yield* sendInvalid({ operation: 'listKeywords', label });
    const [site] = rowsAt(yield* get('listSites'), '/data') ?? [];
    // By the domain a server finds a site that looks at more than ids.
    yield* sendInvalid({ operation: 'listKeywords', params: { siteId: noUuid(site?.domain) }, label });
    return undefined;
  },
};

const invalidSites: Scenario = {
  id: 'keywords/invalid-sites',
  cost: { least: 6, most: 8 },
  *ask({ history }) {
    const [site] = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
    const id = site?.id ?? history().given.unknownId;
    // Near a real id, or sent by a careless client. An empty one can count as missing.
    for (const siteId of [`${id.slice(0, -1)}g`, id.slice(0, -1), `${id}0`, "no-uuid'\u0000", 'null', ''])
      yield* sendInvalid({ operation: 'listKeywords', params: { siteId }, label });
    return undefined;
  },
};

export const keywordScenarios: readonly Scenario[] = [ofSites, each, withoutSite, invalidSites];
