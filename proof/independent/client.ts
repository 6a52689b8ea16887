import { request } from 'node:http';
import type { Independent } from './index.ts';
import { readInstant } from './time.ts';

/** A plain client for the smoke tests; it throws where a chain breaks a rule of its own. */

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

/** A text is sent as it is, so that a test can send what is not JSON. */
export function post(server: Independent, path: string, body: unknown): Promise<Got> {
  return get(server, path, { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) });
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

/** Walks to the end as section 6 has it; each call as text, so that a change shows. */
export async function calls(server: Independent, limit: number, since: string): Promise<string[]> {
  const all: string[] = [];
  let position = since;
  for (let page = 0; page < 300; page += 1) {
    const { body } = await get(server, `/connect/calls/log?limit=${limit}&since=${encodeURIComponent(position)}`);
    all.push(...body.data.calls.map((call: unknown) => JSON.stringify(call)));
    if ((body.data.nextCursor === null) !== (body.data.calls.length === 0)) throw new Error('cursor and page disagree');
    if (body.data.nextCursor === null) return all;
    position = body.data.nextCursor;
    if (readInstant(position) === undefined) throw new Error(`${position} is not a date-time`);
  }
  throw new Error('the call chain does not end');
}

/** Walks to the end, whichever way the pages end (R14). */
export async function reviews(server: Independent, id: string): Promise<Record<string, unknown>[]> {
  const all: Record<string, unknown>[] = [];
  let query = '';
  for (let page = 0; page < 50; page += 1) {
    const { status, body } = await get(server, `/connect/accounts/${id}/reviews${query}`);
    if (status !== 200) throw new Error(`reviews answered ${status}`);
    all.push(...body.data.reviews);
    if (typeof body.data.nextCursor !== 'string') return all;
    query = `?cursor=${encodeURIComponent(body.data.nextCursor)}`;
  }
  throw new Error('the review chain does not end');
}

/** Sends a body of that many bytes, with or without a declared length, and reads the answer to its end. */
export function upload(
  server: Independent,
  bytes: number,
  chunked: boolean,
): Promise<{ status: number; text: string }> {
  const text = `{"provider":"tiktok","label":"x"${' '.repeat(bytes - 33)}}`;
  const headers: Record<string, string> = {
    authorization: `Bearer ${server.keys.good}`,
    'content-type': 'application/json',
    ...(chunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': String(bytes) }),
  };
  return new Promise((resolve, reject) => {
    const outgoing = request(`${server.baseUrl}/connect/accounts`, { method: 'POST', headers }, (answer) => {
      let read = '';
      answer.on('data', (chunk: Buffer) => {
        read += chunk.toString('latin1');
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text: read }));
    });
    outgoing.on('error', reject);
    for (let from = 0; from < text.length; from += 500_000) outgoing.write(text.slice(from, from + 500_000));
    outgoing.end();
  });
}
