// A typed client of the API that follows sections 6 and 7, with back-off, paging and polling.
import { routes } from '../contract/generated/client-routes.ts';
import type { Article, Call, InputMap, ListCallsResponse, OutputMap, ReviewItem } from '../contract/generated/types.ts';
import { type PollOptions, pollCalls, pollDeadlineMs } from './poll-calls.ts';
import { type Retry, type SendOptions, type Sleep, send, sleepOnTimers } from './send.ts';

type OperationId = keyof typeof routes;

export interface ClientOptions {
  /** With the version segment, for example `https://api.example.com/api/v1`. */
  readonly baseUrl: string;
  /** The API key, or a function that is called before each request. */
  readonly key: string | (() => string | Promise<string>);
  /** Further headers of each request, for example of a trace. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Replaces the global `fetch`, for example by `casa.fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Maximum number of retries, where the contract allows them; default 3. */
  readonly retries?: number | undefined;
  /**
   * Time limit of a call with retries and waits, in milliseconds; default 15,000. If a wait would exceed it, the call
   * rejects at once.
   */
  readonly deadlineMs?: number | undefined;
  /** Called before each wait, to show the reason. */
  readonly onRetry?: ((retry: Retry) => void) | undefined;
  /** Replaces the timers, for example by moving a mock's clock. */
  readonly sleep?: Sleep | undefined;
  /** Replaces `Date.now`; returns epoch milliseconds. */
  readonly now?: (() => number) | undefined;
}

export interface CallOptions {
  /** Aborts the call, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the limit of the client, for this call or each page of a list. */
  readonly deadlineMs?: number | undefined;
}

// Parameters with a default are optional; so is the copy of a path value in a body, which the client adds.
type Preset = 'limit' | 'range';
type Wished<Input> = Omit<Input, Preset> & Partial<Pick<Input, Extract<keyof Input, Preset>>>;
type Arguments<Input> =
  Record<never, never> extends Wished<Input>
    ? [input?: Wished<Input>, options?: CallOptions]
    : [input: Wished<Input>, options?: CallOptions];

/** One method for each operation. It resolves with the body of the 200, and rejects with an `ApiError`. */
export type Operations = {
  readonly [Id in OperationId]: (...given: Arguments<InputMap[Id]>) => Promise<OutputMap[Id]>;
};

export interface Client extends Operations {
  /** Returns all articles, page by page. Throws an `ApiError`. */
  articles(
    filter?: { readonly siteId?: string; readonly limit?: number },
    options?: CallOptions,
  ): AsyncGenerator<Article>;
  /** Returns all reviews of an account, page by page. Throws an `ApiError`. */
  reviews(accountId: string, options?: CallOptions): AsyncGenerator<ReviewItem>;
  /** Returns every call that ends from now on, polled as section 6 states, until the signal aborts or the loop ends. */
  calls(options?: PollOptions): AsyncGenerator<Call>;
}

/**
 * Returns a client that retries, waits and polls as sections 6 and 7 of the contract state. Throws a TypeError without
 * a base URL or key.
 *
 * @example
 * const api = createClient({ baseUrl: 'https://api.example.com/api/v1', key });
 * for await (const article of api.articles({ siteId })) show(article);
 */
export function createClient(options: ClientOptions): Client {
  const sending: SendOptions = {
    // Called as a method of the global object, as a browser's own fetch requires.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    sleep: options.sleep ?? sleepOnTimers,
    retries: options.retries ?? 3,
    onRetry: options.onRetry ?? (() => {}),
    now: options.now ?? Date.now,
  };
  const ask = createAsk(options, sending);
  const methods = Object.fromEntries(
    (Object.keys(routes) as OperationId[]).map((id) => [
      id,
      (input: object = {}, call: CallOptions = {}) => ask(id, input as Values, call),
    ]),
  ) as unknown as Operations;
  return {
    ...methods,
    articles: (filter = {}, call) =>
      walk(async (cursor) => {
        const page = await methods.listArticles({ ...filter, ...(cursor !== null && { cursor }) }, call);
        return { items: page.data, cursor: page.cursor };
      }),
    reviews: (accountId, call) =>
      walk(async (cursor) => {
        const { data } = await methods.listReviews({ accountId, ...(cursor !== null && { cursor }) }, call);
        return { items: data.reviews, cursor: data.nextCursor ?? null };
      }),
    calls: (poll = {}) =>
      pollCalls(poll, {
        list: (since, limit, signal) =>
          methods.listCalls({ since, limit }, { signal, deadlineMs: pollDeadlineMs }) as Promise<ListCallsResponse>,
        sleep: sending.sleep,
        now: sending.now,
      }),
  };
}

type Values = Readonly<Record<string, unknown>>;

const usualDeadlineMs = 15_000;

function createAsk(options: ClientOptions, sending: SendOptions) {
  const { baseUrl, key, headers, deadlineMs: own = usualDeadlineMs } = options;
  // In JavaScript both often come from an environment variable that is not set.
  if (!baseUrl || !key) throw new TypeError(`createClient needs ${baseUrl ? 'a key' : 'a baseUrl'}. Pass a string.`);
  const base = baseUrl.replace(/\/$/, '');
  return async (id: OperationId, input: Values, { signal, deadlineMs = own }: CallOptions): Promise<unknown> => {
    const { method, path, query, hasBody } = routes[id];
    const place = path.replace(/\{(\w+)\}/g, (_, name: string) => {
      // In JavaScript, an argument of another form would become the path "undefined".
      if (input[name] === undefined) throw new TypeError(`${id} needs ${name}: api.${id}({ ${name} }).`);
      return encodeURIComponent(String(input[name]));
    });
    const asked = query.filter((name) => input[name] !== undefined);
    const search = asked.map((name) => `${name}=${encodeURIComponent(String(input[name]))}`).join('&');
    return send(
      {
        url: `${base}${place}${search === '' ? '' : `?${search}`}`,
        init: async () => ({
          method,
          headers: {
            ...headers,
            authorization: `Bearer ${typeof key === 'string' ? key : await key()}`,
            ...(hasBody && { 'content-type': 'application/json' }),
          },
          ...(hasBody && { body: JSON.stringify(input) }),
        }),
        isWrite: hasBody,
        deadlineMs,
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
