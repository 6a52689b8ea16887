// Exports of `casa-kit/jest`: the matchers and a test function for Jest, from CommonJS and from ES modules.
import { type CasaTest, casaTestOf, type RunnerTest } from './casa-test.ts';
import { type CasaMatchers, casaMatchers } from './matchers.ts';

export { type CasaTest, type CasaTestFixtures, casaTestOf } from './casa-test.ts';
export { type CasaMatchers, casaMatchers } from './matchers.ts';
export { watchReads } from './watch-reads.ts';

declare global {
  // Of @types/jest. For @jest/globals, docs/runners.md has the declaration.
  namespace jest {
    // biome-ignore lint/complexity/noBannedTypes: interfaces merge only with the same parameters.
    interface Matchers<R, T = {}> extends CasaMatchers<R> {}
  }
}

interface JestGlobals {
  readonly test?: RunnerTest & { readonly only: RunnerTest; readonly skip: RunnerTest };
  readonly expect?: { extend(matchers: typeof casaMatchers): void };
}

const { test, expect } = globalThis as JestGlobals;
expect?.extend(casaMatchers);

/**
 * `test` with a mock: each test has a separate one, which is closed after the test.
 *
 * @example
 * casaTest('shows the articles', async ({ casa }) => { … fetch(`${casa.baseUrl}/articles`) … });
 */
export const casaTest: CasaTest = casaTestOf(test ?? withoutGlobals());

/** With `injectGlobals: false`, a project passes the functions of `@jest/globals`. */
function withoutGlobals() {
  const reject = () => {
    throw new Error(
      'casa-kit/jest found no global test function. Import it in a test file of Jest, or use casaTestOf(test).',
    );
  };
  return Object.assign(reject, { only: reject, skip: reject });
}
