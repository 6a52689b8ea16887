// Lists of articles: which requests are accepted, whether pages are as long as they can be, and the filter by site.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Page, pagesIn, type Read, readsIn } from '../../exchange/article-pages.ts';
import { type History, labelled, responsesTo } from '../../exchange/history.ts';
import { rowsAt } from '../../exchange/records.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about, hasStatus, judgeable, readRows } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { isFound, ofSite } from '../../judge/same-record.ts';
import { listScenarioIds, siteScenarioIds } from '../../scenarios/articles/pages.ts';

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
    for (const read of readsIn(history)) {
      // The key of a client can be invalid. Requests of a burst can have headers that a network rejects.
      if (history.isRecorded || read.siteId !== null || read.exchange.burst) continue;
      const tested = hasStatus(read.exchange, 200, acceptance(read));
      if (tested !== null) yield tested;
    }
    const pages = pagesIn(history);
    yield* pages.flatMap((page) => [...smallMaximum(page, pages), ...shortPage(page, pages)]);
  },
};

/** The parameter that is rejected; other errors are not documented. */
function acceptance({ exchange: { status }, from, limit }: Read): { clause: ClauseId; proves?: readonly ClauseId[] } {
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
function smallMaximum({ exchange, rows: { length }, cursor, limit }: Page, pages: readonly Page[]): Judgment[] {
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
function shortPage({ exchange, rows, cursor, limit, from, siteId }: Page, pages: readonly Page[]): Judgment[] {
  const isSame = (one: Page) => one.from === from && one.siteId === siteId && one.limit === preset;
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
    const pages = pagesIn(history);
    const clause = '4.articles.list.site-id';
    const isRead = new Set<unknown>([
      ...sitesIn(history),
      ...pages.flatMap(({ rows }) => rows.map((row) => row.siteId)),
    ]);
    for (const { exchange, siteId } of readsIn(history)) {
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

function sitesIn(history: History): readonly string[] {
  return responsesTo(history, 'listSites').flatMap((one) => (rowsAt(one, '/data', ['id']) ?? []).map(({ id }) => id));
}

export const articles: readonly Judged[] = [list, invalidQuery, filter];
