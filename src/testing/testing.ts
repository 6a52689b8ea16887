// Exports of `casa-kit/testing`, for node:test, Bun and every other runner.
export { type CasaTest, type CasaTestFixtures, casaTestOf, type RunnerTest } from './casa-test.ts';
export { type CasaMatchers, casaMatchers, checkCasa, type Match, type RequestedOptions } from './matchers.ts';
export { watchReads } from './watch-reads.ts';
