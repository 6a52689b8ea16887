// What a save file needs of the file system, in one place: a test can give another one, which is full, slow or torn
// down at any step.
import * as fs from 'node:fs';
import { dirname } from 'node:path';

/** What a save file has to know to see that somebody else touched it. */
export interface FileFacts {
  readonly kind: 'file' | 'folder' | 'other';
  /** Device and inode: the same for every name of a file. */
  readonly identity: string;
  /** Names in folders; symbolic links do not count. */
  readonly names: number;
  readonly size: number;
  readonly mode: number;
}

/** Each call throws node's own error when it fails. */
export interface Disk {
  /** Whether a file that is open keeps its name, so that no other can take it. */
  readonly holdsNames: boolean;
  /** `append` makes the file when it is missing, `fresh` only then, both for this user alone. */
  open(path: string, how: 'append' | 'fresh' | 'read'): number;
  close(file: number): void;
  /** How many bytes it read; 0 at the end. */
  read(file: number, into: Uint8Array, position: number): number;
  /** How many bytes it took, which may be fewer than were given. */
  write(file: number, bytes: Uint8Array): number;
  truncate(file: number, size: number): void;
  /** Returns when the bytes are on the medium. */
  sync(file: number): void;
  syncLater(file: number, done: (error: Error | null) => void): void;
  /** Names of a folder last a power failure only after this. */
  syncFolder(path: string): void;
  facts(file: number): FileFacts;
  look(path: string): FileFacts | null;
  realPath(path: string): string;
  rename(from: string, to: string): void;
  /** A second name for a file. */
  link(from: string, to: string): void;
  remove(path: string): void;
  list(folder: string): string[];
  setMode(file: number, mode: number): void;
}

const flags = { append: 'a', fresh: 'wx', read: 'r' } as const;
/** Keys and customers' texts are in it: nobody else may read them. */
export const privateMode = 0o600;

export const realDisk: Disk = {
  holdsNames: process.platform === 'win32',
  open: (path, how) => fs.openSync(path, flags[how], privateMode),
  close: fs.closeSync,
  read: (file, into, position) => fs.readSync(file, into, 0, into.length, position),
  write: (file, bytes) => fs.writeSync(file, bytes),
  truncate: fs.ftruncateSync,
  sync: fs.fdatasyncSync,
  syncLater: (file, done) => fs.fdatasync(file, done),
  syncFolder(path) {
    // Windows opens no folders, and needs none of this.
    if (process.platform === 'win32') return;
    const folder = fs.openSync(path, 'r');
    try {
      fs.fsyncSync(folder);
    } finally {
      fs.closeSync(folder);
    }
  },
  facts: (file) => describe(fs.fstatSync(file, { bigint: true })),
  look(path) {
    const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false });
    return found ? describe(found) : null;
  },
  realPath: (path) => fs.realpathSync.native(path),
  rename: fs.renameSync,
  link: fs.linkSync,
  remove: (path) => fs.rmSync(path, { force: true }),
  list: fs.readdirSync,
  setMode: fs.fchmodSync,
};

function describe(stat: fs.BigIntStats): FileFacts {
  return {
    kind: stat.isFile() ? 'file' : stat.isDirectory() ? 'folder' : 'other',
    identity: `${stat.dev}:${stat.ino}`,
    names: Number(stat.nlink),
    size: Number(stat.size),
    mode: Number(stat.mode) & 0o777,
  };
}

/** All of the bytes, or an error. */
export function writeWhole(disk: Disk, file: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length; ) {
    const taken = disk.write(file, at === 0 ? bytes : bytes.subarray(at));
    at += taken;
    if (taken === 0) throw Object.assign(new Error('The disk takes no more bytes.'), { code: 'ENOSPC' });
  }
}

/** A file that takes another's name appears under it whole, also after a power failure. */
export function takeName(disk: Disk, from: string, to: string): void {
  disk.rename(from, to);
  disk.syncFolder(dirname(to));
}
