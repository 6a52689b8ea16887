// Counts the steps in which requests come and answers leave, so that the judge can tell a repetition from a twin.
import type { Passage } from '../http/message.ts';

/**
 * One counter for arrivals and departures together: only then does `left < came` say that an asker had the one answer
 * before it sent the other request.
 */
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

  /**
   * `came` is given when the request may have been sent before it was read; `left` stays null while no answer has left.
   */
  begin(came = this.step()): Passage {
    return { came, left: null, exact: this.#exact };
  }

  end(passage: Passage): void {
    passage.left = this.step();
  }
}
