// GET /articles walked, filtered and limited wrongly. Cites 4.articles.list.*, 8.articles-limit.

import type { Article } from '../contract/generated/types.ts';
import { parseTimestamp } from '../contract/timestamps.ts';
import { readQuery } from '../http/query.ts';
import { basePath } from '../http/route.ts';
import { mutantsOf, type Wrap } from './hooks/mutant.ts';
import { crash, type KeyedRequest, onQuery, onSuccess, onSuccessResponse } from './hooks/recipes.ts';
import {
  asCrash,
  drop,
  isObject,
  type Json,
  type JsonObject,
  readJson,
  withQuery,
  withStatus,
} from './hooks/rewrite.ts';

function idsIn({ body: bytes }: Parameters<typeof asCrash>[0]): string[] {
  const body = readJson(bytes);
  return isObject(body) && Array.isArray(body.data) ? body.data.map((row) => String((row as JsonObject).id)) : [];
}

const from = (page: PageRequest, start: number) => cut({ ...page, start: Math.max(0, start) });

/** An article of another site that is older than the cursor, which the filter should keep out. */
function leaked({ all, siteId, cursor }: PageRequest): Article | undefined {
  return all.slice(startOf(all, cursor)).find((row) => row.siteId !== siteId);
}

const byTime = (rows: readonly Article[]) =>
  [...rows].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));

export const articleMutants = mutantsOf({
  '4.articles.list.walk': {
    'articles-row-lost-at-page-edge': [
      'GET /articles never returns the first article after each cursor; one large page contains it.',
      onLaterPage((page) => from(page, page.start + 1)),
    ],
    'articles-row-lost-on-third-page': [
      'With the default limit, one article between the second and the third page is lost.',
      onLaterPage((page) => from(page, page.start + (page.start >= 40 ? 1 : 0))),
    ],
    'articles-row-lost-inside-a-page': [
      'With a limit of 20 or less, GET /articles never returns the 35th article; one large page contains it.',
      onPage((page) => {
        const { data, cursor } = cut(page);
        return { data: page.limit > 20 ? data : data.filter((row) => row !== page.all[34]), cursor };
      }),
    ],
    'articles-row-repeated-at-page-edge': [
      'Each page of GET /articles begins with the article that the page before ended with.',
      onLaterPage((page) => from(page, page.start - 1)),
    ],
    'articles-row-repeated-on-last-page': [
      'The last page of GET /articles begins with an article of the page before.',
      onLaterPage((page) => from(page, page.start - (page.start + page.limit >= page.rows.length ? 1 : 0))),
    ],
    'articles-in-random-order': [
      'Each page of GET /articles is drawn at random from the articles after the cursor.',
      (next, context) => {
        let factor = 1;
        const rank = ({ id }: Article) => (Number.parseInt(id.slice(0, 6), 16) * factor) % 1009;
        return onPage((page) => {
          factor += 2;
          return cut({ ...page, rows: page.rows.slice(page.start).sort((a, b) => rank(a) - rank(b)), start: 0 });
        })(next, context);
      },
    ],
    'articles-row-lost-before-end-of-filter': [
      'With `siteId`, the cursor of GET /articles is null if one article follows.',
      onPage((page) => {
        const { data, cursor } = cut(page);
        const isLast = page.siteId !== undefined && page.start + page.limit === page.rows.length - 1;
        return { data, cursor: isLast ? null : cursor };
      }),
    ],
    'articles-limit-before-filter': [
      'GET /articles applies `limit` before `siteId`, and a page with fewer articles than `limit` is the last one.',
      onPage((page) => {
        if (page.siteId === undefined) return cut(page);
        const { data } = cut({ ...page, rows: page.all, start: startOf(page.all, page.cursor) });
        const own = data.filter((row) => page.rows.includes(row));
        return { data: own, cursor: own.length < page.limit ? null : (own.at(-1)?.createdAt ?? null) };
      }),
    ],
    'articles-row-lost-in-filter': [
      'With `siteId`, GET /articles never returns the last article of the site; without `siteId`, it does.',
      onPage((page) => cut(page.siteId === undefined ? page : { ...page, rows: page.rows.slice(0, -1) })),
    ],
  },
  '4.articles.list.end': {
    'articles-never-end': [
      'After the last article GET /articles keeps returning empty pages with the same cursor instead of null.',
      onPage((page) => {
        const { data } = cut(page);
        return { data, cursor: data.at(-1)?.createdAt ?? page.cursor ?? page.all.at(-1)?.createdAt ?? null };
      }),
    ],
    'articles-last-cursor-starts-over': [
      'The cursor of the last page of GET /articles returns the first page again, so the pages never end.',
      onPage((page) => {
        const over = page.cursor !== undefined && page.start >= page.rows.length;
        const { data, cursor } = cut(over ? { ...page, start: 0 } : page);
        return { data, cursor: cursor ?? page.rows.at(-1)?.createdAt ?? null };
      }),
    ],
  },
  '4.articles.list.cursor': {
    'articles-cursor-ignored-in-filter': [
      'With `siteId` the `cursor` of GET /articles has no effect: every page is the first one.',
      onPage((page) => cut(page.siteId === undefined ? page : { ...page, start: 0 })),
    ],
    'articles-cursor-against-updated-at': [
      '`cursor` of GET /articles is compared with `updatedAt`: articles edited after it are missing from later pages.',
      onLaterPage((page) => {
        const rows = page.rows.filter(({ updatedAt }) => Date.parse(updatedAt) < Date.parse(page.cursor ?? ''));
        return cut({ rows, start: 0, limit: page.limit });
      }),
    ],
  },
  '4.articles.list.cursor-value': {
    'articles-cursor-of-first': [
      '`cursor` of GET /articles is the `createdAt` of the first article of the page.',
      onSuccess('listArticles', (body) => withCursor(body, (rows) => rows[0]?.createdAt)),
    ],
    'articles-cursor-whole-seconds': [
      '`cursor` of GET /articles is the `createdAt` of the last article without its milliseconds.',
      onSuccess('listArticles', (body) => withCursor(body, (rows) => `${rows.at(-1)?.createdAt?.slice(0, 19)}Z`)),
    ],
    'articles-cursor-of-updated-at': [
      '`cursor` of GET /articles is the `updatedAt` of the last article.',
      onSuccess('listArticles', (body) => withCursor(body, (rows) => rows.at(-1)?.updatedAt)),
    ],
  },
  '4.articles.list.site-id': {
    'articles-filter-ignored': [
      '`siteId` has no effect on GET /articles.',
      onQuery('listArticles', 'siteId', () => null),
    ],
    'articles-filter-lost-on-later-pages': [
      '`siteId` filters the first page of GET /articles only.',
      onQuery('listArticles', 'siteId', (value, { query }) => (query.cursor === undefined ? value : null)),
    ],
    'articles-filter-leaks-on-second-page': [
      'With `siteId` one article of another site is on the page after a cursor; the first page is correct.',
      onLaterPage((page) => {
        const extra = page.siteId === undefined ? undefined : leaked(page);
        if (!extra) return cut(page);
        const rows = byTime([...page.rows, extra]);
        return cut({ rows, limit: page.limit, start: startOf(rows, page.cursor) });
      }),
    ],
  },
  '4.articles.list.limit-ceiling': {
    'articles-limit-plus-one-later': [
      'After a cursor, a page of GET /articles has one article more than `limit`.',
      onLaterPage((page) => cut({ ...page, limit: page.limit + 1 })),
    ],
    'articles-default-limit-25': [
      'Without `limit`, a page of GET /articles has 25 articles.',
      onQuery('listArticles', 'limit', (value) => (value === undefined ? '25' : value)),
    ],
    'articles-limit-one-gives-two': [
      'GET /articles with `limit=1` returns two articles.',
      onQuery('listArticles', 'limit', (value) => (value === '1' ? '2' : value)),
    ],
    'articles-limit-plus-one': [
      'A page of GET /articles has one article more than `limit` if another page follows.',
      onPage((page) => cut(page.start + page.limit < page.rows.length ? { ...page, limit: page.limit + 1 } : page)),
    ],
    'articles-limit-1000-honoured': [
      'GET /articles returns up to 1000 articles if `limit` is that large.',
      (next, context) => {
        const grown = (limit: number) => onPage((page) => cut({ ...page, limit }))(next, context);
        return (request) => {
          const limit = request.path === `${basePath}/articles` ? Number(readQuery(request.query).limit) : 0;
          const wide = limit > 100 && limit <= 1000;
          return wide ? grown(limit)(withQuery(request, { limit: '100' })) : next(request);
        };
      },
      { world: 'tied-articles' },
    ],
  },
  '4.articles.list.limit': {
    'articles-default-limit-19': [
      'Without `limit`, a page of GET /articles has 19 articles, although `limit=20` returns 20.',
      onQuery('listArticles', 'limit', (value) => (value === undefined ? '19' : value)),
    ],
    'articles-limit-one-refused': [
      'GET /articles rejects `limit=1`, the smallest allowed, as out of range.',
      onQuery('listArticles', 'limit', (value) => (value === '1' ? '0' : value)),
    ],
  },
  '8.articles-limit': {
    'articles-limit-ignored': [
      'A page of GET /articles has 20 articles with any `limit`.',
      onPage((page) => cut({ ...page, limit: 20 })),
    ],
    'articles-limit-100-refused': [
      'GET /articles rejects `limit=100`, the largest allowed, as out of range.',
      onQuery('listArticles', 'limit', (value) => (value === '100' ? '101' : value)),
    ],
  },
  '4.articles.list.endpoint': {
    'articles-cursor-absent-at-end': [
      'The last page of GET /articles has no `cursor` field instead of null.',
      onSuccess('listArticles', (body) => (isObject(body) && body.cursor === null ? drop('cursor')(body) : body)),
    ],
  },
  '4.articles.list.statuses': {
    'articles-exact-end-crashes': [
      'A page of GET /articles that ends with the last article and is full returns 500.',
      onSuccessResponse('listArticles', (response, { organization, query }) => {
        const ids = idsIn(response);
        const isEnd = ids.at(-1) === organization.articles.toData().at(-1)?.id;
        return isEnd && ids.length === Number(query.limit ?? 20) ? asCrash(response) : response;
      }),
    ],
    'articles-204-when-empty': [
      'An empty page of GET /articles returns 204 without a body.',
      onSuccessResponse('listArticles', (response) =>
        asText(response.body).startsWith('{"data":[]') ? { ...withStatus(response, 204), body: '' } : response,
      ),
    ],
    'articles-206-with-further-pages': [
      'A page of GET /articles before the last one returns 206.',
      onSuccessResponse('listArticles', (response) =>
        asText(response.body).endsWith('"cursor":null}') ? response : withStatus(response, 206),
      ),
    ],
    'articles-500-on-limit-text': [
      '`limit=abc` on GET /articles returns 500.',
      crash('listArticles', ({ query }) => Number.isNaN(Number(query.limit ?? 1))),
    ],
    'articles-500-on-cursor-text': [
      'A `cursor` that is not a date-time makes GET /articles return 500.',
      crash('listArticles', ({ query: { cursor } }) => cursor !== undefined && Number.isNaN(Date.parse(cursor))),
    ],
    'articles-500-on-site-text': [
      'A `siteId` that is not a UUID makes GET /articles return 500, as a database does that casts it.',
      crash('listArticles', ({ query: { siteId } }) => siteId !== undefined && siteId.length !== 36),
    ],
  },
});

function asText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

/** Another text for a cursor that is there; none where the mock has none. */
function withCursor(body: Json, cursorOf: (rows: readonly Article[]) => string | undefined): Json {
  if (!isObject(body) || typeof body.cursor !== 'string') return body;
  return { ...body, cursor: cursorOf(body.data as unknown as Article[]) ?? null };
}

/** An accepted request for a page, and the list it comes from. */
export interface PageRequest {
  /** The articles that match the filter, newest first. */
  readonly rows: readonly Article[];
  readonly limit: number;
  /** Where the page starts in `rows`. */
  readonly start: number;
  readonly cursor: string | undefined;
  readonly siteId: string | undefined;
  /** All articles of the organization, newest first. */
  readonly all: readonly Article[];
}

export interface Page {
  readonly data: readonly Article[];
  readonly cursor: string | null;
}

/** The page as the mock cuts it. */
export function cut({ rows, start, limit }: Pick<PageRequest, 'rows' | 'start' | 'limit'>): Page {
  const data = rows.slice(start, start + limit);
  return { data, cursor: start + limit < rows.length ? (data.at(-1)?.createdAt ?? null) : null };
}

/** The position of the first article that is older than the cursor. */
export function startOf(rows: readonly Article[], cursor: string | undefined): number {
  const timestamp = cursor === undefined ? null : parseTimestamp(cursor);
  if (timestamp === null) return 0;
  const start = rows.findIndex(({ createdAt }) => (parseTimestamp(createdAt) ?? 0n) < timestamp);
  return start === -1 ? rows.length : start;
}

export function onPage(recut: (page: PageRequest) => Page): Wrap {
  return onSuccess('listArticles', (_body, exchange) => recut(readPage(exchange)) as unknown as Json);
}

/** Cuts pages in another way, and only those that follow another one. */
export function onLaterPage(recut: (page: PageRequest) => Page): Wrap {
  return onPage((page) => (page.cursor === undefined ? cut(page) : recut(page)));
}

/** Reads the request as the mock has read it: only granted ones come here. */
function readPage({ query, organization }: KeyedRequest): PageRequest {
  const { cursor, siteId } = query;
  const all = organization.articles.toData();
  const rows = siteId === undefined ? all : all.filter((row) => row.siteId.toLowerCase() === siteId.toLowerCase());
  return { rows, all, cursor, siteId, limit: Number(query.limit ?? 20), start: startOf(rows, cursor) };
}
