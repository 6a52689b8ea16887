// Sites: each by its id, unknown ids, and a method that the contract does not have. Keywords and accounts.
import { type AccountRow, accountsOf, rank, reviewedProviders } from '../exchange/accounts.ts';
import { hasResponse, isLimiterRejection, isPlatformTrouble } from '../exchange/exchange.ts';
import { responsesTo } from '../exchange/history.ts';
import { rowsAt } from '../exchange/records.ts';
import { noUuid, otherCase, sameId } from '../exchange/same-id.ts';
import { invalidIds } from './inputs.ts';
import { get, type Scenario, scenario, send, sendInvalid, sendRaw } from './scenario.ts';

const sitesMax = 5;

const byId = scenario('sites/by-id', { least: 1, most: 2 }, function* () {
  const rows = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
  const last = rows.at(-1);
  if (last === undefined) return 'the organization has no site';
  // The last site: the first one would not detect a server that always returns the first.
  yield* get('getSite', { id: last.id });
  if (rows[0] !== undefined) yield* get('getSite', { id: rows[0].id });
  return undefined;
});

const each = scenario('sites/each', { least: 1, most: sitesMax }, function* () {
  const rows = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
  for (const { id } of rows.slice(0, sitesMax)) yield* get('getSite', { id });
  const last = rows.at(-1);
  // A cache may return it in another way.
  if (last !== undefined) yield* send({ operation: 'getSite', params: { id: last.id } });
});

const unknown = scenario('sites/unknown-id', { least: 1, most: 1 }, function* ({ history }) {
  yield* get('getSite', { id: history().given.unknownId });
});

const invalid = scenario('sites/invalid-ids', { least: invalidIds.length, most: invalidIds.length + 1 }, function* () {
  const [site] = rowsAt(yield* get('listSites'), '/data') ?? [];
  // The domain of a real site: a server that finds sites by anything but their id would return it.
  for (const id of [noUuid(site?.domain), ...invalidIds]) {
    yield* sendInvalid({ operation: 'getSite', params: { id }, label: 'site with an invalid id' });
  }
});

const readOnly = scenario('sites/read-only', { least: 1, most: 1 }, function* ({ history }) {
  // Nobody has the site, so nothing is lost where there is such an endpoint after all.
  yield* sendRaw({ method: 'DELETE', path: `/sites/${history().given.unknownId}` });
});

/** Follows up where articles name a site that the list does not show. */
const ofArticles = scenario('sites/of-articles', { most: 2 }, function* ({ history }) {
  const sites = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
  yield* get('listArticles', { limit: 100 });
  const stray = responsesTo(history(), 'listArticles')
    .flatMap((one) => rowsAt(one, '/data', ['id', 'siteId']) ?? [])
    .find(({ siteId }) => !sites.some(({ id }) => sameId(id, siteId)));
  if (stray === undefined) return;
  const site = yield* get('getSite', { id: stray.siteId });
  if (site.status !== 200) yield* get('getArticle', { id: stray.id });
});

// Keywords: of several sites, of a site in the other case, and of none.

const ofSites = scenario('keywords/of-sites', { least: 1, most: 4 }, function* ({ history }) {
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
});

const sitesReadMax = 10;

const eachSite = scenario('keywords/each-site', { most: sitesReadMax + 1 }, function* ({ history }) {
  const sites = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
  for (const { id } of sites.slice(0, sitesReadMax)) yield* get('listKeywords', { siteId: id });
  const [row] = responsesTo(history(), 'listKeywords').flatMap((one) => rowsAt(one, '/data', ['siteId']) ?? []);
  if (row !== undefined) yield* get('listKeywords', { siteId: otherCase(row.siteId) });
});

const label = 'keywords without a valid siteId';

const withoutSite = scenario('keywords/without-site', { least: 2, most: 4 }, function* () {
  yield* sendInvalid({ operation: 'listKeywords', label });
  const [site] = rowsAt(yield* get('listSites'), '/data') ?? [];
  // By the domain a server finds a site that looks at more than ids.
  yield* sendInvalid({ operation: 'listKeywords', params: { siteId: noUuid(site?.domain) }, label });
});

const invalidSites = scenario('keywords/invalid-sites', { least: 6, most: 8 }, function* ({ history }) {
  const [site] = rowsAt(yield* get('listSites'), '/data', ['id']) ?? [];
  const id = site?.id ?? history().given.unknownId;
  // Near a real id, or sent by a careless client. An empty one can count as missing.
  for (const siteId of [`${id.slice(0, -1)}g`, id.slice(0, -1), `${id}0`, "no-uuid'\u0000", 'null', ''])
    yield* sendInvalid({ operation: 'listKeywords', params: { siteId }, label });
});

// The list of accounts, and reads of accounts in every state.

const first = scenario('accounts/list', { most: 0 }, function* () {
  yield* get('listAccounts');
});

/** The only account that is known to exist without the list is the one that the user names. */
const named = scenario('accounts/named', { needs: ['account'], most: 2 }, function* ({ history }) {
  yield* get('listAccounts');
  const accountId = history().given.account ?? '';
  const reviews = yield* get('listReviews', { accountId });
  if (reviews.status !== 200) yield* get('getInsights', { accountId, range: '28d' });
});

/** The least likely one to have reviews is the first. */
const providers = 'google_contacts google_calendar google_search_console google_ads google_analytics';
const withoutReviews: readonly unknown[] = providers.split(' ');

/**
 * One that is not expected to have reviews, one that is over or not ready, one that waits for access, and a locked one.
 * Only reads: what such an account does with a write is not worth a real post.
 */
function unusableIn(rows: readonly AccountRow[]): readonly AccountRow[] {
  const ranked = rows.toSorted((one, other) => rank(one) - rank(other));
  const isOpen = ({ status, locked }: AccountRow) => status === 'connected' && locked !== true;
  const strangers = ranked.filter((row) => isOpen(row) && !reviewedProviders.includes(row.provider));
  return [
    strangers.find(({ provider }) => withoutReviews.includes(provider)) ?? strangers[0],
    ranked.find(({ status }) => ['expired', 'revoked', 'pending'].includes(status)),
    ranked.find(({ status }) => status === 'pending_api_access'),
    ranked.find(({ status, locked }) => status === 'connected' && locked === true),
  ].flatMap((row) => row ?? []);
}

const unusable = scenario('accounts/unusable', { most: 4 }, function* ({ history }) {
  yield* get('listAccounts');
  for (const { accountId, provider, status } of unusableIn(accountsOf(history()))) {
    // Where there are no reviews anyway, the request does not reach the state of the account.
    const isStranger = withoutReviews.includes(provider) && status !== 'connected';
    const operation = isStranger ? 'getInsights' : 'listReviews';
    yield* sendRaw({ operation, params: { accountId }, repeatable: 'if lost' });
  }
});

/** Up to two requests for each. */
const accountsMax = 20;
const troubledMax = 4;

const eachAccount = scenario('accounts/each', { most: 2 * accountsMax }, function* ({ history }) {
  yield* get('listAccounts');
  let troubled = 0;
  for (const { accountId } of accountsOf(history()).slice(0, accountsMax)) {
    for (const operation of ['listReviews', 'getInsights'] as const) {
      const exchange = yield* sendRaw({ operation, params: { accountId }, repeatable: false });
      if (!hasResponse(exchange) || isLimiterRejection(exchange)) return;
      troubled += Number(isPlatformTrouble(exchange));
      // The same state can have another response elsewhere.
      if (exchange.status === 200 || isPlatformTrouble(exchange)) break;
    }
    // A platform that fails everywhere has shown what it has to show.
    if (troubled >= troubledMax) return;
  }
});

export const siteScenarios: readonly Scenario[] = [
  ...[byId, each, unknown, invalid, readOnly, ofArticles],
  ...[ofSites, eachSite, withoutSite, invalidSites],
  ...[first, named, unusable, eachAccount],
];
