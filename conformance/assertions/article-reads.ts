// All pages of articles that the run has read.

import type { ClauseId } from '../../src/contract/generated/clauses.ts';
import { articlesLimit } from '../../src/contract/generated/limits.ts';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { count } from '../../src/terminal/count.ts';
import { type Exchange, isObject, listOf } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { sameId } from '../exchange/same-id.ts';
import { type ArticleRow, rowsOf } from '../probe/facts.ts';
import type { Probe } from '../probe/probe.ts';
import { about } from './claims.ts';
import { articleQueries, plainArticleQueries, rareArticleQueries } from './invalid-inputs.ts';

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
export function readsOf(probe: Probe): Read[] {
  return probe.history().flatMap((exchange) => readOf(exchange) ?? []);
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

/** The same page once more; null when it cannot be read any longer. */
export async function readAgain(probe: Probe, { query }: Read): Promise<Read | null> {
  return readOf(await probe.send({ operation: 'listArticles', params: Object.fromEntries(query) }));
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

/** The article as its page shows it now; null when it does no longer. */
export async function shownAgain(probe: Probe, { row, read }: Shown): Promise<ArticleRow | null> {
  const again = await readAgain(probe, read);
  return again?.rows.find(({ id }) => sameId(id, row.id)) ?? null;
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

/**
 * Whether an article of a page (the longest by default) was added, removed or edited. Ignores the order, and pages with
 * other articles between the oldest and the newest known ones: a changed article has a new timestamp.
 */
export async function hasChanged(
  probe: Probe,
  before: readonly ArticleRow[],
  params: NonNullable<RequestSpec['params']> = { limit: articlesLimit.max },
): Promise<boolean> {
  const again = rowsOf<ArticleRow>(await probe.send({ operation: 'listArticles', params }), ['data']);
  const states = [before, again].map((rows) => rows.map((row) => `${row.id} ${row.createdAt} ${row.updatedAt}`).sort());
  const others = again.filter((row) => !before.some(({ id }) => sameId(id, row.id)));
  const isBetween = (row: ArticleRow) => isWithin(row, before, 'createdAt') && isWithin(row, before, 'updatedAt');
  return states[0]?.join() !== states[1]?.join() && others.filter(isBetween).length < restoredMax;
}

/** Fewer articles that appear between others can be restored ones. */
const restoredMax = 3;

function isWithin(row: ArticleRow, rows: readonly ArticleRow[], name: 'createdAt' | 'updatedAt'): boolean {
  const [at = 0n, ...known] = [row, ...rows].map((each) => parseTimestamp(String(each[name])) ?? 0n);
  return known.some((other) => other < at) && known.some((other) => other > at);
}

/** Ends the check where they are. */
export async function confirmArticles(probe: Probe, before: readonly ArticleRow[]): Promise<void> {
  if (await hasChanged(probe, before)) probe.stop('interference', 'the articles changed during the check');
}

/** A site that was listed may have been removed meanwhile, and its filter with it (R59). */
export async function isSiteGone(probe: Probe, id: string): Promise<boolean> {
  return (await probe.send({ operation: 'getSite', params: { id } })).status !== 200;
}
