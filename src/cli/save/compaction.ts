// A save file written anew beside the old one, a little at a time while the mock answers. The old file stays as it is
// until the new one is whole and on the medium, and then gives its name up in one step: a kill at any moment leaves one
// of both.
import { type Disk, takeName, writeWhole } from './disk.ts';
import { type SaveHead, toHeadRecord } from './head.ts';
import { seal, toLine } from './lines.ts';
import { cutSnapshot } from './parts.ts';

/** How much is written in one go: a few milliseconds. */
const stepBytes = 512 * 1024;

/** `beside` is in the same folder, because only there a rename is one step. */
export interface CompactionTarget {
  readonly disk: Disk;
  /** The name of the file meanwhile. */
  readonly beside: string;
  readonly head: SaveHead;
}

/**
 * The invariant: at every moment the old file, or the new one under its name, holds every kept change. Changes that
 * come meanwhile go to both.
 */
export class Compaction {
  readonly file: number;
  readonly #target: CompactionTarget;
  readonly #lines: Iterator<string>;
  #size = 0;
  #snapshotSize = 0;
  /** What was appended to the old file since the snapshot was taken. */
  #tail = '';

  /** `snapshot` is of this moment and does not change any more; null for a file without changes. */
  constructor(target: CompactionTarget, snapshot: unknown) {
    this.#target = target;
    target.disk.remove(target.beside);
    this.file = target.disk.open(target.beside, 'fresh');
    this.#lines = linesOf(target.head, snapshot);
  }

  get snapshotSize(): number {
    return this.#snapshotSize;
  }

  get size(): number {
    return this.#size;
  }

  /** Goes to the end, behind the snapshot; the old file has it already. */
  add(text: string): void {
    this.#tail += text;
  }

  /** Writes the next piece; false when the snapshot is whole. */
  step(): boolean {
    let piece = '';
    while (piece.length < stepBytes) {
      const { value, done } = this.#lines.next();
      if (done) {
        this.#write(piece);
        this.#snapshotSize = this.#size;
        return false;
      }
      piece += value;
    }
    this.#write(piece);
    return true;
  }

  /**
   * Ends the file and gives it the name. What was written before should be on the medium by now, so that this is quick.
   */
  finish(path: string): void {
    const { disk, beside } = this.#target;
    this.#write(this.#tail);
    this.#tail = '';
    disk.sync(this.file);
    takeName(disk, beside, path);
  }

  /** Leaves the old file as it is, and never throws. */
  abandon(): void {
    const { disk, beside } = this.#target;
    for (const act of [() => disk.close(this.file), () => disk.remove(beside)]) {
      try {
        act();
      } catch {
        // The next start removes the rest.
      }
    }
  }

  #write(text: string): void {
    if (text === '') return;
    const bytes = Buffer.from(text);
    writeWhole(this.#target.disk, this.file, bytes);
    this.#size += bytes.length;
  }
}

function* linesOf(head: SaveHead, snapshot: unknown): Generator<string> {
  yield toLine(toHeadRecord(head));
  if (snapshot === null) return;
  let count = 0;
  for (const piece of cutSnapshot(snapshot)) {
    yield 'rest' in piece ? seal(`{"snapshot":${JSON.stringify(piece.rest)},"parts":true}`) : toLine(piece);
    count += 1;
  }
  yield toLine({ end: count });
}
