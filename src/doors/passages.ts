// Counts the steps in which requests come and answers leave, so that the judge can tell a repetition from a twin.
import type { Passage } from '../http/message.ts';

export class Passages {
  readonly #exact: boolean;
  #step = 0;

  constructor({ exact }: { exact: boolean }) {
    this.#exact = exact;
  }

  step(): number {
    this.#step += 1;
    return this.#step;
  }

  begin(came = this.step()): Passage {
    return { came, left: null, exact: this.#exact };
  }

  end(passage: Passage): void {
    passage.left = this.step();
  }
}
