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

describe('the mutants', () => {
  it('are not loaded by a mock that has none', async () => {
    const { metafile } = await build({
      entryPoints: ['src/cli/mock.ts', 'src/index.ts'],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      outdir: 'unwritten',
      write: false,
      metafile: true,
      logLevel: 'silent',
    });
    const loaded = (output: string): string[] => {
      const { inputs, imports } = metafile.outputs[output] ?? { inputs: {}, imports: [] };
      const further = imports.filter(({ kind, external }) => kind === 'import-statement' && !external);
      return [...Object.keys(inputs), ...further.flatMap(({ path }) => loaded(path))];
    };
    const entries = Object.keys(metafile.outputs).filter((name) =>
      metafile.outputs[name]?.entryPoint?.match(/mock.ts|index.ts/),
    );
    expect(entries.length).toBeGreaterThan(1);
    const early = entries.filter((name) => !metafile.outputs[name]?.entryPoint?.includes('mutants')).flatMap(loaded);
    expect(Object.values(metafile.outputs).some(({ inputs }) => 'src/mutants/index.ts' in inputs)).toBe(true);
    expect(early).toContain('src/engine/core.ts');
    expect(early.filter((input) => /^src\/mutants\/|generated\/clauses/.test(input))).toEqual([]);
  });
});
