// `npm run test:browser`: tests that need a real browser. They run in Node and steer Chromium from there.
import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The components of the pages are Preact's.
  oxc: { jsx: { importSource: 'preact' } },
  test: {
    // These tests start real servers and browsers: a busy machine can disturb one once, a defect fails twice.
    retry: 1,
    include: ['{src,conformance,proof,fixtures,examples}/**/*.browser.test.ts'],
    globalSetup: ['fixtures/test-kit/own-tmp.ts', 'fixtures/test-kit/linked-package.ts'],
    reporters: ['default', 'json'],
    outputFile: { json: '.tmp/test-browser.json' },
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
