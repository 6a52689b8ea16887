// The fast path of plain requests: read from the socket's bytes, handled, written to the socket. Node's objects for a
// request and its response cost more than the rest of the mock. Other requests go to node's parser, and the rest of
// their connection with them.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreResponse, Passage } from '../../../http/message.ts';
import { statusCodes } from '../bad-http.ts';
import type { Connection, Connections, Ready } from '../connection.ts';
import type { ServerTiming } from '../http-server.ts';
import { byteLength } from '../outgoing.ts';
import type { Intake, StartFeed } from '../request-feed.ts';
import { clearInterval, setImmediate, setInterval } from '../timers.ts';
import { type PlainRequest, readPlain } from './plain-request.ts';

export interface LaneOptions {
  readonly connections: Connections;
  readonly intake: Intake;
  readonly timing: ServerTiming;
  /** Node's way. */
  readonly startFeed: StartFeed;
  readonly respond: (
    plain: PlainRequest,
    connection: Connection,
    passage: Passage,
  ) => CoreResponse | Promise<CoreResponse>;
  /** `code` is node's name of the error. */
  readonly reject: (socket: Socket, code: string) => void;
}

/** Gives back where connections enter. */
export function openLane(server: Server, options: LaneOptions): (connection: Connection) => void {
  const lane = new PlainLane(options);
  // The timers of Node: jsdom and fake timers replace the global ones.
  const timer = setInterval(() => lane.closeQuiet(), options.timing.checkMs);
  timer.unref();
  server.on('close', () => clearInterval(timer));
  return (connection) => lane.enter(connection);
}

interface Pending extends Ready {
  readonly bytes: Buffer;
}

interface Visitor {
  readonly connection: Connection;
  /** The request whose response is not written yet. */
  pending: Pending | null;
  hasRequested: boolean;
  /** How often time was looked at since it asked the last time. */
  checks: number;
  /** Removes the listeners except for errors: an unhandled one would end the process. */
  readonly detach: () => void;
}

interface Exchanged {
  readonly visitor: Visitor;
  readonly head: string;
  readonly body: CoreResponse['body'];
}

/** Every error is followed by `close`. */
const ignore = () => {};

class PlainLane {
  readonly #options: LaneOptions;
  readonly #visitors = new Set<Visitor>();
  /** In this turn of the event loop. */
  #unsent: Exchanged[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  enter(connection: Connection): void {
    const { socket } = connection;
    const onData = (bytes: Buffer) => this.#read(visitor, bytes);
    // A waiting client gets its response first.
    const onEnd = () => {
      if (!visitor.pending) socket.end();
    };
    const onClose = () => {
      detach();
      if (visitor.pending) this.#settle(visitor, visitor.pending);
    };
    const detach = () => {
      this.#visitors.delete(visitor);
      socket.off('data', onData).off('end', onEnd).off('close', onClose);
    };
    const visitor: Visitor = { connection, pending: null, hasRequested: false, checks: 0, detach };
    this.#visitors.add(visitor);
    socket.on('data', onData).on('end', onEnd).on('error', ignore).on('close', onClose);
  }

  /** Like node: a connection without a request gets an error response, an idle one is closed. */
  closeQuiet(): void {
    const { timing, reject } = this.#options;
    for (const visitor of this.#visitors) {
      const { hasRequested, pending, connection } = visitor;
      const quietMs = visitor.checks * timing.checkMs;
      // The first look may come at once.
      visitor.checks += 1;
      if (pending || quietMs < (hasRequested ? timing.keepAliveMs : timing.headersMs)) continue;
      visitor.detach();
      if (hasRequested) connection.socket.destroy();
      else reject(connection.socket, 'ERR_HTTP_REQUEST_TIMEOUT');
    }
  }

  #read(visitor: Visitor, bytes: Buffer): void {
    const { connections, respond } = this.#options;
    const { connection } = visitor;
    const isBusy = visitor.pending !== null || connection.socket.writableLength > 0 || connections.stopping;
    const plain = isBusy ? null : readPlain(bytes);
    if (!plain) {
      this.#leave(visitor, bytes);
      return;
    }
    visitor.hasRequested = true;
    visitor.checks = 0;
    connection.owed += 1;
    const passage = connections.meet(connection);
    const response = respond(plain, connection, passage);
    const pending: Pending = { bytes, passage, response };
    visitor.pending = pending;
    if (response instanceof Promise) {
      response.then((late) => {
        const exchanged = visitor.pending === pending ? this.#prepare(visitor, late) : null;
        if (exchanged) this.#write(exchanged);
      });
    } else {
      const exchanged = this.#prepare(visitor, response);
      if (exchanged) this.#writeSoon(exchanged);
    }
  }

  /** Null for a response that node writes. */
  #prepare(visitor: Visitor, response: CoreResponse): Exchanged | null {
    const head = headText(response, this.#options.timing);
    if (head !== null) return { visitor, head, body: response.body };
    this.#leave(visitor);
    return null;
  }

  /** At the end of the turn, with all others: alternating between reading and writing takes a tenth longer. */
  #writeSoon(exchanged: Exchanged): void {
    if (this.#unsent.push(exchanged) > 1) return;
    setImmediate(() => {
      const all = this.#unsent;
      this.#unsent = [];
      for (const each of all) this.#write(each);
    });
  }

  #write({ visitor, head, body }: Exchanged): void {
    const { connections, intake } = this.#options;
    const { connection, pending } = visitor;
    const { socket } = connection;
    // It has left meanwhile.
    if (!pending) return;
    if (connections.stopping) {
      this.#leave(visitor);
      return;
    }
    write(socket, head, body);
    if (typeof body === 'string' && socket.writableLength > 0) intake.holdWritten(socket, socket.writableLength);
    if (socket.readableEnded) socket.end();
    this.#settle(visitor, pending);
  }

  #settle(visitor: Visitor, { passage }: Pending): void {
    const { connections } = this.#options;
    visitor.pending = null;
    connections.wrote(passage);
    connections.settle(visitor.connection);
  }

  /** Node reads what came as if it came now. A request that got a response already takes its response along. */
  #leave(visitor: Visitor, bytes?: Buffer): void {
    const { connection, pending } = visitor;
    const { socket } = connection;
    if (socket.destroyed) return;
    visitor.detach();
    if (pending) {
      visitor.pending = null;
      connection.owed -= 1;
      connection.ready = pending;
    }
    this.#options.startFeed(
      connection,
      [pending?.bytes, bytes].filter((part) => part !== undefined),
    );
  }
}

/** Null for a response that is more than a head and a body. Node rejects signs that no header may hold. */
function headText(response: CoreResponse, { keepAliveMs }: ServerTiming): string | null {
  const { status, headers, body, network, latencyMs, stream } = response;
  if (network !== undefined || latencyMs || stream || body.length === 0) return null;
  let head = `HTTP/1.1 ${status} ${statusCodes[status] ?? 'unknown'}\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!/^[\t\x20-\x7e]*$/.test(value)) return null;
    head += `${name}: ${value}\r\n`;
  }
  const seconds = Math.floor(keepAliveMs / 1000);
  return `${head}content-length: ${byteLength(body)}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
}

/** In one piece, so it is one write of the system. */
function write(socket: Socket, head: string, body: string | Uint8Array): void {
  if (typeof body === 'string') {
    socket.write(head + body);
    return;
  }
  socket.cork();
  socket.write(head, 'latin1');
  socket.write(body);
  socket.uncork();
}
