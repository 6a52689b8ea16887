// Fixtures for Playwright's test runner: `export const test = base.extend<CasaFixtures>(casaFixtures)`. Playwright
// itself is not imported; this file declares the used parts. It reads the requested fixtures from the parameter
// patterns of these functions.
import type { Casa } from './casa.ts';
import { beginRouting, type PageRoute, type RoutablePage } from './page-routes.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export type { Casa, PageRoute, RoutablePage };

/** Options of `startMock`, and the base URL that the pages use. The clock runs by default. */
export interface CasaOptions extends StartMockOptions {
  /**
   * The base URL that the pages under test use, such as `https://api.example.com/api/v1`: the mock responds to their
   * requests. Without it, the pages must use `casa.baseUrl`.
   */
  readonly replaces?: string | undefined;
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
  await beginRouting(page, casa, baseUrl);
}

type Use<T> = (value: T) => Promise<void>;

/** Started by the first test that uses it, closed after the last. */
async function provideMock({ casaOptions }: Pick<CasaFixtures, 'casaOptions'>, use: Use<Casa>): Promise<void> {
  // A page has its own clock, and starts to poll at the current time.
  const casa = await startMock({ clock: 'running', ...casaOptions });
  await use(casa);
  await casa.close();
}

/** The runner's own page, with its requests routed to the mock if `replaces` is set. */
async function providePage<Page extends RoutablePage>(
  { page, casa, casaOptions }: { page: Page } & CasaFixtures,
  use: Use<Page>,
): Promise<void> {
  const { replaces } = casaOptions;
  const end = replaces === undefined ? null : await beginRouting(page, casa, replaces);
  await use(page);
  end?.();
}

/** Resets before the test instead of after it, to keep the state of a failed test. */
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

/** What `casaWorkerFixtures` adds to a worker. */
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
