// `npm run test:deep`: the long proofs. Each server without a fault, each plan, 20,000 requests of a fuzzer, outside
// checks.
import { defineConfig } from 'vitest/config';
import { slowestTests } from './fixtures/test-kit/slowest-tests.ts';

export default defineConfig({
  // The components of the pages are Preact's.
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    // These tests start real servers next to the kill matrix: a busy machine can disturb one once, not twice.
    retry: 1,
    include: ['{spec,src,conformance,proof,fixtures}/**/*.deep.test.ts'],
    globalSetup: ['fixtures/test-kit/own-tmp.ts', 'fixtures/test-kit/bundled-command.ts'],
    reporters: ['default', 'json', slowestTests(10)],
    outputFile: { json: '.tmp/test-deep.json' },
    maxWorkers: '100%',
    testTimeout: 120_000,
  },
});
