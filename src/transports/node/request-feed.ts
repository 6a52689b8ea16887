// Gives node's parser the bytes of one request at a time. Left alone, node:http parses all that one read of the system
// holds, up to 2 MB: thousands of pipelined requests would run before any other client, and not in their order.
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Connection, Connections } from './connection.ts';
import { whenOver } from './outgoing.ts';
import { setImmediate } from './timers.ts';

/** Bytes of later requests that are held while the socket is still read, so its end is noticed. */
const aheadBytesMax = 16 * 1024;
/** Ends every head, and every body in chunks. */
const lastBytes = '\r\n\r\n';

/** A page also loads this module, and a page has no Buffer. */
const nothing = () => Buffer.alloc(0);

/** Hands a connection to node's parser, with the bytes that were already read from it. */
export type StartFeed = (connection: Connection, read?: readonly Buffer[]) => void;

/** Null on runtimes whose server gets its sockets in another way (Bun, Deno). */
export function openFeeds(server: Server, connections: Connections, intake: Intake): StartFeed | null {
  const [listener] = server.listeners('connection');
  if (!listener) return null;
  server.off('connection', listener as () => void);
  return (connection, read = []) => {
    listener.call(server, connection.socket);
    const feed = new RequestFeed(connection, connections, intake);
    for (const bytes of read) feed.take(bytes);
    if (connection.socket.readableEnded) feed.end();
  };
}

class RequestFeed {
  readonly #connection: Connection;
  readonly #connections: Connections;
  readonly #intake: Intake;
  readonly #parse: (bytes: Buffer) => void;
  readonly #finish: () => void;
  #held: Buffer = nothing();
  #hasEnded = false;
  #isPaused = false;
  /** The last bytes that were parsed: the end of a request may have come in two reads. */
  #tail = '';
  /** The body that is being read, and how much of it is missing; NaN where it comes in chunks. */
  #body: object | null = null;
  #missing = 0;

  /** Takes the place of the listeners with which node reads the socket. */
  constructor(connection: Connection, connections: Connections, intake: Intake) {
    this.#connection = connection;
    this.#connections = connections;
    this.#intake = intake;
    const { socket } = connection;
    this.#parse = takeListener(socket, 'data');
    this.#finish = takeListener(socket, 'end');
    socket.on('data', (bytes) => this.take(bytes));
    socket.on('end', () => this.end());
    socket.on('drain', () => this.#pump());
    socket.on('close', () => this.#pump());
    // Node resumes the socket with each request that is over.
    socket.on('resume', () => {
      if (this.#isPaused) socket.pause();
    });
    connection.onSettled = () => {
      // In a later turn: other connections come first.
      if (this.#held.length > 0) setImmediate(() => this.#pump());
    };
  }

  take(bytes: Buffer): void {
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    this.#pump();
  }

  end(): void {
    this.#hasEnded = true;
    this.#pump();
  }

  #pump(): void {
    const { socket } = this.#connection;
    while (this.#held.length > 0 && this.#isTurn()) {
      const bytes = this.#held.subarray(0, this.#nextBytes());
      this.#held = this.#held.subarray(bytes.length);
      this.#tail = bytes.toString('latin1', Math.max(0, bytes.length - 3));
      this.#parse.call(socket, bytes);
    }
    // Nothing is carried out after a response that closes the connection.
    if (this.#held.length === 0 || !this.#isOpen()) {
      this.#held = nothing();
      this.#intake.release(this);
    } else {
      this.#connections.runAhead(this.#connection);
      // A part of the read bytes keeps all of them in memory.
      this.#intake.hold(this, socket, this.#held.buffer.byteLength);
    }
    const wasPaused = this.#isPaused;
    this.#isPaused = this.#held.length > aheadBytesMax;
    if (this.#isPaused) socket.pause();
    else if (wasPaused) socket.resume();
    if (!this.#hasEnded || this.#held.length > 0) return;
    this.#hasEnded = false;
    this.#finish.call(socket);
  }

  #isOpen(): boolean {
    return this.#connection.socket.writable && !this.#connection.isRejected;
  }

  /** Whether the request before has its response. The rest of a body that is being read has no turn to wait for. */
  #isTurn(): boolean {
    const { socket, owed, reading } = this.#connection;
    // Node's parser stops while its client reads no responses.
    return this.#isOpen() && !socket.writableNeedDrain && (owed === 0 || reading?.complete === false);
  }

  /** How many bytes are certain not to hold the end of one request and the beginning of the next. */
  #nextBytes(): number {
    const { reading } = this.#connection;
    if (reading?.complete === false) {
      if (this.#body !== reading) this.#missing = Number(reading.headers['content-length']);
      this.#body = reading;
      if (this.#missing > 0) {
        const bytes = Math.min(this.#missing, this.#held.length);
        this.#missing -= bytes;
        return bytes;
      }
    }
    const seam = (this.#tail + this.#held.toString('latin1', 0, 3)).indexOf(lastBytes);
    if (seam !== -1) return seam + lastBytes.length - this.#tail.length;
    const end = this.#held.indexOf(lastBytes);
    return end === -1 ? this.#held.length : end + lastBytes.length;
  }
}

/** The newest one, which node has just put there. */
function takeListener(socket: Socket, event: string): (bytes?: Buffer) => void {
  const listener = socket.listeners(event).at(-1) as (bytes?: Buffer) => void;
  socket.off(event, listener);
  return listener;
}

// Incomplete or waiting requests, and unread responses, of all connections together. Each body can have 2.5 MB and a
// minute, and needs no key: a hundred clients that omit the last byte would otherwise fill the memory. So would a
// thousand that request long responses and read none.

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
