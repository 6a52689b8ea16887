// Articles, sites and keywords: read only, in an order that the variant chooses (R16).

import { readLimit } from './checks.ts';
import { type Code, notFound, Rejection } from './errors.ts';
import { isUuid, sameId } from './ids.ts';
import { readTimestamp, toNs, writeTimestamp } from './time.ts';
import { type ApiRequest, type Article, type Context, extra, type Fields, type HttpResponse, showId } from './types.ts';

/** A timestamp of a record: `createdNs` and `publishedMs` are shown as `createdAt` and `publishedAt`. */
const timestamp = /(?:Ns|Ms)$/;

/**
 * A record with extra fields where the variant has them (R12). Nullable fields that are null are left out where the
 * variant does so (R13).
 */
function shown(context: Context, record: object): Fields {
  const { nullables, timeFormat } = context.variant;
  const fields = Object.entries(record).map(([name, value]) => {
    if (name === 'id' || name === 'siteId') return [name, showId(context, value, name === 'siteId')];
    if (!timestamp.test(name)) return [name, value];
    const written = value === null ? null : writeTimestamp(typeof value === 'bigint' ? value : toNs(value), timeFormat);
    return [name.replace(timestamp, 'At'), written];
  });
  const all = [...fields, ...Object.entries(extra(context, 'outer'))];
  return Object.fromEntries(nullables === 'absent' ? all.filter(([, value]) => value !== null) : all);
}

/** The whole list, or a page of it. */
function listed(context: Context, records: readonly object[], rest: Fields = {}): HttpResponse {
  const data = records.map((record) => shown(context, record));
  return { status: 200, body: { data, ...rest, ...extra(context, 'outer') } };
}

/** 400 or 404 for a parameter of these endpoints. The simple envelope's codes are only "such as" (R22). */
function invalidParameter(context: Context, name: string, how: 'reject' | 'missing'): Rejection {
  if (how === 'missing') return notFound(name);
  const code: Code = context.variant.simpleBadCode;
  const issues = code === 'invalid_input' ? [{ path: name, message: 'not acceptable' }] : [];
  return new Rejection(code, { message: `${name} is not acceptable`, issues });
}

/** Undefined for the first page. */
function readCursor(context: Context, req: ApiRequest): bigint | undefined {
  const { badCursor } = context.variant;
  const text = req.query.get('cursor');
  const after = text === null ? undefined : readTimestamp(text);
  if (text !== null && after === undefined && badCursor !== 'ignore')
    throw invalidParameter(context, 'cursor', badCursor);
  return after;
}

interface SiteFilter {
  invalid: 'missing' | 'reject' | 'ignore';
  unknown: 'missing' | 'empty';
}

/** The records of the site in the query; an unknown site is 404 or has none (R21). */
function ofSite<Item extends { siteId: string }>(
  context: Context,
  { org, query }: ApiRequest,
  records: readonly Item[],
  { invalid, unknown }: SiteFilter,
): readonly Item[] {
  const siteId = query.get('siteId');
  if (siteId === null || !isUuid(siteId)) {
    if (invalid === 'ignore') return records;
    throw invalidParameter(context, 'siteId', invalid);
  }
  const isKnown = org.sites.some((site) => sameId(site.id, siteId));
  if (!isKnown && unknown === 'missing') throw notFound('site');
  return records.filter((record) => sameId(record.siteId, siteId));
}

/** Total: equal timestamps are ordered by id, so two requests give one order. */
function ordered(context: Context, articles: readonly Article[]): Article[] {
  const { articleOrder } = context.variant;
  const compare = (left: Article, right: Article): number => {
    if (articleOrder === 'title') return left.title < right.title ? -1 : left.title > right.title ? 1 : 0;
    const step = left.createdNs < right.createdNs ? -1 : left.createdNs > right.createdNs ? 1 : 0;
    return articleOrder === 'oldest' ? step : -step;
  };
  return [...articles].sort((left, right) => compare(left, right) || (left.id < right.id ? -1 : 1));
}

/** The items after the cursor. It is a mere timestamp, so items of the same time cannot be distinguished. */
function following(context: Context, sorted: readonly Article[], cursor: bigint | undefined): readonly Article[] {
  const { articleOrder } = context.variant;
  if (cursor === undefined) return sorted;
  if (articleOrder === 'title') {
    const index = sorted.findIndex((article) => article.createdNs === cursor);
    return index < 0 ? [] : sorted.slice(index + 1);
  }
  const newestFirst = articleOrder === 'newest';
  const after = (article: Article): boolean => (newestFirst ? article.createdNs < cursor : article.createdNs > cursor);
  return sorted.filter(after);
}

/** Cuts a page back so no tie straddles its edge, unless the whole page is one tie. */
function cutBack(rest: readonly Article[], size: number): readonly Article[] {
  const next = rest[size];
  const page = rest.slice(0, size);
  if (next === undefined || page.at(-1)?.createdNs !== next.createdNs) return page;
  const whole = page.filter((article) => article.createdNs !== next.createdNs);
  return whole.length > 0 ? whole : page;
}

/** The cursor is exactly the createdAt of the last item. Cites 4.articles.list.cursor. */
export function listArticles(context: Context, req: ApiRequest): HttpResponse {
  const { badLimit, badSiteId, unknownSite, articlePageCap, tieEdge, articleEnd, timeFormat } = context.variant;
  const limit = readLimit(req.query, { usual: 20, max: 100, invalid: badLimit });
  if (limit === undefined) throw invalidParameter(context, 'limit', badLimit === 'missing' ? 'missing' : 'reject');
  const cursor = readCursor(context, req);
  const invalid = req.query.has('siteId') ? badSiteId : 'ignore';
  const mine = ofSite(context, req, req.org.articles, { invalid, unknown: unknownSite });
  const rest = following(context, ordered(context, mine), cursor);
  const size = Math.min(limit, articlePageCap);
  const page = tieEdge === 'shrink' ? cutBack(rest, size) : rest.slice(0, size);
  const last = page.at(-1);
  const isOver = page.length === rest.length && (articleEnd === 'exact' || page.length < size);
  const isEnd = last === undefined || (isOver && articleEnd !== 'empty-page');
  return listed(context, page, { cursor: isEnd ? null : writeTimestamp(last.createdNs, timeFormat) });
}

export function listSites(context: Context, req: ApiRequest): HttpResponse {
  return listed(context, req.org.sites);
}

/** Without a siteId there is nothing to list. Cites 4.keywords.list.missing-site-id. */
export function listKeywords(context: Context, req: ApiRequest): HttpResponse {
  const unknown = context.variant.unknownKeywordSite;
  return listed(context, ofSite(context, req, req.org.keywords, { invalid: 'reject', unknown }));
}

/** One record by the id in the path; a malformed id is 400 or 404 (R20). Cites 4.articles.get.not-found. */
export function getOne(context: Context, req: ApiRequest): HttpResponse {
  const [noun, id = ''] = req.segments as ['articles' | 'sites', string];
  if (!isUuid(id) && context.variant.malformedId === 400) throw invalidParameter(context, 'id', 'reject');
  const found = req.org[noun].find((record) => sameId(record.id, id));
  if (found === undefined) throw notFound(noun.slice(0, -1));
  return { status: 200, body: { data: shown(context, found) } };
}
