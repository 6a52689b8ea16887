// `--save FILE`: changes by clients outlive the process. The changes of one turn of the event loop are one row, which
// is written before their responses are sent. Those that cannot be written are taken back, and their requests are
// rejected. From time to time and at the next start, a snapshot replaces the changes.

import type { BehaviorsSource } from '../../contract/profile.ts';
import type { Persistence } from '../../transports/persistence.ts';
import type { SaveSync } from '../settings.ts';
import { reasonOf, SaveDatabase, SaveFileError, toSaveError } from './save-database.ts';

/** A power failure takes at most this much with `interval`. */
const syncMs = 1_000;
/** A snapshot replaces changes of this length, or of that of the last snapshot if that is longer. */
const usualGrowthLength = 64 * 1024 * 1024;

/** The world that the changes belong to. */
export interface SaveHead {
  readonly version: string;
  /** Name of the built-in world, or a digest of the user's. */
  readonly world: string;
  readonly seed: number;
  /** Start of the world, in epoch milliseconds: its timestamps are relative to it. */
  readonly startMs: number;
  /** Those that ids and keys of the world are written in; absent for the default ones. */
  readonly behaviors?: BehaviorsSource;
}

export interface Recall {
  restore(snapshot: unknown): void;
  replay(changes: readonly unknown[]): void;
}

export interface SaveOptions {
  readonly head: SaveHead;
  /** `always`: a response waits for the disk, instead of the operating system. */
  readonly sync: SaveSync;
  /** Called with a sentence for the user. */
  readonly tell: (sentence: string) => void;
  /** Whether a file of another world is accepted, because its changes are replayed on this one. */
  readonly takesOtherWorld?: boolean;
  /** Runs something after `syncMs`; tests do it at once. */
  readonly later?: (act: () => void) => void;
  /** Tests set a smaller length of the changes that a snapshot replaces. */
  readonly growthLengthMin?: number;
}

/**
 * Opens or creates a file. Rejects with a `SaveFileError` if it is not a save file, belongs to another world or
 * version, is damaged or in use, and with a `SaveDiskError` if the disk fails.
 */
export async function openSaveFile(path: string, options: SaveOptions): Promise<SaveFile> {
  try {
    const database = await SaveDatabase.open(path, options.head, options.sync === 'always');
    try {
      checkHead(path, database.stored.head, options);
      return new SaveFile(database, options);
    } catch (error) {
      database.close();
      throw error;
    }
  } catch (error) {
    throw toSaveError(path, error);
  }
}

function checkHead(path: string, head: SaveHead, { head: wanted, takesOtherWorld }: SaveOptions): void {
  const isOtherFile = takesOtherWorld && head.world !== wanted.world && head.world.startsWith('file ');
  for (const name of ['version', 'world', 'seed'] as const) {
    if (head[name] === wanted[name] || (isOtherFile && name !== 'version')) continue;
    throw new SaveFileError(
      `${path} was saved with ${name} ${head[name]}, and this is ${name} ${wanted[name]}; ` +
        'move the file away to start from scratch.',
    );
  }
}

interface Batch {
  readonly changes: string[];
  readonly takeBacks: (() => void)[];
  /** Null if the changes are saved, else the reason as one sentence. */
  readonly settled: Promise<string | null>;
  readonly settle: (failure: string | null) => void;
  problem: unknown;
}

const afterSyncMs = (act: () => void) => void setTimeout(act, syncMs).unref();

/** Call `recall`, `start` and `close`, in this order. */
export class SaveFile implements Persistence {
  readonly #database: SaveDatabase<SaveHead>;
  readonly #options: SaveOptions;
  #snapshot: () => unknown = () => null;
  #batch: Batch | null = null;
  #growth = 0;
  #growthMax: number;
  #isSyncing = false;
  #isClosed = false;
  #told = '';
  failures = 0;
  failure = '';

  constructor(database: SaveDatabase<SaveHead>, options: SaveOptions) {
    this.#database = database;
    this.#options = options;
    this.#growthMax = options.growthLengthMin ?? usualGrowthLength;
  }

  /** The head of the file; in a new file the one of the options. */
  get head(): SaveHead {
    return this.#database.stored.head;
  }

  get pending(): Promise<string | null> | null {
    return this.#batch?.settled ?? null;
  }

  get isFailing(): boolean {
    return this.#told !== '';
  }

  /**
   * Restores the state of the file piece by piece, so signals are handled in between. Returns a notice for the user.
   */
  async recall({ restore, replay }: Recall): Promise<string | null> {
    const { path } = this.#database;
    try {
      const snapshot = this.#database.snapshot();
      if (snapshot !== null) restore(snapshot);
      for (const changes of this.#database.changes()) {
        replay(changes);
        this.#growth += 1;
        if (this.#growth % 64 === 0) await new Promise((resolve) => setImmediate(resolve));
      }
      const lacking = this.#database.lacking();
      if (lacking === 0) return null;
      return `${path} lacks the last ${lacking} saved writes: it was cut, replaced by an older copy, or the power failed`;
    } catch (error) {
      const known = toSaveError(path, error);
      if (known !== error || error instanceof SaveFileError) throw known;
      throw new SaveFileError(
        `${path} cannot be loaded: ${(error as Error).message}. Move the file away to start from scratch.`,
      );
    }
  }

  /** Then accepts changes. `snapshot` returns the present state. */
  async start(head: SaveHead, snapshot: () => unknown): Promise<this> {
    this.#snapshot = snapshot;
    try {
      if (!this.#database.isCompact || head !== this.head) this.#compact(head);
      this.#sync();
      return this;
    } catch (error) {
      throw toSaveError(this.#database.path, error);
    }
  }

  /** Saves a change that was just made, at the end of this turn. */
  append(change: unknown, takeBack: () => void): void {
    if (!this.#batch) {
      let settle: Batch['settle'] = () => {};
      const settled = new Promise<string | null>((resolve) => {
        settle = resolve;
      });
      this.#batch = { changes: [], takeBacks: [], settled, settle, problem: null };
      setImmediate(() => this.#flush());
    }
    this.#batch.takeBacks.push(takeBack);
    try {
      this.#batch.changes.push(JSON.stringify(change));
    } catch (error) {
      this.#batch.problem ??= error;
    }
  }

  #flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = null;
    try {
      if (batch.problem !== null) throw batch.problem;
      const json = `[${batch.changes.join(',')}]`;
      this.#database.append(json);
      this.#growth += json.length;
      this.#told = '';
    } catch (error) {
      this.failures += 1;
      const reason = reasonOf(error);
      this.failure = `${this.#database.path} cannot be written: ${reason}.`;
      for (const takeBack of batch.takeBacks.reverse()) takeBack();
      this.#tellOnce(`${this.failure} Changes are rejected with 503 until it can be.`);
      batch.settle(this.failure);
      return;
    }
    batch.settle(null);
    if (!this.#isSyncing && !this.#isClosed) {
      this.#isSyncing = true;
      (this.#options.later ?? afterSyncMs)(() => {
        this.#isSyncing = false;
        if (!this.#isClosed) this.#sync();
      });
    }
    if (this.#growth >= this.#growthMax) this.#tryCompact(this.head);
  }

  #sync(): void {
    try {
      this.#database.checkpoint();
    } catch (error) {
      this.#tellOnce(`${this.#database.path} cannot be synced: ${reasonOf(error)}.`);
    }
  }

  /** Puts the present state under another head. */
  moveTo(head: SaveHead): void {
    this.#flush();
    this.#tryCompact(head);
  }

  #tryCompact(head: SaveHead): void {
    try {
      this.#compact(head);
    } catch (error) {
      this.#tellOnce(`${this.#database.path} cannot be compacted: ${reasonOf(error)}.`);
    }
  }

  #compact(head: SaveHead): void {
    this.#growth = 0;
    const json = JSON.stringify(this.#snapshot());
    this.#database.replace(head, json);
    this.#growthMax = Math.max(json.length, this.#options.growthLengthMin ?? usualGrowthLength);
  }

  /** A full disk would cause the same sentence for every write. */
  #tellOnce(sentence: string): void {
    if (sentence !== this.#told) this.#options.tell(sentence);
    this.#told = sentence;
  }

  close(): void {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    this.#sync();
    this.#database.close();
  }
}
