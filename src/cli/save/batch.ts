// The changes of one turn of the event loop: they are written together, and kept or taken back together.

export class Batch {
  text = '';
  /** Set when one of the changes cannot be written at all. */
  problem: Error | null = null;
  readonly #takeBacks: (() => void)[] = [];
  #promise: Promise<string | null> | null = null;
  #resolve: (failure: string | null) => void = () => {};

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

  keep(): void {
    this.#resolve(null);
  }

  /** Newest first, so that each change is taken back from the state that it left. */
  refuse(failure: string): void {
    for (const takeBack of this.#takeBacks.reverse()) takeBack();
    this.#resolve(failure);
  }
}
