// A list of this moment whose records are made when they are read. A file that is written anew a little at a time makes
// them a little at a time, and a client does not wait until a hundred thousand are made.

/** As JSON it is the list. */
export class LateList<Item = unknown> {
  readonly length: number;
  readonly #read: (from: number, to: number) => Item[];

  /** `read` gives the same records whenever it is asked. */
  constructor(length: number, read: (from: number, to: number) => Item[]) {
    this.length = length;
    this.#read = read;
  }

  slice(from: number, to: number): Item[] {
    return this.#read(from, Math.min(to, this.length));
  }

  toJSON(): Item[] {
    return this.slice(0, this.length);
  }
}
