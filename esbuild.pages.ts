// Bundles the scripts that run in a reader's browser. `npm run generate` writes each into a module that holds its text
// and its digest for the page's policy; the text is committed, so tests and a fresh checkout need no build first.
import { createHash } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { writeDrift } from './spec/source-files.ts';

/** Generated module -> its sources. */
const pages: Readonly<Record<string, { script?: string; style?: string }>> = {
  'src/admin/generated/dashboard-page.ts': {
    script: 'src/admin/client/dashboard.tsx',
    style: 'src/admin/client/style/dashboard.css',
  },
  'src/admin/generated/docs-page.ts': {
    script: 'src/admin/client/docs.tsx',
    style: 'src/admin/client/style/docs.css',
  },
  'src/admin/generated/panel-style.ts': { style: 'src/admin/client/style/panel.css' },
  'conformance/reporters/generated/report-page.ts': {
    script: 'conformance/reporters/client/report.ts',
    style: 'conformance/reporters/client/report.css',
  },
};

const root = fileURLToPath(new URL('./', import.meta.url));

/** Path -> text of every generated module. */
export async function bundlePages(): Promise<Map<string, string>> {
  const modules = new Map<string, string>();
  for (const [path, page] of Object.entries(pages)) {
    const banner = `// Generated from ${page.script ?? page.style} by \`npm run generate\`. Do not edit.\n`;
    let text = banner;
    if (page.script) text += constants('script', await bundle(page.script));
    if (page.style) text += constants('style', await bundle(page.style));
    modules.set(path, text);
  }
  return modules;
}

async function bundle(entry: string): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [root + entry],
    absWorkingDir: root,
    bundle: true,
    format: 'iife',
    platform: 'browser',
    target: 'es2022',
    minify: true,
    jsx: 'automatic',
    jsxImportSource: 'preact',
    write: false,
    logLevel: 'warning',
  });
  return outputFiles[0]?.text.trimEnd() ?? '';
}

function constants(name: string, text: string): string {
  const digest = createHash('sha256').update(text).digest('base64');
  // Typed as a text, so the declarations of the package do not hold it once more.
  return `export const ${name}: string = ${JSON.stringify(text)};\nexport const ${name}Digest = 'sha256-${digest}';\n`;
}

if (process.argv[1]?.endsWith('esbuild.pages.ts'))
  writeDrift(new URL('./', import.meta.url), await bundlePages(), 'not as their sources say. Run npm run generate.');
