// `npm run playground [-- DIR]`: the mock, its dashboard, the API reference and the suite as one folder of static files.
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Plugin } from 'esbuild';

const here = fileURLToPath(new URL('./', import.meta.url));
const root = fileURLToPath(new URL('../../', import.meta.url));
const usualFolder = `${here}dist/`;

/** In a page, the suite reaches the mock without sockets, and Node's modules have small replacements. */
const inPage: Plugin = {
  name: 'in-page',
  setup(bundler) {
    bundler.onResolve({ filter: /\/(http|agents)\.ts$/ }, ({ path, importer }) =>
      /[\\/]conformance[\\/]/.test(importer) && /(^|\/)wire\/|^\.\/agents/.test(path)
        ? { path: `${here}wire.ts` }
        : undefined,
    );
    bundler.onResolve({ filter: /^node:/ }, () => ({ path: `${here}node.ts` }));
  },
};

/** Writes the folder. Replaces the one of an earlier build only. */
export async function buildPlayground(folder = usualFolder): Promise<void> {
  rmSync(usualFolder, { recursive: true, force: true });
  await build({
    entryPoints: { page: `${here}page.tsx`, style: `${here}style.css` },
    entryNames: '[name]',
    absWorkingDir: root,
    outdir: folder,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    plugins: [inPage],
    define: { CasaVersion: JSON.stringify(JSON.parse(readFileSync(`${root}package.json`, 'utf8')).version) },
    inject: [`${here}node.ts`],
    logLevel: 'warning',
  });
  cpSync(`${here}index.html`, `${folder}/index.html`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2] ?? usualFolder;
  await buildPlayground(folder);
  console.log(`Built the playground in ${resolve(folder)}. Serve this folder with any web server.`);
}
