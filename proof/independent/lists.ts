// Articles, sites and keywords: read only, in an order that the variant chooses (R16).

import { type Code, notFound, Rejection } from './errors.ts';
import { isUuid, sameId } from './ids.ts';
import { readTimestamp, writeTimestamp } from './time.ts';
import {
  type ApiRequest,
  type Article,
  type Context,
  extra,
  type HttpResponse,
  type Keyword,
  type Site,
  showId,
  showTime,
} from './types.ts';

/** Drops nullable fields that are null, where the variant leaves them out (R13). */
function thinned(context: Context, record: Record<string, unknown>): Record<string, unknown> {
  if (context.variant.nullables !== 'absent') return record;
  return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null));
}

/** All fields of section 2, and extra ones where the variant has them (R12). */
function showArticle(context: Context, article: Article): Record<string, unknown> {
  const { timeFormat } = context.variant;
  return thinned(context, {
    id: showId(context, article.id),
    siteId: showId(context, article.siteId, true),
    title: article.title,
    slug: article.slug,
    status: article.status,
    targetKeyword: article.targetKeyword,
    wordCount: article.wordCount,
    seoScore: article.seoScore,
    publishedAt: article.published === null ? null : showTime(context, article.published),
    createdAt: writeTimestamp(article.createdNs, timeFormat),
    updatedAt: writeTimestamp(article.updatedNs, timeFormat),
    ...extra(context, 'outer'),
  });
}

function showSite(context: Context, site: Site): Record<string, unknown> {
  const { id, created, ...rest } = site;
  return { id: showId(context, id), ...rest, createdAt: showTime(context, created), ...extra(context, 'outer') };
}

function showKeyword(context: Context, keyword: Keyword): Record<string, unknown> {
  const { id, siteId, created, ...rest } = keyword;
  return thinned(context, {
    id: showId(context, id),
    siteId: showId(context, siteId, true),
    ...rest,
    createdAt: showTime(context, created),
    ...extra(context, 'outer'),
  });
}

/** 400 or 404 for a parameter of these endpoints. The simple envelope's codes are only "such as" (R22). */
function invalidParameter(context: Context, name: string, how: 'reject' | 'missing'): Rejection {
  if (how === 'missing') return notFound(name);
  const code: Code = context.variant.simpleBadCode;
  const issues = code === 'invalid_input' ? [{ path: name, message: 'not acceptable' }] : [];
  return new Rejection(code, { message: `${name} is not acceptable`, issues });
}

/** R19 leaves an invalid limit open. */
function readLimit(context: Context, req: ApiRequest): number {
  const { badLimit } = context.variant;
  const text = req.query.get('limit');
  if (text === null) return 20;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= 1 && value <= 100) return value;
  if (badLimit === 'by-class') {
    if (value > 100) return 100;
    throw invalidParameter(context, 'limit', 'reject');
  }
  if (badLimit === 'reject' || badLimit === 'missing') throw invalidParameter(context, 'limit', badLimit);
  return badLimit === 'clamp' && !Number.isNaN(value) ? Math.min(100, Math.max(1, value)) : 20;
}

/** Undefined for the first page. */
function readCursor(context: Context, req: ApiRequest): bigint | undefined {
  const { badCursor } = context.variant;
  const text = req.query.get('cursor');
  if (text === null) return undefined;
  const timestamp = readTimestamp(text);
  if (timestamp === undefined && badCursor !== 'ignore') throw invalidParameter(context, 'cursor', badCursor);
  return timestamp;
}

/** Undefined for no filter; an unknown site is 404 or an empty page (R21). */
function readSiteFilter(context: Context, req: ApiRequest): string | undefined {
  const { badSiteId, unknownSite } = context.variant;
  const text = req.query.get('siteId');
  if (text === null) return undefined;
  if (!isUuid(text)) {
    if (badSiteId === 'ignore') return undefined;
    throw invalidParameter(context, 'siteId', badSiteId);
  }
  const known = req.org.sites.some((site) => sameId(site.id, text));
  if (!known && unknownSite === 'missing') throw notFound('site');
  return text;
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
  const { variant } = context;
  const limit = readLimit(context, req);
  const cursor = readCursor(context, req);
  const siteId = readSiteFilter(context, req);
  const belongs = (article: Article): boolean => siteId === undefined || sameId(article.siteId, siteId);
  const mine = req.org.articles.filter(belongs);
  const rest = following(context, ordered(context, mine), cursor);
  const size = Math.min(limit, variant.articlePageCap);
  const page = variant.tieEdge === 'shrink' ? cutBack(rest, size) : rest.slice(0, size);
  const last = page.at(-1);
  const over =
    variant.articleEnd === 'exact' ? page.length === rest.length : page.length < size && page.length === rest.length;
  const next = last === undefined || (over && variant.articleEnd !== 'empty-page') ? null : last.createdNs;
  const data = page.map((article) => showArticle(context, article));
  const cursorText = next === null ? null : writeTimestamp(next, variant.timeFormat);
  return { status: 200, body: { data, cursor: cursorText, ...extra(context, 'outer') } };
}

/** Finds one record by the id in the path; a malformed id is 400 or 404, by variant (R20). */
function pickOne<T extends { id: string }>(context: Context, req: ApiRequest, records: readonly T[]): T | undefined {
  const id = req.segments[1] ?? '';
  if (!isUuid(id) && context.variant.malformedId === 400) throw invalidParameter(context, 'id', 'reject');
  return records.find((record) => sameId(record.id, id));
}

/** Cites 4.articles.get.not-found. */
export function getArticle(context: Context, req: ApiRequest): HttpResponse {
  const article = pickOne(context, req, req.org.articles);
  if (article === undefined) throw notFound('article');
  return { status: 200, body: { data: showArticle(context, article) } };
}

/** The whole list: there is no page. */
export function listSites(context: Context, req: ApiRequest): HttpResponse {
  const data = req.org.sites.map((site) => showSite(context, site));
  return { status: 200, body: { data, ...extra(context, 'outer') } };
}

export function getSite(context: Context, req: ApiRequest): HttpResponse {
  const site = pickOne(context, req, req.org.sites);
  if (site === undefined) throw notFound('site');
  return { status: 200, body: { data: showSite(context, site) } };
}

/** Without a siteId there is nothing to list. Cites 4.keywords.list.missing-site-id. */
export function listKeywords(context: Context, req: ApiRequest): HttpResponse {
  const text = req.query.get('siteId');
  if (text === null || !isUuid(text)) throw invalidParameter(context, 'siteId', 'reject');
  const siteId = text;
  const known = req.org.sites.some((site) => sameId(site.id, siteId));
  if (!known && context.variant.unknownKeywordSite === 'missing') throw notFound('site');
  const ofSite = (keyword: Keyword): boolean => sameId(keyword.siteId, siteId);
  const data = req.org.keywords.filter(ofSite).map((keyword) => showKeyword(context, keyword));
  return { status: 200, body: { data, ...extra(context, 'outer') } };
}
