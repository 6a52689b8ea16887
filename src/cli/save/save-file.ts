// `--save FILE`: changes by clients outlive the process. Each change is appended, before its response is sent, as one
// line; a kill can only tear the last line, which no client saw acknowledged. From time to time and at the next start,
// a snapshot replaces the changes.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as nodeFs from 'node:fs';
import { accessSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { loadFile, type Recall, readHead, SaveFileError, type SaveHead, toSaveError } from './save-format.ts';
import { besidePathOf, SaveLog, type SaveLogOptions } from './save-log.ts';

/** Tests pass a disk, a timer and a lock. */
export interface OpenOptions extends Pick<SaveLogOptions, 'head' | 'sync' | 'tell'> {
  readonly disk?: SaveLogOptions['disk'];
  readonly later?: SaveLogOptions['later'];
  readonly lock?: typeof lockFile;
  /** Whether a file of another world is accepted, because its changes are replayed on this one. */
  readonly takesOtherWorld?: boolean;
}

/** Call `recall`, `start` and `close`, in this order. */
export interface SaveFile {
  /** The head of the file; in a new file the one of the options. */
  readonly head: SaveHead;
  /** Restores the state of the file; returns a notice for the user. */
  recall(recall: Recall): Promise<string | null>;
  /** Then accepts changes. `snapshot` returns the present state, which must not change afterwards. */
  start(head: SaveHead, snapshot: () => unknown): Promise<SaveLog>;
  /** Releases the file. False if the disk does not respond, so the process might not exit by itself. */
  close(): Promise<boolean>;
}

/**
 * Opens or creates a file. Rejects with a `SaveFileError` if it is not a save file, belongs to another world or
 * version, or is in use, and with a `SaveDiskError` if the disk fails.
 */
export async function openSaveFile(path: string, options: OpenOptions): Promise<SaveFile> {
  const { disk = nodeFs, later = afterMs, lock = lockFile, sync, tell } = options;
  let release = () => {};
  let log: SaveLog | null = null;
  let isCompact = false;
  try {
    const realPath = findRealPath(path);
    release = lock(path, realPath);
    nodeFs.rmSync(besidePathOf(realPath), { force: true });
    const found = nodeFs.existsSync(realPath) ? readHead(path, options.head, options.takesOtherWorld) : null;
    const head = found ?? options.head;
    return {
      head,
      async recall(recall) {
        if (!found) return null;
        const loaded = await loadFile(path, recall).catch((error: unknown) => {
          if (error instanceof SaveFileError) throw error;
          throw new SaveFileError(
            `${path} cannot be loaded: ${(error as Error).message}. Move the file away to start from scratch.`,
          );
        });
        isCompact = loaded.isCompact && (nodeFs.statSync(path).mode & 0o077) === 0;
        return loaded.isTorn
          ? `${path} ended in an unfinished change that was never acknowledged; it was dropped`
          : null;
      },
      async start(newHead, snapshot) {
        try {
          log = new SaveLog({ disk, later, sync, tell, path, realPath, head: newHead, snapshot });
          // A new file needs no snapshot: its head names the world.
          if (!found) await log.rewrite(null);
          else if (!isCompact || newHead !== head) await log.rewrite();
          return log;
        } catch (error) {
          throw toSaveError(path, error);
        }
      },
      async close() {
        const hasResponse = (await log?.close()) ?? true;
        release();
        return hasResponse;
      },
    };
  } catch (error) {
    release();
    throw toSaveError(path, error);
  }
}

const afterMs: SaveLogOptions['later'] = (ms, act) => {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
};

/** A compaction replaces one name of a file, so a link and its target would become two files. */
function findRealPath(path: string): string {
  const found = nodeFs.lstatSync(path, { throwIfNoEntry: false });
  if (!found) return join(nodeFs.realpathSync.native(dirname(path)), basename(path));
  const problems: readonly (readonly [boolean, string])[] = [
    [found.isSymbolicLink(), 'is a symbolic link; use the path of the file itself.'],
    [found.isDirectory(), 'is a folder, not a file.'],
    [!found.isFile(), 'is a pipe or a device, not a file.'],
    [found.nlink > 1, `has ${found.nlink} names (hard links); use a copy of it.`],
  ];
  for (const [isProblem, sentence] of problems) if (isProblem) throw new SaveFileError(`${path} ${sentence}`);
  return nodeFs.realpathSync.native(path);
}

// One mock for each save file: a lock file holds the id of its process and the time at which that process started. It
// is in the folder for temporary files, so a killed mock leaves nothing in the project. A container without such a
// folder has the lock next to the save file.

/** A lock without content is that of a process that is just starting, unless it is older. */
const startingMs = 5_000;

/** Returns the path of the lock of a file, which is given by its real path. */
export function lockPathOf(realPath: string): string {
  const name = `.casa-mock-${createHash('sha256').update(realPath).digest('hex').slice(0, 16)}.lock`;
  try {
    accessSync(tmpdir(), constants.W_OK);
    return join(tmpdir(), name);
  } catch {
    return join(dirname(realPath), name);
  }
}

/**
 * Takes the lock of a file until the returned function is called or the process exits. Throws if another process has
 * it; the lock of a process that is gone is replaced.
 */
export function lockFile(path: string, realPath: string, startOf = startTime): () => void {
  const lock = lockPathOf(realPath);
  while (!create(lock, `${process.pid} ${startOf(process.pid)}`)) {
    const holder = read(lock);
    if (holder === null) continue;
    const [pid = '', start] = holder.split(' ');
    if (holder === '' ? isNew(lock) : startOf(Number(pid)) === start) {
      throw new SaveFileError(
        `${path} is in use by another casa mock (process ${pid || 'unknown'}); stop it, or choose another file.`,
      );
    }
    remove(lock, holder);
  }
  const release = () => {
    process.off('exit', release);
    rmSync(lock, { force: true });
  };
  process.on('exit', release);
  return release;
}

/** Whether the lock was free. */
function create(lock: string, text: string): boolean {
  try {
    writeFileSync(lock, text, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** Null if there is no lock. */
function read(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function isNew(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs < startingMs;
}

// Another process may have replaced the lock since it was read, so it is moved first and then read again.
function remove(lock: string, holder: string): void {
  const moved = `${lock}.${process.pid}`;
  try {
    renameSync(lock, moved);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  if (read(moved) === holder) rmSync(moved);
  else renameSync(moved, lock);
}

/** Null if no such process runs. Two processes with the same id differ in it, except on Windows. */
function startTime(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      const [state, ...fields] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
      return state === 'Z' ? null : (fields[18] ?? null);
    }
    if (process.platform === 'win32') return process.kill(pid, 0) ? 'unknown' : null;
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return execFileSync('ps', ['-o', 'lstart=', '-p', `${pid}`], { encoding: 'utf8', env }).trim();
  } catch {
    return null;
  }
}
