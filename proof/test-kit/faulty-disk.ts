// Real files on a disk that fails, waits and loses its power when a test says so. After a power failure, a file has its
// synced bytes and a beginning of those that were appended since.
import * as fs from 'node:fs';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSaveFile, type SaveFile } from '../../src/cli/save/save-file.ts';
import type { Disk, SaveLog } from '../../src/cli/save/save-log.ts';
import type { SaveSync } from '../../src/cli/settings.ts';

/** The steps at which a test can let the disk fail. */
export type DiskStep = 'open' | 'write' | 'sync' | 'rename' | 'truncate' | 'syncFolder';

/** The disk of one process. */
export class FaultyDisk {
  /** Throws where the test wants a step to fail. */
  before: (step: DiskStep) => void = () => {};
  /** The bytes that a write accepts at most. */
  takesMax = Number.POSITIVE_INFINITY;
  /** Whether a sync waits for `response`. */
  holdsSyncs = false;
  readonly steps: DiskStep[] = [];
  readonly #folder: string;
  /** Bytes on the medium, by inode. */
  readonly #synced: Map<number, number>;
  readonly #open = new Set<number>();
  #waiting: (() => void)[] = [];
  #isDead = false;

  /** `synced` is that of an earlier process. */
  constructor(folder: string, synced = new Map<number, number>()) {
    this.#folder = folder;
    this.#synced = synced;
  }

  readonly calls = {
    ...fs,
    openSync: (path: string, flags: string, mode?: number) => {
      this.#step('open');
      const file = fs.openSync(path, flags, mode);
      this.#open.add(file);
      return file;
    },
    closeSync: (file: number) => {
      if (!this.#open.delete(file)) throw diskError('EBADF');
      fs.closeSync(file);
    },
    writeSync: (file: number, bytes: Buffer, at: number) => {
      const taken = this.#isDead ? 0 : fs.writeSync(file, bytes, at, Math.min(bytes.length - at, this.takesMax));
      this.#step('write');
      return taken;
    },
    ftruncateSync: (file: number, size: number) => {
      this.#step('truncate');
      fs.ftruncateSync(file, size);
    },
    fstatSync: (file: number) => {
      this.#check();
      return fs.fstatSync(file);
    },
    fdatasyncSync: (file: number) => this.#sync(fs.fstatSync(file)),
    fdatasync: (file: number, done: (error: Error | null) => void) => {
      const found = fs.fstatSync(file);
      const response = () => {
        try {
          this.#sync(found);
        } catch (error) {
          done(error as Error);
          return;
        }
        done(null);
      };
      if (this.holdsSyncs) this.#waiting.push(response);
      else setImmediate(response);
    },
    fsyncSync: () => this.#step('syncFolder'),
    renameSync: (from: string, to: string) => {
      this.#step('rename');
      fs.renameSync(from, to);
    },
  } as unknown as Disk;

  /** Completes all syncs so far. */
  response(): void {
    for (const response of this.#waiting.splice(0)) response();
  }

  /** Lets a step fail. */
  fail(step: DiskStep, code: string, times = 1): void {
    let left = times;
    this.before = (done) => {
      if (done !== step || left === 0) return;
      left -= 1;
      throw diskError(code);
    };
  }

  /** Ends the process; the system continues. Returns the disk of the next one. */
  kill(): FaultyDisk {
    this.#isDead = true;
    this.#waiting = [];
    for (const file of this.#open) fs.closeSync(file);
    this.#open.clear();
    return new FaultyDisk(this.#folder, this.#synced);
  }

  /** Ends the system; `share`, 0 to 1, is how much of the bytes that were not synced is kept. */
  cutPower(share: number): FaultyDisk {
    for (const name of fs.readdirSync(this.#folder)) {
      const { ino, size } = fs.statSync(join(this.#folder, name));
      const synced = Math.min(size, this.#synced.get(ino) ?? 0);
      fs.truncateSync(join(this.#folder, name), synced + Math.floor(share * (size - synced)));
    }
    return this.kill();
  }

  #sync({ ino, size }: fs.Stats): void {
    this.#step('sync');
    this.#synced.set(ino, size);
  }

  #step(step: DiskStep): void {
    this.#check();
    this.steps.push(step);
    this.before(step);
  }

  #check(): void {
    if (this.#isDead) throw diskError('EIO');
  }
}

/** An error as node's file system throws it. */
export function diskError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

export const head = { version: '1.0.0', world: 'default', seed: 1, startMs: 1_000 };

/** A turn of the event loop: changes are written at its end, and settled promises are read. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The mock, and its responses to clients. */
export class SaveSetup {
  readonly folder = mkdtempSync(join(tmpdir(), 'casa-save-'));
  readonly path = join(this.folder, 'state');
  readonly messages: string[] = [];
  state: number[] = [];
  acknowledged: number[] = [];
  rejected: { readonly number: number; readonly reason: string }[] = [];
  notice: string | null = null;
  log!: SaveLog;
  disk = new FaultyDisk(this.folder);
  readonly #sync: SaveSync;
  #file!: SaveFile;
  #timers = new Set<() => void>();

  constructor(sync: SaveSync) {
    this.#sync = sync;
  }

  /** Starts as the command does. Call it again after a kill or a power failure. */
  async start(): Promise<this> {
    const { path, disk } = this;
    this.#timers = new Set();
    const timers = this.#timers;
    this.#file = await openSaveFile(path, {
      ...{ head, sync: this.#sync, disk: disk.calls, lock: () => () => {} },
      tell: (sentence) => void this.messages.push(sentence.replace(path, 'FILE')),
      later: (_ms, act) => {
        timers.add(act);
        return () => void timers.delete(act);
      },
    });
    this.state = [];
    this.notice = await this.#file.recall({
      restore: (snapshot) => {
        this.state = [...(snapshot as { list: number[] }).list];
      },
      replay: (changes) => void this.state.push(...(changes as number[])),
    });
    this.log = await this.#file.start(head, () => ({ list: [...this.state] }));
    disk.holdsSyncs = true;
    return this;
  }

  /** A client posts a number. */
  post(number: number): void {
    const { state, disk } = this;
    const isAlive = () => disk === this.disk;
    state.push(number);
    this.log.append(number, () => {
      if (isAlive() && state.pop() !== number) throw new Error('Changes were taken back in another order.');
    });
    this.log.pending?.then((reason) => {
      if (!isAlive()) return;
      if (reason === null) this.acknowledged.push(number);
      else this.rejected.push({ number, reason: reason.replace(this.path, 'FILE') });
    });
  }

  /** Runs all timers, however long they wait. */
  tick(): void {
    for (const act of [...this.#timers]) {
      this.#timers.delete(act);
      act();
    }
  }

  kill(): Promise<this> {
    this.disk = this.disk.kill();
    return this.start();
  }

  cutPower(share: number): Promise<this> {
    this.disk = this.disk.cutPower(share);
    return this.start();
  }

  close(): Promise<boolean> {
    return this.#file.close();
  }
}
