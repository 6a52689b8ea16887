// Pages of articles as a wrong server would cut them. Only what a mutant changes differs from the mock's own cut.
import type { Article } from '../../contract/generated/types.ts';
import { parseInstant } from '../../contract/instants.ts';
import type { Wrap } from './mutant.ts';
import { type KeyedExchange, onSuccess } from './recipes.ts';
import type { Json } from './rewrite.ts';

/** A request for a page that the mock has granted, and what it would be cut from. */
export interface PageRequest {
  /** The articles that the filter lets through, newest first. */
  readonly rows: readonly Article[];
  readonly limit: number;
  /** Where the page starts in `rows`. */
  readonly start: number;
  readonly cursor: string | undefined;
  readonly siteId: string | undefined;
  /** All articles of the organization, newest first. */
  readonly all: readonly Article[];
}

/** The body of an answer of `listArticles`. */
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
  const instant = cursor === undefined ? null : parseInstant(cursor);
  if (instant === null) return 0;
  const start = rows.findIndex(({ createdAt }) => (parseInstant(createdAt) ?? 0n) < instant);
  return start === -1 ? rows.length : start;
}

/** Cuts pages in another way. */
export function onPage(recut: (page: PageRequest) => Page): Wrap {
  return onSuccess('listArticles', (_body, exchange) => recut(readPage(exchange)) as unknown as Json);
}

/** Cuts pages in another way, and only those that follow another one. */
export function onLaterPage(recut: (page: PageRequest) => Page): Wrap {
  return onPage((page) => (page.cursor === undefined ? cut(page) : recut(page)));
}

/** Reads the request as the mock has read it: only granted ones come here. */
function readPage({ query, organization }: KeyedExchange): PageRequest {
  const { cursor, siteId } = query;
  const all = organization.articles.toData();
  const rows = siteId === undefined ? all : all.filter((row) => row.siteId.toLowerCase() === siteId.toLowerCase());
  return { rows, all, cursor, siteId, limit: Number(query.limit ?? 20), start: startOf(rows, cursor) };
}
