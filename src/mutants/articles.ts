// GET /articles walked, filtered and limited wrongly. Cites 4.articles.list.*, 8.articles-limit.
import type { Article } from '../contract/generated/types.ts';
import { readQuery } from '../http/query.ts';
import { basePath } from '../http/route.ts';
import { cut, onLaterPage, onPage, type PageRequest, startOf } from './article-pages.ts';
import { drop } from './hooks/json-path.ts';
import type { Mutant } from './hooks/mutant.ts';
import { onAnswer, onRequest, onSuccess, onSuccessAnswer } from './hooks/recipes.ts';
import { asRefusal, asSuccess, isObject, type Json, withHeader, withQuery, withStatus } from './hooks/rewrite.ts';

const from = (page: PageRequest, start: number) => cut({ ...page, start: Math.max(0, start) });

/** An article of another site that is older than the cursor, which the filter should keep out. */
function leaked({ all, siteId, cursor }: PageRequest): Article | undefined {
  return all.slice(startOf(all, cursor)).find((row) => row.siteId !== siteId);
}

function byTime(rows: readonly Article[]): Article[] {
  return [...rows].sort((a, b) => Date.parse(b.createdAt) - Date.parse(a.createdAt));
}

const walks: readonly Mutant[] = [
  {
    name: 'articles-row-lost-at-page-edge',
    breaks: '4.articles.list.walk',
    shows: 'The first article after each cursor of GET /articles never comes; in one large page it is there.',
    wrap: onLaterPage((page) => from(page, page.start + 1)),
  },
  {
    name: 'articles-row-lost-on-third-page',
    breaks: '4.articles.list.walk',
    shows: 'A walk with the default limit loses one article, at the edge before the third page.',
    wrap: onLaterPage((page) => from(page, page.start + (page.start >= 40 ? 1 : 0))),
  },
  {
    name: 'articles-row-lost-inside-a-page',
    breaks: '4.articles.list.walk',
    shows: 'With a limit of 20 or less the 35th article never comes; in one large page it is there.',
    wrap: onPage((page) => {
      const { data, cursor } = cut(page);
      return { data: page.limit > 20 ? data : data.filter((row) => row !== page.all[34]), cursor };
    }),
  },
  {
    name: 'articles-row-repeated-at-page-edge',
    breaks: '4.articles.list.walk',
    shows: 'Each page of GET /articles begins with the article that the page before ended with.',
    wrap: onLaterPage((page) => from(page, page.start - 1)),
  },
  {
    name: 'articles-row-repeated-on-last-page',
    breaks: '4.articles.list.walk',
    shows: 'The last page of GET /articles begins with an article of the page before.',
    wrap: onLaterPage((page) => from(page, page.start - (page.start + page.limit >= page.rows.length ? 1 : 0))),
  },
  {
    name: 'articles-row-lost-in-filter',
    breaks: '4.articles.list.walk',
    shows: 'With `siteId` the last article of that site never comes; without the filter it does.',
    wrap: onPage((page) => cut(page.siteId === undefined ? page : { ...page, rows: page.rows.slice(0, -1) })),
  },
  {
    name: 'articles-never-end',
    breaks: '4.articles.list.end',
    shows: 'After the last article GET /articles goes on giving empty pages with the same cursor, never null.',
    wrap: onPage((page) => {
      const { data } = cut(page);
      return { data, cursor: data.at(-1)?.createdAt ?? page.cursor ?? page.all.at(-1)?.createdAt ?? null };
    }),
  },
  {
    name: 'articles-last-cursor-starts-over',
    breaks: '4.articles.list.end',
    shows: 'Behind the cursor of the last page of GET /articles the walk starts over, and so never ends.',
    wrap: onPage((page) => {
      const last = page.rows.at(-1);
      const over = page.cursor !== undefined && page.start >= page.rows.length;
      const { data, cursor } = cut(over ? { ...page, start: 0 } : page);
      return { data, cursor: cursor ?? last?.createdAt ?? null };
    }),
  },
  {
    name: 'articles-cursor-ignored-in-filter',
    breaks: '4.articles.list.cursor',
    shows: 'With `siteId` the `cursor` of GET /articles has no effect: every page is the first one.',
    wrap: onPage((page) => cut(page.siteId === undefined ? page : { ...page, start: 0 })),
  },
  {
    name: 'articles-cursor-against-updated-at',
    breaks: '4.articles.list.cursor',
    shows:
      '`cursor` of GET /articles is compared with `updatedAt`: articles edited after it are missing from later pages.',
    wrap: onLaterPage((page) => {
      const rows = page.rows.filter(({ updatedAt }) => Date.parse(updatedAt) < Date.parse(page.cursor ?? ''));
      return cut({ rows, start: 0, limit: page.limit });
    }),
  },
];

const cursors: readonly Mutant[] = [
  {
    name: 'articles-cursor-of-first',
    breaks: '4.articles.list.cursor-value',
    shows: '`cursor` of GET /articles is the `createdAt` of the first article of the page.',
    wrap: onSuccess('listArticles', (body) => withCursor(body, (rows) => rows[0]?.createdAt)),
  },
  {
    name: 'articles-cursor-of-next',
    breaks: '4.articles.list.cursor-value',
    shows: '`cursor` of GET /articles is the `createdAt` of the article that the next page should begin with.',
    wrap: onPage((page) => {
      const { data, cursor } = cut(page);
      return { data, cursor: cursor && (page.rows[page.start + page.limit]?.createdAt ?? null) };
    }),
  },
  {
    name: 'articles-cursor-whole-seconds',
    breaks: '4.articles.list.cursor-value',
    shows: '`cursor` of GET /articles is the `createdAt` of the last article without its milliseconds.',
    wrap: onSuccess('listArticles', (body) => withCursor(body, (rows) => `${rows.at(-1)?.createdAt?.slice(0, 19)}Z`)),
  },
  {
    name: 'articles-cursor-of-updated-at',
    breaks: '4.articles.list.cursor-value',
    shows: '`cursor` of GET /articles is the `updatedAt` of the last article.',
    wrap: onSuccess('listArticles', (body) => withCursor(body, (rows) => rows.at(-1)?.updatedAt)),
  },
  {
    name: 'articles-cursor-opaque',
    breaks: '4.articles.list.cursor-value',
    shows: '`cursor` of GET /articles is an opaque token, which leads on correctly but is no `createdAt`.',
    wrap: (next, context) => {
      const toToken = (body: Json) => withCursor(body, (rows) => `page-${btoa(rows.at(-1)?.createdAt ?? '')}`);
      const told = onSuccess('listArticles', toToken);
      const read = onRequest('listArticles', ({ request, query: { cursor } }) =>
        cursor?.startsWith('page-') ? withQuery(request, { cursor: atob(cursor.slice(5)) }) : request,
      );
      return read(told(next, context), context);
    },
  },
];

const filters: readonly Mutant[] = [
  {
    name: 'articles-filter-ignored',
    breaks: '4.articles.list.site-id',
    shows: '`siteId` has no effect on GET /articles.',
    wrap: onRequest('listArticles', ({ request }) => withQuery(request, { siteId: null })),
  },
  {
    name: 'articles-filter-lost-on-later-pages',
    breaks: '4.articles.list.site-id',
    shows: '`siteId` filters the first page of GET /articles only.',
    wrap: onRequest('listArticles', ({ request, query: { cursor } }) =>
      cursor === undefined ? request : withQuery(request, { siteId: null }),
    ),
  },
  {
    name: 'articles-filter-leaks-on-second-page',
    breaks: '4.articles.list.site-id',
    shows: 'With `siteId` one article of another site stands on the page behind a cursor; the first page is right.',
    wrap: onLaterPage((page) => {
      const extra = page.siteId === undefined ? undefined : leaked(page);
      if (!extra) return cut(page);
      const rows = byTime([...page.rows, extra]);
      return cut({ rows, limit: page.limit, start: startOf(rows, page.cursor) });
    }),
  },
];

const limits: readonly Mutant[] = [
  {
    name: 'articles-default-limit-25',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'Without `limit` a page of GET /articles holds 25 articles.',
    wrap: onRequest('listArticles', ({ request, query }) =>
      query.limit === undefined ? withQuery(request, { limit: '25' }) : request,
    ),
  },
  {
    name: 'articles-default-limit-19',
    breaks: '4.articles.list.limit',
    shows: 'Without `limit` a page of GET /articles holds 19 articles, where `limit=20` gives 20.',
    verdict: 'warn',
    wrap: onRequest('listArticles', ({ request, query }) =>
      query.limit === undefined ? withQuery(request, { limit: '19' }) : request,
    ),
  },
  {
    name: 'articles-limit-one-gives-two',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'GET /articles with `limit=1` gives two articles.',
    wrap: onRequest('listArticles', ({ request, query }) =>
      query.limit === '1' ? withQuery(request, { limit: '2' }) : request,
    ),
  },
  {
    name: 'articles-limit-plus-one',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'A page of GET /articles holds one article more than `limit` while there is a further page.',
    wrap: onPage((page) => cut(page.start + page.limit < page.rows.length ? { ...page, limit: page.limit + 1 } : page)),
  },
  {
    name: 'articles-limit-ignored',
    breaks: '8.articles-limit',
    shows: 'A page of GET /articles holds 20 articles whatever `limit` says.',
    wrap: onPage((page) => cut({ ...page, limit: 20 })),
  },
  {
    name: 'articles-limit-100-refused',
    breaks: '8.articles-limit',
    shows: 'GET /articles refuses `limit=100`, the largest allowed, as out of range.',
    wrap: onRequest('listArticles', ({ request, query }) =>
      query.limit === '100' ? withQuery(request, { limit: '101' }) : request,
    ),
  },
  {
    name: 'articles-limit-one-refused',
    breaks: '4.articles.list.limit',
    shows: 'GET /articles refuses `limit=1`, the smallest allowed, as out of range.',
    wrap: onRequest('listArticles', ({ request, query }) =>
      query.limit === '1' ? withQuery(request, { limit: '0' }) : request,
    ),
  },
  {
    name: 'articles-limit-1000-honoured',
    breaks: '4.articles.list.limit-ceiling',
    shows: 'GET /articles gives up to 1000 articles when asked for so many.',
    world: 'huge',
    wrap: (next, context) => {
      const grown = (limit: number) => onPage((page) => cut({ ...page, limit }))(next, context);
      return (request) => {
        const limit = request.path === `${basePath}/articles` ? Number(readQuery(request.query).limit) : 0;
        const wide = limit > 100 && limit <= 1000;
        return wide ? grown(limit)(withQuery(request, { limit: '100' })) : next(request);
      };
    },
  },
];

const answers: readonly Mutant[] = [
  {
    name: 'articles-cursor-absent-at-end',
    breaks: '4.articles.list.endpoint',
    shows: 'The last page of GET /articles has no `cursor` member instead of null.',
    wrap: onSuccess('listArticles', (body) => (isObject(body) && body.cursor === null ? drop('cursor')(body) : body)),
  },
  {
    name: 'articles-bare-array',
    breaks: '4.articles.list.endpoint',
    shows: 'GET /articles answers a bare array, with the cursor in a header.',
    wrap: onSuccessAnswer('listArticles', (response) => {
      const { data, cursor } = JSON.parse(asText(response.body)) as { data: Json; cursor: string | null };
      return withHeader(asSuccess(response, data), 'x-next-cursor', cursor ?? '');
    }),
  },
  {
    name: 'articles-null-when-empty',
    breaks: '4.articles.list.endpoint',
    shows: 'An empty page of GET /articles has `data` null instead of an empty array.',
    wrap: onSuccess('listArticles', (body) =>
      isObject(body) && Array.isArray(body.data) && body.data.length === 0 ? { ...body, data: null } : body,
    ),
  },
  {
    name: 'articles-204-when-empty',
    breaks: '4.articles.list.statuses',
    shows: 'An empty page of GET /articles answers 204 without a body.',
    wrap: onSuccessAnswer('listArticles', (response) =>
      asText(response.body).startsWith('{"data":[]') ? { ...withStatus(response, 204), body: '' } : response,
    ),
  },
  {
    name: 'articles-206-with-further-pages',
    breaks: '4.articles.list.statuses',
    shows: 'A page of GET /articles with a further page behind it answers 206.',
    wrap: onSuccessAnswer('listArticles', (response) =>
      asText(response.body).endsWith('"cursor":null}') ? response : withStatus(response, 206),
    ),
  },
  {
    name: 'articles-500-on-limit-text',
    breaks: '4.articles.list.statuses',
    shows: '`limit=abc` on GET /articles answers 500.',
    wrap: onAnswer('listArticles', (response, { query, organization }) =>
      organization && Number.isNaN(Number(query.limit ?? 1)) ? crash(response) : response,
    ),
  },
  {
    name: 'articles-500-on-cursor-text',
    breaks: '4.articles.list.statuses',
    shows: 'A `cursor` that is no date-time makes GET /articles answer 500.',
    wrap: onAnswer('listArticles', (response, { query: { cursor }, organization }) =>
      organization && cursor !== undefined && Number.isNaN(Date.parse(cursor)) ? crash(response) : response,
    ),
  },
  {
    name: 'articles-500-on-site-text',
    breaks: '4.articles.list.statuses',
    shows: 'A `siteId` that is no UUID makes GET /articles answer 500, as a database does that casts it.',
    wrap: onAnswer('listArticles', (response, { query: { siteId }, organization }) =>
      organization && siteId !== undefined && siteId.length !== 36 ? crash(response) : response,
    ),
  },
];

function crash(response: Parameters<typeof asRefusal>[0]) {
  return asRefusal(response, 500, { code: 'internal_error', message: 'Something went wrong.' });
}

function asText(body: string | Uint8Array): string {
  return typeof body === 'string' ? body : new TextDecoder().decode(body);
}

/** Another text for a cursor that is there; none where the mock has none. */
function withCursor(body: Json, cursorOf: (rows: readonly Article[]) => string | undefined): Json {
  if (!isObject(body) || typeof body.cursor !== 'string') return body;
  return { ...body, cursor: cursorOf(body.data as unknown as Article[]) ?? null };
}

export const articleListMutants: readonly Mutant[] = [...walks, ...cursors, ...filters, ...limits, ...answers];
