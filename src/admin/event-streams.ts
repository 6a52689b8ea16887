// The event streams that are open. A page or a script that opens one after the other must not make the mock tell
// everything a thousand times, so the oldest is ended for the newest; the dashboard opens its own again by itself.

const streamsMax = 50;

/** One for a control plane. */
export class EventStreams {
  /** How each is ended; the oldest first. */
  readonly #open = new Set<() => void>();
  /** How many were ended for newer ones. */
  dropped = 0;

  add(end: () => void): void {
    this.#open.add(end);
    if (this.#open.size <= streamsMax) return;
    const oldest = this.#open.values().next().value as () => void;
    this.#open.delete(oldest);
    this.dropped += 1;
    oldest();
  }

  /** For a stream that ended by itself; it is not counted as dropped. */
  remove(end: () => void): void {
    this.#open.delete(end);
  }
}
