// Responds to the requests of a browser under test by a mock, as a network would: a response, a failure, or half of a
// body.
import { type FetchHandler, NetworkFailure } from '../transports/fetch.ts';
import type { Casa } from './casa.ts';
import { internalsOf } from './engine-casa.ts';
import { blockUnroutable } from './playwright-in-page.ts';

/** The part of a browser context, or of a page, that is used here. */
export interface Routable {
  route(url: (url: URL) => boolean, handler: (route: PageRoute) => Promise<void>): Promise<unknown>;
  addInitScript(script: string): Promise<unknown>;
}

/** The part of Playwright's Route that is used here, so any version of it fits. */
export interface PageRoute {
  request(): {
    url(): string;
    method(): string;
    headers(): Readonly<Record<string, string>>;
    postDataBuffer(): Uint8Array | null;
  };
  fulfill(options?: {
    response?: Script;
    status?: number;
    headers?: { [name: string]: string };
    body?: string | Uint8Array;
  }): Promise<void>;
  abort(reason?: string): Promise<void>;
  fallback(): Promise<void>;
  fetch(options?: { url?: string }): Promise<Script>;
}

interface Script {
  text(): Promise<string>;
}

/** Playwright's names for the ways in which a network fails. */
const reasons: Readonly<Record<string, string>> = {
  reset: 'connectionreset',
  empty: 'connectionclosed',
  timeout: 'timedout',
};

/** The requests to one base URL, and the mock that responds to them until `end`. */
export class Routing {
  readonly casa: Casa;
  /** The replaced base URL, with a slash at its end. */
  readonly production: URL;
  /** The key for requests without one. */
  readonly key: string | null;
  /** Whether a request came here. */
  isUsed = false;
  readonly #stop = new AbortController();

  constructor(casa: Casa, replaces: string, addKey = false) {
    this.casa = casa;
    this.production = new URL(replaces.endsWith('/') ? replaces : `${replaces}/`);
    this.key = addKey ? casa.keys.good : null;
  }

  /** Aborts after the test. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  /** Responses under way are dropped. */
  end(): void {
    this.#stop.abort();
  }

  /** Returns the URL at the mock for one under the replaced base URL, and null for others. */
  move(url: string | URL): string | null {
    const { origin, pathname, search } = new URL(url);
    const { origin: ours, pathname: base } = this.production;
    if (origin !== ours || !pathname.startsWith(base)) return null;
    return `${this.casa.baseUrl}/${pathname.slice(base.length)}${search}`;
  }
}

/** In the query of a shared worker's script. */
const mark = 'casa-shared-worker';

/** Routes requests to the mock of the present routing; `now` returns null between tests. */
export async function routeRequests(routable: Routable, now: () => Routing | null): Promise<void> {
  await routable.route(
    (url) => Boolean(now()?.move(url)),
    async (route) => {
      const routing = now();
      await (routing === null ? route.fallback() : respondRoute(route, routing));
    },
  );
  const base = now()?.production.href;
  if (base === undefined) return;
  const block = `(${blockUnroutable})(${JSON.stringify(base)}, ${JSON.stringify(mark)});\n`;
  await routable.route(
    ({ searchParams }) => searchParams.has(mark),
    async (route) => {
      const url = new URL(route.request().url());
      url.searchParams.delete(mark);
      const response = await route.fetch({ url: url.href });
      await route.fulfill({ response, body: block + (await response.text()) });
    },
  );
  await routable.addInitScript(block);
}

/** Tells the handler when the page has the response: violations on retries need to know what the client knew. */
async function respondRoute(route: PageRoute, routing: Routing): Promise<void> {
  const { casa, signal } = routing;
  routing.isUsed = true;
  const arrival = createArrival();
  try {
    const handle: FetchHandler = internalsOf(casa)?.handler ?? ((request) => casa.fetch(request));
    const response = await handle(toRequest(route, routing), arrival.over);
    const body = await readWhatComes(response);
    const headers = Object.fromEntries(response.headers);
    if (!signal.aborted) await route.fulfill({ status: response.status, headers, body });
  } catch (error) {
    await giveUp(route, error, signal);
  } finally {
    arrival.settle();
  }
}

// Asked from here and not by the page: a browser would not let a route change from https to http.
function toRequest(route: PageRoute, routing: Routing): Request {
  const request = route.request();
  const body = request.postDataBuffer();
  return new Request(routing.move(request.url()) ?? routing.casa.baseUrl, {
    method: request.method(),
    headers: { ...(routing.key !== null && { authorization: `Bearer ${routing.key}` }), ...request.headers() },
    body: body === null ? null : new Uint8Array(body),
    signal: routing.signal,
  });
}

// A page cannot be given a response piece by piece: it gets what came before the body broke off, or the whole of a slow
// one at its end.
async function readWhatComes({ body }: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of body ?? []) chunks.push(chunk);
  } catch (error) {
    if (!isNetworkFailure(error)) throw error;
  }
  return Buffer.concat(chunks);
}

/** A requested network fault becomes Playwright's abort; every other error fails the test. */
async function giveUp(route: PageRoute, error: unknown, signal: AbortSignal): Promise<void> {
  // The test is over, and the page with it.
  if (signal.aborted || isPageGone(error)) return;
  if (!isNetworkFailure(error)) throw error;
  await route.abort(reasons[error.cause.kind] ?? 'failed').catch((late: unknown) => {
    if (!signal.aborted && !isPageGone(late)) throw late;
  });
}

function isNetworkFailure(error: unknown): error is TypeError & { readonly cause: NetworkFailure } {
  return error instanceof TypeError && error.cause instanceof NetworkFailure;
}

// Playwright reports it only in the message.
function isPageGone(error: unknown): boolean {
  return error instanceof Error && /has been closed|Test ended/.test(error.message);
}

/** A page has a response when its browser said so, and that is after it sent everything it sends at the same time. */
function createArrival(): { readonly over: Promise<void>; readonly settle: () => void } {
  let settle = () => {};
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return { over, settle: () => settle() };
}
