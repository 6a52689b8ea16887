// Builds the app for production and serves it, as it would be deployed: one call for each value of the variable.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, preview } from 'vite';

const root = join(import.meta.dirname, '..');

export interface Served {
  readonly origin: string;
  /** The folder of the built files. */
  readonly folder: string;
  close(): Promise<void>;
}

/** The environment as a shell would give it: `{ VITE_API: 'msw' }`. */
export async function serveApp(env: Readonly<Record<string, string>>): Promise<Served> {
  // vitest says 'test', for which React builds what developers need.
  Object.assign(process.env, env, { NODE_ENV: 'production' });
  const folder = mkdtempSync(join(tmpdir(), 'casa-example-'));
  const settings = { root, logLevel: 'error', build: { outDir: folder, emptyOutDir: true } } as const;
  await build(settings);
  const server = await preview({ ...settings, preview: { host: '127.0.0.1', port: 0 } });
  const origin = server.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  return {
    origin,
    folder,
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
}
