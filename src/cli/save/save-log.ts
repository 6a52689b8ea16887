// The open save file of a running mock. The changes of one turn of the event loop are written together, and their
// responses are sent afterwards: with `interval` once the operating system has the changes, with `always` once they
// are on the disk. Changes that cannot be written are taken back, and their requests are rejected.
import type * as nodeFs from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Persistence } from '../../transports/persistence.ts';
import type { SaveSync } from '../settings.ts';
import { errorOf, linesOf, reasonOf, type SaveHead, toLine } from './save-format.ts';

/** A power failure takes at most this much with `interval`. */
const syncMs = 1_000;
/** A stop waits this long for the disk. */
const closeMs = 5_000;
/** A file that has grown by this much since its snapshot, and to twice the snapshot, is compacted. */
const growthBytesMin = 8 * 1024 * 1024;
/** Written in one turn of a compaction: a few milliseconds. */
const pieceLength = 512 * 1024;
/** Keys and customers' texts are in the file: only its owner may read it. */
const privateMode = 0o600;

/** The calls of the file system that write; tests let them fail. */
export type Disk = Pick<
  typeof nodeFs,
  | 'closeSync'
  | 'fdatasync'
  | 'fdatasyncSync'
  | 'fstatSync'
  | 'fsyncSync'
  | 'ftruncateSync'
  | 'lstatSync'
  | 'openSync'
  | 'renameSync'
  | 'rmSync'
  | 'writeSync'
>;

/** Returns a function that cancels it. */
export type Later = (ms: number, act: () => void) => () => void;

export interface SaveLogOptions {
  readonly disk: Disk;
  readonly later: Later;
  readonly sync: SaveSync;
  /** As the user wrote it. */
  readonly path: string;
  readonly realPath: string;
  readonly head: SaveHead;
  /** Returns the present state, which must not change afterwards. */
  readonly snapshot: () => unknown;
  /** Called with a sentence for the user. */
  readonly tell: (sentence: string) => void;
}

class Batch {
  text = '';
  bytes = 0;
  problem: unknown;
  readonly takeBacks: (() => void)[] = [];
  settle!: (failure: string | null) => void;
  /** Null if the changes are saved, else the reason as one sentence. */
  readonly settled = new Promise<string | null>((resolve) => {
    this.settle = resolve;
  });
}

/**
 * The invariant: a response is sent only when its change is where `sync` wants it, and the file always ends with a
 * whole line, or with part of one that no client saw acknowledged.
 */
export class SaveLog implements Persistence {
  readonly #options: SaveLogOptions;
  #head: SaveHead;
  #file: number;
  /** Bytes of the whole lines. */
  #size: number;
  #compactAt: number;
  #batch: Batch | null = null;
  /** With `always`: written, and not on the disk yet. */
  #unsynced: Batch | null = null;
  /** Part of a line may follow the whole ones. */
  #isTorn = false;
  /** Changes since the snapshot that is being written. */
  #compaction: { tail: string } | null = null;
  #compacted: Promise<void> = Promise.resolve();
  #synced: Promise<void> = Promise.resolve();
  #cancelSync: (() => void) | null = null;
  #waiting = 0;
  #isClosed = false;
  #told = '';
  failures = 0;
  failure = '';

  constructor(options: SaveLogOptions) {
    const { disk, realPath, head } = options;
    this.#options = options;
    this.#head = head;
    this.#file = disk.openSync(realPath, 'a', privateMode);
    this.#size = disk.fstatSync(this.#file).size;
    this.#compactAt = compactionAfter(this.#size);
  }

  /** Null when everything is saved. */
  get pending(): Promise<string | null> | null {
    return (this.#batch ?? this.#unsynced)?.settled ?? null;
  }

  /** Whether the disk has not responded yet. */
  get isWaiting(): boolean {
    return this.#waiting > 0;
  }

  /** Saves a change that was just made, at the end of this turn. */
  append(change: unknown, takeBack: () => void): void {
    if (!this.#batch) {
      this.#batch = new Batch();
      setImmediate(() => this.#flush());
    }
    this.#batch.takeBacks.push(takeBack);
    try {
      const line = toLine({ change });
      this.#batch.text += line;
      if (this.#compaction) this.#compaction.tail += line;
    } catch {
      this.#batch.problem = errorOf('EFBIG');
      this.#compaction = null;
    }
  }

  /** With `always`, the changes that are made during a sync wait and share the next one. */
  #flush(): void {
    const batch = this.#batch;
    if (!batch || this.#unsynced) return;
    this.#batch = null;
    try {
      if (batch.problem) throw batch.problem;
      this.#check();
      this.#isTorn = true;
      batch.bytes = this.#write(this.#file, batch.text);
      this.#isTorn = false;
      this.#size += batch.bytes;
      this.#told = '';
    } catch (error) {
      this.#reject(error, [batch]);
      return;
    }
    if (this.#options.sync === 'always') void this.#syncBatch(batch);
    else {
      batch.settle(null);
      this.#syncLater();
    }
    if (this.#size >= this.#compactAt) this.compact();
  }

  /** Throws if another program changed the file: a change could get lost, and a rename could replace other data. */
  #check(): void {
    const { disk, realPath } = this.#options;
    // The next line must not continue an unfinished one.
    if (this.#isTorn) disk.ftruncateSync(this.#file, this.#size);
    this.#isTorn = false;
    const own = disk.fstatSync(this.#file);
    const named = disk.lstatSync(realPath, { throwIfNoEntry: false });
    if (own.size !== this.#size || own.ino !== named?.ino) throw errorOf('ESTALE');
  }

  #write(file: number, text: string): number {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) {
      const taken = this.#options.disk.writeSync(file, bytes, at);
      if (taken === 0) throw errorOf('ENOSPC');
      at += taken;
    }
    return bytes.length;
  }

  async #syncBatch(batch: Batch): Promise<void> {
    const file = this.#file;
    this.#unsynced = batch;
    this.#synced = this.#sync(file);
    const error = await this.#synced.then(
      () => null,
      (problem: unknown) => problem,
    );
    this.#unsynced = null;
    // A compaction that finished meanwhile has written and synced the batch too.
    if (error !== null && file === this.#file) {
      const later = this.#batch;
      this.#batch = null;
      this.#size -= batch.bytes;
      this.#isTorn = true;
      this.#reject(error, later ? [later, batch] : [batch]);
    } else batch.settle(null);
    this.#flush();
  }

  #sync(file: number): Promise<void> {
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      this.#options.disk.fdatasync(file, (error) => {
        this.#waiting -= 1;
        if (error) reject(error);
        else resolve();
      });
    });
  }

  #syncLater(): void {
    if (this.#isClosed) return;
    this.#cancelSync ??= this.#options.later(syncMs, async () => {
      const [file, size] = [this.#file, this.#size];
      this.#synced = this.#sync(file);
      try {
        await this.#synced;
      } catch (error) {
        // After a failed sync it is unknown which bytes are on the disk, so all of them are written again.
        if (file === this.#file) {
          this.#tellOnce(`${this.#options.path} cannot be synced: ${reasonOf(error)}. It is written again.`);
          this.compact();
        }
      }
      this.#cancelSync = null;
      if (this.#size !== size) this.#syncLater();
    });
  }

  /** `batches` are newest first, because their changes build on the older ones. */
  #reject(error: unknown, batches: readonly Batch[]): void {
    // Its snapshot has changes that are taken back now.
    this.#compaction = null;
    this.failures += 1;
    this.failure = `${this.#options.path} cannot be written: ${reasonOf(error)}.`;
    this.#tellOnce(`${this.failure} Changes are rejected until it can be written.`);
    for (const batch of batches) {
      for (const takeBack of batch.takeBacks.reverse()) takeBack();
      batch.settle(this.failure);
    }
    try {
      this.#check();
    } catch {
      // The next flush tries again.
    }
  }

  /** Continues with another world: the file has the old one, and all changes, until it is rewritten. */
  moveTo(head: SaveHead): void {
    this.#head = head;
    this.#compaction = null;
    this.compact();
  }

  /** Rewrites the file in the background. */
  compact(): void {
    if (this.#isClosed) return;
    this.#compactAt = Number.POSITIVE_INFINITY;
    this.#compacted = this.#compacted
      .then(() => this.rewrite())
      .catch((error: unknown) => {
        this.#tellOnce(
          `${this.#options.path} could not be compacted: ${reasonOf(error)}. It is complete, and continues to grow.`,
        );
      });
  }

  /**
   * Replaces all changes in the file by a snapshot, in pieces. The old file stays valid until the new one is on the
   * disk and takes its name; changes that are made meanwhile are in both.
   */
  async rewrite(snapshot: unknown = this.#options.snapshot()): Promise<void> {
    const { disk, realPath } = this.#options;
    const compaction = { tail: '' };
    const isCurrent = () => this.#compaction === compaction;
    this.#compaction = compaction;
    const path = besidePathOf(realPath);
    disk.rmSync(path, { force: true });
    const file = disk.openSync(path, 'ax', privateMode);
    try {
      const size = await this.#writeLines(file, linesOf(this.#head, snapshot), isCurrent);
      if (isCurrent()) await this.#sync(file);
      if (!isCurrent()) return;
      const tail = this.#write(file, compaction.tail);
      disk.fdatasyncSync(file);
      this.#check();
      disk.renameSync(path, realPath);
      this.#continueWith(file, size + tail);
      syncFolder(disk, dirname(realPath));
    } finally {
      if (this.#file !== file) {
        disk.closeSync(file);
        disk.rmSync(path, { force: true });
      }
      if (isCurrent()) this.#compaction = null;
      this.#compactAt = compactionAfter(this.#size);
    }
  }

  async #writeLines(file: number, lines: Iterable<string>, isCurrent: () => boolean): Promise<number> {
    let size = 0;
    let piece = '';
    for (const line of lines) {
      piece += line;
      if (piece.length < pieceLength) continue;
      size += this.#write(file, piece);
      piece = '';
      await new Promise((resolve) => setImmediate(resolve));
      if (!isCurrent()) return size;
    }
    return size + this.#write(file, piece);
  }

  /** Pending changes are in the new file already. */
  #continueWith(file: number, size: number): void {
    const old = this.#file;
    const close = () => this.#options.disk.closeSync(old);
    this.#synced.then(close, close).catch(() => {});
    this.#file = file;
    this.#size = size;
    this.#compaction = null;
    this.#unsynced?.settle(null);
    this.#batch?.settle(null);
    this.#batch = null;
  }

  /** A full disk would cause the same sentence for every write. */
  #tellOnce(sentence: string): void {
    if (sentence !== this.#told) this.#options.tell(sentence);
    this.#told = sentence;
  }

  /** False if the disk did not respond in time, so the process might not exit by itself. */
  async close(): Promise<boolean> {
    this.#isClosed = true;
    this.#cancelSync?.();
    this.#flush();
    let cancel = () => {};
    const late = new Promise<boolean>((resolve) => {
      cancel = this.#options.later(closeMs, () => resolve(false));
    });
    return Promise.race([this.#finish(), late]).finally(() => cancel());
  }

  async #finish(): Promise<boolean> {
    await this.#compacted;
    while (this.pending) await this.pending;
    await this.#synced.catch(() => {});
    await this.#sync(this.#file).catch((error: unknown) => {
      this.#tellOnce(`${this.#options.path} cannot be synced: ${reasonOf(error)}.`);
    });
    this.#options.disk.closeSync(this.#file);
    return true;
  }
}

/** Doubling keeps the cost of all compactions proportional to the changes. */
function compactionAfter(size: number): number {
  return size + Math.max(size, growthBytesMin);
}

/** In the same folder, because only there a rename is one step. */
export function besidePathOf(realPath: string): string {
  return join(dirname(realPath), `.${basename(realPath)}.casa-save`);
}

/** A power failure might bring the old file back until this is done. Windows cannot open folders. */
function syncFolder(disk: Disk, path: string): void {
  if (process.platform === 'win32') return;
  const folder = disk.openSync(path, 'r');
  try {
    disk.fsyncSync(folder);
  } finally {
    disk.closeSync(folder);
  }
}
