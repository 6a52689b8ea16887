// Fixtures for Playwright's test runner: `export const test = base.extend<CasaFixtures>(casaFixtures)`. Playwright
// itself is not imported; the parts of it that are used are described here. It reads from the parameter patterns of
// these functions which fixtures they want.
import type { Casa } from './casa.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export type { Casa };

export interface CasaOptions extends StartMockOptions {
  /**
   * The base URL that the pages under test use, such as `https://api.example.com/api/v1`: their requests to it are
   * answered by the mock. Without it, the pages have to be given `casa.baseUrl`.
   */
  readonly replaces?: string | undefined;
}

export interface CasaFixtures {
  /** A mock on a port of its own. */
  casa: Casa;
  /** To be set with `test.use({ casaOptions: { world: 'empty' } })`. */
  casaOptions: CasaOptions;
}

/** The part of a page, or of a browser context, that is used here. */
export interface RoutablePage {
  route(url: (url: URL) => boolean, handler: (route: PageRoute) => Promise<void>): Promise<unknown>;
}

export interface PageRoute {
  request(): { url(): string };
  fetch(options: { url: string }): Promise<unknown>;
  fulfill(options?: { response?: unknown }): Promise<void>;
}

/** Answers a page's requests to a base URL by a mock. The page sees the answers as coming from that base URL. */
export async function routeToCasa(page: RoutablePage, casa: Casa, baseUrl: string): Promise<void> {
  const production = new URL(baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  const isOurs = ({ origin, pathname }: URL): boolean =>
    origin === production.origin && pathname.startsWith(production.pathname);
  await page.route(isOurs, async (route) => {
    const { pathname, search } = new URL(route.request().url());
    const url = `${casa.baseUrl}/${pathname.slice(production.pathname.length)}${search}`;
    // Sent from here and not by the page: a browser would not let a route change from https to http.
    await route.fulfill({ response: await route.fetch({ url }) });
  });
}

type Use<T> = (value: T) => Promise<void>;

async function provideMock({ casaOptions }: Pick<CasaFixtures, 'casaOptions'>, use: Use<Casa>): Promise<void> {
  const casa = await startMock(casaOptions);
  await use(casa);
  await casa.close();
}

async function providePage<Page extends RoutablePage>(
  { page, casa, casaOptions }: { page: Page } & CasaFixtures,
  use: Use<Page>,
): Promise<void> {
  if (casaOptions.replaces !== undefined) await routeToCasa(page, casa, casaOptions.replaces);
  await use(page);
}

async function provideAsNew({ workerCasa }: Pick<CasaWorkerFixtures, 'workerCasa'>, use: Use<Casa>): Promise<void> {
  workerCasa.reset();
  await use(workerCasa);
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

export interface CasaWorkerFixtures {
  workerCasa: Casa;
  /** As for `casaFixtures`; it has to be set for the whole file or project. */
  casaOptions: CasaOptions;
}

/**
 * One mock for all tests of a worker, which goes back to its start before each test.
 *
 * @example
 * export const test = base.extend<{ casa: Casa }, CasaWorkerFixtures>(casaWorkerFixtures);
 */
export const casaWorkerFixtures = {
  casaOptions: fixture({} as CasaOptions, { option: true, scope: 'worker' }),
  workerCasa: fixture(provideMock, { scope: 'worker' }),
  casa: provideAsNew,
  page: providePage,
};

/** A value with its options, as Playwright takes them, typed as the pair that it is. */
function fixture<Value, const Options>(value: Value, options: Options): [Value, Options] {
  return [value, options];
}
