// Responds to the requests of a page under test by a mock, as a network would: a response, a failure, or half of a
// body.
import { type FetchHandler, NetworkFailure } from '../transports/fetch.ts';
import type { Casa } from './casa.ts';
import { checkBaseUrl } from './check-options.ts';
import { handlerOf } from './engine-casa.ts';

/** The part of a page, or of a browser context, that is used here. */
export interface RoutablePage {
  route(url: (url: URL) => boolean, handler: (route: PageRoute) => Promise<void>): Promise<unknown>;
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
    status?: number;
    headers?: { [name: string]: string };
    body?: string | Uint8Array;
  }): Promise<void>;
  abort(reason?: string): Promise<void>;
}

/** Playwright's names for the ways in which a network fails. */
const reasons: Readonly<Record<string, string>> = {
  reset: 'connectionreset',
  empty: 'connectionclosed',
  timeout: 'timedout',
};

/** `production` is the base URL that is replaced; `key` is for requests without one; `signal` aborts after the test. */
interface Routing {
  readonly key: string | null;
  readonly casa: Casa;
  readonly production: URL;
  readonly signal: AbortSignal;
}

/** Begins to respond to; the function that it gives back ends that. Responses under way are then dropped. */
export async function beginRouting(
  page: RoutablePage,
  casa: Casa,
  { replaces: baseUrl, addKey = false }: { readonly replaces: string; readonly addKey?: boolean | undefined },
): Promise<() => void> {
  checkBaseUrl('routeToCasa', baseUrl);
  const production = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const stop = new AbortController();
  const isOurs = ({ origin, pathname }: URL): boolean =>
    origin === production.origin && pathname.startsWith(production.pathname);
  const routing = { casa, production, key: addKey ? casa.keys.good : null, signal: stop.signal };
  await page.route(isOurs, (route) => respondRoute(route, routing));
  return () => stop.abort();
}

/** Tells the handler when the page has the response: violations on retries need to know what the client knew. */
async function respondRoute(route: PageRoute, routing: Routing): Promise<void> {
  const { casa, signal } = routing;
  const arrival = createArrival();
  try {
    const handle: FetchHandler = handlerOf(casa) ?? ((request) => casa.fetch(request));
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
function toRequest(route: PageRoute, { casa, production, key, signal }: Routing): Request {
  const request = route.request();
  const { pathname, search } = new URL(request.url());
  const body = request.postDataBuffer();
  return new Request(`${casa.baseUrl}/${pathname.slice(production.pathname.length)}${search}`, {
    method: request.method(),
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...request.headers() },
    body: body === null ? null : new Uint8Array(body),
    signal,
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
