// A mark that shows whether its maker lives. It is a socket that its process listens on: the kernel lets go of it with
// the process, however that ends, and answers for it however long the process stands still. A number of a process would
// mean another one in another namespace (every container has a process 1), would come again after a restart, and a
// heartbeat would stop with a stopped process, which then wakes up and writes on. A socket in a folder is found by its
// inode, so it works between containers that share the folder.
//
// Where a folder holds no sockets (Windows, some shared folders), the mark is a file that says which process made it
// and when that began; where that process cannot be looked at from here, the file counts as alive while it is touched.
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';

/** Ours: `own` and `release` are for its maker alone. */
export interface LockMark {
  readonly name: string;
  /** From now on others are told that the file is owned, not only looked at. */
  own(): void;
  release(): void;
}

/** `candidate` is one that is still looking around. */
export type MarkState = 'dead' | 'candidate' | 'owner';

/** What stands for "no sockets here"; anything else is a folder that cannot be written. */
const noSockets = new Set(['EPERM', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'ENAMETOOLONG', 'EAFNOSUPPORT', 'ENOSYS']);

/** A socket where the folder can hold one, else a file. */
export async function makeMark(folder: string, name: string): Promise<LockMark> {
  if (process.platform !== 'win32') {
    try {
      return await listenAt(folder, name);
    } catch (error) {
      if (!noSockets.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  return writeMark(folder, name);
}

/** Safe to ask at any time; a mark that goes meanwhile is dead. */
export async function lookAt(folder: string, name: string): Promise<MarkState> {
  try {
    const path = join(folder, name);
    return lstatSync(path).isSocket() ? await greet(folder, name) : judgeFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 'dead';
    throw error;
  }
}

/** Removed with the process as well: `exit` runs for every end but a kill, and after a kill nobody listens. */
function listenAt(folder: string, name: string): Promise<LockMark> {
  const address = addressOf(folder, name);
  let isOwner = false;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(isOwner ? 'owner' : 'candidate');
  });
  const removeFile = () => rmSync(join(folder, name), { force: true });
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      address.release();
      reject(error);
    });
    server.listen(address.path, () => {
      server.unref();
      process.on('exit', removeFile);
      resolve({
        name,
        own: () => {
          isOwner = true;
        },
        release: () => {
          process.off('exit', removeFile);
          removeFile();
          server.close(address.release);
        },
      });
    });
  });
}

const greetingMsMax = 500;

// Whoever does not answer in time is busy, and lives all the same: its kernel took the connection.
function greet(folder: string, name: string): Promise<MarkState> {
  const address = addressOf(folder, name);
  return new Promise((resolve) => {
    const socket = connect(address.path);
    const settle = (state: MarkState) => {
      clearTimeout(timer);
      socket.destroy();
      address.release();
      resolve(state);
    };
    const timer = setTimeout(() => settle('owner'), greetingMsMax);
    socket.on('data', (text) => settle(String(text) === 'candidate' ? 'candidate' : 'owner'));
    socket.on('end', () => settle('owner'));
    socket.on('error', ({ code }: NodeJS.ErrnoException) => {
      settle(code === 'ECONNREFUSED' || code === 'ENOENT' ? 'dead' : 'owner');
    });
  });
}

/** The address of a socket has about a hundred bytes; Linux knows a short way into any folder. */
const addressBytesMax = 100;

/** `release` closes the folder that the short way goes through. */
function addressOf(folder: string, name: string): { readonly path: string; readonly release: () => void } {
  const path = join(folder, name);
  if (Buffer.byteLength(path) <= addressBytesMax) return { path, release: () => {} };
  if (process.platform !== 'linux') throw Object.assign(new Error('The path is too long.'), { code: 'ENAMETOOLONG' });
  const file = openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY);
  return { path: `/proc/self/fd/${file}/${name}`, release: () => closeSync(file) };
}

/** What a mark that is a file says of its process. */
interface Maker {
  /** Within it numbers of processes mean the same. */
  readonly scope: string;
  readonly pid: number;
  /** When the process began, in ticks since the machine did; null where the system does not tell. */
  readonly began: string | null;
}

const beatMs = 2_000;
const silenceMsMax = 15_000;

/** Touched every two seconds: after fifteen without a touch nobody is there. */
export function writeMark(folder: string, name: string): LockMark {
  const path = join(folder, name);
  const beside = join(folder, `${name.replace('.casa-lock.', '.casa-new.')}`);
  const maker: Maker = { scope: readScope(), pid: process.pid, began: readBegin(process.pid) };
  writeFileSync(beside, JSON.stringify(maker), { flag: 'wx', mode: 0o600 });
  renameSync(beside, path); // It takes its name whole.
  const removeFile = () => rmSync(path, { force: true });
  const timer = setInterval(() => touch(path), beatMs);
  timer.unref();
  process.on('exit', removeFile);
  return {
    name,
    own: () => {},
    release: () => {
      clearInterval(timer);
      process.off('exit', removeFile);
      removeFile();
    },
  };
}

/** Within one scope the process itself is looked at; beyond it only the time of the file tells. */
function judgeFile(path: string): MarkState {
  const maker = readMaker(path);
  if (maker?.scope === readScope()) return isThere(maker) ? 'owner' : 'dead';
  return Date.now() - lstatSync(path).mtimeMs < silenceMsMax ? 'owner' : 'dead';
}

/** The begin of the process tells it from a later one with the same number. */
function isThere({ pid, began }: Maker): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return false;
  }
  return began === readBegin(pid);
}

/** Null for a file that is not a mark, or is gone. */
function readMaker(path: string): Maker | null {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Maker;
  } catch {
    return null;
  }
}

/** One boot of one kernel, and one namespace of processes. */
function readScope(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return `${process.platform} ${hostname()}`;
  }
}

// The name of a program may hold blanks and brackets; the fields are counted behind it.
function readBegin(pid: number): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[19] ?? null;
  } catch {
    return null;
  }
}

function touch(path: string): void {
  try {
    const now = new Date();
    utimesSync(path, now, now);
  } catch {
    // Somebody removed it; the next look of ours at the file tells.
  }
}
