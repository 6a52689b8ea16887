// How the code is bundled, for the build and for the test of the notices.
import type { BuildOptions } from 'esbuild';

/** ES modules that share their common parts; optional peers stay outside. */
export const bundling = {
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  metafile: true,
  external: ['msw', 'vitest', '@playwright/test', '@redis/client'],
  alias: {
    '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts',
    '@modelcontextprotocol/client/_shims': './src/mcp/sdk-shims.ts',
  },
  jsx: 'automatic',
  jsxImportSource: 'preact',
} as const satisfies BuildOptions;

/** How the bundles are written. Node prints the line of an uncaught error, so no line may be long. */
export const writing = {
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
} as const satisfies BuildOptions;
