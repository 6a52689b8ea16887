// Pages of articles of the whole run, compared with each other by their timestamps.
import { parseTimestamp, type TimestampNs } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { type Article, isOfSite, type Page, pagesIn, shownOn } from '../../exchange/article-pages.ts';
import { precedes } from '../../exchange/history.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { pageScenarioIds } from '../../scenarios/articles/pages.ts';

export const agreeing: Judged = {
  id: 'articles/reads-agree',
  title: 'Repeated reads of GET /articles return the same articles',
  clauses: ['4.articles.list.end', '4.articles.list.site-id', '4.articles.list.walk'],
  scenarios: pageScenarioIds,
  *judge(history) {
    const pages = pagesIn(history);
    const isFalling = directionOf(pages);
    if (pages.length < 2) yield { doubt: 'vacuous', message: 'fewer than two pages were read' };
    else if (isFalling === null)
      yield { doubt: 'vacuous', message: 'the articles are not in the order of their createdAt' };
    else {
      const shown = [...shownOn(pages).values()].map(({ row }) => row);
      const hidden = pages.flatMap((page) => hiddenFrom(page, shown, { isFalling, pages }));
      yield* hidden;
      const end = pages.find(({ cursor }) => cursor === null);
      const words = { expected: 'no article hidden', actual: 'none', isTrue: true };
      if (hidden.length === 0 && end !== undefined) yield { ...about(end.exchange, '4.articles.list.end'), ...words };
    }
  },
};

interface Reading {
  readonly isFalling: boolean;
  readonly pages: readonly Page[];
}

/**
 * By timestamps: a page shows each article between its cursor, or its first, and its last, nothing follows the last
 * page, and the first page begins with the articles that an earlier read has shown.
 */
function hiddenFrom(page: Page, shown: readonly Article[], { isFalling, pages }: Reading): Judgment[] {
  const { exchange, rows, cursor, from, siteId } = page;
  const earlier =
    from === null ? pages.filter((one) => precedes(one.exchange, exchange)).flatMap((one) => one.rows) : [];
  // An empty page is the last one: it begins and ends at its cursor.
  const [first, last] = [from ?? rows[0]?.createdAt, rows.at(-1)?.createdAt ?? from].map((at) =>
    parseTimestamp(at ?? ''),
  );
  if (first == null || last == null) return [];
  const isBeyond = (one: TimestampNs, other: TimestampNs) => (isFalling ? one < other : one > other);
  for (const row of shown) {
    const at = parseTimestamp(row.createdAt);
    if (at === null || rows.some(({ id }) => sameId(id, row.id)) || !isOfSite(row, siteId)) continue;
    // Strictly, because articles of one timestamp cannot be distinguished at an edge (R17).
    const isAfter = isBeyond(at, last);
    const isInside = isBeyond(at, first) && isBeyond(last, at);
    const wasBefore = isBeyond(first, at) && earlier.some(({ id }) => sameId(id, row.id));
    if (isInside || wasBefore || (isAfter && cursor === null)) return [hidden(row, page, isAfter)];
  }
  return [];
}

function hidden(row: Article, { exchange, siteId, rows }: Page, isAfter: boolean): Judgment {
  const clause = siteId === null ? '4.articles.list.walk' : '4.articles.list.site-id';
  return {
    ...about(exchange, isAfter ? '4.articles.list.end' : clause, isAfter ? '/cursor' : '/data'),
    expected: `article ${row.id} of ${row.createdAt} ${isAfter ? 'after a cursor' : 'on the page'}`,
    actual: isAfter ? `${count(rows.length, 'article')} and no cursor` : 'a page without the article',
    message: 'the article is shown before and after',
    ...{ isTrue: false, of: [exchange], rows: [row] },
    witness: { operation: 'getArticle', params: { id: row.id } },
  };
}

/** Whether createdAt falls in every page; null where it neither falls nor rises in all of them (R16). */
function directionOf(pages: readonly Page[]): boolean | null {
  const several = pages.filter(({ rows }) => rows.length > 1);
  if (several.length === 0) return null;
  return [true, false].find((isFalling) => several.every(({ rows }) => isSorted(rows, isFalling))) ?? null;
}

function isSorted(rows: readonly Article[], isFalling: boolean): boolean {
  const times = rows.map(({ createdAt }) => parseTimestamp(createdAt));
  return times.every((time, index) => {
    const before = times[index - 1];
    if (time === null || before === null) return false;
    return before === undefined || (isFalling ? time <= before : time >= before);
  });
}
