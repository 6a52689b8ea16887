// Pages of articles that a history shows, and the way from one page to the next.
import { articlesLimit } from '../../src/contract/generated/limits.ts';
import { parseTimestamp } from '../../src/contract/timestamps.ts';
import { type Exchange, isObject } from './exchange.ts';
import { type History, responsesTo } from './history.ts';
import { type Fields, rowsAt } from './records.ts';
import { isUuid, sameId } from './same-id.ts';

export type Article = Fields & { readonly id: string; readonly createdAt: string };

/** A valid request, with its response. */
export interface Read {
  readonly exchange: Exchange;
  readonly siteId: string | null;
  readonly limit: number | null;
  /** The cursor that was sent: one of the service, or the createdAt of an article. */
  readonly from: string | null;
}

/** A success whose rows can be read; what is wrong with others is for the rules. */
export interface Page extends Read {
  readonly rows: readonly Article[];
  readonly cursor: unknown;
}

/** More take too long to compare. */
const pagesMax = 300;

const forms: Readonly<Record<string, (value: string) => boolean>> = {
  siteId: isUuid,
  limit: (value) => /^\d{1,3}$/.test(value) && Number(value) >= articlesLimit.min && Number(value) <= articlesLimit.max,
  cursor: (value) => value !== '',
};

/** An id in a form that ids/nil-and-max or ids/rare-forms sends. */
const rareSiteId = /siteId=(?:%|0{8}-0|f{8}-f)/i;

/** Null unless the request is valid: servers read others in different ways (interpretation R5, R19). */
export function readOf(exchange: Exchange): Read | null {
  const { operation, target, requestBody } = exchange;
  const params = [...new URLSearchParams(target.split('?')[1] ?? '')];
  const given = new Map(params);
  const isValid = params.every(([name, value]) => forms[name]?.(value) === true) && given.size === params.length;
  if (operation !== 'listArticles' || !isValid || rareSiteId.test(target) || requestBody.bytes > 0) return null;
  const limit = given.get('limit');
  return {
    exchange,
    siteId: given.get('siteId') ?? null,
    limit: limit === undefined ? null : Number(limit),
    from: given.get('cursor') ?? null,
  };
}

export function pageOf(exchange: Exchange): Page | null {
  const [read, rows] = [readOf(exchange), rowsAt(exchange, '/data', ['id', 'createdAt'])];
  return read === null || rows === null
    ? null
    : { ...read, rows, cursor: isObject(exchange.json) ? exchange.json.cursor : null };
}

/** Whether the cursor of a request is known from the pages: it has no form that others are rejected for (R19). */
function isKnownFrom(pages: readonly Page[]): (read: Read) => boolean {
  const known = new Set(pages.flatMap(({ rows, cursor }) => [cursor, ...rows.map(({ createdAt }) => createdAt)]));
  return ({ from }) => from === null || known.has(from);
}

/** Valid requests of the main key, in order. */
export function readsIn(history: History): readonly Read[] {
  const all = responsesTo(history, 'listArticles').slice(0, pagesMax);
  return all.flatMap((one) => readOf(one) ?? []).filter(isKnownFrom(all.flatMap((one) => pageOf(one) ?? [])));
}

/** A server may find nothing for a siteId that is written in another way than in its articles. */
export function pagesIn(history: History): readonly Page[] {
  const pages = readsIn(history).flatMap(({ exchange }) => pageOf(exchange) ?? []);
  const written = new Set(pages.flatMap(({ rows }) => rows.map(({ siteId }) => siteId)));
  return pages.filter(({ rows, siteId }) => rows.length > 0 || siteId === null || written.has(siteId));
}

export interface Shown {
  readonly row: Article;
  readonly page: Page;
}

/** Every article of the pages, once, by its id in lower case. */
export function shownOn(pages: readonly Page[]): ReadonlyMap<string, Shown> {
  const known = new Map<string, Shown>();
  for (const { row, page } of pages.flatMap((one) => one.rows.map((each) => ({ row: each, page: one })))) {
    const id = row.id.toLowerCase();
    if (!known.has(id)) known.set(id, { row, page });
  }
  return known;
}

export const isOfSite = ({ siteId }: Fields, site: string | null) => site === null || sameId(siteId, site);

/** As text or as a timestamp: one timestamp has many spellings (R8). */
export function isSameTime(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  const time = parseTimestamp(left);
  return time !== null && time === parseTimestamp(right);
}

export type Walk = readonly [Page, ...Page[]];

/** A page with the pages before it. A longer page counts up to the article of the cursor. */
export function walkTo(page: Page, pages: readonly Page[]): Walk {
  const { from, exchange, siteId } = page;
  if (from === null) return [page];
  const place = pages.findIndex((one) => one.exchange === exchange);
  const earlier = pages.slice(0, place).filter((one) => sameId(one.siteId ?? '', siteId ?? ''));
  const before = earlier.findLast(({ cursor }) => cursor === from) ?? earlier.flatMap((one) => upTo(from, one)).at(-1);
  return before === undefined ? [page] : [...walkTo(before, pages), page];
}

function upTo(cursor: string, page: Page): Page[] {
  const at = page.rows.findLastIndex(({ createdAt }) => createdAt === cursor);
  return at < 0 ? [] : [{ ...page, rows: page.rows.slice(0, at + 1), cursor }];
}

/** Enough for two pages. */
const articlesMin = 4;

/**
 * Sites by the number of their articles, largest first. The first site of the list comes last: a server that ignores
 * the parameter could return it by chance.
 */
export function sitesByArticles(history: History, siteIds: readonly string[]): readonly string[] {
  const shown = [...shownOn(pagesIn(history)).values()].map(({ row }) => row.siteId);
  const [first] = responsesTo(history, 'listSites').flatMap((one) => rowsAt(one, '/data')?.slice(0, 1) ?? []);
  const countOf = (id: string) => shown.filter((siteId) => sameId(siteId, id)).length;
  const isDistinctive = (id: string) => !sameId(first?.id, id) && countOf(id) >= articlesMin;
  const distinctive = siteIds.filter(isDistinctive).sort((a, b) => countOf(b) - countOf(a));
  return [...distinctive, ...siteIds.filter((id) => !isDistinctive(id))];
}
