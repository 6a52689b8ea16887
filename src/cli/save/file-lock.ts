// One process at a time. Each starter first puts a mark of its own beside the file and only then looks for the marks of
// others: of two starters at least one sees the other, so never both go on. A name is never used twice, so that whoever
// finds a dead mark may remove it without taking a living one along. See lock-mark.ts for how a mark shows that it
// lives.
import { createHash, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type LockMark, lookAt, makeMark } from './lock-mark.ts';

/** Held until it is released or the process ends, however it ends. */
export interface FileLock {
  release(): void;
}

/** Somebody else has the file. */
export interface Held {
  /** In its own namespace of processes; null when it cannot be known. */
  readonly heldBy: number | null;
}

/** Starters that meet step back and try again so often; one that owns the file is known as such at once. */
const attemptsMax = 50;

/**
 * Takes the lock of a file, given by its real path, or says who holds it. A lock whose process is gone is taken over.
 */
export async function lockFile(file: string): Promise<FileLock | Held> {
  const folder = dirname(file);
  const prefix = `.casa-lock.${createHash('sha256').update(basename(file)).digest('hex').slice(0, 8)}.`;
  const old = readOldLock(`${file}.lock`);
  if (old !== null) return { heldBy: old };
  for (let attempt = 1; ; attempt += 1) {
    const mark = await makeMark(folder, `${prefix}${process.pid}.${randomBytes(6).toString('hex')}`);
    const found = await lookAround(folder, prefix, mark);
    if (found === 'free') {
      mark.own();
      return mark;
    }
    mark.release();
    if (found !== 'again' && (found.isOwner || attempt >= attemptsMax)) return { heldBy: found.pid };
    await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * Math.min(attempt, 10)));
  }
}

/** The mark of another starter or owner. */
interface Other {
  readonly pid: number | null;
  /** False for one that, like us, is still looking. */
  readonly isOwner: boolean;
}

/**
 * An owner outranks those who are still looking: a starter gives up before an owner, and tries again before the others.
 */
async function lookAround(folder: string, prefix: string, own: LockMark): Promise<'free' | 'again' | Other> {
  const names = readdirSync(folder).filter((name) => name.startsWith(prefix));
  // Somebody took us for dead before we could answer, so others may not have seen us either.
  if (!names.includes(own.name)) return 'again';
  let other: Other | null = null;
  for (const name of names) {
    if (name === own.name) continue;
    const state = await lookAt(folder, name);
    if (state === 'dead') rmSync(join(folder, name), { force: true });
    else if (!other?.isOwner)
      other = { pid: Number(name.slice(prefix.length).split('.')[0]), isOwner: state === 'owner' };
  }
  return other ?? 'free';
}

// The first version of casa-kit wrote the number of its process into a file. The number of a process that lives, or
// null when there is none; what a dead one left is removed.
function readOldLock(path: string): number | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return null;
  }
  if (!/^\d*\n?$/.test(text)) return null;
  const pid = Number(text);
  if (pid > 0 && pid !== process.pid && isAlive(pid)) return pid;
  rmSync(path, { force: true });
  return null;
}

/** EPERM means that it lives and belongs to somebody else. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
