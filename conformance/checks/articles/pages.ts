// The page walk of GET /articles: P100 at once, and the same again from the default page on (or from a page of half,
// where all fit into one), first by default pages and then by a long one. The order is not stated, so pages are
// compared as sets; articles that share the timestamp of a page edge cannot be distinguished by a timestamp cursor, so
// what happens to those is a warning at most (interpretation R16 to R18).

import { articlesLimit } from '../../../src/contract/generated/limits.ts';
import { parseTimestamp } from '../../../src/contract/timestamps.ts';
import { count } from '../../../src/terminal/count.ts';
import { pageWithoutLimit } from '../../assertions/article-reads.ts';
import { type Exchange, isObject } from '../../exchange/exchange.ts';
import { sameId } from '../../exchange/same-id.ts';
import { about } from '../../judge/claims.ts';
import { show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Judged } from '../../probe/confirm.ts';
import { type ArticleRow, rowsOf } from '../../probe/facts.ts';
import type { Probe } from '../../probe/probe.ts';
import { Stop } from '../../probe/stop.ts';

/** A page as the walk needs it. */
interface Page {
  readonly exchange: Exchange;
  readonly rows: readonly ArticleRow[];
  readonly cursor: string | null;
}

const usualLimit = articlesLimit.preset;
/** Pages beyond the second one, for servers whose pages are shorter than they might be. */
const pagesAfterEdgeMax = 3;

/** Stops the check where there is no cursor field at all: then nothing is known about what follows. */
function readPage(exchange: Exchange): Page {
  const rows = rowsOf<ArticleRow>(exchange, ['data'], ['id', 'createdAt']);
  const cursor = isObject(exchange.json) ? exchange.json.cursor : undefined;
  if (cursor !== null && typeof cursor !== 'string') throw new Stop('precondition', 'the page has no cursor field');
  return { exchange, rows, cursor };
}

const defaultLimit: CheckRow = {
  id: 'articles/default-limit',
  title: 'GET /articles returns 20 articles by default',
  cites: ['4.articles.list.limit', '4.articles.list.limit-ceiling', '8.articles-limit'],
  phase: 'after bursts',
  // The valid request of limits/address-burst; a page of that size by name, and the one without limit again, when that
  // is shorter.
  cost: { requests: 0, confirms: 3, uses: ['articles', 'articles without limit'] },
  async run(probe) {
    const all = await probe.facts.articles();
    const params = pageWithoutLimit(probe);
    const { rows, exchange, cursor } = readPage(await probe.get('listArticles', params));
    const claim = {
      ...about(exchange, '4.articles.list.limit-ceiling', '/data'),
      actual: count(rows.length, 'article'),
    };
    if (all.length <= usualLimit) return probe.stop('vacuous', `needs more than ${usualLimit} articles`);
    const isLast = cursor === null && rows.length < usualLimit;
    const proves = ['4.articles.list.limit-ceiling', '4.articles.list.limit', '8.articles-limit'] as const;
    probe.holds(rows.length <= usualLimit, {
      ...claim,
      proves: isLast ? [] : proves,
      expected: `at most ${usualLimit}`,
    });
    // A short page with a cursor is legal (R17), unless the same server fills it when the limit is explicit.
    if (rows.length >= usualLimit || isLast) return;
    const named = await probe.get('listArticles', { ...params, limit: usualLimit });
    const short = { ...claim, clause: '4.articles.list.limit', expected: `${usualLimit}` } as const;
    const isShown = ({ id }: ArticleRow) => rows.some((row) => sameId(row.id, id));
    const next = readPage(named).rows.find((row) => !isShown(row));
    if (next === undefined || readPage(named).rows.length < usualLimit) return probe.note(short);
    await probe.judge([exchange], ([one]) => [
      {
        ...short,
        exchange: one,
        isTrue: readPage(one).rows.some(({ id }) => sameId(id, next.id)),
        message: `limit=${usualLimit} returns ${usualLimit}`,
        rows: [next],
        witness: named,
      },
    ]);
  },
};

/** The contract promises what the cursor is, so clients may make one from a row. */
const cursorValue: CheckRow = {
  id: 'articles/cursor-value',
  title: 'The cursor of GET /articles is the createdAt of the last article',
  cites: ['4.articles.list.cursor-value', '4.articles.list.cursor'],
  // After the page without limit.
  phase: 'after bursts',
  cost: { requests: 0, uses: ['articles', 'articles without limit'] },
  async run(probe) {
    const isUsual = ({ target }: Exchange) => !/[?&]limit=/.test(target);
    const first = await probe.get('listArticles', { limit: articlesLimit.max });
    const exchanges = [first, ...probe.shown('listArticles').filter(isUsual)];
    for (const { exchange, rows, cursor } of exchanges.map(readPage)) {
      const last = rows.at(-1);
      if (cursor === null || last === undefined) continue;
      const claim = { pointer: '/cursor', expected: show(last.createdAt), actual: show(cursor), exchange };
      probe.holds(isSameTimestamp(cursor, last.createdAt), { ...claim, clause: '4.articles.list.cursor-value' });
    }
  },
};

/** As text or as a timestamp: one timestamp has many spellings (R8). */
function isSameTimestamp(left: string, right: string): boolean {
  if (left === right) return true;
  const timestamp = parseTimestamp(left);
  return timestamp !== null && timestamp === parseTimestamp(right);
}

const walk: CheckRow = {
  id: 'articles/page-walk',
  title: 'Following the cursor of GET /articles returns each article exactly once',
  cites: ['4.articles.list.walk', '4.articles.list.end', '4.articles.list.cursor'],
  // Three pages as a rule, a few more for a server with short pages, one more when something looks amiss.
  cost: {
    requests: 3 + pagesAfterEdgeMax,
    optional: pagesAfterEdgeMax,
    confirms: 5 + pagesAfterEdgeMax,
    uses: ['articles'],
  },
  async run(probe) {
    const whole = readPage(await probe.get('listArticles', { limit: articlesLimit.max }));
    if (whole.rows.length < 2) return probe.stop('vacuous', 'needs at least two articles');
    const half = whole.rows.length <= usualLimit ? { limit: splitPoint(whole.rows) } : {};
    const first = readPage(await probe.get('listArticles', half));
    if (first.rows.length === 0) return probe.stop('precondition', 'the first page is empty');
    const rest = await followCursor(probe, first, whole);
    await probe.judge(
      [whole, first, ...rest].map(({ exchange }) => exchange),
      walked,
    );
  },
};

/** Each article of the whole page once on the pages of the walk. */
function walked(exchanges: readonly Exchange[]): readonly Judged[] {
  const [whole, ...pages] = exchanges.map(readPage) as [Page, Page, ...Page[]];
  const shown = pages.flatMap(({ rows }) => rows);
  // A walk that ran out of requests has lost nothing.
  const isWhole = pages.at(-1)?.cursor === null || shown.length >= whole.rows.length;
  const lost = whole.rows.filter((row) => isWhole && !shown.some(({ id }) => sameId(id, row.id)));
  const repeated = shown.filter((row, index) => shown.findIndex(({ id }) => sameId(id, row.id)) < index);
  const walk = { whole, pages, shown };
  return [...claimsOf(walk, lost, 'lost'), ...claimsOf(walk, repeated, 'repeated')];
}

/** No other article of the page and the pages after it shares its timestamp. */
function isAlone({ id, createdAt }: { id: string; createdAt: string }, shown: readonly ArticleRow[], whole: Page) {
  const isEnd = whole.cursor !== null && isSameTimestamp(whole.cursor, createdAt);
  const others = [...whole.rows, ...shown].filter((row) => !sameId(row.id, id));
  return !isEnd && !others.some((row) => isSameTimestamp(row.createdAt, createdAt));
}

/** In the middle, away from articles of the same time. */
function splitPoint(rows: readonly ArticleRow[]): number {
  const middle = Math.ceil(rows.length / 2);
  const candidates = rows
    .map((_, index) => index)
    .filter((index) => index > 0 && rows[index]?.createdAt !== rows[index - 1]?.createdAt);
  candidates.sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return candidates[0] ?? middle;
}

const hasOffset = /[+-](?!00:?00$)\d\d:?\d\d$/;

/** The size of a page whose cursor has an offset, which a server can ignore (R8), and is not at a tie (R17). */
function sizeToOffset({ rows }: Page, from: number): number {
  const isCut = ({ createdAt }: ArticleRow, next: ArticleRow | undefined) =>
    hasOffset.test(createdAt) && next !== undefined && !isSameTimestamp(createdAt, next.createdAt);
  const at = rows.findIndex((row, index) => index >= from && isCut(row, rows[index + 1]));
  return at < 0 ? articlesLimit.max : at - from + 1;
}

/** Reads on until everything of the whole page has had its chance to be shown, and the chain its chance to end. */
async function followCursor(probe: Probe, first: Page, whole: Page): Promise<Page[]> {
  const pages: Page[] = [];
  let { cursor } = first;
  let shown = first.rows.length;
  const isAll = whole.cursor === null || whole.rows.length < articlesLimit.max;
  while (cursor !== null && pages.length <= pagesAfterEdgeMax && (isAll || shown < whole.rows.length)) {
    if (pages.length > 1 && probe.requestsLeft() < 1) return pages;
    // The second page by default, as most clients read; then long ones, to be done soon.
    const isUsual = pages.length === 0 && whole.rows.length > usualLimit;
    const isDone = [first, ...pages].some((page) => hasOffset.test(page.cursor ?? ''));
    const size = isUsual ? {} : { limit: isDone ? articlesLimit.max : sizeToOffset(whole, shown) };
    const page = readPage(await probe.get('listArticles', { ...size, cursor }));
    const claim = {
      clause: '4.articles.list.end',
      pointer: '/cursor',
      expected: 'a new cursor, or null',
      actual: show(page.cursor),
    } as const;
    const isStuck = page.cursor !== null && (isSameTimestamp(page.cursor, cursor) || page.rows.length === 0);
    pages.push(page);
    if (!probe.holds(!isStuck, { ...claim, exchange: page.exchange })) return pages;
    shown += page.rows.length;
    ({ cursor } = page);
  }
  return pages;
}

interface Walk {
  readonly whole: Page;
  readonly pages: readonly [Page, ...Page[]];
  readonly shown: readonly ArticleRow[];
}

/** A clear loss or repetition is a violation. At equal timestamps it is unavoidable (R17), so it is a warning. */
function claimsOf({ whole, pages, shown }: Walk, rows: readonly ArticleRow[], what: string): Judged[] {
  const edges = pages.flatMap((page) => page.rows.at(-1) ?? []);
  const isTied = (row: ArticleRow) =>
    edges.some((edge) => isSameTimestamp(row.createdAt, edge.createdAt)) && !isAlone(row, shown, whole);
  const claimOf = (some: readonly ArticleRow[]) => ({
    ...about(pages[1]?.exchange ?? pages[0].exchange, '4.articles.list.walk', '/data'),
    isTrue: some.length === 0,
    expected: 'each article once',
    actual: `a list with ${count(some.length, 'article')} ${what}, such as ${some[0]?.id}`,
    of: pages.map(({ exchange }) => exchange),
    // The order may depend on the articles of the cursors that were sent.
    rows: [...some, ...edges.slice(0, pages.length - 1)],
    witness: whole.exchange,
  });
  const [tied, clear] = [rows.filter(isTied), rows.filter((row) => !isTied(row))];
  const message = 'their createdAt is equal across two pages, where a timestamp cursor cannot distinguish them';
  return [claimOf(clear), ...(tied.length === 0 ? [] : [{ ...claimOf(tied), severity: 'warn' as const, message }])];
}

export const articlePages = defineChecks({ phase: 'read' }, [defaultLimit, cursorValue, walk]);
