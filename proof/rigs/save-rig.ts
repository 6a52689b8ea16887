// A mock whose whole state is a list of numbers, with a save file on a disk in memory; turns of the event loop and time
// pass by hand.
import { openSaveFile, type SaveFile } from '../../src/cli/save/save-file.ts';
import type { SaveLog, Turns } from '../../src/cli/save/save-log.ts';
import type { SaveSync } from '../../src/cli/save/save-sync.ts';
import { FakeDisk } from './fake-disk.ts';

export const head = { version: '1.0.0', world: 'default', seed: 1, startMs: 1_000 };
export const path = '/state';

/** Turns of the event loop and time, both by hand. */
export class HandTurns implements Turns {
  #soon: (() => void)[] = [];
  #later: { readonly act: () => void }[] = [];

  /** After the present turn, when the test says so. */
  soon(act: () => void): void {
    this.#soon.push(act);
  }

  /** All timers are equal here: `tick` runs them whatever they waited for. */
  later(_ms: number, act: () => void): () => void {
    const timer = { act };
    this.#later.push(timer);
    return () => {
      this.#later = this.#later.filter((other) => other !== timer);
    };
  }

  /** What is added meanwhile waits for the next turn. */
  turn(): void {
    for (const act of this.#soon.splice(0)) act();
  }

  /** All turns that follow from one another. */
  turns(): void {
    while (this.#soon.length > 0) this.turn();
  }

  tick(): void {
    for (const { act } of this.#later.splice(0)) act();
  }
}

/** The mock, and what it told its clients. */
export class SaveRig {
  turns = new HandTurns();
  readonly told: string[] = [];
  state: number[] = [];
  acknowledged: number[] = [];
  refused: { readonly number: number; readonly reason: string }[] = [];
  notice: string | null = null;
  log!: SaveLog;
  readonly disk: FakeDisk;
  readonly sync: SaveSync;
  #file!: SaveFile;

  constructor(sync: SaveSync, disk = new FakeDisk()) {
    this.sync = sync;
    this.disk = disk;
  }

  /** Starts as the command does: lock, recall, then append. May be called again after a kill or a power cut. */
  async start(): Promise<this> {
    this.turns = new HandTurns();
    const { disk, turns, sync } = this;
    const lock = async () => ({ release: () => {} });
    const tell = (sentence: string) => void this.told.push(sentence);
    this.#file = await openSaveFile(path, { head, sync, tell, disk, turns, lock });
    this.state = [];
    this.notice = await this.#file.recall({
      restore: (snapshot) => {
        this.state = [...(snapshot as { list: number[] }).list];
      },
      replay: (changes) => void this.state.push(...(changes as number[])),
      check: async () => null,
    });
    this.log = this.#file.start(() => ({ list: [...this.state] }));
    return this;
  }

  /** A client posts a number; its answer comes when it comes. */
  post(number: number): void {
    this.state.push(number);
    this.log.append(number, () => {
      if (this.state.pop() !== number) throw new Error('Changes were taken back in another order.');
    });
    this.log.pending?.then((reason) => {
      if (reason === null) this.acknowledged.push(number);
      else this.refused.push({ number, reason });
    });
  }

  close(): Promise<boolean> {
    return this.#file.close();
  }
}
