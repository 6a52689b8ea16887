// Incomplete or waiting requests, and unread responses, of all connections together. Each body can have 2.5 MB and a
// minute, and needs no key: a hundred clients that omit the last byte would otherwise fill the memory. So would a
// thousand that request long responses and read none.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { whenOver } from './sender.ts';

/** Four of the largest bodies at once, and more of usual ones. */
export const intakeBytesMax = 12 * 1024 * 1024;
/** Longer responses are those of the admin API, which no client may ask. */
export const unreadBytesMax = 1024 * 1024;

interface Held {
  readonly socket: Socket;
  bytes: number;
}

export class Intake {
  /** The bytes of each, the oldest first. */
  readonly #open = new Map<object, Held>();
  readonly #onDrop: () => void;
  #bytes = 0;

  /** `onDrop` is called for each connection that is closed. */
  constructor(onDrop: () => void) {
    this.#onDrop = onDrop;
  }

  /** Records the received bytes of an open message. If the total is too large, the oldest are closed. */
  hold(message: object, socket: Socket, bytes: number): void {
    const held = this.#open.get(message);
    this.#bytes += bytes - (held?.bytes ?? 0);
    if (held) held.bytes = bytes;
    else this.#open.set(message, { socket, bytes });
    this.#makeRoom();
  }

  /** A response that could not leave at once. */
  holdResponse(outgoing: ServerResponse, socket: Socket, bytes: number): void {
    if (bytes > unreadBytesMax) return;
    whenOver(outgoing, socket, () => this.release(outgoing));
    this.#holdOut(outgoing, { socket, bytes });
  }

  /** The same for a response that was written to the socket itself. */
  holdWritten(socket: Socket, bytes: number): void {
    if (bytes > unreadBytesMax) return;
    const response = {};
    // Called when all that was written before it has left, or never will.
    socket.write('', () => this.release(response));
    this.#holdOut(response, { socket, bytes });
  }

  #holdOut(response: object, held: Held): void {
    this.#open.set(response, held);
    this.#bytes += held.bytes;
    this.#makeRoom();
  }

  #makeRoom(): void {
    for (const [oldest, { socket }] of this.#open) {
      if (this.#bytes <= intakeBytesMax) return;
      this.release(oldest);
      // Several responses may wait on one connection.
      if (!socket.destroyed) this.#onDrop();
      socket.destroy();
    }
  }

  /** The body is complete, the response was sent, or neither is needed. */
  release(message: object): void {
    this.#bytes -= this.#open.get(message)?.bytes ?? 0;
    this.#open.delete(message);
  }
}
