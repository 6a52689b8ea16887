// Fixtures for Playwright's test runner: `export const test = base.extend<CasaFixtures>(casaFixtures)`. Playwright
// itself is not imported; the parts of it that are used are described here. It reads from the parameter patterns of
// these functions which fixtures they want.
import type { Casa } from './casa.ts';
import { beginRouting, type PageRoute, type RoutablePage } from './page-routes.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export type { Casa, PageRoute, RoutablePage };

/** Options of `startMock`, and the base URL that the pages use. The clock runs by default. */
export interface CasaOptions extends StartMockOptions {
  /**
   * The base URL that the pages under test use, such as `https://api.example.com/api/v1`: their requests to it are
   * responded by the mock. Without it, the pages have to be given `casa.baseUrl`.
   */
  readonly replaces?: string | undefined;
}

/** What `casaFixtures` adds to a test. */
export interface CasaFixtures {
  /** The mock of the test, on its own port. */
  casa: Casa;
  /** To be set with `test.use({ casaOptions: { world: 'empty' } })`. */
  casaOptions: CasaOptions;
}

/**
 * Responds to a page's requests to a base URL by a mock, until the page is closed. The page sees the responds as coming
 * from that base URL, and network faults as failures of the network; a truncated body arrives as its first half.
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

/** The runner's own page, with its requests caused the mock where `replaces` says so. */
async function providePage<Page extends RoutablePage>(
  { page, casa, casaOptions }: { page: Page } & CasaFixtures,
  use: Use<Page>,
): Promise<void> {
  const { replaces } = casaOptions;
  const end = replaces === undefined ? null : await beginRouting(page, casa, replaces);
  await use(page);
  end?.();
}

/** Reset before the test and not after it, so a failed test's state can be looked at. */
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
