// Each page of articles by itself, and the walks from page to page. The order is not stated, so pages are compared as
// sets; articles that share the timestamp of a page edge cannot be distinguished by a timestamp cursor, so what happens
// to those is a warning at most (interpretation R16 to R18).
import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import {
  type Article,
  isOfSite,
  isSameTime,
  type Page,
  pagesIn,
  shownOn,
  type Walk,
  walkTo,
} from '../../exchange/article-pages.ts';
import { sameId } from '../../exchange/same-id.ts';
import type { Confirmable } from '../../judge/confirmation.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { show } from '../../judge/ledger.ts';
import { onceEach } from '../../judge/same-record.ts';
import { pageScenarioIds } from '../../scenarios/articles/pages.ts';

const everyPage: Judged = {
  id: 'articles/every-page',
  title: 'GET /articles keeps limit and cursor on every page',
  clauses: [
    ...words('4.articles.list.limit-ceiling 4.articles.list.limit 8.articles-limit 4.articles.list.cursor-value'),
    ...words('4.articles.list.end 4.articles.list.walk'),
  ],
  scenarios: pageScenarioIds,
  *judge(history) {
    for (const page of pagesIn(history)) yield* claimsOf(page);
  },
};

function* claimsOf({ exchange, rows, cursor, from, limit }: Page): Iterable<Judgment> {
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
    const isStuck = typeof cursor === 'string' && (rows.length === 0 || isSameTime(cursor, from));
    const words = { expected: 'a new cursor, or null', actual: show(cursor) };
    yield { ...about(exchange, '4.articles.list.end', '/cursor'), ...words, isTrue: !isStuck };
  }
  const last = rows.at(-1);
  if (typeof cursor !== 'string' || last === undefined) return;
  const value = { expected: show(last.createdAt), actual: show(cursor), isTrue: isSameTime(cursor, last.createdAt) };
  yield { ...about(exchange, '4.articles.list.cursor-value', '/cursor'), ...value };
}

const walk: Judged = {
  id: 'articles/page-walk',
  title: 'Following the cursor of GET /articles returns each article exactly once',
  clauses: ['4.articles.list.walk', '4.articles.list.end', '4.articles.list.cursor'],
  scenarios: pageScenarioIds,
  *judge(history) {
    // Articles of other sites are the business of articles/site-filter.
    const pages = pagesIn(history).filter(({ rows, siteId }) => rows.every((row) => isOfSite(row, siteId)));
    const walks = pages.map((page) => walkTo(page, pages));
    const findings = walks.flatMap((one) => [...lostFrom(one, pages), ...repeatedOn(one, pages)]);
    yield* findings;
    const [longest] = findings.length > 0 ? [] : walks.sort((one, other) => other.length - one.length);
    if (longest === undefined || longest.length < 2) return;
    const words = { expected: 'each article once', actual: `${count(longest.length, 'page')} with each article once` };
    yield { ...about(endOf(longest).exchange, '4.articles.list.walk', '/data'), ...words, isTrue: true };
  },
};

const endOf = (one: Walk) => one.at(-1) ?? one[0];
const rowsOf = (one: Walk) => one.flatMap(({ rows }) => rows);
const hasRow = (rows: readonly Article[], { id }: Article) => rows.some((row) => sameId(row.id, id));
type Finding = Confirmable & { readonly isTrue: false };

/**
 * Articles that earlier pages have shown and a walk lacks. One that has ended has every article, or every one of the
 * site; another one begins with the same articles as a longer page.
 */
function lostFrom(one: Walk, pages: readonly Page[]): Finding[] {
  const [{ siteId, from, exchange: start }, end, shown] = [one[0], endOf(one), rowsOf(one)];
  const isEnded = end.cursor === null;
  const earlier = pages.slice(0, pages.findIndex(({ exchange }) => exchange === start) + Number(one.length > 1));
  const isLike = (page: Page) => page.from === from && sameId(page.siteId ?? '', siteId ?? '');
  const [like] = earlier.filter(isLike).sort((a, b) => b.rows.length - a.rows.length);
  const isAll = from === null && (isEnded || shown.length === 0);
  const known = like === undefined ? [] : isEnded ? like.rows : like.rows.slice(0, shown.length);
  const all = isAll
    ? [...shownOn(earlier).values()].map(({ row }) => row).filter((row) => isOfSite(row, siteId))
    : known;
  const lost = all.filter((row) => !hasRow(shown, row));
  // Another article may have come, or moved to another place.
  const others = isEnded ? [] : shown.filter((row) => !hasRow(known, row));
  return findingsOf(one, pages, { rows: lost, others, what: 'lost', like: isAll ? undefined : like });
}

function repeatedOn(one: Walk, pages: readonly Page[]): Finding[] {
  const before = one.slice(0, -1).flatMap(({ rows }) => rows);
  const rows = endOf(one).rows.filter((row) => hasRow(before, row));
  return findingsOf(one, pages, { rows, others: [], what: 'repeated', like: undefined });
}

interface Wrong {
  readonly rows: readonly Article[];
  readonly others: readonly Article[];
  readonly what: 'lost' | 'repeated';
  readonly like: Page | undefined;
}

/** A clear loss or repetition is a violation. At equal timestamps it is unavoidable (R17), so it is a warning. */
function findingsOf(one: Walk, pages: readonly Page[], { rows, others, what, like }: Wrong): Finding[] {
  const isTied = tiesOf(one, pages);
  const row = rows.find((each) => !isTied(each)) ?? rows[0];
  if (row === undefined) return [];
  const known = shownOn(pages);
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
const lastOf = ({ rows }: Page) => rows.at(-1) ?? [];

/** Whether another article, which may not have been read, shares the time of an article at the edge of a page. */
function tiesOf(one: Walk, pages: readonly Page[]): (row: Article) => boolean {
  const edges = [one[0].from, ...one.flatMap(lastOf).map(({ createdAt }) => createdAt)];
  const all = [...shownOn(pages).values()].map(({ row }) => row);
  const ends = pages.map(({ cursor }) => cursor).filter((cursor) => !pages.some(({ from }) => from === cursor));
  return ({ id, createdAt }) =>
    edges.some((edge) => isSameTime(edge, createdAt)) &&
    (ends.some((end) => isSameTime(end, createdAt)) ||
      all.some((other) => !sameId(other.id, id) && isSameTime(other.createdAt, createdAt)));
}

export const articlePages: readonly Judged[] = [everyPage, walk];
