// The open sockets of one server: the peers, the number of pending responses, and closing.
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreRequest, CoreResponse, Passage } from '../../http/message.ts';
import { Passages } from '../transport.ts';
import { endGently } from './bad-http.ts';
import { setImmediate } from './timers.ts';

export interface Connection {
  /** Counts from 1. */
  readonly id: number;
  readonly socket: Socket;
  /** The client's address; IPv4 in its own form even when it came over IPv6. */
  readonly peer: string;
  /** The step at which it was opened, until its first request comes. */
  openedAt: number | undefined;
  /** Requests whose response has not left yet. */
  owed: number;
  /** The newest request that has a body; one that is not complete is still being read. */
  reading: Pick<IncomingMessage, 'complete' | 'headers'> | null;
  /** The response to the request that node reads next, where it got a response already: see `fast-path/`. */
  ready: Ready | null;
  /** Whether the client sends requests before it has the previous responses. */
  isAhead: boolean;
  /** Whether the input was not HTTP: nothing more of it is read. */
  isRejected: boolean;
  /** Called when the rest of a body, whose request already has its response, is no longer needed. */
  giveUpBody: (() => void) | null;
  readonly onLeave: NonNullable<CoreRequest['onLeave']>;
  /** Called when a response has left. */
  onSettled: (() => void) | null;
}

/** A response that is known before node has read its request. */
export interface Ready {
  readonly passage: Passage;
  readonly response: CoreResponse | Promise<CoreResponse>;
}

/** One takes 12 KB or so. Load tests open a few hundred, browsers six. */
export const connectionsMax = 1_000;

/**
 * Connections that the server has open, and which of their responses are still to leave. A stop must neither cut an
 * response short nor wait for one without an end.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Responses that would never end by themselves: streams and withheld responses. */
  readonly #endless = new Set<() => void>();
  readonly #passages = new Passages({ exact: false });
  readonly #onDrop: () => void;
  /** Responses that were written in this turn of the event loop. */
  #written: Passage[] = [];
  /** How many responses are held back for a time now. */
  late = 0;
  #stopping = false;
  #count = 0;

  /** `onDrop` is called for each connection that has to go for a newer one. */
  constructor(onDrop: () => void = () => {}) {
    this.#onDrop = onDrop;
  }

  get stopping(): boolean {
    return this.#stopping;
  }

  get size(): number {
    return this.#open.size;
  }

  /** A connection that arrives while the server stops is closed at once. */
  add(socket: Socket): Connection {
    const address = socket.remoteAddress ?? '';
    const peer = address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address;
    this.#count += 1;
    const connection: Connection = {
      id: this.#count,
      socket,
      peer,
      openedAt: this.#passages.step(),
      owed: 0,
      reading: null,
      ready: null,
      isAhead: false,
      isRejected: false,
      giveUpBody: null,
      onLeave: (act) => {
        socket.once('end', act).once('close', act);
        return () => socket.off('end', act).off('close', act);
      },
      onSettled: null,
    };
    this.#open.set(socket, connection);
    socket.on('close', () => this.#open.delete(socket));
    if (this.#stopping) socket.destroy();
    else if (this.#open.size > connectionsMax) this.#dropOldest();
    return connection;
  }

  /** The oldest that waits for nothing; where all wait for a response, the oldest of them. */
  #dropOldest(): void {
    const all = [...this.#open.values()];
    const oldest = all.find(({ owed, socket }) => owed === 0 && !socket.destroyed) ?? all[0];
    this.#onDrop();
    oldest?.socket.destroy();
  }

  /** undefined once the socket is closed. */
  of(socket: Socket): Connection | undefined {
    return this.#open.get(socket);
  }

  /**
   * A request counts from the opening of its connection if it is the first there: a client that sends two at once opens
   * the second connection before it has a response.
   */
  meet(connection: Connection): Passage {
    const passage = this.#passages.begin(connection.openedAt);
    if (!connection.isAhead) connection.openedAt = undefined;
    return passage;
  }

  /** From here on, no request of the connection shows that its client knew a response. */
  runAhead(connection: Connection): void {
    if (connection.isAhead) return;
    connection.isAhead = true;
    connection.openedAt = this.#passages.step();
  }

  /** A response is written. Requests in the socket buffers now were sent before the client could have it. */
  wrote(passage: Passage): void {
    if (this.#written.push(passage) > 1) return;
    setImmediate(() => {
      for (const written of this.#written) this.#passages.end(written);
      this.#written = [];
    });
  }

  /** One response of the connection has left, or its client has. */
  settle(connection: Connection): void {
    const { socket } = connection;
    connection.owed -= 1;
    if (connection.owed > 0) return;
    if (connection.isRejected) {
      if (socket.writable) endGently(socket);
    } else if (this.#stopping) socket.destroySoon();
    else connection.onSettled?.();
  }

  /**
   * The input is not HTTP, and the following bytes are unreadable: `reject` is called once. A request that breaks off
   * in a body whose response was sent gets no second one.
   */
  giveUp(connection: Connection, reject: () => void): void {
    if (connection.isRejected) return;
    connection.isRejected = true;
    if (connection.giveUpBody) connection.giveUpBody();
    else reject();
  }

  /**
   * Registers a response without an end; `end` is called when the server stops. Gives back how to take it off again.
   */
  hold(end: () => void): () => void {
    this.#endless.add(end);
    return () => this.#endless.delete(end);
  }

  /**
   * Ends event streams, and closes connections without pending responses or with a closed client; the others close
   * after their last response.
   */
  stop(): void {
    this.#stopping = true;
    for (const end of [...this.#endless]) end();
    for (const { owed, socket } of [...this.#open.values()]) {
      if (owed === 0 || socket.readableEnded) socket.destroySoon();
    }
  }

  /** The end of a stop's time limit: pending responses are cut, too. */
  destroy(): void {
    for (const socket of [...this.#open.keys()]) socket.destroy();
  }
}
