// The open sockets of one server: who is at the other end, how many answers are owed, and how all of it is closed.
import type { Socket } from 'node:net';
import type { CoreResponse, Passage } from '../../http/message.ts';
import { Passages } from '../passages.ts';

/** One client's socket, from its opening to its close. */
export interface Connection {
  /** Counts from 1. */
  readonly id: number;
  readonly socket: Socket;
  /** The client's address; IPv4 in its own form even when it came over IPv6. */
  readonly peer: string;
  /** The step at which it was opened, until its first request comes. */
  openedAt: number | undefined;
  /** Requests whose answer has not left yet. */
  owed: number;
  /** The newest of them that has a body; one that is not complete is still coming in. */
  reading: { readonly complete: boolean } | null;
  /** The answer to the request that node reads next, where it was answered already: see `plain-lane.ts`. */
  ready: Ready | null;
  /** Set when the input was not HTTP: called once the good requests before it are answered. */
  refuse: (() => void) | null;
  refused: boolean;
}

/** An answer that is known before node has read its request. */
export interface Ready {
  readonly passage: Passage;
  readonly response: CoreResponse | Promise<CoreResponse>;
}

/** One takes 12 KB or so. Load tests open a few hundred, browsers six. */
export const connectionsMax = 1_000;

/**
 * Connections that the server has open, and which of their answers are still to leave. A stop must neither cut an
 * answer short nor wait for one without an end.
 */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  /** Answers that would never end by themselves: streams and withheld answers. */
  readonly #endless = new Set<() => void>();
  readonly #passages = new Passages({ exact: false });
  readonly #onDrop: () => void;
  /** Answers that were written in this turn of the event loop. */
  #written: Passage[] = [];
  /** How many answers are held back for a time now. */
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
      refuse: null,
      refused: false,
    };
    this.#open.set(socket, connection);
    // Answers that wait for their turn listen each; how many there may be is bounded in bytes, and Node would warn.
    socket.setMaxListeners(0);
    socket.on('close', () => this.#open.delete(socket));
    if (this.#stopping) socket.destroy();
    else if (this.#open.size > connectionsMax) this.#dropOldest();
    return connection;
  }

  /** The oldest that waits for nothing; where all wait for an answer, the oldest of them. */
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
   * the second connection before it has an answer.
   */
  meet(connection: Connection): Passage {
    const passage = this.#passages.begin(connection.openedAt);
    connection.openedAt = undefined;
    return passage;
  }

  /** An answer is written. Requests that lie in the socket buffers by now were sent before a client could have it. */
  wrote(passage: Passage): void {
    if (this.#written.push(passage) > 1) return;
    setImmediate(() => {
      for (const written of this.#written) this.#passages.end(written);
      this.#written = [];
    });
  }

  /** One answer of the connection has left, or its client has. */
  settle(connection: Connection): void {
    connection.owed -= 1;
    if (connection.refuse) refuseInTurn(connection);
    else if (this.#stopping && connection.owed === 0) connection.socket.destroySoon();
  }

  /** The input is not HTTP, and nothing after it can be understood: `refuse` is called once, in its turn. */
  giveUp(connection: Connection, refuse: () => void): void {
    if (connection.refused) return;
    connection.refused = true;
    connection.refuse = refuse;
    refuseInTurn(connection);
  }

  /** Registers an answer without an end; `end` is called when the server stops. Gives back how to take it off again. */
  hold(end: () => void): () => void {
    this.#endless.add(end);
    return () => this.#endless.delete(end);
  }

  /**
   * Ends what would not end, closes what owes nothing or whose client has closed; the rest closes with its last answer.
   */
  stop(): void {
    this.#stopping = true;
    for (const end of [...this.#endless]) end();
    for (const { owed, socket } of [...this.#open.values()]) {
      if (owed === 0 || socket.readableEnded) socket.destroySoon();
    }
  }

  /** The end of a stop's patience: also answers under way are cut. */
  destroy(): void {
    for (const socket of [...this.#open.keys()]) socket.destroy();
  }
}

// A request that broke off within its body gets no other answer.
function refuseInTurn(connection: Connection): void {
  if (connection.owed > (connection.reading?.complete === false ? 1 : 0)) return;
  connection.refuse?.();
  connection.refuse = null;
}
