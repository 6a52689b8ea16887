// Lists of articles at the ends of their limit, and next to a filter. The pages of a long list are in
// articles/pages.ts.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { articleBounds, expectAtMostMax, lostFrom, siteById, sitesByArticles } from '../../assertions/article-reads.ts';
import { hasTime, isSecondTurn, sample, sendInvalid } from '../../assertions/invalid-inputs.ts';
import { expectFound, expectOfSite } from '../../assertions/same-record.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { otherCase, sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type ArticleRow, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';
import { articleQueries, plainArticleQueries, rareArticleQueries } from '../../scenarios/inputs.ts';

const { min, max, preset } = articlesLimit;

/** The page is a fact of the run, so it costs nothing here; the next one is read when a short page has a cursor. */
const list: CheckRow = {
  id: 'articles/list',
  title: 'GET /articles accepts a limit of 100',
  cites: [
    '4.articles.list.endpoint',
    '4.articles.list.limit',
    '4.articles.list.limit-ceiling',
    '4.articles.list.end',
    '8.articles-limit',
  ],
  phase: 'discover',
  cost: { requests: 0, confirms: 1, uses: ['articles'] },
  async run(probe) {
    const exchange = await probe.get('listArticles', { limit: max });
    const proof = { clause: '4.articles.list.limit', proves: ['4.articles.list.limit', '8.articles-limit'] } as const;
    if (!probe.expectStatus(exchange, 200, proof)) return;
    // How many there are is not known, so few rows prove nothing.
    expectAtMostMax(probe, exchange, []);
    const rows = rowsOf(exchange, ['data']).length;
    const { cursor } = isObject(exchange.json) ? exchange.json : {};
    const next = await followEnd(probe, exchange);
    if (next === null || typeof cursor !== 'string') return;
    // A page may be short (R17), and the last one may have a cursor (R18). A smaller maximum is a round number.
    const isEmpty = rowsOf(next, ['data']).length === 0;
    if (isEmpty || (rows % 10 > 0 && rows % 25 > 0)) return;
    const claim = { ...about(exchange, '4.articles.list.limit', '/data'), actual: count(rows, 'article') };
    probe.warn({ ...claim, expected: `${max} articles, because the cursor promises more` });
  },
};

/**
 * The page after one that may not be the last although its cursor is null, or that seems to be the last although it has
 * a cursor; null for other pages. articles/every-page judges it. Cites 4.articles.list.cursor-value, R18.
 */
async function followEnd(probe: Probe, page: Exchange): Promise<Exchange | null> {
  const rows = rowsOf<ArticleRow>(page, ['data'], ['id', 'createdAt']);
  const { cursor } = isObject(page.json) ? page.json : {};
  const params = Object.fromEntries(new URLSearchParams(page.target.split('?')[1]));
  const isFull = rows.length >= Number(params.limit ?? preset);
  const next = isFull && cursor === null ? rows.at(-1)?.createdAt : cursor;
  if (rows.length === 0 || (isFull && cursor !== null) || typeof next !== 'string') return null;
  return probe.get('listArticles', { ...params, cursor: next });
}

const one: CheckRow = {
  id: 'articles/limit-of-one',
  title: 'GET /articles returns at most one article for limit=1',
  cites: ['4.articles.list.limit', '4.articles.list.limit-ceiling', '8.articles-limit'],
  // At once: a cache that ignores the limit may keep the page before only for some seconds.
  phase: 'discover',
  cost: { requests: 1, uses: ['articles'] },
  async run(probe) {
    const exchange = await probe.get('listArticles', { limit: min });
    const proof = { clause: '4.articles.list.limit', proves: ['4.articles.list.limit', '8.articles-limit'] } as const;
    if (!probe.expectStatus(exchange, 200, proof)) return;
    const rows = rowsOf(exchange, ['data']).length;
    const there = (await probe.facts.articles()).length;
    probe.holds(rows <= min, {
      ...about(exchange, '4.articles.list.limit-ceiling', '/data'),
      // Without further articles the limit is not tested.
      proves: there > min ? ['4.articles.list.limit-ceiling'] : [],
      expected: `at most ${min}`,
      actual: count(rows, 'article'),
    });
  },
};

/** Half of a site's articles on the first page, so there is a second one whose filter can fail. */
const bySite: CheckRow = {
  id: 'articles/site-filter',
  title: 'GET /articles?siteId returns only articles of that site',
  cites: ['4.articles.list.site-id', '4.articles.list.walk'],
  // Two pages, one more where their end is unusual, and the article that is missing. articles/every-page looks for
  // those that are repeated.
  cost: { requests: 2, confirms: 4, uses: ['articles'] },
  async run(probe) {
    const all = await probe.facts.articles();
    const siteId = distinctiveSite(probe, all) ?? probe.stop('precondition', 'the organization has no article');
    const own = all.filter((row) => sameId(row.siteId, siteId));
    const first = await probe.get('listArticles', { siteId, limit: cutOf(probe, all, own) });
    const pages = [first, ...(await nextPage(probe, first, siteId))];
    const clause = '4.articles.list.site-id';
    for (const page of pages) {
      const isFound = await expectFound(probe, page, { clause, ...siteById(siteId) });
      if (!isFound || page.status !== 200) return;
    }
    for (const page of pages) expectOfSite(probe, page, { siteId, clause });
    await followEnd(probe, pages.at(-1) ?? first);
    const witness = await probe.get('listArticles', { limit: max });
    await probe.judge(pages, (read) => lostFrom(read, own, witness));
    if (all.every((row) => sameId(row.siteId, siteId))) probe.doubt('vacuous', 'all articles belong to one site');
  },
};

/**
 * Before the last article if articles of other sites follow, because one is easily lost. Otherwise after the middle, so
 * the second page is a short one, or one where a page without the filter has none of the site: a server might apply the
 * limit first.
 */
function cutOf(probe: Probe, all: readonly ArticleRow[], own: readonly ArticleRow[]): number {
  const edge = own.at(-2);
  const isWhole = all.length < max && edge !== undefined;
  const hasOthers = isWhole && all.slice(all.indexOf(edge) + 1).some(({ siteId }) => !sameId(siteId, edge.siteId));
  if (hasOthers && !isSecondTurn(probe, 1)) return own.length - 1;
  const before = all.findIndex(({ id }) => id === own[0]?.id);
  // A part of the site's articles is known where the list is long.
  return before > 0 ? min : Math.max(1, Math.ceil(own.length * (isWhole ? 0.6 : 0.8)));
}

/** None where the first page is the last one. */
async function nextPage(probe: Probe, { json, target }: Exchange, siteId: string): Promise<Exchange[]> {
  const cursor = isObject(json) && typeof json.cursor === 'string' ? json.cursor : null;
  if (cursor === null) return [];
  // A cache might ignore the cursor, so only the cursor differs. A page of one article shows too little.
  const same = Object.fromEntries(new URLSearchParams(target.split('?')[1]));
  if (!hasTime(probe) && same.limit !== String(min)) return [await probe.get('listArticles', { ...same, cursor })];
  // The other case must not turn the filter off.
  const page = await probe.get('listArticles', { siteId: otherCase(siteId), cursor, limit: max });
  // A server may know the site in one case only: articles/capitals warns of that.
  const isKnown = page.status === 200 && rowsOf(page, ['data']).length > 0;
  return [isKnown ? page : await probe.get('listArticles', { siteId, cursor, limit: max })];
}

/** A site of several articles, so two pages are likely; not the first of the sites where another one will do. */
function distinctiveSite(probe: Probe, all: readonly ArticleRow[]): string | undefined {
  const ids = [...new Set(all.map(({ siteId }) => siteId))];
  const countOf = (id: string) => all.filter(({ siteId }) => sameId(siteId, id)).length;
  return sitesByArticles(
    probe,
    ids.sort((a, b) => countOf(b) - countOf(a)),
  )[0];
}

const queriesMin = 3;
const queriesMax = articleBounds.length + plainArticleQueries.length + 1;
const moreQueries = articleQueries.length - 1 + rareArticleQueries.length;

/** Rejected, brought into range or ignored: all are legal (R19), a breakdown or too many rows are not. */
const invalidQuery: CheckRow = {
  id: 'articles/bad-query',
  title: 'GET /articles returns 200, 400 or 404 for an invalid limit or cursor',
  cites: ['4.articles.list.statuses', '4.articles.list.bad-query', '4.articles.list.limit-ceiling', '8.articles-limit'],
  cost: {
    requests: queriesMax,
    optional: queriesMax - queriesMin,
    least: queriesMin,
    confirms: 2,
    uses: ['articles'],
    withTime: { requests: moreQueries, confirms: 2 * moreQueries },
  },
  async run(probe) {
    const isLong = (await probe.facts.articles()).length >= max || (await promisesMore(probe));
    // Only more articles than the maximum show that a limit out of range removes it.
    const bounds = isLong ? articleBounds : articleBounds.slice(-1);
    const [limit, ...values] = plainArticleQueries;
    // The most frequent defects first.
    const queries = new Set([
      ...bounds.slice(0, 1),
      ...values.slice(-1),
      limit,
      ...bounds.slice(1, 2),
      ...values,
      ...bounds,
      ...sample(probe, articleQueries, rareArticleQueries),
    ]);
    for (const [at, query] of [...queries].entries()) {
      if (!hasTime(probe) && at >= queriesMin && probe.requestsLeft() < 1) return;
      expectHandled(probe, await sendInvalid(probe, { path: `/articles?${query}` }), isLong);
    }
  },
};

/** Only more articles than the maximum can show that one more is too much. A short page can have a cursor (R17). */
async function promisesMore(probe: Probe): Promise<boolean> {
  const { json } = await probe.get('listArticles', { limit: max });
  return isObject(json) && typeof json.cursor === 'string';
}

/** Rejected, brought into range or ignored (interpretation R19). */
function expectHandled(probe: Probe, exchange: Exchange, isLong: boolean): void {
  const isTaken = probe.expectStatus(exchange, [200, 400, 404], '4.articles.list.statuses');
  // With fewer articles than that, few rows prove nothing.
  if (!isTaken || exchange.status !== 200) return;
  expectAtMostMax(probe, exchange, isLong ? ['4.articles.list.limit-ceiling'] : []);
  const rows = rowsOf(exchange, ['data']).length;
  if (!/[?&]limit=(0|-\d+)$/.test(exchange.target) || rows <= preset) return;
  // Clamped to 1, or ignored: neither explains more than the default.
  const claim = about(exchange, '4.articles.list.limit', '/data');
  probe.warn({ ...claim, expected: `a rejection, or at most ${preset}`, actual: count(rows, 'article') });
}

export const articles = defineChecks({ phase: 'read' }, [list, invalidQuery, bySite, one]);
