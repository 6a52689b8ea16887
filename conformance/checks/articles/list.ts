// Lists of articles: which requests are accepted, whether pages are as long as they can be, and the filter by site.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import * as paged from '../../exchange/article-pages.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { rowsAt } from '../../exchange/records.ts';
import { sameId } from '../../exchange/same-id.ts';
import type { Confirmable } from '../../judge/confirmation.ts';
import { about, hasStatus, judgeable, readRows } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { isFound, ofSite, onceEach } from '../../judge/same-record.ts';
import { listScenarioIds, pageScenarioIds, siteScenarioIds } from '../../scenarios/articles/pages.ts';

const { min, max, preset } = articlesLimit;

const list: Judged = {
  id: 'articles/list',
  title: 'GET /articles accepts every limit and cursor',
  clauses: [
    ...words('4.articles.list.endpoint 4.articles.list.limit 4.articles.list.cursor 4.articles.list.statuses'),
    '8.articles-limit',
  ],
  scenarios: listScenarioIds,
  *judge(history) {
    for (const read of paged.readsIn(history)) {
      // The key of a client can be invalid. Requests of a burst can have headers that a network rejects.
      if (history.isRecorded || read.siteId !== null || read.exchange.burst) continue;
      const tested = hasStatus(read.exchange, 200, acceptance(read));
      if (tested !== null) yield tested;
    }
    const pages = paged.pagesIn(history);
    yield* pages.flatMap((page) => [...smallMaximum(page, pages), ...shortPage(page, pages)]);
  },
};

/** The parameter that is rejected; other errors are not documented. */
function acceptance({ exchange: { status }, from, limit }: paged.Read): {
  clause: ClauseId;
  proves?: readonly ClauseId[];
} {
  if (status !== 200 && (status < 400 || status >= 500)) return { clause: '4.articles.list.statuses' };
  if (from !== null) return { clause: '4.articles.list.cursor' };
  if (limit === null) return { clause: '4.articles.list.endpoint' };
  const isBound = limit === min || limit === max;
  return {
    clause: '4.articles.list.limit',
    ...(isBound ? { proves: ['4.articles.list.limit', '8.articles-limit'] } : {}),
  };
}

/** A page may be short (R17), and the last one may have a cursor (R18). A smaller maximum is a round number. */
function smallMaximum(
  { exchange, rows: { length }, cursor, limit }: paged.Page,
  pages: readonly paged.Page[],
): Judgment[] {
  const next = pages.find(({ from, siteId }) => from === cursor && siteId === null);
  const isRound = length % 10 === 0 || length % 25 === 0;
  if (limit !== max || length >= max || typeof cursor !== 'string' || !isRound || !next?.rows.length) return [];
  const expected = `${max} articles, because the cursor promises more`;
  return [
    {
      ...about(exchange, '4.articles.list.limit', '/data'),
      actual: count(length, 'article'),
      expected,
      severity: 'warn',
    },
  ];
}

/** A short page with a cursor is legal (R17), unless the same server fills it when the limit is explicit. */
function shortPage(
  { exchange, rows, cursor, limit, from, siteId }: paged.Page,
  pages: readonly paged.Page[],
): Judgment[] {
  const isSame = (one: paged.Page) => one.from === from && one.siteId === siteId && one.limit === preset;
  const named = limit === null && rows.length < preset && typeof cursor === 'string' ? pages.find(isSame) : undefined;
  if (named === undefined) return [];
  const next = named.rows.find(({ id }) => !rows.some((row) => sameId(id, row.id)));
  const claim = { ...about(exchange, '4.articles.list.limit', '/data'), expected: String(preset) };
  const short = { ...claim, actual: count(rows.length, 'article') };
  if (next === undefined || named.rows.length < preset) return [{ ...short, severity: 'note' }];
  const message = `limit=${preset} returns ${preset}`;
  return [{ ...short, isTrue: false, message, of: [exchange], rows: [next], witness: named.exchange }];
}

/** With fewer articles than that, few rows prove nothing. */
function isLong(history: History): boolean {
  const whole = responsesTo(history, 'listArticles').filter(({ target }) => target === `/articles?limit=${max}`);
  const hasMore = ({ json }: { readonly json: unknown }) => typeof Object(json).cursor === 'string';
  return whole.some((one) => hasMore(one) || (rowsAt(one, '/data') ?? []).length >= max);
}

/** Rejected, brought into range or ignored: all are legal (R19), a breakdown or too many rows are not. */
const invalidQuery: Judged = {
  id: 'articles/bad-query',
  title: 'GET /articles returns 200, 400 or 404 for an invalid limit or cursor',
  clauses: words('4.articles.list.statuses 4.articles.list.bad-query 4.articles.list.limit-ceiling 8.articles-limit'),
  scenarios: ['articles/invalid-queries', 'articles/rare-queries'],
  *judge(history) {
    const proves = isLong(history) ? (['4.articles.list.limit-ceiling'] as const) : [];
    for (const exchange of labelled(history, 'articles with an invalid query')) {
      if (!(yield* judgeable(history, exchange))) continue;
      const tested = hasStatus(exchange, [200, 400, 404], '4.articles.list.statuses');
      if (tested !== null) yield tested;
      const rows = exchange.status === 200 ? yield* readRows(exchange, '/data') : null;
      if (rows === null) continue;
      const actual = count(rows.length, 'article');
      const ceiling = { ...about(exchange, '4.articles.list.limit-ceiling', '/data'), proves, actual };
      yield { ...ceiling, isTrue: rows.length <= max, expected: `at most ${max}` };
      if (!/[?&]limit=(0|-\d+)$/.test(exchange.target) || rows.length <= preset) continue;
      // Clamped to 1, or ignored: neither explains more than the default.
      const claim = { ...about(exchange, '4.articles.list.limit', '/data'), actual };
      yield { ...claim, expected: `a rejection, or at most ${preset}`, severity: 'warn' };
    }
  },
};

const filter: Judged = {
  id: 'articles/site-filter',
  title: 'GET /articles?siteId returns only articles of that site',
  clauses: ['4.articles.list.site-id', '1.organization-scope', '4.articles.list.unknown-site'],
  scenarios: siteScenarioIds,
  *judge(history) {
    const pages = paged.pagesIn(history);
    const clause = '4.articles.list.site-id';
    const isRead = new Set<unknown>([
      ...responsesTo(history, 'listSites').flatMap((one) => (rowsAt(one, '/data', ['id']) ?? []).map(({ id }) => id)),
      ...pages.flatMap(({ rows }) => rows.map((row) => row.siteId)),
    ]);
    for (const { exchange, siteId } of paged.readsIn(history)) {
      if (siteId === null || (history.isRecorded && exchange.status !== 200)) continue;
      if (siteId === history.given.unknownId) {
        // An unknown site does not show which organization sees the data.
        const proof = { clause: '1.organization-scope', proves: ['4.articles.list.unknown-site'] } as const;
        const tested = hasStatus(exchange, [404, 200], proof);
        if (tested !== null) yield tested;
      } else if (isRead.has(siteId)) {
        // A site can be removed, and its filter with it.
        const witness = { operation: 'getSite', params: { id: siteId } } as const;
        yield* isFound(exchange, { clause, rows: [{ id: siteId }], witness });
      }
      yield* ofSite(exchange, rowsAt(exchange, '/data') ?? [], { siteId, clause });
    }
    const sites = new Set(pages.flatMap(({ rows }) => rows.map(({ siteId }) => String(siteId).toLowerCase())));
    if (sites.size < 2) yield { doubt: 'vacuous', message: 'needs articles of two sites' };
  },
};

export const articles: readonly Judged[] = [list, invalidQuery, filter];

// Each page of articles by itself, and the walks from page to page. The order is not stated, so pages are compared as
// sets; articles that share the timestamp of a page edge cannot be distinguished by a timestamp cursor, so what happens
// to those is a warning at most (interpretation R16 to R18).

const everyPage: Judged = {
  id: 'articles/every-page',
  title: 'GET /articles keeps limit and cursor on every page',
  clauses: [
    ...words('4.articles.list.limit-ceiling 4.articles.list.limit 8.articles-limit 4.articles.list.cursor-value'),
    ...words('4.articles.list.end 4.articles.list.walk'),
  ],
  scenarios: pageScenarioIds,
  *judge(history) {
    for (const page of paged.pagesIn(history)) yield* claimsOf(page);
  },
};

function* claimsOf({ exchange, rows, cursor, from, limit }: paged.Page): Iterable<Judgment> {
  const most = limit ?? articlesLimit.preset;
  const ceiling = '4.articles.list.limit-ceiling';
  // A page without further articles proves nothing.
  const proves =
    limit === null ? ([ceiling, '4.articles.list.limit', '8.articles-limit'] as const) : ([ceiling] as const);
  yield {
    ...{ ...about(exchange, ceiling, '/data'), proves: cursor === null || rows.length < most ? [] : proves },
    ...{ isTrue: rows.length <= most, expected: `at most ${most}`, actual: count(rows.length, 'article') },
  };
  yield* onceEach(exchange, { what: 'article', clause: '4.articles.list.walk', ids: rows.map(({ id }) => id) });
  if (from !== null) {
    const isStuck = typeof cursor === 'string' && (rows.length === 0 || paged.isSameTime(cursor, from));
    const words = { expected: 'a new cursor, or null', actual: show(cursor) };
    yield { ...about(exchange, '4.articles.list.end', '/cursor'), ...words, isTrue: !isStuck };
  }
  const last = rows.at(-1);
  if (typeof cursor !== 'string' || last === undefined) return;
  const value = {
    expected: show(last.createdAt),
    actual: show(cursor),
    isTrue: paged.isSameTime(cursor, last.createdAt),
  };
  yield { ...about(exchange, '4.articles.list.cursor-value', '/cursor'), ...value };
}

const walk: Judged = {
  id: 'articles/page-walk',
  title: 'Following the cursor of GET /articles returns each article exactly once',
  clauses: ['4.articles.list.walk', '4.articles.list.end', '4.articles.list.cursor'],
  scenarios: pageScenarioIds,
  *judge(history) {
    // Articles of other sites are the business of articles/site-filter.
    const pages = paged.pagesIn(history).filter(({ rows, siteId }) => rows.every((row) => paged.isOfSite(row, siteId)));
    const walks = pages.map((page) => paged.walkTo(page, pages));
    const findings = walks.flatMap((one) => [...lostFrom(one, pages), ...repeatedOn(one, pages)]);
    yield* findings;
    const [longest] = findings.length > 0 ? [] : walks.sort((one, other) => other.length - one.length);
    if (longest === undefined || longest.length < 2) return;
    const words = { expected: 'each article once', actual: `${count(longest.length, 'page')} with each article once` };
    yield { ...about(endOf(longest).exchange, '4.articles.list.walk', '/data'), ...words, isTrue: true };
  },
};

const endOf = (one: paged.Walk) => one.at(-1) ?? one[0];
const rowsOf = (one: paged.Walk) => one.flatMap(({ rows }) => rows);
const hasRow = (rows: readonly paged.Article[], { id }: paged.Article) => rows.some((row) => sameId(row.id, id));
type Finding = Confirmable & { readonly isTrue: false };

/**
 * Articles that earlier pages have shown and a walk lacks. One that has ended has every article, or every one of the
 * site; another one begins with the same articles as a longer page.
 */
function lostFrom(one: paged.Walk, pages: readonly paged.Page[]): Finding[] {
  const [{ siteId, from, exchange: start }, end, shown] = [one[0], endOf(one), rowsOf(one)];
  const isEnded = end.cursor === null;
  const earlier = pages.slice(0, pages.findIndex(({ exchange }) => exchange === start) + Number(one.length > 1));
  const isLike = (page: paged.Page) => page.from === from && sameId(page.siteId ?? '', siteId ?? '');
  const [like] = earlier.filter(isLike).sort((a, b) => b.rows.length - a.rows.length);
  const isAll = from === null && (isEnded || shown.length === 0);
  const known = like === undefined ? [] : isEnded ? like.rows : like.rows.slice(0, shown.length);
  const all = isAll
    ? [...paged.shownOn(earlier).values()].map(({ row }) => row).filter((row) => paged.isOfSite(row, siteId))
    : known;
  const lost = all.filter((row) => !hasRow(shown, row));
  // Another article may have come, or moved to another place.
  const others = isEnded ? [] : shown.filter((row) => !hasRow(known, row));
  return findingsOf(one, pages, { rows: lost, others, what: 'lost', like: isAll ? undefined : like });
}

function repeatedOn(one: paged.Walk, pages: readonly paged.Page[]): Finding[] {
  const before = one.slice(0, -1).flatMap(({ rows }) => rows);
  const rows = endOf(one).rows.filter((row) => hasRow(before, row));
  return findingsOf(one, pages, { rows, others: [], what: 'repeated', like: undefined });
}

interface Wrong {
  readonly rows: readonly paged.Article[];
  readonly others: readonly paged.Article[];
  readonly what: 'lost' | 'repeated';
  readonly like: paged.Page | undefined;
}

/** A clear loss or repetition is a violation. At equal timestamps it is unavoidable (R17), so it is a warning. */
function findingsOf(one: paged.Walk, pages: readonly paged.Page[], { rows, others, what, like }: Wrong): Finding[] {
  const isTied = tiesOf(one, pages);
  const row = rows.find((each) => !isTied(each)) ?? rows[0];
  if (row === undefined) return [];
  const known = paged.shownOn(pages);
  const start = [...known.values()].flatMap((each) => (each.row.createdAt === one[0].from ? each.row : []));
  const of = [...new Set([...(like ? [like] : []), ...one].map(({ exchange }) => exchange))];
  const { exchange } = like ?? known.get(row.id.toLowerCase())?.page ?? one[0];
  return [
    {
      ...about(endOf(one).exchange, '4.articles.list.walk', '/data'),
      ...{ isTrue: false, expected: 'each article once' },
      actual: `a walk of ${count(one.length, 'page')} with ${count(rows.length, 'article')} ${what}, such as ${row.id}`,
      of,
      // The order may depend on the articles of the cursors that were sent.
      rows: [row, ...others, ...start, ...one.slice(0, -1).flatMap(lastOf)],
      // As a request, because a witness that is one of these is not sent once more.
      witness: of.includes(exchange) ? { method: 'GET', path: exchange.target } : exchange,
      ...(isTied(row) ? { severity: 'warn', message: tieMessage } : {}),
    },
  ];
}

const tieMessage = 'their createdAt is equal across two pages, where a timestamp cursor cannot distinguish them';
const lastOf = ({ rows }: paged.Page) => rows.at(-1) ?? [];

/** Whether another article, which may not have been read, shares the time of an article at the edge of a page. */
function tiesOf(one: paged.Walk, pages: readonly paged.Page[]): (row: paged.Article) => boolean {
  const edges = [one[0].from, ...one.flatMap(lastOf).map(({ createdAt }) => createdAt)];
  const all = [...paged.shownOn(pages).values()].map(({ row }) => row);
  const ends = pages.map(({ cursor }) => cursor).filter((cursor) => !pages.some(({ from }) => from === cursor));
  return ({ id, createdAt }) =>
    edges.some((edge) => paged.isSameTime(edge, createdAt)) &&
    (ends.some((end) => paged.isSameTime(end, createdAt)) ||
      all.some((other) => !sameId(other.id, id) && paged.isSameTime(other.createdAt, createdAt)));
}

export const articlePages: readonly Judged[] = [everyPage, walk];
