// A mock whose whole state is a list of numbers, with a save file on a faulty disk.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSaveFile, type SaveFile } from '../../src/cli/save/save-file.ts';
import type { SaveLog } from '../../src/cli/save/save-log.ts';
import type { SaveSync } from '../../src/cli/settings.ts';
import { FaultyDisk } from './faulty-disk.ts';

export const head = { version: '1.0.0', world: 'default', seed: 1, startMs: 1_000 };

/** A turn of the event loop: changes are written at its end, and settled promises are read. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The mock, and its responses to clients. */
export class SaveRig {
  readonly folder = mkdtempSync(join(tmpdir(), 'casa-save-'));
  readonly path = join(this.folder, 'state');
  readonly told: string[] = [];
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
      tell: (sentence) => void this.told.push(sentence.replace(path, 'FILE')),
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
