// `--save FILE`: what clients did outlives the process. Each change is appended, before its request is answered, as one
// line with a checksum; a kill at any moment can tear only the last line, which nobody was told about. From time to
// time, and with a clean stop, the lines are replaced by one snapshot.
import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Compaction } from './compaction.ts';
import { type Disk, privateMode, realDisk, writeWhole } from './disk.ts';
import { SaveFileError, toSaveError } from './disk-error.ts';
import { type FileLock, type Held, lockFile } from './file-lock.ts';
import type { SaveHead } from './head.ts';
import { loadHead, loadState, type Recall } from './load.ts';
import { SaveLog, type Turns } from './save-log.ts';
import type { SaveSync } from './save-sync.ts';

/** Disk, turns and lock are handed in by tests. */
export interface OpenOptions {
  readonly head: SaveHead;
  readonly sync: SaveSync;
  /** Whether a file of another world is taken, because its changes are made again on this one; false when absent. */
  readonly takesOtherWorld?: boolean;
  /** Tells the user something in one sentence while the mock runs. */
  readonly tell: (sentence: string) => void;
  readonly disk?: Disk;
  readonly turns?: Turns;
  readonly lock?: typeof lockFile;
}

/** To be used in this order: `recall`, `start`, `close`. */
export interface SaveFile {
  /** The head of the file: the one asked for in a new file, else the one found, with its own `startMs`. */
  readonly head: SaveHead;
  /** Makes the state again that the file holds; gives back what the user should know of it. */
  recall(recall: Recall): Promise<string | null>;
  /** After that: takes changes. `snapshot` gives the state as it is, in a form that does not change any more. */
  start(snapshot: () => unknown): SaveLog;
  /**
   * Lets other processes have the file. False when the disk does not answer, so that the process may hang at its end.
   */
  close(): Promise<boolean>;
}

/** Those of the process. */
export const realTurns: Turns = {
  soon: (act) => void setImmediate(act),
  later: (ms, act) => {
    const timer = setTimeout(act, ms);
    return () => clearTimeout(timer);
  },
};

/** A stop waits so long for the disk. */
const graceMs = 5_000;
/** A larger file is left as it is by a stop, which has to be quick. */
const tidyBytesMax = 64 * 1024 * 1024;

/**
 * Opens or makes a file. Rejects with a `SaveFileError` when it is not ours, of another world or version, or in use,
 * and with a `SaveDiskError` when the disk fails.
 */
export async function openSaveFile(path: string, options: OpenOptions): Promise<SaveFile> {
  const disk = options.disk ?? realDisk;
  let lock: FileLock | null = null;
  try {
    const realPath = findRealPath(disk, path);
    lock = readLock(path, await (options.lock ?? lockFile)(realPath));
    return await openLocked({ disk, path, realPath, lock }, options);
  } catch (error) {
    lock?.release();
    throw toSaveError(path, error);
  }
}

// The name under which the file itself stands. A file under several names would be parted by the next snapshot, which
// takes the place of one name only, and two processes would then write two states of it.
function findRealPath(disk: Disk, path: string): string {
  // Opening a pipe would wait for somebody at its other end, so the file is looked at first.
  const before = disk.look(path);
  if (before?.kind === 'folder') throw new SaveFileError(`${path} is a folder, not a file.`);
  if (before?.kind === 'other') throw new SaveFileError(`${path} is a pipe or a device, not a file.`);
  if (!before) disk.close(disk.open(path, 'append'));
  const realPath = disk.realPath(path);
  const names = before?.names ?? 1;
  if (names > 1) {
    throw new SaveFileError(
      `${path} has ${names} names (hard links), which would part as soon as the file is written anew; give a copy of it.`,
    );
  }
  if (isMountedAlone(realPath)) {
    throw new SaveFileError(`${path} is mounted by itself, so no new file can take its place; mount its folder.`);
  }
  return realPath;
}

// A container may be given a single file. Linux lists what is mounted, with blanks and the like as octal numbers.
function isMountedAlone(realPath: string): boolean {
  let mounts: string;
  try {
    mounts = readFileSync('/proc/self/mountinfo', 'utf8');
  } catch {
    return false;
  }
  const spelled = realPath.replaceAll(/[\s\\]/g, (sign) => `\\${sign.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return mounts.split('\n').some((line) => line.split(' ')[4] === spelled);
}

/** Throws where another mock has the file. */
function readLock(path: string, lock: FileLock | Held): FileLock {
  if (!('heldBy' in lock)) return lock;
  const who = lock.heldBy === null ? '' : ` (process ${lock.heldBy})`;
  throw new SaveFileError(`${path} is in use by another casa mock${who}; stop it, or choose another file.`);
}

interface Locked {
  readonly disk: Disk;
  readonly path: string;
  readonly realPath: string;
  readonly lock: FileLock;
}

/** The lock is held from here on, so nothing of what is read can change. */
async function openLocked({ disk, path, realPath, lock }: Locked, options: OpenOptions): Promise<SaveFile> {
  const beside = join(dirname(realPath), `.${basename(realPath)}.casa-save`);
  disk.close(disk.open(realPath, 'append'));
  removeOrphans(disk, realPath);
  probe(disk, beside);
  let file = disk.open(realPath, 'read');
  let saved = { disk, file, path };
  const found = await loadHead(saved, options.head, options.takesOtherWorld);
  const head = found ?? options.head;
  if (found) makePrivate(disk, file);
  if (!found) {
    disk.close(file);
    writeEmpty({ disk, beside, head }, realPath);
    file = disk.open(realPath, 'read');
    saved = { disk, file, path };
  }
  let sizes = { size: 0, snapshotSize: 0 };
  let log: SaveLog | null = null;
  return {
    head,
    async recall(recall) {
      const { isTorn, lacksEnd, ...loaded } = await loadState(saved, recall);
      disk.close(file);
      sizes = { ...loaded, size: mendEnd(disk, realPath, { size: loaded.size, lacksEnd }) };
      return isTorn ? `${path} ended in half a change, which was never acknowledged; it was dropped.` : null;
    },
    start(snapshot) {
      const { sync, tell, turns = realTurns } = options;
      log = new SaveLog({ disk, turns, sync, path, realPath, beside, head, ...sizes, snapshot, tell });
      return log;
    },
    async close() {
      const answered = (await log?.close(tidyBytesMax, graceMs)) ?? true;
      lock.release();
      return answered;
    },
  };
}

/** A save file may have become readable for others; a file of another kind is left as it is. */
function makePrivate(disk: Disk, file: number): void {
  if ((disk.facts(file).mode & 0o077) === 0) return;
  try {
    disk.setMode(file, privateMode);
  } catch {
    // It belongs to somebody else, who shares it on purpose.
  }
}

// Files that a killed process was about to put in the place of this one, and those of the first version, whose names do
// not tell for which file they were.
function removeOrphans(disk: Disk, realPath: string): void {
  const folder = dirname(realPath);
  for (const name of disk.list(folder)) {
    if (name === `.${basename(realPath)}.casa-save` || /^\.\d+\.casa-save$/.test(name)) disk.remove(join(folder, name));
  }
}

// A full disk and a folder that cannot be written are found now, and not by the first client that posts.
function probe(disk: Disk, beside: string): void {
  const file = disk.open(beside, 'fresh');
  try {
    writeWhole(disk, file, Buffer.alloc(probeBytes));
    disk.sync(file);
  } finally {
    disk.close(file);
    disk.remove(beside);
  }
}

const probeBytes = 16 * 1024;

/** Also the first line appears whole, under its name, in one step. */
function writeEmpty(target: { disk: Disk; beside: string; head: SaveHead }, realPath: string): void {
  const writer = new Compaction(target, null);
  try {
    writer.step();
    writer.finish(realPath);
    target.disk.close(writer.file);
  } catch (error) {
    writer.abandon();
    throw error;
  }
}

/**
 * Cuts half a line off, or ends a whole one: the next must not be glued to it. What a killed process had not synced yet
 * is synced now, since clients are about to see it. Gives back the size.
 */
function mendEnd(disk: Disk, realPath: string, { size, lacksEnd }: { size: number; lacksEnd: boolean }): number {
  const file = disk.open(realPath, 'append');
  try {
    if (disk.facts(file).size > size) disk.truncate(file, size);
    if (lacksEnd) writeWhole(disk, file, Buffer.from('\n'));
    disk.sync(file);
    disk.syncFolder(dirname(realPath));
    return lacksEnd ? size + 1 : size;
  } finally {
    disk.close(file);
  }
}
