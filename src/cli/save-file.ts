// `--save FILE`: what clients did outlives the process. Each change is appended, before its request is answered, as one
// line of JSON; a kill at any moment can tear only the last line, which nobody was told about. A clean stop replaces the
// lines by one snapshot.
import {
  closeSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  renameSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type FileLock, lockFile } from './file-lock.ts';

/** Says what the changes of a file were made to; a file of another kind is refused. */
export interface SaveHead {
  readonly version: string;
  /** Name of the built-in world, or a digest of the user's. */
  readonly world: string;
  readonly seed: number;
  /** When the world was brought to life, in epoch milliseconds: its instants count from here. */
  readonly startMs: number;
}

export interface SaveFile {
  /** The head of the file: the one asked for in a new file, else the one found, with its own `startMs`. */
  readonly head: SaveHead;
  /** The state at the last clean stop, or null when there was none. */
  readonly snapshot: unknown;
  /** The changes since then, oldest first. */
  readonly changes: readonly unknown[];
  /** What the user should know about the file, in one sentence; null for nothing. */
  readonly notice: string | null;
  /** Keeps one change. It is with the operating system when this returns, so that a killed process loses nothing. */
  append(change: unknown): void;
  /** Replaces all changes by one snapshot: at once or not at all. */
  compact(snapshot: unknown): void;
  /** Lets other processes have the file. */
  close(): void;
}

/** A file that cannot be used; its message is one sentence for the user. */
export class SaveFileError extends Error {}

/** Opens or makes a file. Throws a `SaveFileError` when it is not ours, of another world or version, or in use. */
export function openSaveFile(path: string, head: SaveHead): SaveFile {
  const lock = lockSave(path);
  try {
    const loaded = load(path, head) ?? create(path, head);
    return { ...loaded, ...createWriter(path, { lock, head: loaded.head }) };
  } catch (error) {
    lock.release();
    throw error;
  }
}

function createWriter(path: string, { lock, head }: { lock: FileLock; head: SaveHead }) {
  let file = openSync(path, 'a');
  return {
    append: (change: unknown) => appendWhole(file, `${JSON.stringify({ change })}\n`),
    compact: (snapshot: unknown) => {
      // Closed first: Windows does not let a name be taken from an open file.
      closeSync(file);
      try {
        writeFresh(path, [{ casaSave: 1, ...head }, { snapshot }]);
      } finally {
        file = openSync(path, 'a');
      }
    },
    close: () => {
      closeSync(file);
      lock.release();
    },
  };
}

type Loaded = Pick<SaveFile, 'head' | 'snapshot' | 'changes' | 'notice'>;

function create(path: string, head: SaveHead): Loaded {
  writeFresh(path, [{ casaSave: 1, ...head }]);
  return { head, snapshot: null, changes: [], notice: null };
}

function load(path: string, wanted: SaveHead): Loaded | null {
  const text = read(path);
  if (text === null || text === '') return null;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const lines = whole.split('\n').slice(0, -1);
  const head = checkHead(path, lines[0] ?? text, wanted);
  const torn = text.length > whole.length;
  // Head and snapshot take their place whole, so that no kill can tear them: somebody else cut the file.
  if (torn && (lines.length === 0 || text.startsWith('{"snapshot"', whole.length))) {
    throw new SaveFileError(
      `${path} ends in the middle of its snapshot; bring back a whole copy, or move it away to start afresh.`,
    );
  }
  // Cut off, or the next change would be glued to the torn one.
  if (torn) truncateSync(path, Buffer.byteLength(whole));
  let snapshot: unknown = null;
  const changes: unknown[] = [];
  for (const [i, line] of lines.entries()) {
    if (i === 0) continue;
    const record = parseRecord(line);
    if (record === null)
      throw new SaveFileError(`line ${i + 1} of ${path} is damaged; move the file away to start afresh.`);
    if (Object.hasOwn(record, 'snapshot')) snapshot = record.snapshot;
    else changes.push(record.change);
  }
  const notice = torn ? `${path} ended in half a change, which was never acknowledged; it was dropped.` : null;
  return { head, snapshot, changes, notice };
}

function checkHead(path: string, line: string, wanted: SaveHead): SaveHead {
  const found = parseRecord(line) as (SaveHead & { casaSave?: unknown }) | null;
  if (found?.casaSave !== 1) throw new SaveFileError(`${path} is no save file of casa mock; choose another name.`);
  const { version, world, seed, startMs } = found;
  for (const [what, own, asked] of [
    ['version', version, wanted.version],
    ['world', world, wanted.world],
    ['seed', seed, wanted.seed],
  ] as const) {
    if (own === asked) continue;
    throw new SaveFileError(
      `${path} was saved with ${what} ${own}, and this is ${what} ${asked}; move the file away to start afresh.`,
    );
  }
  return { version, world, seed, startMs };
}

function parseRecord(line: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(line);
    return value !== null && typeof value === 'object' ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}

function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return null;
    throw new SaveFileError(`${path} ${code === 'EISDIR' ? 'is a folder, not a file' : `cannot be read (${code})`}.`);
  }
}

function lockSave(path: string): FileLock {
  try {
    const lock = lockFile(`${path}.lock`);
    if ('heldBy' in lock) {
      const who = lock.heldBy === null ? '' : ` (process ${lock.heldBy})`;
      throw new SaveFileError(`${path} is in use by another casa mock${who}; stop it, or choose another file.`);
    }
    return lock;
  } catch (error) {
    if (error instanceof SaveFileError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new SaveFileError(`${path} cannot be written: ${code === 'ENOENT' ? 'its folder does not exist' : code}.`);
  }
}

// To a file beside it first, which then takes its name: at every moment the old or the new file is there, and whole.
function writeFresh(path: string, records: readonly object[]): void {
  const beside = join(dirname(path), `.${process.pid}.casa-save`);
  const file = openSync(beside, 'w');
  try {
    for (const record of records) writeWhole(file, `${JSON.stringify(record)}\n`);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(beside, path);
}

/** All of the text or, when the disk is full, nothing: the next line must not be glued to half of this one. */
function appendWhole(file: number, text: string): void {
  const { size } = fstatSync(file);
  try {
    writeWhole(file, text);
  } catch (error) {
    ftruncateSync(file, size);
    throw error;
  }
}

// A write may take fewer bytes than it was given.
function writeWhole(file: number, text: string): void {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}
