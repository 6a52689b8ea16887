// A client that calls every operation of a deployment and looks at everything, and the same client at the calibrated
// mock.
import { type OperationId, operations } from '../../src/contract/generated/operations.ts';
import type { Profile } from '../../src/contract/profile.ts';
import { createMock } from '../../src/index.ts';
import { type IndependentOptions, startIndependent } from '../independent/index.ts';

// biome-ignore lint/suspicious/noExplicitAny: any response of a deployment
export type Body = any;

/** A success. */
export interface Seen {
  readonly operation: OperationId;
  readonly body: Body;
  readonly query: URLSearchParams;
  /** Whether the account of the path has a reply by this client. */
  readonly hasReply: boolean;
}

export interface Observer<Facts> {
  see(seen: Seen): void;
  readonly facts: Facts;
}

/** Few records show no proportion. */
export const recordsMin = 5;

function operationOf(method: string, path: string): OperationId {
  const parts = path.slice(1).split('/');
  const fits = (segments: readonly string[]) =>
    segments.length === parts.length && segments.every((part, at) => part.startsWith('{') || part === parts[at]);
  const found = Object.values(operations).find((one) => one.method === method && fits(one.segments));
  if (found === undefined) throw new Error(`There is no operation ${method} ${path}.`);
  return found.id;
}

type Send = (path: string, init: RequestInit) => Promise<Response>;

async function visit(send: Send, key: string, see: (seen: Seen) => void): Promise<void> {
  let hasReply = false;
  const read = async (target: string, values?: object): Promise<Body> => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await send(target, { headers, ...(values && { method: 'POST', body: JSON.stringify(values) }) });
    const body = response.status === 200 ? await response.json() : null;
    const { pathname, searchParams: query } = new URL(target, 'http://x');
    if (body !== null) see({ operation: operationOf(values ? 'POST' : 'GET', pathname), body, query, hasReply });
    return body;
  };
  const pages = async (path: string) => {
    const firstTwo: Body[] = [];
    for (let target: string | null = path; target !== null; ) {
      const page: Body = (await read(target))?.data;
      firstTwo.push(...(page?.reviews.slice(0, 2) ?? []));
      target = typeof page?.nextCursor === 'string' ? `${path}?cursor=${encodeURIComponent(page.nextCursor)}` : null;
    }
    return firstTwo;
  };
  for (const { id } of (await read('/articles?limit=100')).data.slice(0, 20)) await read(`/articles/${id}`);
  for (const { id } of (await read('/sites')).data) {
    await read(`/sites/${id}`);
    await read(`/keywords?siteId=${id}`);
  }
  for (const { accountId, status, locked } of (await read('/connect/accounts')).data.accounts) {
    if (status !== 'connected' || locked) continue;
    const path = `/connect/accounts/${accountId}`;
    hasReply = false;
    for (const { reviewId } of await pages(`${path}/reviews`)) {
      const values = { accountId, reviewId, text: 'Thanks' };
      if (await read(`${path}/reviews/${encodeURIComponent(reviewId)}/reply`, values)) hasReply = true;
    }
    if (hasReply) await pages(`${path}/reviews`);
    for (let post = 0; post < recordsMin; post += 1) await read(`${path}/posts`, { accountId, text: 'Hello' });
    await read(`${path}/insights`);
  }
  for (let link = 0; link < recordsMin; link += 1)
    await read('/connect/accounts', { provider: 'tiktok', label: `Link ${link}` });
  for (const query of ['', '?since=2020-01-01T00:00:00Z&limit=200']) await read(`/connect/calls/log${query}`);
}

/** Returns the facts about a deployment, and about its calibrated mock. */
export async function visitBoth<Facts>(
  options: IndependentOptions,
  profile: Profile,
  observe: () => Observer<Facts>,
): Promise<[theirs: Facts, ours: Facts]> {
  const original = await startIndependent({ ...options, limits: false, now: () => Date.UTC(2026, 2, 10, 9) });
  const casa = await createMock({ profile, limits: false });
  const [theirs, ours] = [observe(), observe()];
  try {
    await visit((path, init) => fetch(`${original.baseUrl}${path}`, init), original.keys.good, theirs.see);
    await visit((path, init) => casa.fetch(path, init), casa.keys.good, ours.see);
    return [theirs.facts, ours.facts];
  } finally {
    await original.close();
  }
}
