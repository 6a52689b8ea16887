// The one way in which the commands write a file that the user names. The rule: a new file is made, an empty one is
// filled, and a file of the same kind is replaced as a whole. Anything else stays as it is, and a symbolic link, which
// may point to a file of somebody else, is not followed. Pipes and devices are written to. SECURITY.md states the rule.
import {
  accessSync,
  appendFileSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { NotOurs, textOf, whyUnwritable } from './file-trouble.ts';
import { UsageError } from './usage-error.ts';

export interface FileKind {
  /** For a sentence: `JSON report`. */
  readonly name: string;
  /** Matches the beginning of each file of this kind. */
  readonly start: RegExp;
  /** Data of customers may be inside, so only the owner may read it. */
  readonly isPrivate?: true;
}

/** The file of `calibrate` and of `casa mock --learn`. Git does not store that only the owner may read it. */
export const profileFile: FileKind = {
  name: 'profile',
  start: /^\s*\{[\s\S]{0,2000}"casaProfile"/,
  isPrivate: true,
};

const startBytes = 4096;

/** Makes the folder and applies the rule before the work starts. Throws a `UsageError`. */
export function rejectUnwritable(flag: string, file: string, kind: FileKind): void {
  try {
    const folder = dirname(resolve(file));
    mkdirSync(folder, { recursive: true });
    accessSync(isPlaceForFile(file, kind) ? folder : file, constants.W_OK);
  } catch (error) {
    throw new UsageError(`--${flag}: ${file} ${whyUnwritable(error)}.`);
  }
}

/** The file appears under its name whole, or not at all. Throws; `whyUnwritable` has the words. */
export function writeOwn(file: string, text: string, kind: FileKind): void {
  closeSync(createOwn(file, text, kind));
}

/** The same for a file that grows: returns its handle. */
export function createOwn(file: string, text: string, kind: FileKind): number {
  if (!isPlaceForFile(file, kind)) return filled(openSync(file, 'w'), text);
  const beside = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}`);
  try {
    const handle = filled(openSync(beside, 'wx', kind.isPrivate ? 0o600 : 0o666), text);
    renameSync(beside, file);
    return handle;
  } catch (error) {
    rmSync(beside, { force: true });
    // A file that is mounted by itself keeps its name.
    if ((error as NodeJS.ErrnoException).code === 'EBUSY') return filled(openSync(file, 'r+'), text);
    throw error;
  }
}

function filled(handle: number, text: string): number {
  writeFileSync(handle, text);
  return handle;
}

/** In one write, so two processes do not mix their lines. */
export function appendOwn(file: string, line: string, kind: FileKind): void {
  isPlaceForFile(file, kind);
  const flag = constants.O_APPEND | constants.O_CREAT | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
  appendFileSync(file, line, { flag: flag as unknown as string });
}

/** False for a pipe or a device. Throws an error with words of its own for what the rule forbids. */
function isPlaceForFile(file: string, { name, start }: FileKind): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (found.isSymbolicLink()) throw new NotOurs('is a symbolic link, which is not followed: name the file itself');
  if (found.isDirectory()) throw new NotOurs('is a folder, not a file');
  if (!found.isFile()) return false;
  if (found.size === 0 || start.test(startOf(file))) return true;
  throw new NotOurs(`exists and is not a ${name}, so it is left unchanged: name another file, or remove this one`);
}

function startOf(file: string): string {
  const handle = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(startBytes);
    return textOf(bytes.subarray(0, readSync(handle, bytes)));
  } finally {
    closeSync(handle);
  }
}
