// One mock for each save file: a lock file holds the id of its process and the time at which that process started. It
// is in the folder for temporary files, so a killed mock leaves nothing in the project. A container without such a
// folder has the lock next to the save file.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { accessSync, constants, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { SaveFileError } from './save-format.ts';

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
