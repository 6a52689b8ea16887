import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';

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
