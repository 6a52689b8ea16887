// Fixtures and matchers for vitest.
import { expect, type TestAPI, test } from 'vitest';
import type { BasisKind } from '../contract/basis.ts';
import type { Snapshot } from '../engine/snapshot.ts';
import type { Violation } from '../engine/violations/violation.ts';
import type { Casa } from './casa.ts';
import { type ExpectedChanges, judgeChanges } from './changes.ts';
import type { ConnectedCasa } from './connect-mock.ts';
import { type StartMockOptions, startMock } from './start-mock.ts';
import { readsBeyond } from './watch-reads.ts';

export { type ExpectedChanges, judgeChanges } from './changes.ts';
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

/** A test passes without testing anything if its requests go elsewhere. */
function warnIfUnused({ requests, baseUrl }: Casa): void {
  if (requests.count() > 0) return;
  console.warn(
    `casa-kit: the request log of the mock is empty at the end of this test. ` +
      `Check that the code under test uses casa.baseUrl, which is ${baseUrl} here.`,
  );
}

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
    interface Assertion {
      /** Fails if a client of this mock violated section 6 or 7 of the contract, and lists the violations. */
      toHaveNoViolations(): void;
      /**
       * Fails if the client has read fields of another basis, and lists them. The client must be one of `watchReads`.
       */
      toRelyOnlyOn(...allowed: BasisKind[]): void;
      /**
       * Fails unless exactly so many records changed since `since`, or since the start or the last reset. Kinds that
       * are not listed must not change. For a mock of `connectMock`, await it.
       */
      toHaveChanged(expected: ExpectedChanges, since?: Snapshot): void;
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
  toRelyOnlyOn(casa: Casa, ...allowed: BasisKind[]) {
    const beyond = readsBeyond(casa, allowed);
    return { pass: beyond.length === 0, message: () => describeReads(beyond) };
  },
  toHaveChanged(casa: Pick<Casa | ConnectedCasa, 'diff'>, expected: ExpectedChanges, since?: Snapshot) {
    if (typeof casa?.diff !== 'function') throw new TypeError('expect(…).toHaveChanged() takes a casa.');
    const diff = casa.diff(since);
    return diff instanceof Promise ? diff.then((found) => judgeChanges(found, expected)) : judgeChanges(diff, expected);
  },
});

function describeReads(fields: readonly string[]): string {
  if (fields.length === 0) return 'The client read only fields of these kinds, and others were expected.';
  return `The client relies on fields of another basis:\n${fields.map((each) => `  ${each}`).join('\n')}`;
}

function describeViolation({ rule, clause, message, requestIds }: Violation): string {
  return `  ${rule} (${clause}): ${message} Requests ${requestIds.join(', ')} of the request log.`;
}
