// GET /articles walked, filtered and limited wrongly. Cites 4.articles.list.*, 8.articles-limit.
import type { Article } from '../contract/generated/types.ts';
import { readQuery } from '../http/query.ts';
import { basePath } from '../http/route.ts';
import { cut, onLaterPage, onPage, type PageRequest, startOf } from './hooks/article-pages.ts';
import { drop } from './hooks/json-path.ts';
import { mutantsOf } from './hooks/mutants-of.ts';
import { onAnswer, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asCrash, isObject, type Json, withQuery, withStatus } from './hooks/rewrite.ts';

const from = (page: PageRequest, start: number) => cut({ ...page, start: Math.max(0, start) });

/** An article of another site that is older than the cursor, which the filter should keep out. */
function leaked({ all, siteId, cursor }: PageRequest): Article | undefined {
  return all.slice(startOf(all, cursor)).find((row) => row.siteId !== siteId);
}

function byTime(rows: readonly Article[]): Article[] {
  return [...rows].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

const walks = mutantsOf({
  '4.articles.list.walk': {
    'articles-row-lost-at-page-edge': [
      'The first article after each cursor of GET /articles never comes; in one large page it is there.',
      onLaterPage((page) => from(page, page.start + 1)),
    ],
    'articles-row-lost-on-third-page': [
      'A walk with the default limit loses one article, at the edge before the third page.',
      onLaterPage((page) => from(page, page.start + (page.start >= 40 ? 1 : 0))),
    ],
    'articles-row-lost-inside-a-page': [
      'With a limit of 20 or less the 35th article never comes; in one large page it is there.',
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
    'articles-row-lost-in-filter': [
      'With `siteId` the last article of that site never comes; without the filter it does.',
      onPage((page) => cut(page.siteId === undefined ? page : { ...page, rows: page.rows.slice(0, -1) })),
    ],
  },
  '4.articles.list.end': {
    'articles-never-end': [
      'After the last article GET /articles goes on giving empty pages with the same cursor, never null.',
      onPage((page) => {
        const { data } = cut(page);
        return { data, cursor: data.at(-1)?.createdAt ?? page.cursor ?? page.all.at(-1)?.createdAt ?? null };
      }),
    ],
    'articles-last-cursor-starts-over': [
      'Behind the cursor of the last page of GET /articles the walk starts over, and so never ends.',
      onPage((page) => {
        const last = page.rows.at(-1);
        const over = page.cursor !== undefined && page.start >= page.rows.length;
        const { data, cursor } = cut(over ? { ...page, start: 0 } : page);
        return { data, cursor: cursor ?? last?.createdAt ?? null };
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
});

const cursors = mutantsOf({
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
});

const filters = mutantsOf({
  '4.articles.list.site-id': {
    'articles-filter-ignored': [
      '`siteId` has no effect on GET /articles.',
      onRequest('listArticles', ({ request }) => withQuery(request, { siteId: null })),
    ],
    'articles-filter-lost-on-later-pages': [
      '`siteId` filters the first page of GET /articles only.',
      onRequest('listArticles', ({ request, query: { cursor } }) =>
        cursor === undefined ? request : withQuery(request, { siteId: null }),
      ),
    ],
    'articles-filter-leaks-on-second-page': [
      'With `siteId` one article of another site stands on the page behind a cursor; the first page is right.',
      onLaterPage((page) => {
        const extra = page.siteId === undefined ? undefined : leaked(page);
        if (!extra) return cut(page);
        const rows = byTime([...page.rows, extra]);
        return cut({ rows, limit: page.limit, start: startOf(rows, page.cursor) });
      }),
    ],
  },
});

const limits = mutantsOf({
  '4.articles.list.limit-ceiling': {
    'articles-default-limit-25': [
      'Without `limit` a page of GET /articles holds 25 articles.',
      onRequest('listArticles', ({ request, query }) =>
        query.limit === undefined ? withQuery(request, { limit: '25' }) : request,
      ),
    ],
    'articles-limit-one-gives-two': [
      'GET /articles with `limit=1` gives two articles.',
      onRequest('listArticles', ({ request, query }) =>
        query.limit === '1' ? withQuery(request, { limit: '2' }) : request,
      ),
    ],
    'articles-limit-plus-one': [
      'A page of GET /articles holds one article more than `limit` while there is a further page.',
      onPage((page) => cut(page.start + page.limit < page.rows.length ? { ...page, limit: page.limit + 1 } : page)),
    ],
    'articles-limit-1000-honoured': [
      'GET /articles gives up to 1000 articles when asked for so many.',
      (next, context) => {
        const grown = (limit: number) => onPage((page) => cut({ ...page, limit }))(next, context);
        return (request) => {
          const limit = request.path === `${basePath}/articles` ? Number(readQuery(request.query).limit) : 0;
          const wide = limit > 100 && limit <= 1000;
          return wide ? grown(limit)(withQuery(request, { limit: '100' })) : next(request);
        };
      },
      { world: 'huge' },
    ],
  },
  '4.articles.list.limit': {
    'articles-default-limit-19': [
      'Without `limit` a page of GET /articles holds 19 articles, where `limit=20` gives 20.',
      onRequest('listArticles', ({ request, query }) =>
        query.limit === undefined ? withQuery(request, { limit: '19' }) : request,
      ),
      { verdict: 'warn' },
    ],
    'articles-limit-one-refused': [
      'GET /articles refuses `limit=1`, the smallest allowed, as out of range.',
      onRequest('listArticles', ({ request, query }) =>
        query.limit === '1' ? withQuery(request, { limit: '0' }) : request,
      ),
    ],
  },
  '8.articles-limit': {
    'articles-limit-ignored': [
      'A page of GET /articles holds 20 articles whatever `limit` says.',
      onPage((page) => cut({ ...page, limit: 20 })),
    ],
    'articles-limit-100-refused': [
      'GET /articles refuses `limit=100`, the largest allowed, as out of range.',
      onRequest('listArticles', ({ request, query }) =>
        query.limit === '100' ? withQuery(request, { limit: '101' }) : request,
      ),
    ],
  },
});

const answers = mutantsOf({
  '4.articles.list.endpoint': {
    'articles-cursor-absent-at-end': [
      'The last page of GET /articles has no `cursor` member instead of null.',
      onSuccess('listArticles', (body) => (isObject(body) && body.cursor === null ? drop('cursor')(body) : body)),
    ],
  },
  '4.articles.list.statuses': {
    'articles-204-when-empty': [
      'An empty page of GET /articles answers 204 without a body.',
      onSuccessAnswer('listArticles', (response) =>
        asText(response.body).startsWith('{"data":[]') ? { ...withStatus(response, 204), body: '' } : response,
      ),
    ],
    'articles-206-with-further-pages': [
      'A page of GET /articles with a further page behind it answers 206.',
      onSuccessAnswer('listArticles', (response) =>
        asText(response.body).endsWith('"cursor":null}') ? response : withStatus(response, 206),
      ),
    ],
    'articles-500-on-limit-text': [
      '`limit=abc` on GET /articles answers 500.',
      onAnswer('listArticles', (response, { query, organization }) =>
        organization && Number.isNaN(Number(query.limit ?? 1)) ? asCrash(response) : response,
      ),
    ],
    'articles-500-on-cursor-text': [
      'A `cursor` that is not a date-time makes GET /articles answer 500.',
      onAnswer('listArticles', (response, { query: { cursor }, organization }) =>
        organization && cursor !== undefined && Number.isNaN(Date.parse(cursor)) ? asCrash(response) : response,
      ),
    ],
    'articles-500-on-site-text': [
      'A `siteId` that is not a UUID makes GET /articles answer 500, as a database does that casts it.',
      onAnswer('listArticles', (response, { query: { siteId }, organization }) =>
        organization && siteId !== undefined && siteId.length !== 36 ? asCrash(response) : response,
      ),
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

export const articleMutants = [...walks, ...cursors, ...filters, ...limits, ...answers];
