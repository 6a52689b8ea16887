// How the code is bundled, for the build and for the test of the notices.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix, relative, resolve } from 'node:path';
import { type TransformOptions, transform } from 'esbuild';
import { type ChunkingContext, type OutputChunk, rolldown } from 'rolldown';

/** How the bundles are written. Node prints the line of an uncaught error, so no line may be long. */
export const writing = {
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 120,
} as const satisfies TransformOptions;

export interface Bundle {
  readonly fileName: string;
  readonly code: string;
  /** Files that it loads at once. */
  readonly imports: readonly string[];
  /** Its sources, relative to the working directory. */
  readonly inputs: readonly string[];
}

const shims = resolve('src/mcp/sdk-shims.ts');

/** Entries that load little. What they share with `casa-kit` stays outside its one file. */
const light = { casa: 'src/cli/casa.ts', api: 'src/api/index.ts', panel: 'src/testing/panel.ts' };
const whole = { core: 'src/index.ts', mock: 'src/cli/mock.ts' };

/** Entry -> its modules, including those that they import at once. */
function reachOf(entries: Readonly<Record<string, string>>, context: ChunkingContext): Map<string, Set<string>> {
  const add = (id: string, found: Set<string>): Set<string> => {
    if (found.has(id)) return found;
    found.add(id);
    for (const next of context.getModuleInfo(id)?.importedIds ?? []) add(next, found);
    return found;
  };
  return new Map(Object.entries(entries).map(([name, entry]) => [name, add(resolve(entry), new Set())]));
}

function chunks(): (id: string, context: ChunkingContext) => string | null {
  let reach: { small: Map<string, Set<string>>; large: Map<string, Set<string>> } | undefined;
  return (id, context) => {
    reach ??= { small: reachOf(light, context), large: reachOf(whole, context) };
    const first = (names: Map<string, Set<string>>) => [...names].find(([, ids]) => ids.has(id))?.[0];
    const [small, large] = [first(reach.small), first(reach.large)];
    if (small === undefined) return large ?? null;
    return large === 'core' ? `shared-${small}` : null;
  };
}

/**
 * Name -> entry file, as ES modules that share their common parts. What `casa mock` loads at its start is one file,
 * because each further file costs about a millisecond. Optional peers stay outside.
 */
export async function bundle(input: Readonly<Record<string, string>>): Promise<Bundle[]> {
  const bundler = await rolldown({
    input: { ...input },
    preserveEntrySignatures: 'allow-extension',
    platform: 'node',
    external: ['msw', 'vitest', '@playwright/test'],
    resolve: {
      alias: { '@modelcontextprotocol/server/_shims': shims, '@modelcontextprotocol/client/_shims': shims },
    },
    tsconfig: false,
    transform: { target: 'node20.19', jsx: { runtime: 'automatic', importSource: 'preact' } },
  });
  const { output } = await bundler.generate({
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: { includeDependenciesRecursively: false, groups: [{ name: chunks(), debugName: 'by entry' }] },
  });
  await bundler.close();
  const built = output.filter((file): file is OutputChunk => file.type === 'chunk');
  return await Promise.all(
    built.map(async ({ fileName, code, imports, moduleIds }) => {
      const written = await transform(code, { ...writing, target: 'node20.19' });
      const inputs = moduleIds.map((path) => relative('.', path));
      return { fileName, inputs, code: written.code, imports: imports.filter((name) => isLeft(name, written.code)) };
    }),
  );
}

/** Without what esbuild removed: rolldown's helper for `require` is not used. */
function isLeft(name: string, code: string): boolean {
  return code.includes(`${basename(name)}"`);
}

/** Environments of Jest like jsdom lack these globals of Node. */
const lacking = [
  'var{TextDecoder,TextEncoder}=globalThis.TextDecoder?globalThis:require("node:util"),',
  'URL=globalThis.URL.canParse?globalThis.URL:require("node:url").URL,',
  'structuredClone=globalThis.structuredClone??(value=>JSON.parse(JSON.stringify(value)));',
].join('\n');

/**
 * Returns the entries with all their chunks as CommonJS, for test runners that load no ES modules. The chunks that load
 * on demand are required too.
 */
export async function toCommonJs(
  files: readonly Pick<Bundle, 'fileName' | 'code'>[],
  entries: readonly string[],
): Promise<Pick<Bundle, 'fileName' | 'code'>[]> {
  const found = new Map(entries.map((name) => [`${name}.js`, '']));
  for (const fileName of found.keys()) {
    const code = files.find((file) => file.fileName === fileName)?.code ?? '';
    found.set(fileName, code);
    for (const [, path = ''] of code.matchAll(/["'`](\.{1,2}\/[\w./-]+\.js)["'`]/g)) {
      const next = posix.join(posix.dirname(fileName), path);
      if (!found.has(next) && files.some((file) => file.fileName === next)) found.set(next, '');
    }
  }
  const options = { ...writing, format: 'cjs', platform: 'node', target: 'node20.19', banner: lacking } as const;
  return await Promise.all(
    [...found].map(async ([fileName, code]) => {
      const written = await transform(code, { ...options, supported: { 'dynamic-import': false } });
      return { fileName, code: written.code };
    }),
  );
}

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
