import { expect, it } from 'vitest';
import { bundle, noticesFor, packagesOf } from './bundling.ts';

it('has a part with the license of each bundled package', async () => {
  const entries = { casa: 'src/cli/casa.ts', conformance: 'conformance/cli.ts', msw: 'src/testing/msw.ts' };
  const folders = packagesOf((await bundle(entries)).flatMap(({ inputs }) => inputs));
  expect(folders).toEqual(expect.arrayContaining(['node_modules/zod', 'node_modules/preact', 'node_modules/ajv']));
  const text = noticesFor(folders);
  for (const folder of folders)
    expect(text).toMatch(new RegExp(`^${folder.replace(/^.*node_modules\//, '')} \\d`, 'm'));
  expect(text.match(/MIT|Apache|BSD|ISC/g)?.length).toBeGreaterThanOrEqual(folders.length);
});

it('rejects a package without a license', () => {
  expect(() => noticesFor(['.github'])).toThrow();
});
