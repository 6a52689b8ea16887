// Fixtures and matchers for vitest.
import { expect, type TestAPI, test } from 'vitest';
import type { Casa } from './casa.ts';
import { warnIfUnused } from './casa-test.ts';
import { type CasaMatchers, casaMatchers } from './matchers.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export { type CasaMatchers, casaMatchers } from './matchers.ts';
export { watchReads } from './watch-reads.ts';

/** The fixtures of `casaTest`. */
export interface CasaFixtures {
  /** The mock of the test, on its own port. */
  casa: Casa;
  /**
   * Options of the mock. To change them for a part of a file, call `casaTest.override({ casaOptions: { world: 'empty' }
   * })`, or `casaTest.scoped(…)` in vitest 3.
   */
  casaOptions: StartMockOptions;
}

/**
 * `test` with a fixture `casa`: each test that uses it has a separate mock, which is closed after the test.
 *
 * @example
 * casaTest('shows the articles', async ({ casa }) => { … fetch(`${casa.baseUrl}/articles`) … });
 */
export const casaTest = test.extend<CasaFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the used fixtures from the pattern.
  casaOptions: async ({}, use) => {
    await use({});
  },
  casa: async ({ casaOptions }, use) => {
    const casa = await startMock(casaOptions);
    await use(casa);
    warnIfUnused(casa);
    await casa.close();
  },
});

/**
 * Like `casaTest`, but all tests of a file share one mock, which is reset before each test.
 * `casaFileTestWith({ world: 'empty' })` sets options.
 */
export const casaFileTest = casaFileTestWith({});

/** Returns a `casaFileTest` with options of `startMock`. */
export function casaFileTestWith(options: StartMockOptions): TestAPI<CasaFixtures & { sharedCasa: Casa }> {
  return test.extend<CasaFixtures & { sharedCasa: Casa }>({
    casaOptions: [
      // biome-ignore lint/correctness/noEmptyPattern: vitest reads the used fixtures from the pattern.
      async ({}, use) => {
        await use(options);
      },
      { scope: 'file' },
    ],
    sharedCasa: [
      async ({ casaOptions }, use) => {
        const casa = await startMock(casaOptions);
        await use(casa);
        await casa.close();
      },
      { scope: 'file' },
    ],
    casa: async ({ sharedCasa }, use) => {
      sharedCasa.reset();
      await use(sharedCasa);
      warnIfUnused(sharedCasa);
    },
  });
}

declare global {
  // The common base of the assertions in all versions of vitest; their own interfaces differ in their parameters.
  namespace Chai {
    interface Assertion extends CasaMatchers {}
  }
}

expect.extend(casaMatchers);
