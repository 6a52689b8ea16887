// `--save FILE`: changes by clients outlive the process. Each change is appended, before its response is sent, as one
// line; a kill can only tear the last line, which no client saw acknowledged. From time to time and at the next start,
// a snapshot replaces the changes.
import * as nodeFs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { loadFile, type Recall, readHead, SaveFileError, type SaveHead, toSaveError } from './save-format.ts';
import { lockFile } from './save-lock.ts';
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
