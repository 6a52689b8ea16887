// `npm test`: everything that a contributor needs after a change, in two minutes on two processors. What takes longer
// stands in `*.deep.test.ts` (`npm run test:deep`); what needs a browser in `*.browser.test.ts` (`npm run
// test:browser`).
import { defineConfig } from 'vitest/config';
import { slowestTests } from './fixtures/test-kit/slowest-tests.ts';

export default defineConfig({
  // The components of the pages are Preact's.
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    include: ['spec/**/*.test.ts', 'src/**/*.test.ts', 'conformance/**/*.test.ts', '{proof,fixtures}/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.browser.test.ts', '**/*.deep.test.ts'],
    globalSetup: ['fixtures/test-kit/own-tmp.ts', 'fixtures/test-kit/bundled-command.ts'],
    reporters: ['dot', 'json', slowestTests(10)],
    outputFile: { json: '.tmp/test.json' },
    // Vitest leaves one processor to an editor; the whole suite needs all of them.
    maxWorkers: '100%',
    // The module graph is read once a worker, not once a file.
    isolate: false,
    testTimeout: 60_000,
  },
});
