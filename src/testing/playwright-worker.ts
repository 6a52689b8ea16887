// Playwright creates browsers, contexts and API clients in many places. From the first test with these fixtures on, a
// worker process notes all of them, and their requests reach the mock of its present test.
import type { ClockContext, PageClock } from './playwright-clock.ts';
import { type PageRoute, type Routable, type Routing, routeRequests } from './playwright-routing.ts';

/** The fixture `playwright`, with the parts that are used here. */
export interface Playwright {
  readonly request: object;
  readonly chromium: object;
  readonly firefox: object;
  readonly webkit: object;
}

/** The part of a browser context that is used here. */
export interface Context extends Routable, Pick<ClockContext, 'clock' | 'pages'> {
  readonly request: Client;
  on(event: 'request', listener: (request: PageRequest) => void): unknown;
  on(event: 'response', listener: (response: PageResponse) => void): unknown;
  on(event: 'console', listener: (message: { text(): string }) => void): unknown;
  on(event: 'close', listener: () => void): unknown;
}

type PageRequest = Pick<ReturnType<PageRoute['request']>, 'url' | 'method'> & { resourceType(): string };

interface PageResponse {
  request(): PageRequest;
  serverAddr(): Promise<object | null>;
}

/** The part of Playwright's `TestInfo` that is used here. */
export interface Info {
  readonly annotations: { type: string; description?: string }[];
  readonly config: { readonly version: string };
  readonly project: { readonly use: object };
}

type SentRequest = ReturnType<PageRoute['request']>;
type Headers = Readonly<Record<string, string>>;

/** Playwright's `APIRequestContext`; its `get`, `post` and others call `fetch`. */
interface Client {
  fetch(target: string | SentRequest, options?: FetchOptions): Promise<object>;
}

interface FetchOptions {
  readonly method?: string;
  readonly headers?: Headers;
}

/** Options of a context or an API client. */
export interface ClientOptions {
  readonly baseURL?: string | undefined;
  readonly extraHTTPHeaders?: Headers | undefined;
}

type Method = (...given: unknown[]) => Promise<object>;

/** A worker runs one test at a time. */
let routing: Routing | null = null;
/** Of the present test, if it has one. */
let pageClock: PageClock | null = null;
/** Of the present test, for API clients without their own. */
let defaults: ClientOptions = {};
/** The base URLs that a test or the configuration has replaced. */
const replaced = new Set<string>();
/** Requests to the origin of one of them that a real server responded to. */
let strays: Promise<string | null>[] = [];
/** Requests for data that no mock replaces, such as `GET URL`. */
const others = new Set<string>();
/** Sentences on requests that a page or a shared worker could not send. */
const blocked = new Set<string>();
const contexts = new Set<Context>();
const routed = new WeakSet<Context>();
const watched = new WeakSet<object>();

/** Routes the requests of all contexts and API clients to the mock, until the routing is ended. */
export async function beginRouting(next: Routing, options: ClientOptions): Promise<void> {
  routing = next;
  defaults = options;
  replaced.add(next.production.href);
  await Promise.all([...contexts].map(routeContext));
}

/** Makes the pages of contexts that are created from now on show the time of the mock. */
export function beginClock(clock: PageClock): void {
  pageClock = clock;
}

/**
 * Ends the test. Returns the requests that a real server responded to although a mock replaces it, such as `GET URL`,
 * those for data to other servers, and sentences on blocked ones.
 */
export async function endRouting(): Promise<{
  readonly strays: readonly string[];
  readonly others: readonly string[];
  readonly blocked: readonly string[];
}> {
  routing?.end();
  routing = null;
  pageClock = null;
  const found = (await Promise.all(strays)).filter((stray) => stray !== null);
  const ended = { strays: [...new Set(found)], others: [...others], blocked: [...blocked] };
  strays = [];
  others.clear();
  blocked.clear();
  return ended;
}

/** Notes a base URL of the configuration, so requests to its origin are seen in tests that do not replace it. */
export function expectReplaced(url: string): void {
  replaced.add(new URL(url).href);
}

/** Watches all that this Playwright creates. `version` is that of the runner. */
export function watchPlaywright(playwright: Playwright, version: string): void {
  for (const name of ['chromium', 'firefox', 'webkit'] as const) {
    const type = playwright[name];
    const options = name === 'chromium' && routesServiceWorkers(version) ? {} : { serviceWorkers: 'block' };
    const after: After = (browser) => watchBrowser(browser, options);
    for (const method of ['launch', 'connect', 'connectOverCDP']) watch(type, method, { after });
    watch(type, 'launchPersistentContext', { after: (context, [, given]) => watchContext(context as Context, given) });
  }
  watch(playwright.request, 'newContext', { after: async (client, [given]) => watchClient(client as Client, given) });
}

/** Earlier versions do not route their requests, and other browsers do not show them. */
function routesServiceWorkers(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > 1 || minor >= 57;
}

async function watchBrowser(browser: object, options: object): Promise<void> {
  watch(browser, 'newContext', { options, after: (context, [given]) => watchContext(context as Context, given) });
  for (const context of (browser as { contexts(): Context[] }).contexts()) await watchContext(context);
}

type After = (made: object, given: readonly (ClientOptions | undefined)[]) => Promise<void>;

/**
 * Replaces a method by one that also calls `after` with its result and arguments. `options` are defaults of the first.
 */
function watch(target: object, name: string, { after, options }: { after: After; options?: object }): void {
  const methods = target as Record<string, Method>;
  const method = methods[name];
  if (method === undefined || watched.has(method)) return;
  const watching: Method = async (...given) => {
    const [first, ...rest] = given;
    const made = await method.apply(target, options ? [{ ...options, ...(first as object) }, ...rest] : given);
    await after(made, given as ClientOptions[]);
    return made;
  };
  watched.add(watching);
  methods[name] = watching;
}

/** Notes a context once, and routes its requests. */
export async function watchContext(context: Context, options: ClientOptions = {}): Promise<void> {
  if (!contexts.has(context)) {
    contexts.add(context);
    context.on('close', () => void contexts.delete(context));
    context.on('request', (request) => {
      if (isForData(request) && !routing?.move(request.url())) others.add(`${request.method()} ${request.url()}`);
    });
    context.on('response', noteResponse);
    context.on('console', (message) => {
      const [, sentence] = /^casa-kit: (blocked .*)/.exec(message.text()) ?? [];
      if (sentence !== undefined) blocked.add(sentence);
    });
    watchClient(context.request, options);
    await pageClock?.install(context as unknown as ClockContext);
  }
  await routeContext(context);
}

async function routeContext(context: Context): Promise<void> {
  if (routing === null || routed.has(context)) return;
  routed.add(context);
  await routeRequests(context, () => routing);
}

const isForData = (request: PageRequest) => /^(?:fetch|xhr|ping|eventsource)$/.test(request.resourceType());

/** The address is null for a response that a route of the test made. */
function noteResponse(response: PageResponse): void {
  const request = response.request();
  const url = request.url();
  if (!isReplaced(url, isForData(request))) return;
  const stray = `${request.method()} ${url}`;
  const wait = response.serverAddr().then(
    (address) => (address === null ? null : stray),
    () => stray,
  );
  strays.push(wait);
}

/** With `wide`, other paths of the origin count too. */
function isReplaced(url: string, wide: boolean): boolean {
  return [...replaced].some((base) => url.startsWith(wide ? `${new URL(base).origin}/` : base));
}

/** Sends the requests of an API client to the mock's own address: Playwright has no routes for them. */
function watchClient(client: Client, own: ClientOptions = {}): void {
  const send = client.fetch;
  if (watched.has(send)) return;
  client.fetch = (target, options = {}) => {
    const sent = typeof target === 'string' ? null : target;
    const given = sent?.url() ?? (target as string);
    const base = own.baseURL ?? defaults.baseURL;
    const url = URL.canParse(given, base) ? new URL(given, base).href : given;
    const method = options.method ?? sent?.method() ?? 'GET';
    const moved = URL.canParse(url) ? routing?.move(url) : undefined;
    if (!routing || !moved) {
      if (isReplaced(url, true)) strays.push(Promise.resolve(`${method} ${url}`));
      others.add(`${method} ${url}`);
      return send.call(client, target, options);
    }
    routing.isUsed = true;
    const { key } = routing;
    const data = sent?.postDataBuffer();
    const headers = options.headers ?? sent?.headers();
    const all = { ...defaults.extraHTTPHeaders, ...own.extraHTTPHeaders, ...headers };
    const hasKey = key === null || Object.keys(all).some((name) => name.toLowerCase() === 'authorization');
    return send.call(client, moved, {
      ...(data && { data }),
      ...options,
      method,
      headers: { ...headers, ...(!hasKey && { authorization: `Bearer ${key}` }) },
    });
  };
  watched.add(client.fetch);
}
