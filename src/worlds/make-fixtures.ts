// `npm run worlds` writes fixtures/worlds/*.json; `npm run worlds -- --check` only says whether they are up to date.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fixtureMakers } from './fixtures.ts';
import { formatWorld } from './format.ts';

const folder = new URL('../../fixtures/worlds/', import.meta.url);

/** File name -> text, for everything under fixtures/worlds/. */
export async function makeFixtures(): Promise<Map<string, string>> {
  const files = new Map<string, string>();
  // One after the other: the generator is seeded again for each, and it is one generator.
  for (const [name, make] of Object.entries(fixtureMakers)) files.set(`${name}.json`, formatWorld(await make()));
  return files;
}

/** Returns the names of world files that differ from the generator's output. */
export function findDrift(files: ReadonlyMap<string, string>): string[] {
  return [...files].filter(([name, text]) => readFixture(name) !== text).map(([name]) => name);
}

/** null for a file that is not there yet, which then counts as drifted. */
function readFixture(name: string): string | null {
  try {
    return readFileSync(new URL(name, folder), 'utf8');
  } catch {
    return null;
  }
}

async function main(): Promise<void> {
  const files = await makeFixtures();
  const drifted = findDrift(files);
  if (process.argv.includes('--check')) {
    if (drifted.length === 0) return;
    console.error(`World files do not match their generator: ${drifted.join(', ')}. Run npm run worlds.`);
    process.exitCode = 1;
    return;
  }
  mkdirSync(folder, { recursive: true });
  for (const name of drifted) writeFileSync(new URL(name, folder), files.get(name) ?? '');
}

if (process.argv[1]?.endsWith('make-fixtures.ts')) await main();
