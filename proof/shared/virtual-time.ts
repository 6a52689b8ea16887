// One clock and one queue of events for a simulation. Everything between two events is microtasks, so that a seed plays
// the same each time.

interface Event {
  readonly atMs: number;
  readonly order: number;
  readonly act: () => void;
  isOff: boolean;
}

export class VirtualTime {
  nowMs: number;
  #order = 0;
  /** A heap: the earliest event is the first, of equal ones the oldest. */
  readonly #events: Event[] = [];

  constructor(startMs: number) {
    this.nowMs = startMs;
  }

  /** Gives back a way to call it off. */
  after(ms: number, act: () => void): () => void {
    this.#order += 1;
    const event: Event = { atMs: this.nowMs + Math.max(0, ms), order: this.#order, act, isOff: false };
    this.#push(event);
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
    for (let next = this.#events[0]; next && next.atMs <= untilMs; next = this.#events[0]) {
      this.#pop();
      if (next.isOff) continue;
      this.nowMs = next.atMs;
      next.act();
      await drain();
    }
    this.nowMs = untilMs;
  }

  #push(event: Event): void {
    const heap = this.#events;
    let i = heap.length;
    heap.push(event);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      if (isBefore(heap[parent] as Event, event)) break;
      heap[i] = heap[parent] as Event;
      i = parent;
    }
    heap[i] = event;
  }

  #pop(): void {
    const heap = this.#events;
    const last = heap.pop() as Event;
    if (heap.length === 0) return;
    let i = 0;
    for (;;) {
      const left = 2 * i + 1;
      if (left >= heap.length) break;
      const right = left + 1;
      const child = right < heap.length && isBefore(heap[right] as Event, heap[left] as Event) ? right : left;
      if (isBefore(last, heap[child] as Event)) break;
      heap[i] = heap[child] as Event;
      i = child;
    }
    heap[i] = last;
  }
}

function isBefore(a: Event, b: Event): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}

/** All microtasks come before the next turn of the event loop. */
function drain(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
