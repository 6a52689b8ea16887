// One process at a time: a lock is a file that only one process can make, and says which one did.
import { linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

export interface FileLock {
  release(): void;
}

const ownLocks = new Set<string>();

/** Takes the lock, or says which living process holds it. A lock whose process is gone is taken over. */
export function lockFile(path: string): FileLock | { readonly heldBy: number | null } {
  const lock = resolve(path);
  if (ownLocks.has(lock)) return { heldBy: process.pid };
  for (;;) {
    try {
      writeFileSync(lock, `${process.pid}\n`, { flag: 'wx' });
      ownLocks.add(lock);
      return { release: () => releaseLock(lock) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = readOwner(lock);
    if (owner === null ? isFresh(lock) : isAlive(owner)) return { heldBy: owner };
    clearStale(lock, owner);
  }
}

function releaseLock(lock: string): void {
  if (ownLocks.delete(lock)) rmSync(lock, { force: true });
}

const namelessMsMax = 2000;

// Between making a lock and writing the number into it a moment passes.
function isFresh(lock: string): boolean {
  try {
    return Date.now() - statSync(lock).mtimeMs < namelessMsMax;
  } catch {
    return false;
  }
}

// Two processes may find the same stale lock, and the slower one would remove the lock that the quicker one has just made:
// it looks at what it moved away, and puts it back.
function clearStale(path: string, owner: number | null): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
  } catch {
    return;
  }
  if (readOwner(aside) !== owner) {
    try {
      linkSync(aside, path);
    } catch {
      // A third process has the lock by now.
    }
  }
  rmSync(aside, { force: true });
}

function readOwner(path: string): number | null {
  try {
    const pid = Number(readFileSync(path, 'utf8'));
    return Number.isInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

// Our own number in an old lock is a coincidence, as in containers, where every process is number 1.
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
