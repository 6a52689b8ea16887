// Packs what `dist/` holds into the tarball that users install. Its package.json has neither scripts nor development
// dependencies: a user's npm would warn about `prepare`, which a checkout needs and an installed package never runs.
import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

type Manifest = Readonly<Record<string, unknown>> & { readonly files: readonly string[] };

/** The members of package.json that users need. */
export function publicManifest(manifest: Manifest): Manifest {
  const { scripts: _scripts, devDependencies: _development, allowScripts: _allowed, ...kept } = manifest;
  return kept as Manifest;
}

/** Returns the path of the tarball in `folder`. */
export function packPackage(folder: string): string {
  const manifest = publicManifest(JSON.parse(readFileSync('package.json', 'utf8')));
  const stage = join(folder, 'package');
  rmSync(stage, { recursive: true, force: true });
  mkdirSync(stage, { recursive: true });
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  for (const path of globSync(manifest.files)) cpSync(path, join(stage, path), { recursive: true });
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', resolve(folder)];
  const { status, stdout, stderr } = spawnSync('npm', words, { cwd: stage, encoding: 'utf8' });
  if (status !== 0) throw new Error(`npm pack failed: ${stderr}`);
  const packed: unknown = JSON.parse(stdout.slice(stdout.search(/[[{]/)));
  const [entry] = Object.values(packed as Record<string, { filename: string }>);
  rmSync(stage, { recursive: true });
  return join(folder, entry?.filename ?? '');
}
