// Requests that are still coming in or wait for their turn, and answers that nobody reads, of all connections together.
// Each body may have 2.5 MB and a minute, and needs no key: a hundred clients that send all but the last byte would
// otherwise fill the memory. So would a thousand that ask for long answers and read none.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenOver } from './sender.ts';

/** Four of the largest bodies at once, and more of usual ones. */
export const intakeBytesMax = 12 * 1024 * 1024;
/** Longer answers are those of the control plane, which no client may ask. */
export const unreadBytesMax = 1024 * 1024;

interface Held {
  readonly socket: Socket;
  bytes: number;
}

export class Intake {
  /** What is held of each, the oldest first. */
  readonly #open = new Map<object, Held>();
  readonly #onDrop: () => void;
  #bytes = 0;

  /** `onDrop` is called for each connection that is closed. */
  constructor(onDrop: () => void) {
    this.#onDrop = onDrop;
  }

  /** So much of it has come, and it is not over. The oldest ones make room: whoever is slowest waits for nothing. */
  hold(message: object, socket: Socket, bytes: number): void {
    const held = this.#open.get(message);
    this.#bytes += bytes - (held?.bytes ?? 0);
    if (held) held.bytes = bytes;
    else this.#open.set(message, { socket, bytes });
    this.#makeRoom();
  }

  /** An answer that could not leave at once. */
  holdAnswer(outgoing: ServerResponse, socket: Socket, bytes: number): void {
    if (bytes > unreadBytesMax) return;
    whenOver(outgoing, socket, () => this.release(outgoing));
    this.#holdOut(outgoing, { socket, bytes });
  }

  /** The same for an answer that was written to the socket itself. */
  holdWritten(socket: Socket, bytes: number): void {
    if (bytes > unreadBytesMax) return;
    const answer = {};
    // Called when all that was written before it has left, or never will.
    socket.write('', () => this.release(answer));
    this.#holdOut(answer, { socket, bytes });
  }

  #holdOut(answer: object, held: Held): void {
    this.#open.set(answer, held);
    this.#bytes += held.bytes;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [oldest, { socket }] of this.#open) {
      if (this.#bytes <= intakeBytesMax) return;
      this.release(oldest);
      // Several answers may wait on one connection.
      if (!socket.destroyed) this.#onDrop();
      socket.destroy();
    }
  }

  /** The body is whole, the answer has left, or nobody wants it any more. */
  release(message: object): void {
    this.#bytes -= this.#open.get(message)?.bytes ?? 0;
    this.#open.delete(message);
  }
}
