// Vitest runs this once before the tests in a browser: the example finds the package as a user's project does, in its
// `node_modules`, built from the present sources, and
// its types fit.
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const root = new URL('../../', import.meta.url);
const example = fileURLToPath(new URL('examples/react-app', root));
const link = `${example}/node_modules/casa-kit`;
const compiler = createRequire(import.meta.url)
  .resolve('typescript/package.json')
  .replace('package.json', 'bin/tsc');

/** The name that vitest expects. */
export function setup(): void {
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  mkdirSync(`${example}/node_modules`, { recursive: true });
  rmSync(link, { force: true });
  symlinkSync('../../..', link, 'dir');
  execFileSync(process.execPath, [compiler, '-p', example], { stdio: ['ignore', 'inherit', 'inherit'] });
}
