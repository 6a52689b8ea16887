// The changes of one turn of the event loop: they are written together, and kept or taken back together.

/** One promise for all of them: a turn that takes fifty posts makes one write and settles once. */
export class Batch {
  text = '';
  /** Set when one of the changes cannot be written at all. */
  problem: Error | null = null;
  readonly #takeBacks: (() => void)[] = [];
  #promise: Promise<string | null> | null = null;
  #resolve: (failure: string | null) => void = () => {};

  /** `takeBack` is called only when the whole batch is refused. */
  add(line: string, takeBack: () => void): void {
    this.text += line;
    this.#takeBacks.push(takeBack);
  }

  /** Resolves with null when the changes are kept, else with the reason as one sentence. */
  get settled(): Promise<string | null> {
    this.#promise ??= new Promise((resolve) => {
      this.#resolve = resolve;
    });
    return this.#promise;
  }

  /** To be called once, instead of `refuse`. */
  keep(): void {
    this.#resolve(null);
  }

  /** Newest first, so that each change is taken back from the state that it left. */
  refuse(failure: string): void {
    for (const takeBack of this.#takeBacks.reverse()) takeBack();
    this.#resolve(failure);
  }
}
