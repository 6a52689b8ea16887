// Files of a client that is a command. Each test case has its own folder, so a position that a client stores in a file
// stays in its test case, and the files of the client show its records.
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

/** Records are copied, because a client changes them. Programs are linked, because they import each other. */
const dataFile = /\.(json|jsonl|ndjson|txt|csv|tsv|state|db|sqlite|log)$|^[^.]+$/;
const copyMax = 1_000_000;
const filesMax = 1_000;
const linksMax = 1_000;

/** The folder of one test case. */
export interface OwnFolder {
  readonly path: string;
  /** Texts of the files that the client made or changed, by path. */
  changed(): Map<string, string>;
  remove(): void;
}

/** Makes a folder with links to everything in the current one and next to it, and copies of small data files. */
export function makeOwnFolder(): OwnFolder {
  const parent = mkdtempSync(join(tmpdir(), 'casa-try-'));
  const name = basename(resolve('.')) || 'client';
  const path = join(parent, name);
  mkdirSync(path);
  linkAll('.', path);
  // A program may load a file of `../shared`.
  linkAll('..', parent, name);
  const before = textsIn(path);
  return {
    path,
    changed: () => new Map([...textsIn(path)].filter(([file, text]) => text !== before.get(file))),
    remove: () => rmSync(parent, { recursive: true, force: true }),
  };
}

function linkAll(from: string, to: string, except?: string): void {
  for (const name of readdirSync(from).slice(0, linksMax)) {
    if (name === except) continue;
    const source = join(from, name);
    const isCopied = dataFile.test(name) && statSync(source, { throwIfNoEntry: false })?.isFile();
    if (isCopied && statSync(source).size <= copyMax) copyFileSync(source, join(to, name));
    else symlinkSync(resolve(source), join(to, name));
  }
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
