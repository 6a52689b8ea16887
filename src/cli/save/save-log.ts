// The open save file of a running mock. The changes of one turn of the event loop are written together, and their
// answers leave when that is done: with `interval` as soon as the operating system has them, with `always` when they
// are on the medium. Changes that cannot be written are taken back, and their answers become refusals.
import type { Keeper } from '../../doors/keeper.ts';
import { Batch } from './batch.ts';
import { Compaction } from './compaction.ts';
import type { Disk, FileFacts } from './disk.ts';
import { writeWhole } from './disk.ts';
import { reasonOf } from './disk-error.ts';
import type { SaveHead } from './head.ts';
import { toLine } from './lines.ts';
import type { SaveSync } from './save-sync.ts';

/** A power failure takes this much at most with `interval`. */
const syncMs = 1_000;
/** A file that has grown by so much since its snapshot, and to twice the snapshot, is written anew. */
const growthBytesMin = 8 * 1024 * 1024;

/** When things happen; a test says so itself. */
export interface Turns {
  /** At the end of this turn of the event loop. */
  soon(act: () => void): void;
  /** Gives back a way to cancel. */
  later(ms: number, act: () => void): () => void;
}

/** `size` and `snapshotSize` are those of the file as it was loaded. */
export interface SaveLogOptions {
  readonly disk: Disk;
  readonly turns: Turns;
  readonly sync: SaveSync;
  /** As the user wrote it. */
  readonly path: string;
  readonly realPath: string;
  readonly beside: string;
  readonly head: SaveHead;
  readonly size: number;
  readonly snapshotSize: number;
  /** The state as it is now; it must not change any more once it was given. */
  readonly snapshot: () => unknown;
  /** Tells the user something in one sentence. */
  readonly tell: (sentence: string) => void;
}

/**
 * The invariant: an answer leaves only when its change is where `sync` wants it, and the file always ends with a whole
 * line, or with half of one that nobody was told of.
 */
export class SaveLog implements Keeper {
  readonly #options: SaveLogOptions;
  #head: SaveHead;
  #file: number;
  /** The bytes of the whole lines. */
  #size: number;
  #syncedSize: number;
  #snapshotSize: number;
  #identity: string;
  #compactAt: number;
  #batch: Batch | null = null;
  /** Written, and with `always` not on the medium yet, oldest first. */
  #unsynced: Batch[] = [];
  #isSyncing = false;
  /** Half a line may stand behind the whole ones. */
  #isTorn = false;
  #isFolderSynced = true;
  #compaction: { readonly writer: Compaction; isReady: boolean } | null = null;
  #cancelTick: (() => void) | null = null;
  #whenIdle: (() => void) | null = null;
  #told = '';
  #isClosed = false;
  failures = 0;
  failure = '';

  constructor(options: SaveLogOptions) {
    this.#options = options;
    this.#head = options.head;
    this.#file = options.disk.open(options.realPath, 'append');
    this.#identity = options.disk.facts(this.#file).identity;
    this.#size = options.size;
    this.#syncedSize = options.size;
    this.#snapshotSize = options.snapshotSize;
    this.#compactAt = nextCompaction(options.snapshotSize);
  }

  /** What an answer has to wait for; null when everything is kept. */
  get pending(): Promise<string | null> | null {
    return (this.#batch ?? this.#unsynced.at(-1))?.settled ?? null;
  }

  /** Whether the disk was asked for something and has not answered yet. */
  get isWaiting(): boolean {
    return this.#isSyncing || this.#compaction !== null;
  }

  /** Takes a change that has just been made. It is kept or taken back at the end of this turn. */
  append(change: unknown, takeBack: () => void): void {
    if (!this.#batch) {
      this.#batch = new Batch();
      this.#options.turns.soon(() => this.#flush());
    }
    try {
      this.#batch.add(toLine({ change }), takeBack);
    } catch (error) {
      this.#batch.add('', takeBack);
      this.#batch.problem = error as Error;
    }
  }

  /** The end of the turn: one write for all of its changes. */
  #flush(): void {
    const batch = this.#batch;
    if (!batch) return;
    this.#batch = null;
    try {
      if (batch.problem) throw Object.assign(new Error(), { code: 'EFBIG' });
      if (this.#isTorn) this.#cutBack();
      const bytes = Buffer.from(batch.text);
      this.#isTorn = true;
      writeWhole(this.#options.disk, this.#file, bytes);
      this.#isTorn = false;
      this.#size += bytes.length;
      if (!this.#compaction) this.#told = '';
    } catch (error) {
      this.#refuse([batch], error);
      return;
    }
    this.#compaction?.writer.add(batch.text);
    if (this.#options.sync === 'always') {
      this.#unsynced.push(batch);
      this.#syncNow();
    } else batch.keep();
    this.#tickLater();
    if (this.#size >= this.#compactAt) this.compact();
  }

  // The next line must not be glued to half of this one.
  #cutBack(): void {
    this.#options.disk.truncate(this.#file, this.#size);
    this.#isTorn = false;
  }

  /** Newest batch first, as its changes build on the older ones. */
  #refuse(batches: readonly Batch[], error: unknown): void {
    // It was taken of a state that is taken back now.
    this.#abandonCompaction();
    this.failures += 1;
    this.failure = `${this.#options.path} cannot be written: ${reasonOf(error)}.`;
    this.#tellOnce(`${this.failure} Changes are refused until it can.`);
    for (const batch of [...batches].reverse()) batch.refuse(this.failure);
    this.#isTorn = true;
    try {
      this.#cutBack();
    } catch {
      // Tried again before the next line.
    }
  }

  // One at a time; what is written meanwhile waits for the next.
  #syncNow(): void {
    if (this.#isSyncing) return;
    const { disk } = this.#options;
    const covered = [...this.#unsynced];
    const size = this.#size;
    this.#isSyncing = true;
    disk.syncLater(this.#file, (error) => {
      this.#isSyncing = false;
      try {
        if (error) throw error;
        this.#syncFolder();
        this.#syncedSize = size;
        this.#unsynced = this.#unsynced.slice(covered.length);
        for (const batch of covered) batch.keep();
      } catch (problem) {
        this.#syncFailed(problem);
      }
      this.#finishCompaction();
      if (this.#unsynced.length > 0) this.#syncNow();
      else if (!this.#compaction) this.#whenIdle?.();
    });
  }

  /** A name is as durable as its folder: without this, a power failure may bring the old file back. */
  #syncFolder(): void {
    if (this.#isFolderSynced) return;
    this.#options.disk.syncFolder(folderOf(this.#options.realPath));
    this.#isFolderSynced = true;
  }

  // After a failed sync nobody knows which bytes are there. With `always` nobody was told of them, so they go; with
  // `interval` the whole state is written anew.
  #syncFailed(error: unknown): void {
    if (this.#options.sync === 'interval') {
      this.#tellOnce(`${this.#options.path} cannot be brought to the medium: ${reasonOf(error)}. It is written anew.`);
      this.compact();
      return;
    }
    const batches = this.#batch ? [...this.#unsynced, this.#batch] : this.#unsynced;
    this.#unsynced = [];
    this.#batch = null;
    this.#size = this.#syncedSize;
    this.#refuse(batches, error);
  }

  #tickLater(): void {
    if (this.#isClosed) return;
    this.#cancelTick ??= this.#options.turns.later(syncMs, () => {
      this.#cancelTick = null;
      this.#tick();
    });
  }

  /** Once a second while there is something to look at. */
  #tick(): void {
    this.#guardName();
    if (this.#options.sync === 'interval') this.#syncNow();
  }

  // Editors replace a file, and what we would append to the old one then has no name any more.
  #guardName(): void {
    if (this.#isTorn || this.#compaction) return;
    const { path } = this.#options;
    const found = this.#lookAtName();
    if (found?.identity === this.#identity && found.size === this.#size) return;
    const kept = found ? ` The other one is ${path}.edited.` : '';
    this.#tellOnce(
      `${path} was ${found ? 'changed' : 'removed'} by somebody else while the mock runs; it is written anew.${kept}`,
    );
    this.compact();
  }

  /** Null where nothing stands under the name, or where it cannot be seen. */
  #lookAtName(): FileFacts | null {
    try {
      return this.#options.disk.look(this.#options.realPath);
    } catch {
      return null;
    }
  }

  /** Writes the file anew, with the present state in place of all changes, while the mock goes on. */
  compact(): void {
    if (this.#compaction || this.#batch) return;
    const { disk, beside, snapshot } = this.#options;
    try {
      const writer = new Compaction({ disk, beside, head: this.#head }, snapshot());
      this.#compaction = { writer, isReady: false };
      this.#stepCompaction(writer);
    } catch (error) {
      this.#compactionFailed(error);
    }
  }

  /**
   * The state was put on another world, to which the lines of the file do not lead: it is written anew under this head.
   * Until that is done the file tells of the old world, and of all changes.
   */
  moveTo(head: SaveHead): void {
    this.#flush();
    this.#abandonCompaction();
    this.#head = head;
    this.compact();
  }

  /** A piece in each turn, so that answers leave in between. */
  #stepCompaction(writer: Compaction): void {
    this.#options.turns.soon(() => {
      if (this.#compaction?.writer !== writer) return;
      try {
        if (writer.step()) this.#stepCompaction(writer);
        else this.#syncCompaction(writer);
      } catch (error) {
        this.#compactionFailed(error);
      }
    });
  }

  /** The long wait for the medium is here, where no answer waits for it. */
  #syncCompaction(writer: Compaction): void {
    this.#options.disk.syncLater(writer.file, (error) => {
      if (this.#compaction?.writer !== writer) return;
      if (error) this.#compactionFailed(error);
      else {
        this.#compaction.isReady = true;
        this.#finishCompaction();
      }
    });
  }

  // The old file is closed here, so no sync of it may be under way, and no change may wait for it.
  #finishCompaction(): void {
    const { writer, isReady } = this.#compaction ?? {};
    if (!writer || !isReady || this.#isSyncing) return;
    const { disk, realPath } = this.#options;
    try {
      this.#keepForeign();
      if (disk.holdsNames) disk.close(this.#file);
      writer.finish(realPath);
    } catch (error) {
      if (disk.holdsNames) this.#file = disk.open(realPath, 'append');
      // The name may have changed hands all the same, and only its folder failed.
      if (this.#lookAtName()?.identity !== disk.facts(writer.file).identity) {
        this.#compactionFailed(error);
        return;
      }
      this.#isFolderSynced = false;
    }
    if (!disk.holdsNames) disk.close(this.#file);
    this.#compaction = null;
    this.#file = writer.file;
    this.#identity = disk.facts(writer.file).identity;
    this.#size = writer.size;
    this.#snapshotSize = writer.snapshotSize;
    this.#compactAt = nextCompaction(writer.snapshotSize);
    this.#isTorn = false;
    if (this.#isFolderSynced) {
      this.#syncedSize = this.#size;
      for (const batch of this.#unsynced.splice(0)) batch.keep();
    }
    if (!this.#isSyncing && this.#unsynced.length === 0) this.#whenIdle?.();
  }

  /** A file that somebody else put under the name gets a second name, so that no edit of a user is lost. */
  #keepForeign(): void {
    const { disk, realPath } = this.#options;
    const found = this.#lookAtName();
    if (!found || (found.identity === this.#identity && found.size === this.#size)) return;
    try {
      disk.remove(`${realPath}.edited`);
      disk.link(realPath, `${realPath}.edited`);
    } catch {
      // Not every file system has second names.
    }
  }

  /** The old file is whole; the next attempt comes when it has doubled. */
  #compactionFailed(error: unknown): void {
    this.#abandonCompaction();
    this.#compactAt = Math.max(this.#size * 2, this.#compactAt);
    this.#tellOnce(`${this.#options.path} could not be written anew: ${reasonOf(error)}. It is whole, and grows on.`);
    if (!this.#isSyncing) this.#whenIdle?.();
  }

  #abandonCompaction(): void {
    this.#compaction?.writer.abandon();
    this.#compaction = null;
  }

  /** A full disk would say the same with every write. */
  #tellOnce(sentence: string): void {
    if (sentence === this.#told) return;
    this.#told = sentence;
    this.#options.tell(sentence);
  }

  /**
   * Brings everything to the medium; a small file is written anew first. False when the disk did not answer in time:
   * the process may then hang at its end.
   */
  async close(compactBytesMax: number, graceMs: number): Promise<boolean> {
    this.#isClosed = true;
    this.#cancelTick?.();
    this.#flush();
    this.#syncNow();
    if (this.#size > compactBytesMax) this.#abandonCompaction();
    else if (this.#size > this.#snapshotSize) this.compact();
    const answered = await this.#idle(graceMs);
    this.#abandonCompaction();
    if (answered) this.#options.disk.close(this.#file);
    return answered;
  }

  /** False when the disk has not answered by then. */
  #idle(graceMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      if (!this.#compaction && !this.#isSyncing) {
        resolve(true);
        return;
      }
      const cancel = this.#options.turns.later(graceMs, () => resolve(false));
      this.#whenIdle = () => {
        this.#whenIdle = null;
        cancel();
        resolve(true);
      };
    });
  }
}

/** Doubling keeps the cost of all rewrites proportional to what was written. */
function nextCompaction(snapshotSize: number): number {
  return snapshotSize + Math.max(snapshotSize, growthBytesMin);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(1, path.lastIndexOf('/')));
}
