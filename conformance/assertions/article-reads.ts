// All pages of articles that the run has read.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { articlesLimit } from '../../src/contract/generated/limits.ts';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { count } from '../../src/terminal/count.ts';
import { type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { sameId } from '../exchange/same-id.ts';
import { about } from '../judge/claims.ts';
import { show } from '../judge/ledger.ts';
import type { Judged } from '../probe/confirm.ts';
import { type ArticleRow, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { articleQueries, plainArticleQueries, rareArticleQueries } from '../scenarios/inputs.ts';
import type { Witnessed } from './same-record.ts';

/** One page, as the first key was shown it. */
export interface Read {
  readonly exchange: Exchange;
  readonly query: URLSearchParams;
  readonly rows: readonly ArticleRow[];
  readonly cursor: unknown;
}

/** Limits out of range that a server can take as no limit. */
export const articleBounds = [`limit=${articlesLimit.max + 1}`, `limit=${articlesLimit.min - 1}`, 'limit=-1'] as const;

/** Queries whose response the contract leaves open. */
const unexpectedTargets: ReadonlySet<string> = new Set(
  [...articleBounds, ...articleQueries, ...plainArticleQueries, ...rareArticleQueries].map(
    (query) => `/articles?${query}`,
  ),
);

/** An id in a form that ids/nil-and-max or ids/rare-forms sends. */
const rareSiteId = /siteId=(?:%|0{8}-0|f{8}-f)/i;

/** Pages whose rows can be read; what is wrong with others is for the rules. */
export function readsIn(exchanges: readonly Exchange[]): Read[] {
  return exchanges.flatMap((exchange) => readOf(exchange) ?? []);
}

export function readsOf(probe: Probe): Read[] {
  return readsIn(probe.history());
}

/** null for anything but a success of the valid key with readable rows. */
function readOf(exchange: Exchange): Read | null {
  const { operation, status, key, json, target } = exchange;
  if (operation !== 'listArticles' || status !== 200 || key !== 'good' || !isObject(json)) return null;
  if (unexpectedTargets.has(target) || rareSiteId.test(target)) return null;
  const { data, cursor } = json;
  const isRow = (row: unknown) => isObject(row) && typeof row.id === 'string' && typeof row.createdAt === 'string';
  if (!Array.isArray(data) || !data.every(isRow)) return null;
  return { exchange, query: new URLSearchParams(target.split('?')[1]), rows: data as ArticleRow[], cursor };
}

/**
 * The page without limit of this run: after an article whose next ones are known, because then the page is known too,
 * and otherwise after the first hundred. Old articles reveal more.
 */
export function pageWithoutLimit(probe: Probe): Readonly<Record<string, string>> {
  const reads = readsOf(probe);
  const known = reads.find(({ query }) => !query.has('limit') && !query.has('siteId'));
  if (known !== undefined) return Object.fromEntries(known.query);
  const whole = reads.find(({ query }) => !query.has('siteId') && !query.has('cursor'));
  const cursor = hardestCursor(whole?.rows ?? []) ?? whole?.cursor;
  return typeof cursor === 'string' && cursor !== '' ? { cursor } : {};
}

/** The createdAt that the next article follows soonest: a server that cuts or shifts the cursor shows it. */
function hardestCursor(rows: readonly ArticleRow[]): string | undefined {
  const gaps = rows.slice(0, -articlesLimit.preset - 1).map(({ createdAt }, at) => {
    const [time, next] = [createdAt, rows[at + 1]?.createdAt ?? ''].map(parseTimestamp);
    return { createdAt, gap: time && next ? Math.abs(Number(next - time)) : 0 };
  });
  return gaps.filter(({ gap }) => gap > 0).sort((a, b) => a.gap - b.gap)[0]?.createdAt;
}

/** Reads an article by its id, which shows it wherever its lists have moved. */
export function articleById(id: string): RequestSpec {
  return { operation: 'getArticle', params: { id } };
}

/** A site can be removed, and its filter with it. */
export function siteById(id: string): Witnessed {
  return { rows: [{ id }], witness: { operation: 'getSite', params: { id } } };
}

export interface Shown {
  readonly row: ArticleRow;
  readonly read: Read;
}

/** Every article of the pages, once. */
export function shownIn(reads: readonly Read[]): Shown[] {
  const known = new Map<string, Shown>();
  for (const read of reads) {
    for (const row of read.rows) {
      const id = row.id.toLowerCase();
      if (!known.has(id)) known.set(id, { row, read });
    }
  }
  return [...known.values()];
}

/**
 * Sites by the number of their articles, largest first. The first site of the list comes last: a server that ignores
 * the parameter could return it by chance.
 */
export function sitesByArticles(probe: Probe, siteIds: readonly string[]): readonly string[] {
  const shown = shownIn(readsOf(probe)).map(({ row }) => row.siteId);
  const first = probe.history().find(({ operation, status }) => operation === 'listSites' && status === 200);
  const [head] = listOf(isObject(first?.json) ? first.json.data : null);
  const isHead = (id: string) => isObject(head) && sameId(head.id, id);
  const countOf = (id: string) => shown.filter((siteId) => sameId(siteId, id)).length;
  const isDistinctive = (id: string) => !isHead(id) && countOf(id) >= articlesMin;
  const distinctive = siteIds.filter(isDistinctive).sort((a, b) => countOf(b) - countOf(a));
  const others = siteIds.filter((id) => !isDistinctive(id));
  return [...distinctive, ...others];
}

/** Enough for two pages. */
const articlesMin = 4;

/** A limit out of range returns at most as many articles as the maximum. */
export function expectAtMostMax(probe: Probe, exchange: Exchange, proves: readonly ClauseId[]): void {
  const rows = rowsOf(exchange, ['data']).length;
  const claim = { ...about(exchange, '4.articles.list.limit-ceiling', '/data'), proves };
  probe.holds(rows <= articlesLimit.max, {
    ...claim,
    expected: `at most ${articlesLimit.max}`,
    actual: count(rows, 'article'),
  });
}

/** Whether pages that end show all of these articles; at a tie some may be lost (R17). */
export function lostFrom(pages: readonly Exchange[], known: readonly ArticleRow[], witness: Exchange): Judged[] {
  const [reads, last] = [readsIn(pages), pages.at(-1)];
  const edge = reads.at(-2)?.rows.at(-1);
  if (last === undefined || reads.length < pages.length) return [];
  const isShown = ({ id }: ArticleRow) => reads.some(({ rows }) => rows.some((row) => sameId(row.id, id)));
  const isWhole = reads.at(-1)?.cursor === null;
  const lost = known.filter((row) => isWhole && row.createdAt !== edge?.createdAt && !isShown(row));
  const actual = `no cursor, and none of ${count(lost.length, 'article')}, such as ${show(lost[0]?.id)}`;
  const claim = {
    ...about(last, '4.articles.list.walk', '/data'),
    expected: 'a cursor, or every known article',
    actual,
  };
  const rows = [lost[0], edge].filter((row) => row !== undefined);
  return [{ ...claim, isTrue: lost.length === 0, ...(isWhole ? {} : { proves: [] }), of: pages, rows, witness }];
}
