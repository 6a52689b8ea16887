// Fixtures and a matcher for vitest.
import { expect, test } from 'vitest';
import type { Verdict } from '../engine/verdicts/verdict.ts';
import type { Casa } from './casa.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';

export interface CasaFixtures {
  /** A mock on a port of its own. */
  casa: Casa;
  /** Options of the mock; to be replaced with `casaTest.override({ casaOptions: { world: 'empty' } })`. */
  casaOptions: StartMockOptions;
}

/**
 * `test` with a fixture `casa`: each test that asks for it has a mock of its own, which is gone when the test is over.
 *
 * @example
 * casaTest('shows the articles', async ({ casa }) => { … fetch(`${casa.baseUrl}/articles`) … });
 */
export const casaTest = test.extend<CasaFixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are asked for.
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
 * As `casaTest`, but all tests of a file share one mock, which goes back to its start before each of them. Its options
 * are set for the whole file: `casaFileTest.extend('casaOptions', { scope: 'file' }, { world: 'empty' })`.
 */
export const casaFileTest = test.extend<{ sharedCasa: Casa; casa: Casa; casaOptions: StartMockOptions }>({
  casaOptions: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern which fixtures are asked for.
    async ({}, use) => {
      await use({});
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

interface CasaMatchers<R> {
  /** Fails when a client of this mock broke a rule of sections 6 and 7 of the contract, and lists what it did. */
  toHaveNoViolations(): R;
}

declare module 'vitest' {
  // Merged only when the parameters are those of vitest's own declaration.
  interface Matchers<R extends void | Promise<void>, T> extends CasaMatchers<R> {}
}

expect.extend({
  toHaveNoViolations(casa: Pick<Casa, 'verdicts'>) {
    if (typeof casa?.verdicts !== 'function') throw new TypeError('expect(…).toHaveNoViolations() takes a casa.');
    const verdicts = casa.verdicts();
    return {
      pass: verdicts.length === 0,
      message: () =>
        verdicts.length === 0
          ? 'Clients of this mock broke no rule of the contract, and a violation was expected.'
          : `Clients of this mock broke rules of the contract:\n${verdicts.map(describeVerdict).join('\n')}`,
    };
  },
});

function describeVerdict({ rule, clause, message, requestIds }: Verdict): string {
  return `  ${rule} (${clause}): ${message} Requests ${requestIds.join(', ')} of the journal.`;
}
