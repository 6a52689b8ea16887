// Vitest runs this once before all tests: it bundles both commands as the package does, so they start in a fifth of the
// time.
import { dirname } from 'node:path';
import { build } from 'esbuild';
import { bundledCommand } from './command.ts';

/** The name that vitest expects. */
export async function setup(): Promise<void> {
  await build({
    entryPoints: { casa: 'src/cli/casa.ts', 'conformance-cli': 'conformance/cli.ts' },
    outdir: dirname(bundledCommand),
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    alias: { '@modelcontextprotocol/server/_shims': './src/mcp/sdk-shims.ts' },
    external: ['@redis/client'],
    logLevel: 'warning',
  });
}
