// Fixtures and a matcher for vitest.
import { expect, type TestAPI, test } from 'vitest';
import type { Violation } from '../engine/violations/violation.ts';
import type { Casa } from './casa.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

/** What `casaTest` adds to a test. */
export interface CasaFixtures {
  /** The mock of the test, on its own port. */
  casa: Casa;
  /**
   * Options of the mock. Others for a part of a file: `casaTest.override({ casaOptions: { world: 'empty' } })`, which
   * vitest 3 calls `casaTest.scoped(…)`.
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
    await casa.close();
  },
});

/**
 * As `casaTest`, but all tests of a file share one mock, which goes back to its start before each of them.
 * `casaFileTestWith({ world: 'empty' })` is the same with options.
 */
export const casaFileTest = casaFileTestWith({});

/** A `casaFileTest` whose mock is started with options. */
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
    },
  });
}

declare global {
  // The common base of the assertions in all versions of vitest; their own interfaces differ in their parameters.
  namespace Chai {
    interface Assertion {
      /** Fails when a client of this mock broke a rule of sections 6 and 7 of the contract, and lists what it did. */
      toHaveNoViolations(): void;
    }
  }
}

expect.extend({
  toHaveNoViolations(casa: Pick<Casa, 'violations'>) {
    if (typeof casa?.violations !== 'function') throw new TypeError('expect(…).toHaveNoViolations() takes a casa.');
    const violations = casa.violations();
    return {
      pass: violations.length === 0,
      message: () =>
        violations.length === 0
          ? 'Clients of this mock broke no rule of the contract, and a violation was expected.'
          : `Clients of this mock broke rules of the contract:\n${violations.map(describeViolation).join('\n')}`,
    };
  },
});

/** Request ids are those of the request log, where the requests can be read. */
function describeViolation({ rule, clause, message, requestIds }: Violation): string {
  return `  ${rule} (${clause}): ${message} Requests ${requestIds.join(', ')} of the request log.`;
}
