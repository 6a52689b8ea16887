// How the code is bundled, for the build and for the test of the notices.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
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

/** Packages whose code is in generated files, where the bundler of dist/ cannot attribute it. */
export const inGenerated: Readonly<Record<string, string>> = {
  preact: 'draws the pages of the admin API',
  ajv: 'wrote the validators',
  'ajv-formats': 'formats of the validators',
};

/** The folders of packages among the inputs of a build: `node_modules/zod`, `node_modules/@scope/name`. */
export function packagesOf(inputs: Iterable<string>): string[] {
  const folders = [...inputs].flatMap((path) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  const own = Object.keys(inGenerated).map((name) => `node_modules/${name}`);
  return [...new Set([...folders, ...own])].sort();
}

/** Returns one part for each package. Throws for a package without a license, because it must not ship. */
export function noticesFor(folders: readonly string[]): string {
  const head = 'casa-kit holds code of these packages, each under its own license.\n';
  return [head, ...folders.map(noticeOf)].join(`\n${'-'.repeat(80)}\n\n`);
}

function noticeOf(folder: string): string {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice|copying)/i.test(file));
  const texts = files
    .filter((file) => existsSync(join(folder, file)))
    .map((file) => readFileSync(join(folder, file), 'utf8'));
  if (typeof license !== 'string' || texts.length === 0)
    throw new Error(`${name} has no license, or has no text of it: it cannot be folded into dist/.`);
  return `${name} ${version} (${license})\n\n${texts.map((text) => text.trim()).join('\n\n')}\n`;
}
