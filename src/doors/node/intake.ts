// Bodies that are still coming in, of all connections together. Each may have 2.5 MB and a minute, and needs no key: a
// hundred clients that send all but the last byte would otherwise fill the memory.
import type { IncomingMessage } from 'node:http';

/** Four of the largest bodies at once, and more of usual ones. */
export const intakeBytesMax = 12 * 1024 * 1024;

export class Intake {
  /** What is held of each, the oldest first. */
  readonly #open = new Map<IncomingMessage, number>();
  readonly #onDrop: () => void;
  #bytes = 0;

  /** `onDrop` is called for each connection that is closed. */
  constructor(onDrop: () => void) {
    this.#onDrop = onDrop;
  }

  /** So much of a body has come, and it goes on. The oldest ones make room: whoever is slowest waits for nothing. */
  hold(incoming: IncomingMessage, bytes: number): void {
    const before = this.#open.get(incoming);
    if (before === undefined) incoming.once('close', () => this.release(incoming));
    this.#open.set(incoming, bytes);
    this.#bytes += bytes - (before ?? 0);
    for (const oldest of this.#open.keys()) {
      if (this.#bytes <= intakeBytesMax) return;
      this.release(oldest);
      this.#onDrop();
      oldest.socket.destroy();
    }
  }

  /** The body is whole, or nobody wants it any more. */
  release(incoming: IncomingMessage): void {
    this.#bytes -= this.#open.get(incoming) ?? 0;
    this.#open.delete(incoming);
  }
}
