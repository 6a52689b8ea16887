import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['spec/**/*.test.ts', 'src/**/*.test.ts', 'conformance/**/*.test.ts', 'proof/**/*.test.ts'],
    exclude: ['**/node_modules/**', '**/*.browser.test.ts'],
    testTimeout: 20_000,
  },
});
