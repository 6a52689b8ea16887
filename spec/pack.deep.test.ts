import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { newFolder } from '../fixtures/test-kit/own-tmp.ts';
import { thinManifest, whyNotThin } from './pack-manifest.ts';

const own = JSON.parse(readFileSync('package.json', 'utf8')) as Record<string, unknown> & {
  scripts: Record<string, string>;
};
const script = fileURLToPath(new URL('./pack-manifest.ts', import.meta.url));

it('leaves the installed package nothing to run and nothing of our tools', () => {
  const thin = thinManifest(own);
  expect(Object.keys(thin)).toEqual(
    Object.keys(own).filter((name) => !['scripts', 'devDependencies', 'allowScripts'].includes(name)),
  );
  expect(thin).toMatchObject({ name: 'casa-kit', exports: own.exports, bin: own.bin });
});

it('states the versions of the tools that an entry is for, and needs none of them', () => {
  const { peerDependencies: ranges, peerDependenciesMeta: meta } = own as Record<string, Record<string, unknown>>;
  expect(ranges).toEqual({
    msw: '^2.0.0 || ^3.0.0',
    vitest: '^3.2.0 || ^4.0.0 || ^5.0.0',
    zod: '^3.25.1 || ^4.0.0',
  });
  for (const name of Object.keys(ranges ?? {})) expect(meta?.[name]).toEqual({ optional: true });
});

it('lets a clone build, and a pack build and thin', () => {
  expect(own.scripts.prepare).toBe('npm run generate && npm run build');
  expect(own.scripts.prepack).toBe('npm run prepare && tsx spec/pack-manifest.ts strip');
  expect(own.scripts.postpack).toBe('tsx spec/pack-manifest.ts restore');
});

it('packs a package.json without scripts, and puts the whole one back', { timeout: 60_000 }, () => {
  const folder = newFolder();
  const run = (word: string) => `${process.execPath} --import ${import.meta.resolve('tsx')} ${script} ${word}`;
  const scripts = { prepare: 'exit 1', prepack: run('strip'), postpack: run('restore') };
  const text = JSON.stringify({ name: 'a-package', version: '1.0.0', scripts, devDependencies: { x: '1' } });
  writeFileSync(join(folder, 'package.json'), text);
  execFileSync('npm', ['pack', '--offline', '--loglevel=silent'], { cwd: folder, stdio: 'ignore' });
  const packed = execFileSync('tar', ['-xOzf', 'a-package-1.0.0.tgz', 'package/package.json'], { cwd: folder });
  expect(JSON.parse(String(packed))).toEqual({ name: 'a-package', version: '1.0.0' });
  expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe(text);
  expect(whyNotThin(join(folder, 'a-package-1.0.0.tgz'))).toBeNull();
  execFileSync('npm', ['pack', '--offline', '--ignore-scripts', '--loglevel=silent'], { cwd: folder, stdio: 'ignore' });
  expect(whyNotThin(join(folder, 'a-package-1.0.0.tgz'))).toMatch(/holds scripts, devDependencies: pack it without/);
  rmSync(folder, { recursive: true });
});

// Published files next to dist/. Add another kind of file here, with a reason to ship it.
const kinds = [
  /^package\.json$/,
  /^LICENSE$/,
  /^llms\.txt$/,
  /^[A-Z]+\.md$/,
  /^docs\/(tutorials\/|reference\/|explanation\/)?[\w.-]+\.(md|jpg|png|svg)$/,
  /^skills\/casa\/SKILL\.md$/,
  /^spec\/(requirements\/)?[\w.-]+\.(md|yaml)$/,
  /^examples\/(react-app|kubernetes)\//,
];

it('packs what users read and nothing of the workshop', { timeout: 60_000 }, () => {
  const out = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent'], {
    encoding: 'utf8',
  });
  const told = JSON.parse(out) as { files: { path: string }[] }[] | Record<string, { files: { path: string }[] }>;
  const [packed] = Object.values(told);
  const paths = (packed?.files ?? []).map(({ path }) => path).filter((path) => !path.startsWith('dist/'));
  expect(paths.filter((path) => !kinds.some((kind) => kind.test(path)))).toEqual([]);
  for (const kind of kinds)
    expect(
      paths.filter((path) => kind.test(path)),
      String(kind),
    ).not.toEqual([]);
});
