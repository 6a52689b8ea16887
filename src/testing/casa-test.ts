// A test function with a mock for each test, on the test function of any runner.
import type { Casa } from './casa.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

/** What a test gets. */
export interface CasaTestFixtures {
  /** The mock of the test, on its own port. It is closed after the test. */
  readonly casa: Casa;
}

type Body<Given extends unknown[]> = (fixtures: CasaTestFixtures, ...given: Given) => unknown;

/** `test` of a runner. Its further parameters, such as a timeout, and those of its test are passed. */
// biome-ignore lint/suspicious/noExplicitAny: each runner has its own parameters.
export type RunnerTest = (name: string, body: (...given: any[]) => Promise<void>, ...rest: any[]) => unknown;

/** A test function whose tests get a mock. */
export interface CasaTest<Given extends unknown[] = unknown[]> {
  (name: string, body: Body<Given>, ...rest: unknown[]): void;
  /** As those of the runner. */
  readonly only: (name: string, body: Body<Given>, ...rest: unknown[]) => void;
  readonly skip: (name: string, body: Body<Given>, ...rest: unknown[]) => void;
  /** Returns the same test function with further options of `startMock`. */
  readonly with: (options: StartMockOptions) => CasaTest<Given>;
}

/**
 * Returns a test function whose tests get a separate mock, with the `test` of Jest, `node:test`, Bun or another runner.
 *
 * @example
 * const casaTest = casaTestOf(test);
 * casaTest('shows the articles', async ({ casa }) => { … fetch(`${casa.baseUrl}/articles`) … });
 */
export function casaTestOf<Given extends unknown[]>(
  test: RunnerTest & { readonly only: RunnerTest; readonly skip: RunnerTest },
  options: StartMockOptions = {},
): CasaTest<Given> {
  const on =
    (run: RunnerTest): CasaTest<Given>['only'] =>
    (name, body, ...rest) => {
      // Without parameters: Jest and Bun would pass a callback to wait for.
      const withMock = async (...given: Given) => {
        const casa = await startMock(options);
        try {
          await body({ casa }, ...given);
        } finally {
          warnIfUnused(casa);
          await casa.close();
        }
      };
      run(name, withMock, ...rest);
    };
  return Object.assign(on(test), {
    only: on(test.only),
    skip: on(test.skip),
    with: (more: StartMockOptions) => casaTestOf<Given>(test, { ...options, ...more }),
  });
}

/** A test passes without testing anything if its requests go elsewhere. */
export function warnIfUnused({ requests, baseUrl }: Casa): void {
  if (requests.count() > 0) return;
  console.warn(
    `casa-kit: the request log of the mock is empty at the end of this test. ` +
      `Check that the code under test uses casa.baseUrl, which is ${baseUrl} here.`,
  );
}
