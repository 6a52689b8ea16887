// A disk in memory, for tests of what is kept: it can be full, fail, answer late, lose its power, and somebody can
// write on it behind our back. Bytes that were not synced may be lost from any one on when the power goes, and names go
// back in their order.
import type { Disk, FileFacts } from '../../src/cli/save/disk.ts';

/** A file apart from its names, as on a real disk: what is open stays open when its name goes. */
interface Inode {
  readonly number: number;
  bytes: Buffer;
  /** What is on the medium. */
  synced: Buffer;
  mode: number;
}

/** All names of the disk at one moment; never changed, always replaced, so that a history of them can be kept. */
type Names = ReadonlyMap<string, Inode>;

/** The steps at which a test can let the disk fail. */
export type DiskStep = 'open' | 'write' | 'sync' | 'rename' | 'truncate' | 'syncFolder' | 'remove' | 'look';

/** An error as node's file system throws it. */
export function diskError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

/**
 * The invariant of the medium: after a power cut, a file holds its synced bytes and a beginning of what was appended
 * since; the folder holds one of the states it had since its last sync.
 */
export class FakeDisk implements Disk {
  readonly holdsNames = false;
  /** Throws where the test wants a step to fail. */
  before: (step: DiskStep) => void = () => {};
  /** How many bytes a write takes at most. */
  takesMax = Number.POSITIVE_INFINITY;
  readonly steps: DiskStep[] = [];
  #count = 0;
  #names: Names = new Map([['/', this.#inode()]]);
  /** The names after each change since the folder was synced; the first are on the medium. */
  #history: Names[] = [this.#names];
  readonly #open = new Map<number, Inode>();
  #waiting: (() => void)[] = [];

  /** `fresh` refuses a name that is taken, which is how a lock and a new file are made safely. */
  open(path: string, how: 'append' | 'fresh' | 'read'): number {
    this.#step('open');
    const known = this.#names.get(path);
    if (known && how === 'fresh') throw diskError('EEXIST');
    if (!known && how === 'read') throw diskError('ENOENT');
    const inode = known ?? this.#inode();
    if (!known) this.#rename((names) => names.set(path, inode));
    this.#count += 1;
    this.#open.set(this.#count, inode);
    return this.#count;
  }

  close(file: number): void {
    if (!this.#open.delete(file)) throw diskError('EBADF');
  }

  read(file: number, into: Uint8Array, position: number): number {
    return this.#of(file).bytes.copy(into, 0, position);
  }

  /** May take fewer bytes than it is given, as a real disk may. */
  write(file: number, bytes: Uint8Array): number {
    const inode = this.#of(file);
    const taken = Math.min(bytes.length, this.takesMax);
    inode.bytes = Buffer.concat([inode.bytes, bytes.subarray(0, taken)]);
    this.#step('write');
    return taken;
  }

  truncate(file: number, size: number): void {
    this.#step('truncate');
    const inode = this.#of(file);
    inode.bytes = inode.bytes.subarray(0, size);
  }

  sync(file: number): void {
    this.#step('sync');
    const inode = this.#of(file);
    inode.synced = inode.bytes;
  }

  /** Answers when the test says so: what is written meanwhile is not part of it. */
  syncLater(file: number, done: (error: Error | null) => void): void {
    const inode = this.#of(file);
    const { bytes } = inode;
    this.#waiting.push(() => {
      try {
        this.#step('sync');
        inode.synced = bytes;
      } catch (error) {
        done(error as Error);
        return;
      }
      done(null);
    });
  }

  /** Answers all syncs that were asked for so far. */
  answer(): void {
    for (const answer of this.#waiting.splice(0)) answer();
  }

  syncFolder(): void {
    this.#step('syncFolder');
    this.#history = [this.#names];
  }

  facts(file: number): FileFacts {
    return this.#describe(this.#of(file));
  }

  look(path: string): FileFacts | null {
    this.#step('look');
    const inode = this.#names.get(path);
    return inode ? this.#describe(inode) : null;
  }

  /** No symbolic links here. */
  realPath(path: string): string {
    return path;
  }

  rename(from: string, to: string): void {
    this.#step('rename');
    const inode = this.#names.get(from);
    if (!inode) throw diskError('ENOENT');
    this.#rename((names) => {
      names.delete(from);
      names.set(to, inode);
    });
  }

  link(from: string, to: string): void {
    const inode = this.#names.get(from);
    if (!inode) throw diskError('ENOENT');
    this.#rename((names) => names.set(to, inode));
  }

  remove(path: string): void {
    this.#step('remove');
    if (this.#names.has(path)) this.#rename((names) => names.delete(path));
  }

  list(folder: string): string[] {
    const prefix = folder === '/' ? '/' : `${folder}/`;
    return [...this.#names.keys()].filter((path) => path.startsWith(prefix)).map((path) => path.slice(prefix.length));
  }

  setMode(file: number, mode: number): void {
    this.#of(file).mode = mode;
  }

  text(path: string): string {
    return String(this.#names.get(path)?.bytes);
  }

  /** As somebody else would. */
  put(path: string, content: string | Buffer): void {
    const inode = this.#inode();
    inode.bytes = Buffer.from(content);
    inode.synced = inode.bytes;
    this.#rename((names) => names.set(path, inode));
    this.#history = [this.#names];
  }

  /** The process is gone; the system lives on. */
  kill(): void {
    this.#open.clear();
    this.#waiting = [];
    this.before = () => {};
    this.takesMax = Number.POSITIVE_INFINITY;
  }

  /** The power is gone: `share`, 0 to 1, says how much of what was not synced is there all the same. */
  fail(share: number): void {
    this.kill();
    this.#names = this.#history[Math.round(share * (this.#history.length - 1))] as Names;
    this.#history = [this.#names];
    for (const inode of this.#names.values()) {
      const { bytes, synced } = inode;
      const isLonger = bytes.length > synced.length && bytes.subarray(0, synced.length).equals(synced);
      const extra = isLonger ? Math.floor(share * (bytes.length - synced.length)) : 0;
      inode.bytes = bytes.subarray(0, isLonger ? synced.length + extra : 0);
      if (!isLonger) inode.bytes = synced;
      inode.synced = inode.bytes;
    }
  }

  #step(step: DiskStep): void {
    this.steps.push(step);
    this.before(step);
  }

  #of(file: number): Inode {
    const inode = this.#open.get(file);
    if (!inode) throw diskError('EBADF');
    return inode;
  }

  #inode(): Inode {
    this.#count += 1;
    return { number: this.#count, bytes: Buffer.alloc(0), synced: Buffer.alloc(0), mode: 0o600 };
  }

  /** Only the folder's sync makes a change of names last. */
  #rename(change: (names: Map<string, Inode>) => void): void {
    const names = new Map(this.#names);
    change(names);
    this.#names = names;
    this.#history.push(names);
  }

  #describe(inode: Inode): FileFacts {
    const names = [...this.#names.values()].filter((other) => other === inode).length;
    const kind = this.#names.get('/') === inode ? 'folder' : 'file';
    return { kind, identity: `1:${inode.number}`, names, size: inode.bytes.length, mode: inode.mode };
  }
}
