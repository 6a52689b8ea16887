// Reads a file line by line, a piece at a time: no file is too large, and between two pieces signals are heard.
import { constants } from 'node:buffer';
import type { Disk } from './disk.ts';
import { type Line, readLine } from './lines.ts';

/** One line with its place, so that a message can name it and the end can be cut. */
export interface FoundLine {
  readonly line: Line;
  /** Counts from 1. */
  readonly number: number;
  /** Where it begins, in bytes. */
  readonly start: number;
  /** Whether an end of line stands behind it. */
  readonly isEnded: boolean;
  /** Its bytes without the end; null when it is longer than any line of ours can be. */
  readonly content: Buffer | null;
}

const pieceBytes = 1024 * 1024;

/** The lines of a file in groups, each as large as a piece. */
export async function* readLines(disk: Disk, file: number, bytes = pieceBytes): AsyncGenerator<FoundLine[]> {
  const rest = new Rest();
  let position = 0;
  let start = 0;
  let number = 1;
  const take = (tail: Buffer, isEnded: boolean): FoundLine => {
    const size = rest.size + tail.length;
    const content = rest.take(tail);
    const found = { line: content ? readLine(content) : unreadable, number, start, isEnded, content };
    start += size + 1;
    number += 1;
    return found;
  };
  for (;;) {
    const piece = Buffer.allocUnsafe(bytes);
    const count = disk.read(file, piece, position);
    if (count === 0) break;
    position += count;
    const full = piece.subarray(0, count);
    const found: FoundLine[] = [];
    let from = 0;
    for (let end = full.indexOf(10); end !== -1; end = full.indexOf(10, from)) {
      found.push(take(full.subarray(from, end), true));
      from = end + 1;
    }
    rest.add(full.subarray(from));
    if (found.length > 0) yield found;
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (rest.size > 0) yield [take(Buffer.alloc(0), false)];
}

const unreadable: Line = { kind: 'unreadable' };

/**
 * What was read of a line so far. No text can be longer than the bound, so no line of ours is, and more is not kept.
 */
class Rest {
  size = 0;
  #parts: Buffer[] = [];

  /** Only counts what is beyond the bound. */
  add(part: Buffer): void {
    if (part.length === 0) return;
    this.size += part.length;
    if (this.size > constants.MAX_STRING_LENGTH) this.#parts = [];
    else this.#parts.push(part);
  }

  /** The whole line, or null when it is too long; then begins anew. */
  take(tail: Buffer): Buffer | null {
    if (this.size === 0) return tail;
    this.add(tail);
    const whole = this.size > constants.MAX_STRING_LENGTH ? null : Buffer.concat(this.#parts);
    this.size = 0;
    this.#parts = [];
    return whole;
  }
}
