// Builds dist/: every entry of package.json as ES modules that share their common parts. Dependencies are folded in, so
// that the installed package has none of its own; what is large and rarely used (zod, faker) lies in chunks that load
// on demand.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';
import { parse } from 'yaml';
import { bundle, noticesFor, packagesOf, toCommonJs, writing } from './spec/bundling.ts';

rmSync('dist', { recursive: true, force: true });
const chunks = await bundle({
  casa: 'src/cli/casa.ts',
  'conformance-cli': 'conformance/cli.ts',
  index: 'src/index.ts',
  msw: 'src/testing/msw.ts',
  vitest: 'src/testing/vitest.ts',
  jest: 'src/testing/jest.ts',
  testing: 'src/testing/testing.ts',
  playwright: 'src/testing/playwright.ts',
  try: 'src/try/index.ts',
  panel: 'src/testing/panel.ts',
  worlds: 'src/testing/worlds.ts',
  api: 'src/api/index.ts',
  conformance: 'conformance/index.ts',
});
mkdirSync('dist/chunks', { recursive: true });
for (const { fileName, code } of chunks)
  writeFileSync(`dist/${fileName}`, code, { mode: code.startsWith('#!') ? 0o755 : 0o644 });

mkdirSync('dist/cjs/chunks', { recursive: true });
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n');
for (const { fileName, code } of await toCommonJs(chunks, [
  'index',
  'jest',
  'testing',
  'playwright',
  'msw',
  'api',
  'worlds',
]))
  writeFileSync(`dist/cjs/${fileName}`, code);

// The schemas are made with the zod of the project that uses them, so they mix with its own.
await build({
  entryPoints: { 'api-zod': 'src/api/zod.ts' },
  outdir: 'dist',
  bundle: true,
  format: 'esm',
  platform: 'neutral',
  target: 'es2022',
  external: ['zod'],
  ...writing,
  logLevel: 'warning',
});

writeFileSync('dist/THIRD-PARTY-NOTICES.txt', noticesFor(packagesOf(chunks.flatMap(({ inputs }) => inputs))));

const document = parse(readFileSync('spec/openapi.yaml', 'utf8'));
writeFileSync('dist/openapi.json', JSON.stringify(document, null, 1));

for (const name of ['report', 'profile', 'diff', 'client', 'claims'])
  copyFileSync(`spec/${name}.schema.json`, `dist/${name}.schema.json`);

// The compiler copies no declarations that were written next to JavaScript.
const generated = 'src/contract/generated';
mkdirSync(`dist/types/${generated}`, { recursive: true });
for (const name of ['validators', 'tool-validators']) {
  copyFileSync(`${generated}/${name}.d.ts`, `dist/types/${generated}/${name}.d.ts`);
}
