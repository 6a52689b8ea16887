import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { bundling, noticesFor, packagesOf } from './bundling.ts';

it('has a part with the license of each bundled package', async () => {
  const { metafile } = await build({
    entryPoints: ['src/cli/casa.ts', 'conformance/cli.ts', 'src/testing/msw.ts'],
    outdir: '.tmp-notices',
    ...bundling,
    write: false,
    logLevel: 'silent',
  });
  const folders = packagesOf(Object.keys(metafile.inputs));
  expect(folders).toEqual(expect.arrayContaining(['node_modules/zod', 'node_modules/preact', 'node_modules/ajv']));
  const text = noticesFor(folders);
  for (const folder of folders)
    expect(text).toMatch(new RegExp(`^${folder.replace(/^.*node_modules\//, '')} \\d`, 'm'));
  expect(text.match(/MIT|Apache|BSD|ISC/g)?.length).toBeGreaterThanOrEqual(folders.length);
});

it('rejects a package without a license', () => {
  expect(() => noticesFor(['.github'])).toThrow();
});
