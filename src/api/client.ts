// A typed client of the API that keeps sections 6 and 7: nobody has to write back-off, paging or polling again.
import { routes } from '../contract/generated/client-routes.ts';
import type { Article, Call, InputMap, ListCallsResponse, OutputMap, ReviewItem } from '../contract/generated/types.ts';
import { type PollOptions, pollCalls } from './poll-calls.ts';
import { type SendOptions, type Sleep, send, sleepOnTimers } from './send.ts';

type OperationId = keyof typeof routes;

export interface ClientOptions {
  /** Such as `https://api.example.com/api/v1`. */
  readonly baseUrl: string;
  /** The API key, or how to get it; asked for with each request. */
  readonly key: string | (() => string | Promise<string>);
  /** Instead of the system's, such as `casa.fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** How often a request is repeated at most where the contract allows it; 4 when absent. */
  readonly retries?: number | undefined;
  /** The longest wait, in milliseconds; two minutes when absent. A longer one is not waited for. */
  readonly waitMaxMs?: number | undefined;
  /** Instead of the system's timers: a test moves its mock's clock here. */
  readonly sleep?: Sleep | undefined;
  /** Instead of the system's clock, in epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

// Parameters with a default may be left out; so may the copy of a path value in a body, which the client adds.
type Preset = 'limit' | 'range';
type Wished<Input> = Omit<Input, Preset> & Partial<Pick<Input, Extract<keyof Input, Preset>>>;
type Arguments<Input> =
  Record<never, never> extends Wished<Input>
    ? [input?: Wished<Input>, options?: CallOptions]
    : [input: Wished<Input>, options?: CallOptions];

/** One method for each operation: it resolves with the body of the 200, and rejects with an `ApiError`. */
export type Operations = {
  readonly [Id in OperationId]: (...given: Arguments<InputMap[Id]>) => Promise<OutputMap[Id]>;
};

export interface Client extends Operations {
  /** All articles, page after page. */
  articles(
    filter?: { readonly siteId?: string; readonly limit?: number },
    options?: CallOptions,
  ): AsyncGenerator<Article>;
  /** All reviews of an account, page after page. */
  reviews(accountId: string, options?: CallOptions): AsyncGenerator<ReviewItem>;
  /** Every call that ends from now on, polled as section 6 says it, until the signal aborts or the loop is left. */
  calls(options?: PollOptions): AsyncGenerator<Call>;
}

/**
 * Makes a client.
 *
 * @example
 * const api = createClient({ baseUrl: 'https://api.example.com/api/v1', key });
 * for await (const article of api.articles({ siteId })) show(article);
 */
export function createClient(options: ClientOptions): Client {
  const sending: SendOptions = {
    // Called as a method of the global object: a browser's own fetch wants that.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleepOnTimers,
    retries: options.retries ?? 4,
    waitMaxMs: options.waitMaxMs ?? 120_000,
    now: options.now ?? Date.now,
  };
  const ask = createAsk(options, sending);
  const methods = Object.fromEntries(
    (Object.keys(routes) as OperationId[]).map((id) => [
      id,
      (input: object = {}, { signal }: CallOptions = {}) => ask(id, input as Values, signal),
    ]),
  ) as unknown as Operations;
  return {
    ...methods,
    articles: (filter = {}, { signal } = {}) =>
      walk(async (cursor) => {
        const page = await methods.listArticles({ ...filter, ...(cursor !== null && { cursor }) }, { signal });
        return { items: page.data, cursor: page.cursor };
      }),
    reviews: (accountId, { signal } = {}) =>
      walk(async (cursor) => {
        const { data } = await methods.listReviews({ accountId, ...(cursor !== null && { cursor }) }, { signal });
        return { items: data.reviews, cursor: data.nextCursor ?? null };
      }),
    calls: (poll = {}) =>
      pollCalls(poll, {
        list: (since, limit, signal) => methods.listCalls({ since, limit }, { signal }) as Promise<ListCallsResponse>,
        sleep: sending.sleep,
        now: sending.now,
      }),
  };
}

type Values = Readonly<Record<string, unknown>>;

function createAsk({ baseUrl, key }: ClientOptions, sending: SendOptions) {
  const base = baseUrl.replace(/\/$/, '');
  return async (id: OperationId, input: Values, signal: AbortSignal | undefined): Promise<unknown> => {
    const { method, path, query, hasBody } = routes[id];
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input[name])));
    const asked = query.filter((name) => input[name] !== undefined);
    const search = asked.map((name) => `${name}=${encodeURIComponent(String(input[name]))}`).join('&');
    const authorization = `Bearer ${typeof key === 'string' ? key : await key()}`;
    return send(
      {
        url: `${base}${place}${search === '' ? '' : `?${search}`}`,
        init: {
          method,
          headers: { authorization, ...(hasBody && { 'content-type': 'application/json' }) },
          ...(hasBody && { body: JSON.stringify(input) }),
        },
        isWrite: hasBody,
        signal,
      },
      sending,
    );
  };
}

interface Page<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null;
}

/** Page after page, until there is no cursor any more. A cursor that comes a second time would have no end. */
async function* walk<Item>(read: (cursor: string | null) => Promise<Page<Item>>): AsyncGenerator<Item, void> {
  const seen = new Set<string>();
  let cursor: string | null = null;
  do {
    const page: Page<Item> = await read(cursor);
    yield* page.items;
    cursor = page.cursor;
    if (cursor !== null && seen.has(cursor)) throw new Error(`The cursor ${cursor} came twice: the pages have no end.`);
    if (cursor !== null) seen.add(cursor);
  } while (cursor !== null);
}
