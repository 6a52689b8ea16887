// `npm run` scripts and tools of ours mean nothing to those who install the package, and some installers run `prepare`.
// npm packs package.json as it stands, so it is thinned before (`strip`) and put back afterwards (`restore`).
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';

const path = 'package.json';
const whole = 'package.json.whole';

/** What is for those who work on the package. */
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

const [, script = '', word] = process.argv;
if (script.endsWith('pack-manifest.ts')) {
  if (word === 'strip') strip();
  else restore();
}
