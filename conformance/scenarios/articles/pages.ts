// Lists of articles: their limits, walks from page to page, pages of a site, and invalid queries.
import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { parseTimestamp, type TimestampNs } from '../../../src/contract/timestamps.ts';
import * as paged from '../../exchange/article-pages.ts';
import { isObject } from '../../exchange/exchange.ts';
import type { History } from '../../exchange/history.ts';
import { rowsAt } from '../../exchange/records.ts';
import { otherCase, sameId } from '../../exchange/same-id.ts';
import { articleQueries, plainArticleQueries, rareArticleQueries } from '../inputs.ts';
import { type Asks, get, type Scenario, scenario, send, sendInvalid } from '../scenario.ts';

const { min, max, preset } = articlesLimit;

function* first(): Asks<paged.Page | null> {
  return paged.pageOf(yield* get('listArticles', { limit: max }));
}

const limits = scenario('articles/limits', { least: 1, most: 2 }, function* () {
  const page = yield* first();
  // At once: a cache that ignores the limit may keep the page before only for some seconds.
  yield* get('listArticles', { limit: min });
  yield* followEnd(page);
});

/**
 * The page after one that may not be the last although its cursor is null, or that seems to be the last although it has
 * a cursor. Cites 4.articles.list.cursor-value, R18.
 */
function* followEnd(page: paged.Page | null): Asks<void> {
  if (page === null) return;
  const { rows, cursor, limit } = page;
  const isFull = rows.length >= (limit ?? preset);
  const next = isFull && cursor === null ? rows.at(-1)?.createdAt : cursor;
  if (rows.length === 0 || (isFull && cursor !== null)) return;
  yield* after(page, next, limit === null ? {} : { limit });
}

function* after({ siteId }: paged.Page, cursor: unknown, rest: { readonly limit?: number }): Asks<paged.Page | null> {
  if (typeof cursor !== 'string' || cursor === '') return null;
  const site = siteId === null ? {} : { siteId };
  return paged.pageOf(yield* get('listArticles', { ...site, ...rest, cursor }));
}

const followedMax = 3;

const walk = scenario('articles/walk', { most: 1 + followedMax }, function* () {
  const whole = yield* first();
  if (whole === null || whole.rows.length < 2) return;
  const isShort = whole.rows.length <= preset;
  const start = paged.pageOf(yield* get('listArticles', isShort ? { limit: splitPoint(whole.rows) } : {}));
  if (start === null) return;
  yield* follow(start, whole, followedMax);
  // A short page with a cursor is legal (R17), unless the same server fills it when the limit is explicit.
  if (!isShort && start.rows.length < preset && start.cursor !== null) yield* get('listArticles', { limit: preset });
});

function splitPoint(rows: readonly paged.Article[]): number {
  const middle = Math.ceil(rows.length / 2);
  const isTied = (at: number) => rows[at]?.createdAt === rows[at - 1]?.createdAt;
  const candidates = [...rows.keys()].filter((at) => at > 0 && !isTied(at));
  return candidates.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))[0] ?? middle;
}

const hasOffset = /[+-](?!00:?00$)\d\d:?\d\d$/;

/** The size of a page whose cursor has an offset, which a server can ignore (R8), and is not at a tie (R17). */
function sizeToOffset({ rows }: paged.Page, from: number): number {
  const isCut = ({ createdAt }: paged.Article, next: paged.Article | undefined) =>
    hasOffset.test(createdAt) && next !== undefined && !paged.isSameTime(createdAt, next.createdAt);
  const at = rows.findIndex((row, index) => index >= from && isCut(row, rows[index + 1]));
  return at < 0 ? max : at - from + 1;
}

/** Reads on until everything of the whole page has had its chance to be shown, and the chain its chance to end. */
function* follow(start: paged.Page, whole: paged.Page, pagesMax: number): Asks<void> {
  const pages = [start];
  const isAll = whole.cursor === null || whole.rows.length < max;
  for (let page = start; pages.length <= pagesMax; ) {
    const shown = pages.reduce((sum, { rows }) => sum + rows.length, 0);
    if (!isAll && shown >= whole.rows.length) return;
    // The second page by default, as most clients read; then long ones, to be done soon.
    const isUsual = pages.length === 1 && whole.rows.length > preset;
    const isDone = pages.some(({ cursor }) => hasOffset.test(String(cursor)));
    const next = yield* after(page, page.cursor, isUsual ? {} : { limit: isDone ? max : sizeToOffset(whole, shown) });
    if (next === null || next.cursor === page.cursor || next.rows.length === 0) return;
    pages.push(next);
    page = next;
  }
}

const pagesMax = 5;

const toTheEnd = scenario('articles/to-the-end', { most: pagesMax }, function* () {
  let page = yield* first();
  for (let read = 0; page !== null && page.rows.length > 0 && read < pagesMax; read += 1) {
    page = yield* after(page, page.cursor, { limit: max });
  }
});

/** Half of a site's articles on the first page, so there is a second one whose filter can fail. */
const ofSite = scenario('articles/site', { most: 2 }, function* ({ history }) {
  const [whole, site] = [yield* first(), distinctiveSite(history())];
  if (site === undefined || whole === null) return;
  const page = paged.pageOf(yield* get('listArticles', { siteId: site, limit: cutOf(whole.rows, site) }));
  // A cache might ignore the cursor, so only the cursor differs.
  const next = page === null ? null : yield* after(page, page.cursor, { limit: page.limit ?? max });
  yield* followEnd(next ?? page);
});

const ofSiteAgain = scenario('articles/site-again', { most: 2 }, function* ({ history }) {
  const [whole, siteId] = [yield* first(), distinctiveSite(history())];
  if (siteId === undefined || whole === null) return;
  const page = paged.pageOf(yield* get('listArticles', { siteId, limit: middleOf(whole.rows, siteId) }));
  // The other case must not turn the filter off. A server may know the site in one case only.
  if (typeof page?.cursor === 'string')
    yield* get('listArticles', { siteId: otherCase(siteId), cursor: page.cursor, limit: max });
});

/**
 * Before the last article if articles of other sites follow, because one is easily lost. Otherwise after the middle.
 */
function cutOf(all: readonly paged.Article[], site: string): number {
  const own = all.filter((row) => paged.isOfSite(row, site));
  const edge = own.at(-2);
  const isWhole = all.length < max && edge !== undefined;
  const hasOthers = isWhole && all.slice(all.indexOf(edge) + 1).some((row) => !paged.isOfSite(row, site));
  return hasOthers ? own.length - 1 : middleOf(all, site);
}

/**
 * The second page is a short one, or one where a page without the filter has none of the site: a server might apply the
 * limit first.
 */
function middleOf(all: readonly paged.Article[], site: string): number {
  const own = all.filter((row) => paged.isOfSite(row, site));
  const isFirst = all[0] === own[0];
  // A part of the site's articles is known where the list is long.
  return isFirst ? Math.max(1, Math.ceil(own.length * (all.length < max && own.length > 1 ? 0.6 : 0.8))) : min;
}

/** A site of several articles, so two pages are likely; not the first of the sites where another one will do. */
function distinctiveSite(history: History): string | undefined {
  const ids = paged
    .pagesIn(history)
    .flatMap(({ rows }) => rows.flatMap(({ siteId }) => (typeof siteId === 'string' ? siteId : [])));
  const countOf = (id: string) => ids.filter((siteId) => sameId(siteId, id)).length;
  return paged.sitesByArticles(
    history,
    [...new Set(ids)].sort((a, b) => countOf(b) - countOf(a)),
  )[0];
}

const sitesMax = 5;

/** A filter may work for one site only. */
const eachSite = scenario('articles/each-site', { most: sitesMax + 1 }, function* ({ history }) {
  const listed = (rowsAt(yield* get('listSites'), '/data', ['id']) ?? []).map(({ id }) => id);
  yield* first();
  const sites = paged.sitesByArticles(history(), listed);
  // Also without a limit for the site with most articles: the default of 20 applies with a siteId too.
  for (const siteId of sites.slice(0, 1)) yield* get('listArticles', { siteId });
  for (const siteId of sites.slice(0, sitesMax)) yield* get('listArticles', { siteId, limit: max });
});

const unknownSite = scenario('articles/unknown-site', { least: 1, most: 1 }, function* ({ history }) {
  // With the limit of the first page: a cache that ignores siteId may keep that only for some seconds.
  yield* get('listArticles', { siteId: history().given.unknownId, limit: max });
});

/** Spans that a server may cut a timestamp down to: a millisecond, a second, a minute, an hour, a day. */
const spansNs: readonly TimestampNs[] = [
  1_000_000n,
  1_000_000_000n,
  60_000_000_000n,
  3_600_000_000_000n,
  86_400_000_000_000n,
];

/** Positions of difficult cuts: one where the order changes direction, one between close timestamps. */
function hardCuts(rows: readonly paged.Article[]): number[] {
  const times = rows.map(({ createdAt }) => parseTimestamp(createdAt));
  const cutWhere = (isHard: (before: TimestampNs, time: TimestampNs) => boolean) =>
    times.findIndex((time, index) => {
      const before = index === 0 ? null : (times[index - 1] ?? null);
      if (time === null || before === null || time === before) return false;
      // Another article of the same time would make the edge a tie (R17).
      return times.filter((other) => other === before).length === 1 && isHard(before, time);
    });
  const rises = times.filter((time, index) => index > 0 && (time ?? 0n) > (times[index - 1] ?? 0n)).length;
  const isFalling = rises < times.length / 2;
  const near = spansNs.map((span) => cutWhere((before, time) => before / span === time / span));
  const turned = cutWhere((before, time) => time > before === isFalling);
  return [...new Set([near.find((at) => at > 0) ?? -1, turned])].filter((at) => at > 0);
}

/** A cursor that is cut down to a second or a day loses what was created within it. */
const closeTimes = scenario('articles/close-timestamps', { most: 4 }, function* () {
  const cuts = hardCuts((yield* first())?.rows ?? []);
  for (const limit of cuts) {
    const page = paged.pageOf(yield* get('listArticles', { limit }));
    if (page !== null) yield* after(page, page.cursor, { limit: max });
  }
});

/** Servers that request one article more than fits often fail where no further article exists. */
const exactPage = scenario('articles/exact-page', { most: 3 }, function* ({ history }) {
  yield* first();
  const isLast = ({ rows, cursor }: paged.Page) => cursor === null && rows.length > 1 && rows.length < max;
  const last = paged.pagesIn(history()).findLast((page) => isLast(page) && page.siteId === null);
  if (last === undefined) return;
  const { from, rows } = last;
  const start = from === null ? {} : { cursor: from };
  const times = rows.slice(-2).map(({ createdAt }) => parseTimestamp(createdAt));
  // With one article left after the page, the cursor is not null.
  if (rows.length > 2 && times[0] !== times[1]) yield* get('listArticles', { ...start, limit: rows.length - 1 });
  const page = paged.pageOf(yield* send({ operation: 'listArticles', params: { ...start, limit: rows.length } }));
  if (page !== null) yield* after(page, page.cursor, { limit: rows.length });
});

/** A server may apply its limit to the first page only, or before it filters by site. */
const laterLimit = scenario('articles/later-limit', { most: 2 }, function* () {
  const whole = yield* first();
  const page = paged.pageOf(yield* get('listArticles', { limit: min }));
  if (page !== null) yield* after(page, page.cursor, { limit: min });
  const last = [...new Set((whole?.rows ?? []).map(({ siteId }) => siteId))].at(-1);
  if (typeof last === 'string') yield* get('listArticles', { siteId: last, limit: min });
});

/** Limits out of range that a server can take as no limit; only more articles than the maximum show it. */
const bounds = [`limit=${max + 1}`, `limit=${min - 1}`, 'limit=-1'] as const;
const firstQueries = [bounds[0], ...plainArticleQueries] as const;
const moreQueries = [...bounds, ...articleQueries, ...rareArticleQueries] as const;

const invalidQueriesRow = { least: firstQueries.length, most: firstQueries.length } as const;
const invalidQueries = scenario('articles/invalid-queries', invalidQueriesRow, function* () {
  const { json } = yield* get('listArticles', { limit: max });
  const isLong = isObject(json) && typeof json.cursor === 'string';
  yield* sendQueries(isLong ? firstQueries : [bounds[2], ...plainArticleQueries]);
});

const rareQueriesRow = { least: moreQueries.length, most: moreQueries.length } as const;
const rareQueries = scenario('articles/rare-queries', rareQueriesRow, function* () {
  yield* sendQueries(moreQueries);
});

function* sendQueries(queries: readonly string[]): Asks<void> {
  for (const query of queries) {
    yield* sendInvalid({ path: `/articles?${query}`, label: 'articles with an invalid query' });
  }
}

const lists = [limits, walk, toTheEnd, closeTimes, exactPage, laterLimit];
const ofSites = [ofSite, unknownSite, ofSiteAgain, eachSite];

export const pageScenarios: readonly Scenario[] = [...lists, ...ofSites, invalidQueries, rareQueries];
export const [listScenarioIds, siteScenarioIds] = [lists, ofSites].map((all) => all.map(({ id }) => id)) as [
  string[],
  string[],
];
export const pageScenarioIds = [...listScenarioIds, ...siteScenarioIds];
