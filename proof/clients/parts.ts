// A client on plain fetch, in parts. `mistakes.ts` replaces one part in each client. Written from the contract alone.

export interface Connection {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly signal: AbortSignal;
  saw(...records: unknown[]): void;
}

/** An attempt that did not succeed; the status is 0 without a complete response. */
export interface Failure {
  readonly status: number;
  readonly code: string;
  readonly headers: Headers;
  /** Counted from 1. */
  readonly attempt: number;
  readonly isWrite: boolean;
}

export interface Page {
  readonly items: Json[];
  readonly cursor: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: a client in JavaScript reads JSON without types.
export type Json = any;
export type Api = (method: string, path: string, body?: object) => Promise<Json>;

/** The parts in which a client can be wrong. */
export interface Parts {
  /** Milliseconds until the next attempt; null gives up. */
  retryInMs(failure: Failure): number | null;
  /** A query parameter, with its leading mark. */
  parameter(mark: string, name: string, value: string): string;
  segment(id: string): string;
  parse(response: Response): Promise<Json>;
  key(connection: Connection, failure: Failure | null): string;
  articlesPage(body: Json): Page;
  reviewsPage(body: Json): Page;
  /** Whether another page follows. */
  goesOn(page: Page, limit: number): boolean;
  instant(text: string): number;
  each(items: readonly Json[], work: (item: Json) => Promise<unknown>): Promise<void>;
  deliver(records: readonly Json[], before: readonly Json[]): Json[];
  poll(connection: Connection, api: Api, parts: Parts): Promise<void>;
  /** Runs a write and decides what becomes of its error. */
  write(work: () => Promise<Json>): Promise<Json>;
  /** The average of the ratings of an account; null without one. */
  average(ratings: readonly (number | null)[]): number | null;
  /** A total of insights, as the client shows it. */
  total(value: number): number;
  replyTo(review: Json): string;
  limits: { readonly articles: number; readonly calls: number };
  pollMs: number;
}

export const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const backOffMs = ({ attempt }: Pick<Failure, 'attempt'>) => 1_000 * 2 ** (attempt - 1);

export const attemptsMax = 5;

/** Section 7: 429, 502 and 503 with back-off, 429 as long as it states. A write without a response is left alone. */
export function retryInMs(failure: Failure): number | null {
  const { status, headers, attempt, isWrite } = failure;
  if (attempt >= attemptsMax) return null;
  if (status === 429) {
    const [after, reset] = [headers.get('retry-after'), headers.get('x-ratelimit-reset')];
    if (after !== null) return Number(after) * 1_000 + 50;
    return reset === null ? backOffMs(failure) : Math.max(Number(reset) - Date.now(), 0) + 50;
  }
  if (status === 502 || status === 503) return backOffMs(failure);
  return status === 0 && !isWrite ? backOffMs(failure) : null;
}

/** Section 6: one position, kept while nothing is new. */
export async function poll({ signal, saw }: Connection, api: Api, parts: Parts): Promise<void> {
  let since = new Date().toISOString();
  const before: Json[] = [];
  while (!signal.aborted) {
    const limit = parts.limits.calls;
    const query = parts.parameter('?', 'since', since) + parts.parameter('&', 'limit', String(limit));
    const { data } = await api('GET', `/connect/calls/log${query}`);
    const calls = parts.deliver(data.calls, before);
    before.push(...calls);
    saw(...calls.map(({ id }) => ({ call: id })));
    if (typeof data.nextCursor === 'string') since = data.nextCursor;
    if (data.calls.length < limit) await sleep(parts.pollMs);
  }
}

export const rightParts: Parts = {
  retryInMs,
  parameter: (mark, name, value) => `${mark}${name}=${encodeURIComponent(value)}`,
  segment: encodeURIComponent,
  parse: (response) => response.json(),
  key: ({ apiKey }) => apiKey,
  articlesPage: ({ data, cursor }) => ({ items: data, cursor }),
  reviewsPage: ({ data }) => ({ items: data.reviews, cursor: data.nextCursor ?? null }),
  goesOn: ({ cursor }) => cursor !== null,
  instant: readInstant,
  each: async (items, work) => {
    for (const item of items) await work(item);
  },
  deliver: (records) => [...records],
  poll,
  write: (work) => work(),
  average: (ratings) => {
    const known = ratings.filter((rating) => rating !== null);
    return known.length === 0 ? null : known.reduce((sum, rating) => sum + rating, 0) / known.length;
  },
  total: (value) => value,
  replyTo: ({ text }) => `You wrote: ${[...text].slice(0, 900).join('')}`,
  limits: { articles: 5, calls: 50 },
  pollMs: 60_000,
};

/** ISO 8601 allows more than `Date.parse` reads: the basic form, commas, missing seconds. */
export function readInstant(text: string): number {
  const match =
    /^(\d{4})-?(\d{2})-?(\d{2})T(\d{2}):?(\d{2})(?::?(\d{2})(?:[.,](\d+))?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/.exec(text);
  if (!match) throw new Error(`${text} is not a timestamp.`);
  const [, year, month, day, hour, minute, second = '0', fraction = '0', zone = 'Z'] = match;
  const minutes = zone.length > 3 ? Number(zone.slice(-2)) : 0;
  const offset = zone === 'Z' ? 0 : Number(`${zone[0]}1`) * (Number(zone.slice(1, 3)) * 60 + minutes);
  const ms = Math.floor(Number(`0.${fraction}`) * 1_000 + 1e-6);
  return Date.UTC(+(year ?? 0), +(month ?? 0) - 1, +(day ?? 0), +(hour ?? 0), +(minute ?? 0) - offset, +second, ms);
}

function createApi(connection: Connection, parts: Parts): Api {
  return async (method, path, body) => {
    let failure: Failure | null = null;
    for (let attempt = 1; ; attempt += 1) {
      const found: Failure | { body: Json } = await ask(connection, parts, { method, path, body, attempt, failure });
      if ('body' in found) return found.body;
      failure = found;
      const ms = parts.retryInMs(failure);
      if (ms === null) throw new Error(`${method} ${path}: ${failure.status} ${failure.code}`);
      await sleep(ms);
    }
  };
}

interface Attempt {
  readonly method: string;
  readonly path: string;
  readonly body: object | undefined;
  readonly attempt: number;
  readonly failure: Failure | null;
}

async function ask(
  connection: Connection,
  parts: Parts,
  { method, path, body, attempt, failure }: Attempt,
): Promise<Failure | { body: Json }> {
  const headers = { authorization: `Bearer ${parts.key(connection, failure)}`, 'content-type': 'application/json' };
  const init = body === undefined ? { method, headers } : { method, headers, body: JSON.stringify(body) };
  const isWrite = method !== 'GET';
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${connection.baseUrl}${path}`, init);
    text = await response.text();
  } catch {
    return { status: 0, code: 'network', headers: new Headers(), attempt, isWrite };
  }
  if (response.status === 200) return { body: await parts.parse(new Response(text, { headers: response.headers })) };
  const { error } = JSON.parse(text);
  const code = typeof error === 'string' ? error : error.code;
  return { status: response.status, code, headers: response.headers, attempt, isWrite };
}

/** Reads everything, writes once each, and polls until the end. */
export async function tour(connection: Connection, parts: Parts): Promise<void> {
  const api = createApi(connection, parts);
  const { saw } = connection;
  const { data: sites } = await api('GET', '/sites');
  saw(...sites.map(({ id }: Json) => ({ site: id })));
  const articles = await pages((cursor) => {
    const query = parts.parameter('?', 'limit', String(parts.limits.articles));
    const more = cursor === null ? '' : parts.parameter('&', 'cursor', cursor);
    return api('GET', `/articles${query}${more}`).then(parts.articlesPage);
  }, parts);
  for (const { id, createdAt } of articles) saw({ article: id, createdMs: parts.instant(createdAt) });
  await parts.each(articles, async ({ id }) => saw({ opened: (await api('GET', `/articles/${id}`)).data.id }));
  await parts.each(sites, async ({ id }) => {
    const { data } = await api('GET', `/keywords${parts.parameter('?', 'siteId', id)}`);
    saw(...data.map((keyword: Json) => ({ keyword: keyword.id })));
  });
  const { data } = await api('GET', '/connect/accounts');
  saw(...data.accounts.map(({ accountId }: Json) => ({ account: accountId })));
  for (const { accountId } of data.accounts) await visit(connection, { api, parts, accountId });
  await parts.write(() => api('POST', '/connect/accounts', { provider: 'tiktok', label: 'New shop' }));
  await parts.poll(connection, api, parts);
}

async function visit(
  { saw }: Connection,
  { api, parts, accountId }: { api: Api; parts: Parts; accountId: string },
): Promise<void> {
  const path = `/connect/accounts/${parts.segment(accountId)}`;
  const reviews = await pages((cursor) => {
    const more = cursor === null ? '' : parts.parameter('?', 'cursor', cursor);
    return api('GET', `${path}/reviews${more}`).then(parts.reviewsPage);
  }, parts);
  saw(...reviews.map(({ reviewId }) => ({ review: reviewId })));
  saw({ average: parts.average(reviews.map(({ rating }) => rating)) });
  const { data } = await api('GET', `${path}/insights`);
  saw({ totals: data.metrics.map(({ total }: Json) => parts.total(total)) });
  await parts.write(() => api('POST', `${path}/posts`, { text: `Open today at ${accountId}` }));
  const first = reviews.find(({ replyText }) => replyText === undefined);
  const reply = `${path}/reviews/${parts.segment(first?.reviewId ?? '')}/reply`;
  if (first) await parts.write(() => api('POST', reply, { text: parts.replyTo(first) }));
}

async function pages(read: (cursor: string | null) => Promise<Page>, parts: Parts): Promise<Json[]> {
  const items: Json[] = [];
  let cursor: string | null = null;
  for (;;) {
    const page: Page = await read(cursor);
    items.push(...parts.deliver(page.items, items));
    if (!parts.goesOn(page, parts.limits.articles)) return items;
    cursor = page.cursor;
  }
}
