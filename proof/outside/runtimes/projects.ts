// Projects as users have them, outside of this repository: empty but for the packed package, or with a test tool next
// to it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transformSync } from 'esbuild';

/** Packs what `dist/` holds, as `npm publish` would; gives back the file. */
export function packPackage(folder: string): string {
  mkdirSync(folder, { recursive: true });
  const output = npm(['pack', '--ignore-scripts', '--json', '--pack-destination', folder], process.cwd());
  const packed: unknown = JSON.parse(output.slice(output.search(/[[{]/)));
  const [entry] = Object.values(packed as Record<string, { filename: string }>);
  return join(folder, entry?.filename ?? '');
}

export interface ProjectOptions {
  readonly folder: string;
  readonly tarball: string;
  /** Further packages, as `name@version`. */
  readonly with?: readonly string[];
}

/** A fresh project with the package installed from the tarball, and the smoke script in it. */
export function makeProject({ folder, tarball, with: others = [] }: ProjectOptions): string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"somebodys-project","private":true,"type":"module"}');
  const source = readFileSync('proof/outside/runtimes/smoke.ts', 'utf8');
  writeFileSync(join(folder, 'smoke.mjs'), transformSync(source, { loader: 'ts', format: 'esm' }).code);
  const network = others.length === 0 ? ['--offline'] : ['--prefer-offline'];
  npm(['install', ...quiet, ...network, tarball, ...others], folder);
  return folder;
}

export function installOnce(folder: string, packages: readonly string[]): void {
  const mark = join(folder, 'installed.json');
  const wanted = JSON.stringify(packages);
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"installed","private":true}');
  npm(['install', ...quiet, '--prefer-offline', ...packages], folder);
  writeFileSync(mark, wanted);
}

// None of the packages needs its install script: their binaries are separate packages.
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];

function npm(args: readonly string[], cwd: string): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm ${args.join(' ')} failed in ${cwd}: ${stderr}`);
  return stdout;
}
