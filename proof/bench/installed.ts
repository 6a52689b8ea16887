// Other servers, each installed into a folder of its own beside the project, as its users would: so its size can be
// told.
import { readdirSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installOnce } from '../runtimes/projects.ts';

/** The folder of the packages. */
export function provide(...packages: readonly string[]): string {
  const home = join(tmpdir(), 'casa-kit-bench', (packages[0] as string).replace(/\W+/g, '-'));
  installOnce(home, packages);
  return join(home, 'node_modules');
}

/** Sum of the files, in units of a million bytes. */
export function sizeMb(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes / 1e6;
}

/** How many packages an installation is made of. */
export function countPackages(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).filter(
    ({ name, parentPath }) => name === 'package.json' && /node_modules\/(@[^/]+\/)?[^/]+$/.test(parentPath),
  ).length;
}
