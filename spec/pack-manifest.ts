// Users of the package do not need our `npm run` scripts, and some installers run `prepare`. npm packs package.json
// unchanged, so `strip` removes them before packing and `restore` puts them back.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const path = 'package.json';
const whole = 'package.json.whole';

/** Fields for contributors only. */
const ours = ['scripts', 'devDependencies', 'allowScripts'];

/** Everything else stays, in its order. */
export function thinManifest(manifest: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(manifest).filter(([name]) => !ours.includes(name)));
}

function restore(): void {
  if (existsSync(whole)) renameSync(whole, path);
}

function strip(): void {
  // A pack that was broken off has left it.
  restore();
  const text = readFileSync(path, 'utf8');
  writeFileSync(whole, text);
  writeFileSync(path, `${JSON.stringify(thinManifest(JSON.parse(text) as Record<string, unknown>), null, 2)}\n`);
}

/** One sentence about a tarball whose package.json was not thinned (`--ignore-scripts` skips `strip`); else null. */
export function whyNotThin(tarball: string): string | null {
  const text = execFileSync('tar', ['-xOzf', tarball, 'package/package.json'], { encoding: 'utf8' });
  const left = Object.keys(JSON.parse(text) as object).filter((name) => ours.includes(name));
  return left.length === 0 ? null : `${tarball} holds ${left.join(', ')}: pack it without --ignore-scripts.`;
}

function check(tarball: string): void {
  const problem = whyNotThin(tarball);
  if (problem === null) return;
  console.error(problem);
  process.exitCode = 1;
}

const [, script = '', word, file = ''] = process.argv;
if (script.endsWith('pack-manifest.ts')) {
  if (word === 'strip') strip();
  else if (word === 'check') check(file);
  else restore();
}
