// Files of a client that is a command. Each test case has its own folder, so a position that a client stores in a file
// stays in its test case, and the files of the client show its records.
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

/** Records are copied, because a client changes them. Programs are linked, because they import each other. */
const dataFile = /\.(json|jsonl|ndjson|txt|csv|tsv|state|db|sqlite|log)$|^[^.]+$/;
const copyMax = 1_000_000;
const filesMax = 50;

/** The folder of one test case. */
export interface OwnFolder {
  readonly path: string;
  /** Texts of the files that the client made or changed, by path. */
  changed(): Map<string, string>;
  remove(): void;
}

/** Makes a folder with links to everything in the current one, and copies of its small data files. */
export function makeOwnFolder(): OwnFolder {
  const path = mkdtempSync(join(tmpdir(), 'casa-try-'));
  for (const name of readdirSync('.')) {
    const isCopied = dataFile.test(name) && statSync(name, { throwIfNoEntry: false })?.isFile();
    if (isCopied && statSync(name).size <= copyMax) copyFileSync(name, join(path, name));
    else symlinkSync(resolve(name), join(path, name));
  }
  const before = textsIn(path);
  return {
    path,
    changed: () => new Map([...textsIn(path)].filter(([name, text]) => text !== before.get(name))),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Small files. Folders are read one by one: a recursive `readdir` of Node 24 follows the link to node_modules. */
function textsIn(path: string, inside = ''): Map<string, string> {
  const texts = new Map<string, string>();
  for (const entry of readdirSync(join(path, inside), { withFileTypes: true })) {
    const name = join(inside, entry.name);
    if (entry.isDirectory()) for (const [below, text] of textsIn(path, name)) texts.set(below, text);
    if (!entry.isFile() || texts.size >= filesMax || statSync(join(path, name)).size > copyMax) continue;
    texts.set(name, readFileSync(join(path, name), 'utf8'));
  }
  return texts;
}
