// One clock and one queue of events for a simulation. Everything between two events is microtasks, so that a seed plays
// the same each time.

interface Event {
  readonly atMs: number;
  readonly act: () => void;
  isOff: boolean;
}

export class VirtualTime {
  nowMs: number;
  /** The latest first; of events at the same time, the one that was added last. */
  readonly #events: Event[] = [];

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Gives back a way to call it off. */
  after(ms: number, act: () => void): () => void {
    const event: Event = { atMs: this.nowMs + Math.max(0, ms), act, isOff: false };
    const later = this.#events.findLastIndex(({ atMs }) => atMs > event.atMs);
    this.#events.splice(later + 1, 0, event);
    return () => {
      event.isOff = true;
    };
  }

  async wait(ms: number): Promise<void> {
    await new Promise<void>((resolve) => void this.after(ms, resolve));
  }

  /** Plays all events up to an instant, each with all that follows from it at once. */
  async play(untilMs: number): Promise<void> {
    await drain();
    for (let next = this.#events.at(-1); next && next.atMs <= untilMs; next = this.#events.at(-1)) {
      this.#events.pop();
      if (next.isOff) continue;
      this.nowMs = next.atMs;
      next.act();
      await drain();
    }
    this.nowMs = untilMs;
  }
}

/** All microtasks come before the next turn of the event loop. */
function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
