// Rare faults in pages of articles: adjacent timestamps at an edge, the end of a long list, a limit with a cursor or a
// filter, limits out of range. An hourly audit has no requests left for it.

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { parseTimestamp, type TimestampNs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { lostFrom, type Read, readsOf, siteById } from '../../assertions/article-reads.ts';
import { askForNone } from '../../assertions/invalid-inputs.ts';
import { expectFound, expectOfSite, expectRows } from '../../assertions/same-record.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import { type ArticleRow, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';

const { max } = articlesLimit;
const secondNs = 1_000_000_000n;
const msNs = 1_000_000n;
/** Of 100 articles each; longer lists are inconclusive. */
const pagesMax = 5;

/** An empty cursor leads nowhere; articles/every-page checks it. */
function cursorOf({ json }: Exchange): string | null {
  return isObject(json) && typeof json.cursor === 'string' && json.cursor !== '' ? json.cursor : null;
}

/** Rows without an id or a timestamp cannot be compared and are left out; rule checks report them. */
function rowsIn(exchange: Exchange): readonly ArticleRow[] {
  return rowsOf<ArticleRow>(exchange, ['data'], ['id', 'createdAt']);
}

/** Spans that a server may cut a timestamp down to. */
const spansNs: readonly TimestampNs[] = [msNs, secondNs, 60n * secondNs, 3600n * secondNs, 86_400n * secondNs];

/** Positions of difficult cuts: one where the order changes direction, one between close timestamps. */
function hardCuts(rows: readonly ArticleRow[]): number[] {
  const timestamps = rows.map(({ createdAt }) => parseTimestamp(createdAt));
  const cutWhere = (isHard: (before: TimestampNs, timestamp: TimestampNs) => boolean) =>
    timestamps.findIndex((timestamp, index) => {
      const before = index === 0 ? null : (timestamps[index - 1] ?? null);
      if (timestamp === null || before === null || timestamp === before) return false;
      // Another article of the same time would make the edge a tie (R17).
      return timestamps.filter((other) => other === before).length === 1 && isHard(before, timestamp);
    });
  const rises = timestamps.filter(
    (timestamp, index) => index > 0 && (timestamp ?? 0n) > (timestamps[index - 1] ?? 0n),
  ).length;
  const isFalling = rises < timestamps.length / 2;
  const near = spansNs.map((span) => cutWhere((before, timestamp) => before / span === timestamp / span));
  const turned = cutWhere((before, timestamp) => timestamp > before === isFalling);
  return [...new Set([near.find((at) => at > 0) ?? -1, turned])].filter((at) => at > 0);
}

/** A cursor that is cut down to a second or a day loses what was created within it. */
const closeTimestamps: CheckRow = {
  id: 'articles/near-neighbours',
  title: 'GET /articles loses and repeats no article with close timestamps',
  cites: ['4.articles.list.walk', '4.articles.list.cursor'],
  after: ['articles/page-walk'],
  // Two pages for each cut, and the whole one again when they do not fit.
  cost: { requests: 4, confirms: 2, uses: ['articles'] },
  async run(probe) {
    const all = await probe.facts.articles();
    const cuts = hardCuts(all);
    if (cuts.length === 0) return probe.stop('vacuous', 'no two articles were created within one day');
    for (const at of cuts) {
      if (!(await expectNext(probe, at))) return;
    }
  },
};

/** Requests the page after that many articles. */
async function expectNext(probe: Probe, at: number): Promise<boolean> {
  const before = await probe.get('listArticles', { limit: at });
  const cursor = cursorOf(before);
  if (rowsIn(before).length !== at || cursor === null) return probe.stop('precondition', 'the page is too short');
  const after = await probe.get('listArticles', { limit: max, cursor });
  return expectAfter(probe, after, before);
}

/** Puts the first article of a page to the test, with the page before it: it follows there in the first hundred. */
async function expectAfter(probe: Probe, page: Exchange, before: Exchange): Promise<boolean> {
  const whole = await probe.get('listArticles', { limit: max });
  const edge = rowsIn(before).at(-1);
  const outcome = await probe.judge([whole, page], ([list, one]) => {
    const at = rowsIn(list).findIndex(({ id }) => sameId(id, edge?.id));
    const [known, next] = at < 0 ? [] : rowsIn(list).slice(at);
    const found = rowsIn(one)[0];
    if (next === undefined || sameId(next.id, found?.id) || (found && isOfTime(found, next))) return [];
    const words = { expected: `${show(next.id)}, the article after ${show(edge?.createdAt)}`, actual: show(found?.id) };
    // The order may depend on the article of the cursor, and the article that is found may be a new one.
    const rows = [known, next, found].filter((row) => row !== undefined);
    return [{ ...about(one, '4.articles.list.walk', '/data/0/id'), ...words, rows, witness: list }];
  });
  const claim = { ...about(page, '4.articles.list.walk', '/data/0/id'), expected: 'the next article' };
  if (outcome === 'none') probe.holds(true, { ...claim, actual: 'the next one' });
  return outcome !== 'stands';
}

function isOfTime({ createdAt }: ArticleRow, other: ArticleRow | undefined): boolean {
  return createdAt === other?.createdAt || parseTimestamp(createdAt) === parseTimestamp(other?.createdAt ?? '');
}

/** A chain that turns in a circle is found by its cursor that does not move. */
const toTheEnd: CheckRow = {
  id: 'articles/to-the-end',
  title: 'The cursor of GET /articles reaches the end with every page size',
  cites: ['4.articles.list.end', '4.articles.list.walk'],
  // Before articles/by-id, which reads one of the oldest.
  phase: 'read',
  after: ['articles/page-walk'],
  cost: { requests: pagesMax, uses: ['articles'] },
  async run(probe) {
    let page = await probe.get('listArticles', { limit: max });
    for (let read = 0; read < pagesMax; read += 1) {
      const cursor = cursorOf(page);
      const claim = about(page, '4.articles.list.end', '/cursor');
      if (isObject(page.json) && page.json.cursor === '') return probe.stop('precondition', 'a cursor is empty');
      if (cursor === null) return void probe.holds(true, { ...claim, expected: 'an end', actual: 'null' });
      page = await probe.get('listArticles', { limit: max, cursor });
      if (!probe.expectStatus(page, 200, '4.articles.list.cursor')) return;
      const next = cursorOf(page);
      const isStuck = next !== null && (next === cursor || rowsIn(page).length === 0);
      const words = { expected: 'a new cursor, or null', actual: show(next) };
      if (!probe.holds(!isStuck, { ...claim, ...words, exchange: page })) return;
    }
    probe.doubt('budget', `the list has more than ${pagesMax} pages`);
  },
};

/** Servers that request one article more than fits often fail where no further article exists. */
const exactPage: CheckRow = {
  id: 'articles/exact-page',
  title: 'GET /articles loses no article when the last page is full',
  cites: ['4.articles.list.end', '4.articles.list.walk', '4.articles.list.statuses'],
  after: ['articles/page-walk'],
  // The page, what follows, one article less, and the first page again where one of them is not as expected.
  cost: { requests: 3, least: 0, confirms: 2, uses: ['articles'] },
  async run(probe) {
    await probe.get('listArticles', { limit: max });
    const isLast = ({ rows, cursor }: Read) => cursor === null && rows.length > 1 && rows.length < max;
    const [last, ofSite] = [false, true].map((isFiltered) =>
      readsOf(probe).findLast((read) => isLast(read) && read.query.has('siteId') === isFiltered),
    );
    if (last === undefined) return probe.stop('vacuous', 'needs a last page of 2 to 99 articles');
    const params = { ...Object.fromEntries(last.query), limit: last.rows.length };
    if (!(await expectCursorToLast(probe, last))) return;
    const page = await probe.send({ operation: 'listArticles', params });
    if (!probe.expectStatus(page, 200, '4.articles.list.statuses')) return;
    const cursor = cursorOf(page);
    await probe.judge([page], (pages) => lostFrom(pages, last.rows, last.exchange));
    // With the request that is left: a filter may have its own end.
    if (cursor === null) return void (ofSite && (await expectCursorToLast(probe, ofSite)));
    // articles/every-page looks for articles of this page on the next one.
    const next = await probe.send({ operation: 'listArticles', params: { ...params, cursor } });
    probe.expectStatus(next, 200, '4.articles.list.cursor');
  },
};

/** With one article left after the page, the cursor is not null. */
async function expectCursorToLast(probe: Probe, { query, rows, exchange }: Read): Promise<boolean> {
  const [before, last] = rows.slice(-2).map(({ createdAt }) => parseTimestamp(createdAt));
  if (rows.length < 3 || before === last) return true;
  const params = { ...Object.fromEntries(query), limit: rows.length - 1 };
  const page = await probe.send({ operation: 'listArticles', params });
  if (page.status !== 200 || rowsIn(page).length !== rows.length - 1) return true;
  return (await probe.judge([page], (pages) => lostFrom(pages, rows, exchange))) === 'none';
}

/** A server may apply its limit to the first page only, or before it filters by site. */
const laterLimit: CheckRow = {
  id: 'articles/later-limit',
  title: 'GET /articles applies limit=1 together with a cursor',
  cites: ['4.articles.list.limit-ceiling', '4.articles.list.walk', '4.articles.list.site-id'],
  after: ['articles/list'],
  // A page after a cursor, a page of a site, and the list again when one of them is not as expected.
  // Before the burst, which sends the first of these reads too.
  cost: { requests: 3, confirms: 4, uses: ['articles'] },
  async run(probe) {
    const first = await probe.get('listArticles', { limit: 1 });
    const cursor = cursorOf(first);
    if (cursor !== null) {
      const later = await probe.get('listArticles', { limit: 1, cursor });
      const claim = about(later, '4.articles.list.limit-ceiling', '/data');
      const rows = rowsIn(later).length;
      probe.holds(rows <= 1, { ...claim, expected: 'at most 1', actual: count(rows, 'article') });
      if (rows === 1) await expectSecond(probe, first, later);
    }
    const all = await probe.facts.articles();
    // The site whose first article is last in the list.
    const last =
      [...new Set(all.map(({ siteId }) => siteId))].at(-1) ?? probe.stop('vacuous', 'the organization has no article');
    const ofSite = await probe.get('listArticles', { siteId: last, limit: 1 });
    const clause = '4.articles.list.site-id';
    const isFound = await expectFound(probe, ofSite, { clause, ...siteById(last) });
    if (!isFound || ofSite.status !== 200) return;
    const witness = await probe.get('listArticles', { limit: max });
    const rows = all.filter(({ siteId }) => siteId === last).slice(0, 1);
    await expectRows(probe, ofSite, { clause: '4.articles.list.walk', rows, witness });
  },
};

/** The second article; if the first shares its timestamp, the result is inconclusive (R17). */
async function expectSecond(probe: Probe, first: Exchange, later: Exchange): Promise<void> {
  const all = await probe.facts.articles();
  const [one, two] = all;
  if (one === undefined || two === undefined || !sameId(one.id, rowsIn(first)[0]?.id) || isOfTime(one, two)) return;
  await expectAfter(probe, later, first);
}

const sitesMax = 5;

/** A filter may work for one site only; articles that it hides show in articles/reads-agree. */
const eachSite: CheckRow = {
  id: 'articles/each-site',
  title: 'GET /articles?siteId returns only articles of that site, for every site',
  cites: ['4.articles.list.site-id'],
  after: ['articles/list'],
  // One page of each site, a second page of the first, and the site if there is no page.
  cost: { requests: sitesMax + 1, confirms: 2 * sitesMax, uses: ['articles', 'sites'] },
  async run(probe) {
    const listed = (await probe.facts.sites()).map(({ id }) => id);
    const owners = (await probe.facts.articles()).map(({ siteId }) => siteId);
    const countOf = (siteId: string) => owners.filter((owner) => sameId(owner, siteId)).length;
    const siteIds = [...listed].sort((a, b) => countOf(b) - countOf(a)).slice(0, sitesMax);
    // Also without a limit for the site with most articles: the default of 20 applies with a siteId too.
    const reads = [
      ...siteIds.slice(0, 1).map((siteId) => ({ siteId })),
      ...siteIds.map((siteId) => ({ siteId, limit: max })),
    ];
    for (const read of reads) {
      const { siteId } = read;
      const exchange = await probe.get('listArticles', read);
      const clause = '4.articles.list.site-id';
      if (!(await expectFound(probe, exchange, { clause, ...siteById(siteId) }))) return;
      if (exchange.status === 200) expectOfSite(probe, exchange, { siteId, clause });
    }
  },
};

/** 404 and an empty list are both legal; rows are not. */
const unknownSite: CheckRow = {
  id: 'articles/unknown-site',
  title: 'GET /articles returns no articles of an unknown site',
  cites: ['4.articles.list.site-id', '1.organization-scope', '4.articles.list.unknown-site'],
  // Early and with the limit of the first page: a cache that ignores siteId may keep that only for some seconds.
  phase: 'read',
  needs: [],
  cost: { requests: 1, confirms: 1 },
  async run(probe) {
    const { max: limit } = articlesLimit;
    const exchange = await askForNone(probe, 'listArticles', (siteId) => probe.get('listArticles', { siteId, limit }));
    // An unknown site does not show which organization sees the data.
    const proof = { clause: '1.organization-scope', proves: ['4.articles.list.unknown-site'] } as const;
    if (!probe.expectStatus(exchange, [404, 200], proof) || exchange.status === 404) return;
    const rows = rowsOf(exchange, ['data']).length;
    const claim = about(exchange, '4.articles.list.site-id', '/data');
    probe.holds(rows === 0, { ...claim, expected: 'none', actual: count(rows, 'article') });
  },
};

export const articleEdges = defineChecks({ phase: 'rejections', needs: ['extended'] }, [
  closeTimestamps,
  toTheEnd,
  exactPage,
  laterLimit,
  eachSite,
  unknownSite,
]);
