import type { Independent } from './index.ts';
import { readInstant } from './time.ts';

/** A plain client for the tests; it throws where a chain breaks a rule of its own. */

export interface Got {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers are judged by the expectations below
  body: any;
}

/** With the good key, and JSON read whatever the type says. */
export async function get(server: Independent, path: string, init: RequestInit = {}): Promise<Got> {
  const headers = { authorization: `Bearer ${server.keys.good}`, 'content-type': 'application/json', ...init.headers };
  const answer = await fetch(server.baseUrl + path, { ...init, headers });
  return { status: answer.status, headers: answer.headers, body: await answer.json() };
}

/** Walks to the end; throws where the cursor is not the last item's createdAt. Cites 4.articles.list.cursor. */
export async function articles(server: Independent, query: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 200; page += 1) {
    const next: string = cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { body } = await get(server, `/articles?${query}${next}`);
    all.push(...body.data);
    const last = body.data.at(-1);
    cursor = body.cursor;
    if (cursor === null) return all;
    if (readInstant(cursor) !== readInstant(last.createdAt))
      throw new Error(`the cursor ${cursor} is not the last createdAt`);
  }
  throw new Error('the article chain does not end');
}
