import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { bundling, writing } from '../../spec/bundling.ts';

describe.each(['src/index.ts', 'src/testing/msw.ts'])('%s in a bundle for pages', (entry) => {
  it('asks for no module of Node', async () => {
    const { metafile, warnings } = await build({
      entryPoints: [entry],
      bundle: true,
      splitting: true,
      outdir: 'out',
      format: 'esm',
      platform: 'browser',
      external: ['msw', 'node:*'],
      alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const external = Object.values(metafile.outputs).flatMap(({ imports }) =>
      imports.filter(({ external }) => external).map(({ path }) => path),
    );
    expect([...new Set(external)].filter((path) => path !== 'msw')).toEqual([]);
    expect(warnings).toEqual([]);
  });
});

// Node prints the source line of an uncaught error before its message.
it('the bundle of the package has no line that buries a message', async () => {
  const { outputFiles } = await build({
    entryPoints: ['src/index.ts', 'conformance/cli.ts'],
    outdir: 'out',
    ...bundling,
    ...writing,
    write: false,
    logLevel: 'silent',
  });
  const scripts = outputFiles.filter(({ path }) => path.endsWith('.js'));
  const longest = Math.max(...scripts.flatMap(({ text }) => text.split('\n').map((line) => line.length)));
  expect(longest).toBeLessThan(2_000);
});
