// Fixtures for Playwright's test runner: `export const test = base.extend<CasaFixtures>(casaFixtures)`. Playwright
// itself is not imported; this file declares the used parts. It reads the requested fixtures from the parameter
// patterns of these functions.

import { optional, text } from '../admin/shape.ts';
import { type FetchHandler, NetworkFailure } from '../transports/fetch.ts';
import type { Casa } from './casa.ts';
import { check, checkBaseUrl, checkMockOptions } from './check-options.ts';
import { type ConnectedCasa, type ConnectOptions, connectMock } from './connect-mock.ts';
import { handlerOf } from './engine-casa.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export type { Casa, ConnectedCasa, PageRoute, RoutablePage };

/** Options of `startMock`, and the base URL that the pages use. The clock runs by default. */
export interface CasaOptions extends StartMockOptions {
  /**
   * The base URL that the pages under test use, such as `https://api.example.com/api/v1`: the mock responds to their
   * requests. Without it, the pages must use `casa.baseUrl`.
   */
  readonly replaces?: string | undefined;
  /**
   * Whether the mock adds its key to requests of the page that have none, as a server does in production. Default
   * false: such requests return 401.
   */
  readonly addKey?: boolean | undefined;
}

/** The fixtures of `casaFixtures`. */
export interface CasaFixtures {
  /** The mock of the test, on its own port. */
  casa: Casa;
  /** Set it with `test.use({ casaOptions: { world: 'empty' } })`. */
  casaOptions: CasaOptions;
}

/**
 * Routes a page's requests to a base URL to a mock, until the page is closed. The page sees the responses as coming
 * from that base URL, and network faults as failures of the network; a truncated body arrives as its first half.
 *
 * @example
 * await routeToCasa(page, casa, 'https://api.example.com/api/v1');
 */
export async function routeToCasa(page: RoutablePage, casa: Casa, baseUrl: string): Promise<void> {
  await beginRouting(page, casa, { replaces: baseUrl });
}

type Use<T> = (value: T) => Promise<void>;

/** Started by the first test that uses it, closed after the last. */
async function provideMock({ casaOptions }: Pick<CasaFixtures, 'casaOptions'>, use: Use<Casa>): Promise<void> {
  // A page has its own clock, and starts to poll at the current time.
  checkMockOptions('casaOptions', casaOptions, ['port', 'host', 'cors', 'replaces', 'addKey']);
  const { addKey: _, ...options } = casaOptions;
  const casa = await startMock({ clock: 'running', ...options });
  await use(casa);
  await casa.close();
}

/** The runner's own page, with its requests routed to the mock if `replaces` is set. */
async function providePage<Page extends RoutablePage>(
  { page, casa, casaOptions }: { page: Page } & CasaFixtures,
  use: Use<Page>,
): Promise<void> {
  const { replaces, addKey } = casaOptions;
  const end = replaces === undefined ? null : await beginRouting(page, casa, { replaces, addKey });
  await use(page);
  end?.();
}

/**
 * A mock for each test.
 *
 * @example
 * export const test = base.extend<CasaFixtures>(casaFixtures);
 * test.use({ casaOptions: { replaces: 'https://api.example.com/api/v1' } });
 */
export const casaFixtures = {
  casaOptions: fixture({} as CasaOptions, { option: true }),
  casa: provideMock,
  page: providePage,
};

/** Options of `casaServerFixtures`. */
export interface CasaServerOptions extends Omit<ConnectOptions, 'organization'> {
  /** URL of the mock that the server under test uses; default `http://127.0.0.1:4010`. */
  readonly url?: string | undefined;
}

/** The fixtures of `casaServerFixtures`. */
export interface CasaServerFixtures {
  /** A separate organization of the running mock for this test. */
  casa: ConnectedCasa;
  /** Set it with `test.use({ casaOptions: { url: 'http://127.0.0.1:4567' } })`. */
  casaOptions: CasaServerOptions;
}

/** The parts of a page that send the id of the organization to the server under test. */
export interface HeaderPage {
  setExtraHTTPHeaders(headers: { [name: string]: string }): Promise<void>;
  context(): { addCookies(cookies: { name: string; value: string; url: string }[]): Promise<void> };
}

/** A retry of a test gets a new organization too. */
async function provideOrganization(
  { casaOptions }: Pick<CasaServerFixtures, 'casaOptions'>,
  use: Use<ConnectedCasa>,
): Promise<void> {
  const shape = { url: optional(text()), adminToken: optional(text()) };
  const { url = 'http://127.0.0.1:4010', ...options } = check('casaOptions', casaOptions, shape);
  const mock = await connectMock(url, options);
  if (!mock.choosesOrganizations)
    throw new Error(`The mock at ${url} must be started with --organization-header, so tests have separate data.`);
  await use(await connectMock(url, { ...options, organization: (await mock.organizations.add()).id }));
}

/** Caches of the server outlive a run. */
const run = crypto.randomUUID();

/** The header is for servers that forward it by hand, the cookie for those that forward cookies. */
async function provideServerPage<Page extends HeaderPage>(
  { page, casa, baseURL }: { page: Page; casa: ConnectedCasa; baseURL: string | undefined },
  use: Use<Page>,
): Promise<void> {
  const value = `${casa.organizationId}.${run}`;
  await page.setExtraHTTPHeaders({ 'x-casa-organization': value });
  if (baseURL !== undefined) await page.context().addCookies([{ name: 'casa-organization', value, url: baseURL }]);
  await use(page);
}

/**
 * For an application whose server sends the requests: each test has a separate organization of one running mock, which
 * the server under test chooses by forwarding the header `x-casa-organization` or the cookie `casa-organization`.
 *
 * @example
 * // In playwright.config.ts: webServer: [{ command: 'npx casa mock --organization-header', port: 4010 }]
 * export const test = base.extend<CasaServerFixtures>(casaServerFixtures);
 */
export const casaServerFixtures = {
  casaOptions: fixture({} as CasaServerOptions, { option: true }),
  casa: provideOrganization,
  page: provideServerPage,
};

/** A value with its options, as Playwright takes them, typed as the pair that it is. */
function fixture<Value, const Options>(value: Value, options: Options): [Value, Options] {
  return [value, options];
}

// Lets a mock respond to the requests of a page under test as a network would: a response, a failure, or half of a
// body.

/** The part of a page, or of a browser context, that is used here. */
interface RoutablePage {
  route(url: (url: URL) => boolean, handler: (route: PageRoute) => Promise<void>): Promise<unknown>;
}

/** The part of Playwright's Route that is used here, so any version of it fits. */
interface PageRoute {
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

/** Starts routing; the returned function ends it. Pending responses are then dropped. */
async function beginRouting(
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
