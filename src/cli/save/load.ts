// Reads a save file from start to end and has the state made again as it goes, so that memory holds the state and a
// piece of the file. Each line is one of ours, or it is judged: whatever somebody did to the file is read, or told in a
// sentence.
import type { Disk } from './disk.ts';
import { SaveFileError } from './disk-error.ts';
import { alteredSentence, readHead, type SaveHead } from './head.ts';
import { type FoundLine, readLines } from './line-reader.ts';
import { addPart, isPart } from './parts.ts';

/** Makes the state of a file again. */
export interface Recall {
  restore(snapshot: unknown): void;
  replay(changes: readonly unknown[]): void;
  /** What is wrong with a snapshot or a change that we have not written; null when it can be taken. */
  check(what: 'snapshot' | 'change', value: unknown): Promise<string | null>;
}

/** Where to go on writing. */
export interface Loaded {
  /** The bytes that were read; what follows is half a line. */
  readonly size: number;
  /** The bytes of head and snapshot. */
  readonly snapshotSize: number;
  /** Set when the last line is whole but lacks its end. */
  readonly lacksEnd: boolean;
  readonly isTorn: boolean;
}

/** An open file and the name to use in messages. */
export interface SavedFile {
  readonly disk: Disk;
  readonly file: number;
  /** As the user wrote it. */
  readonly path: string;
}

/** The head of a file, or null when the file is empty. */
export async function loadHead(
  { disk, file, path }: SavedFile,
  wanted: SaveHead,
  takesOtherWorld = false,
): Promise<SaveHead | null> {
  for await (const found of readLines(disk, file)) {
    const first = found.find(({ line }) => line.kind !== 'blank');
    if (first) return readHead(path, first.line, wanted, takesOtherWorld);
  }
  return null;
}

/** Changes of ours are made in groups, as large as a piece; memory never holds the whole file. */
export async function loadState(saved: SavedFile, recall: Recall): Promise<Loaded> {
  const loader = new Loader(saved.path, recall);
  for await (const found of readLines(saved.disk, saved.file)) {
    for (const each of found) await loader.take(each);
    loader.flush();
  }
  return loader.finish();
}

/**
 * A state machine over lines: the head, then snapshots (each with its parts) and changes in any order. The newest
 * snapshot replaces everything before it.
 */
class Loader {
  readonly #path: string;
  readonly #recall: Recall;
  #hasHead = false;
  #size = 0;
  #snapshotSize = 0;
  #lacksEnd = false;
  #isTorn = false;
  /** The snapshot whose parts are being read, and whether all of it is ours. */
  #open: { readonly snapshot: unknown; isOurs: boolean; readonly number: number } | null = null;
  /** Changes of ours that wait to be made together. */
  #ours: unknown[] = [];
  #oursFrom = 0;

  constructor(path: string, recall: Recall) {
    this.#path = path;
    this.#recall = recall;
  }

  /**
   * Half a line at the end is left of a kill and is dropped, unless it cuts the head or the snapshot: those take their
   * place whole, so that somebody else must have cut them.
   */
  async take(found: FoundLine): Promise<void> {
    const { line, number, start, isEnded, content } = found;
    if (!isEnded && line.kind !== 'sealed' && line.kind !== 'blank') {
      this.#refuseCutSnapshot(content);
      this.#isTorn = true;
      return;
    }
    this.#lacksEnd = !isEnded;
    this.#size = start + (content?.length ?? 0) + (isEnded ? 1 : 0);
    if (line.kind === 'blank') return;
    if (line.kind === 'altered') throw new SaveFileError(alteredSentence(this.#path, number));
    if (!('value' in line)) throw this.#unusable(number, 'it is not JSON');
    if (!this.#hasHead) this.#hasHead = true;
    else await this.#takeRecord(line.value, number, line.kind === 'sealed');
  }

  /** Lines of ours are trusted by their checksum; a foreign one makes the whole snapshot it belongs to foreign. */
  async #takeRecord(record: Readonly<Record<string, unknown>>, number: number, isOurs: boolean): Promise<void> {
    if (this.#open) {
      this.#open.isOurs &&= isOurs;
      if (Object.hasOwn(record, 'end')) await this.#close();
      else if (!isPart(record) || !addPart(this.#open.snapshot, record)) {
        throw this.#unusable(number, 'it is not a part of the snapshot before it');
      }
    } else if (Object.hasOwn(record, 'snapshot')) {
      this.#open = { snapshot: record.snapshot, isOurs, number };
      if (record.parts !== true) await this.#close();
    } else if (Object.hasOwn(record, 'change')) {
      if (isOurs) {
        if (this.#ours.length === 0) this.#oursFrom = number;
        this.#ours.push(record.change);
      } else await this.#takeForeign(record.change, number);
    } else throw this.#unusable(number, 'it holds neither a change nor a snapshot');
  }

  /** A snapshot is complete: judged unless all of it is ours, and then restored. */
  async #close(): Promise<void> {
    const { snapshot, isOurs, number } = this.#open as { snapshot: unknown; isOurs: boolean; number: number };
    this.#open = null;
    const problem = isOurs ? null : await this.#recall.check('snapshot', snapshot);
    if (problem !== null) throw this.#unusable(number, problem);
    this.#attempt(number, () => this.#recall.restore(snapshot));
    this.#snapshotSize = this.#size;
  }

  async #takeForeign(change: unknown, number: number): Promise<void> {
    // The record that it builds on must be there when it is looked at.
    this.flush();
    const problem = await this.#recall.check('change', change);
    if (problem !== null) throw this.#unusable(number, problem);
    this.#attempt(number, () => this.#recall.replay([change]));
  }

  /** Makes the waiting changes, in order. */
  flush(): void {
    if (this.#ours.length > 0) this.#attempt(this.#oursFrom, () => this.#recall.replay(this.#ours));
    this.#ours = [];
  }

  /** Throws when a snapshot has no end. */
  finish(): Loaded {
    this.flush();
    if (this.#open) throw this.#cut();
    return {
      size: this.#size,
      snapshotSize: this.#snapshotSize,
      lacksEnd: this.#lacksEnd,
      isTorn: this.#isTorn,
    };
  }

  // Head and snapshot take their place whole, so that no kill can tear them: somebody else cut the file.
  #refuseCutSnapshot(content: Buffer | null): void {
    if (!this.#hasHead || this.#open || content?.subarray(0, 11).toString() === '{"snapshot"') throw this.#cut();
  }

  #cut(): SaveFileError {
    return new SaveFileError(
      `${this.#path} ends in the middle of its snapshot; bring back a whole copy, or move it away to start afresh.`,
    );
  }

  #unusable(number: number, problem: string): SaveFileError {
    return new SaveFileError(
      `line ${number} of ${this.#path} cannot be read: ${problem}. ` +
        'Mend or remove the line, or move the file away to start afresh.',
    );
  }

  /** A change that cannot be made is named by its line. */
  #attempt(number: number, act: () => void): void {
    try {
      act();
    } catch (error) {
      throw this.#unusable(number, `it does not fit the world (${(error as Error).message})`);
    }
  }
}
