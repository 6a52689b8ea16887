// The short way of plain requests: read from the socket's bytes, answered, written to the socket. Node's objects for a
// request and its answer cost more than all that the mock does. Whatever is not plain goes node's way, and with it the
// rest of its connection.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreResponse, Passage } from '../../http/message.ts';
import type { Connection, Connections } from './connection.ts';
import { byteLength } from './head.ts';
import { STATUS_CODES } from './http-module.ts';
import type { ServerTiming } from './http-server.ts';
import type { Intake } from './intake.ts';
import { type PlainRequest, readPlain } from './plain-request.ts';

export interface LaneOptions {
  readonly connections: Connections;
  readonly intake: Intake;
  readonly timing: ServerTiming;
  readonly answer: (
    plain: PlainRequest,
    connection: Connection,
    passage: Passage,
  ) => CoreResponse | Promise<CoreResponse>;
  /** `code` is node's name of what is wrong. */
  readonly refuse: (socket: Socket, code: string) => void;
}

/** A connection on the short way. */
interface Visitor {
  readonly connection: Connection;
  hasAsked: boolean;
  /** How often time was looked at since it asked the last time. */
  checks: number;
  /** Takes it off the short way. */
  readonly leave: () => void;
}

/**
 * Stands before node's own listener for connections and gives back where they enter. Null on runtimes whose server gets
 * its sockets in another way (Bun, Deno).
 */
export function openLane(server: Server, options: LaneOptions): ((connection: Connection) => void) | null {
  const [listener] = server.listeners('connection');
  if (!listener) return null;
  server.off('connection', listener as () => void);
  const { connections, timing } = options;
  const visitors = new Set<Visitor>();
  const timer = setInterval(() => {
    for (const visitor of visitors) closeQuiet(visitor, options);
  }, timing.checkMs);
  timer.unref();
  server.on('close', () => clearInterval(timer));
  return (connection) => {
    const { socket } = connection;
    const leave = () => {
      visitors.delete(visitor);
      socket.off('data', onData).off('end', onEnd).off('error', ignore).off('close', leave);
    };
    const visitor: Visitor = { connection, hasAsked: false, checks: 0, leave };
    const onData = (bytes: Buffer) => {
      if (!connections.stopping && socket.writableLength === 0 && serve(visitor, bytes, options)) return;
      leave();
      if (socket.destroyed) return;
      socket.unshift(bytes);
      listener.call(server, socket);
    };
    const onEnd = () => socket.end();
    visitors.add(visitor);
    socket.on('data', onData).on('end', onEnd).on('error', ignore).on('close', leave);
  };
}

/** Every error is followed by `close`. */
const ignore = () => {};

/** As node does it: silence from the start is told, silence after an answer just ends. */
function closeQuiet(visitor: Visitor, { timing, refuse }: LaneOptions): void {
  const { hasAsked, connection } = visitor;
  const quietMs = visitor.checks * timing.checkMs;
  // The first look may come at once.
  visitor.checks += 1;
  if (quietMs < (hasAsked ? timing.keepAliveMs : timing.headersMs)) return;
  visitor.leave();
  if (hasAsked) connection.socket.destroy();
  else refuse(connection.socket, 'ERR_HTTP_REQUEST_TIMEOUT');
}

/** False when the request has to go node's way, with the answer that it has got by then. */
function serve(visitor: Visitor, bytes: Buffer, { connections, intake, timing, answer }: LaneOptions): boolean {
  const plain = readPlain(bytes);
  if (!plain) return false;
  const { connection } = visitor;
  const { socket } = connection;
  visitor.hasAsked = true;
  visitor.checks = 0;
  connection.owed += 1;
  const passage = connections.meet(connection);
  const response = answer(plain, connection, passage);
  const head = response instanceof Promise || connections.stopping ? null : headText(response, timing);
  if (head === null) {
    connection.owed -= 1;
    connection.ready = { passage, response };
    return false;
  }
  write(socket, head, (response as CoreResponse).body);
  if (socket.writableLength > 0) intake.holdWritten(socket, socket.writableLength);
  connections.wrote(passage);
  connections.settle(connection);
  return true;
}

/** Null for an answer that is more than a head and a body. Node refuses signs that no header may hold. */
function headText(response: CoreResponse, { keepAliveMs }: ServerTiming): string | null {
  const { status, headers, body, network, latencyMs, stream } = response;
  if (network !== undefined || latencyMs || stream || body.length === 0) return null;
  let head = `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n`;
  for (const name in headers) {
    const value = headers[name] as string;
    if (!/^[\t\x20-\x7e]*$/.test(value)) return null;
    head += `${name}: ${value}\r\n`;
  }
  const seconds = Math.floor(keepAliveMs / 1000);
  return `${head}content-length: ${byteLength(body)}\r\nConnection: keep-alive\r\nKeep-Alive: timeout=${seconds}\r\n\r\n`;
}

/** In one piece, so that it is one write of the system. */
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
