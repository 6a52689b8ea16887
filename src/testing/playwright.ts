// Fixtures for Playwright's test runner: `export const test = base.extend<CasaFixtures>(casaFixtures)`. Playwright
// itself is not imported; this file declares the used parts. It reads the requested fixtures from the parameter
// patterns of these functions.

import { optional, text } from '../admin/shape.ts';
import { count } from '../terminal/count.ts';
import type { Casa } from './casa.ts';
import { check, checkBaseUrl, checkMockOptions } from './check-options.ts';
import { type ConnectedCasa, type ConnectOptions, connectMock } from './connect-mock.ts';
import { type CasaInternals, internalsOf } from './engine-casa.ts';
import { PageClock } from './playwright-clock.ts';
import { type PageRoute, type Routable, Routing, routeRequests } from './playwright-routing.ts';
import {
  beginClock,
  beginRouting,
  type ClientOptions,
  type Context,
  endRouting,
  expectReplaced,
  type Info,
  type Playwright,
  watchContext,
  watchPlaywright,
} from './playwright-worker.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export { type CasaMatchers, casaMatchers } from './matchers.ts';
export type { Casa, ConnectedCasa, PageRoute, Routable };

/** The part of a page that leads to its context. */
export interface RoutablePage {
  context(): Routable;
}

/** Options of `startMock`, and the base URL that the pages use. The clock runs by default. */
export interface CasaOptions extends Omit<StartMockOptions, 'clock'> {
  /**
   * Default `running`: the mock follows the system's time, and the pages have their own clock. With `page`,
   * `casa.clock.advance('5m')` also moves the clock of all pages of the test, which `page.clock` replaces.
   */
  readonly clock?: StartMockOptions['clock'] | 'page';
  /**
   * The base URL that the pages under test use, such as `https://api.example.com/api/v1`: the mock responds to the
   * requests of all pages, workers and API clients of Playwright. Without it, the pages must use `casa.baseUrl`.
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
  /**
   * Set it in `use` of playwright.config.ts for all files. `test.use({ casaOptions: { world: 'empty' } })` in a file
   * adds to these options.
   */
  casaOptions: CasaOptions;
}

/**
 * Routes the requests to a base URL to a mock, until the browser context is closed. Given a page, it routes its whole
 * context, so popups too. The page sees the responses as coming from that base URL, and network faults as failures of
 * the network; a truncated body arrives as its first half.
 *
 * @example
 * await routeToCasa(context, casa, 'https://api.example.com/api/v1');
 */
export async function routeToCasa(target: RoutablePage | Routable, casa: Casa, baseUrl: string): Promise<void> {
  checkBaseUrl('routeToCasa', baseUrl);
  const routing = new Routing(casa, baseUrl);
  await routeRequests('context' in target ? target.context() : target, () => routing);
}

type Use<T> = (value: T) => Promise<void>;

/** The fixtures of Playwright that apply to API clients. */
type MockFixtures = Pick<CasaFixtures, 'casaOptions'> & ClientOptions;

/** Each test has its own; it starts before the contexts of the test, so these are routed. */
async function provideMock(
  { casaOptions, baseURL, extraHTTPHeaders }: MockFixtures,
  use: Use<Casa>,
  info: Info,
): Promise<void> {
  const { casaOptions: ofProject } = info.project.use as Partial<CasaFixtures>;
  const merged = { ...ofProject, ...casaOptions };
  checkMockOptions('casaOptions', merged, ['port', 'host', 'cors', 'replaces', 'addKey', 'clock']);
  const { addKey, clock = 'running', ...rest } = merged;
  // A page starts to poll at the current time.
  const options = { ...rest, clock: clock === 'page' ? ('running' as const) : clock };
  const casa = await startMock(options);
  if (clock === 'page') sharePageClock(casa);
  const routing = options.replaces === undefined ? null : new Routing(casa, options.replaces, addKey);
  if (ofProject?.replaces !== undefined) expectReplaced(ofProject.replaces);
  if (routing !== null) await beginRouting(routing, { baseURL, extraHTTPHeaders });
  await use(casa);
  const { strays, others, blocked } = await endRouting();
  const isUnused = !routing?.isUsed && casa.requests.count() === 0;
  const notes = [...blocked, ...describeSilence({ isUnused, strays, others }, routing)];
  // The annotation is in the reports, and standard error in the terminal.
  for (const note of notes) {
    info.annotations.push({ type: 'casa-kit', description: note });
    console.warn(`casa-kit: ${note}`);
  }
  // A test of a page without data is legitimate, so this is in the reports only.
  if (isUnused && notes.length === 0)
    info.annotations.push({ type: 'casa-kit', description: 'Neither the mock nor another server received a request.' });
  await casa.close();
}

function sharePageClock(casa: Casa): void {
  const { clock, moveBy } = internalsOf(casa) as CasaInternals;
  const pageClock = new PageClock(clock);
  moveBy((ms, signal) => pageClock.move(ms, signal));
  beginClock(pageClock);
}

interface Sent {
  readonly isUnused: boolean;
  readonly strays: readonly string[];
  readonly others: readonly string[];
}

/** Notes on requests that did not reach the mock, with the likely reason. */
function describeSilence({ isUnused, strays, others }: Sent, routing: Routing | null): readonly string[] {
  const base = routing?.production.href;
  const escaped = strays.filter((stray) => base !== undefined && stray.split(' ')[1]?.startsWith(base));
  const sent = !isUnused ? escaped : strays.length > 0 ? strays : others;
  if (sent.length === 0) return [];
  const which = `${sent.slice(0, 3).join(', ')}${sent.length > 3 ? ', …' : ''}`;
  const remedy =
    base === undefined
      ? 'Set `replaces` for all files: in `use.casaOptions` of playwright.config.ts.'
      : `\`replaces\` is ${base}: correct it, or remove routes that continue to the server.`;
  if (!isUnused)
    return [`A real server received ${count(sent.length, 'request')} that the mock replaces: ${which}. ${remedy}`];
  const server = strays.length > 0 ? 'a real server' : 'other servers';
  return [`The mock received no request, and ${server} received ${sent.length}: ${which}. ${remedy}`];
}

async function providePlaywright<P extends Playwright>(
  { playwright }: { playwright: P },
  use: Use<P>,
  info: Pick<Info, 'config'>,
): Promise<void> {
  watchPlaywright(playwright, info.config.version);
  await use(playwright);
}

/** An editor can reuse a context for all tests, which Playwright creates in another way. */
async function provideContext<C extends Context>({ context, casa }: { context: C; casa: Casa }, use: Use<C>) {
  await watchContext(context);
  await use(context);
  // A move stops before Playwright closes the pages.
  await internalsOf(casa)?.stopDriving();
}

/**
 * A mock for each test.
 *
 * @example
 * export const test = base.extend<CasaFixtures>(casaFixtures);
 * // In playwright.config.ts: use: { casaOptions: { replaces: 'https://api.example.com/api/v1' } }
 */
export const casaFixtures = {
  casaOptions: fixture({} as CasaOptions, { option: true }),
  playwright: fixture(providePlaywright, { scope: 'worker' }),
  casa: fixture(provideMock, { auto: true }),
  context: provideContext,
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
