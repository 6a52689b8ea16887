// Vitest runs this once before all tests. What tests put into the folder for temporary files goes with the run.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Named as vitest wants it; what it returns runs after the last test. */
export function setup(): () => void {
  const { TMPDIR, XDG_CACHE_HOME } = process.env;
  const folder = mkdtempSync(join(tmpdir(), 'casa-tests-'));
  // Workers and the processes that they start take it over.
  Object.assign(process.env, { TMPDIR: folder, XDG_CACHE_HOME: join(folder, 'cache') });
  return () => {
    for (const [name, before] of Object.entries({ TMPDIR, XDG_CACHE_HOME })) {
      if (before === undefined) delete process.env[name];
      else process.env[name] = before;
    }
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
}
