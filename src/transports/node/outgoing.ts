// From a plain response to the socket.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreResponse } from '../../http/message.ts';
import type { Connections } from './connection.ts';

/**
 * Any client may ask for a late response, without a key too. So many are held back at once; further ones leave at once,
 * or thousands of them would fill the memory.
 */
export const lateResponsesMax = 500;

/** `latencyMs` holds back this response alone; later ones of the same connection still leave after it. */
export function send(outgoing: ServerResponse, response: CoreResponse, sender: Sender): void {
  const { connections, socket } = sender;
  if (response.latencyMs && connections.late < lateResponsesMax) {
    const timer = setTimeout(() => sendNow(outgoing, response, sender), response.latencyMs);
    connections.late += 1;
    whenOver(outgoing, socket, () => {
      clearTimeout(timer);
      connections.late -= 1;
    });
  } else sendNow(outgoing, response, sender);
}

function sendNow(outgoing: ServerResponse, response: CoreResponse, sender: Sender): void {
  const write = response.network ? sendBroken : response.stream ? sendStream : sendWhole;
  try {
    write(outgoing, response, sender);
  } catch (error) {
    // A response that node does not write is a bug of ours, and one connection's end, not the server's.
    sender.onBug(error);
    sender.socket.destroy();
  }
}

function sendWhole(outgoing: ServerResponse, response: CoreResponse, sender: Sender): void {
  const { connections, unread, socket, intake } = sender;
  const { status, body } = response;
  const head = headOf(response);
  const bytes = byteLength(body);
  if (status !== 204 && status !== 304) head.push('content-length', String(bytes));
  if (connections.stopping) head.push('connection', 'close');
  outgoing.sendDate = false;
  outgoing.writeHead(status, head);
  if (unread) endWhenRead(outgoing, body, unread);
  // As many bytes as characters: ASCII, which node writes in one copy as latin1.
  else if (typeof body === 'string' && bytes === body.length) outgoing.end(body, 'latin1');
  else outgoing.end(body);
  // The bytes of a page of articles are shared by all requests for it.
  if (typeof body === 'string' && socket.writableLength > 0) intake.holdResponse(outgoing, socket, bytes);
}

// All bytes of the response leave at once, but its end, which may close the connection, waits for the rest of the
// request: closing on unread bytes would reset the connection and could take the response along.
function endWhenRead(outgoing: ServerResponse, body: string | Uint8Array, unread: Promise<void>): void {
  if (body.length === 0) outgoing.flushHeaders();
  else outgoing.write(body);
  unread.then(() => outgoing.end());
}

// Server-sent events over a socket.

/** A reader of events with this backlog is disconnected. */
const streamBytesMax = 1024 * 1024;

/** Goes on until the client leaves or the server stops. */
export function sendStream(
  outgoing: ServerResponse,
  response: CoreResponse,
  { connections, timing, socket }: Sender,
): void {
  outgoing.sendDate = false;
  outgoing.writeHead(response.status, headOf(response));
  outgoing.flushHeaders();
  const push = (text: string) => {
    if (outgoing.writableEnded || outgoing.destroyed) return;
    outgoing.write(text);
    if (outgoing.writableLength > streamBytesMax) socket.destroy();
  };
  if (response.body.length > 0) outgoing.write(response.body);
  const heartbeat = setInterval(() => push(':\n\n'), timing.heartbeatMs);
  const stop = response.stream?.(push, () => outgoing.end());
  holdOpen(outgoing, {
    socket,
    connections,
    end: () => outgoing.end(),
    over: () => {
      clearInterval(heartbeat);
      stop?.();
    },
  });
}

// Faults of the network, on demand.
const slowPieces = 20;

/** Applies one fault. `reset` and `empty` differ in the error at the client: a reset, or an end before any byte. */
export function sendBroken(
  outgoing: ServerResponse,
  response: CoreResponse,
  { socket, connections, timing }: Sender,
): void {
  switch (response.network) {
    case 'reset':
      socket.resetAndDestroy();
      return;
    case 'empty':
      socket.destroySoon();
      return;
    case 'timeout': {
      const timer = setTimeout(() => socket.destroy(), timing.timeoutMs);
      holdOpen(outgoing, {
        socket,
        connections,
        end: () => socket.destroy(),
        over: () => clearTimeout(timer),
      });
      return;
    }
    case 'truncated':
      sendTruncated(outgoing, response, socket);
      return;
    case 'slow':
      sendSlowly(outgoing, response, { socket, slowBodyMs: timing.slowBodyMs });
  }
}

/** Promises more bytes than it sends, then closes. */
function sendTruncated(outgoing: ServerResponse, response: CoreResponse, socket: Socket): void {
  const body = bytesOf(response.body);
  outgoing.sendDate = false;
  outgoing.writeHead(response.status, [...headOf(response), 'content-length', String(Math.max(1, body.length))]);
  outgoing.flushHeaders();
  outgoing.write(body.subarray(0, body.length >> 1), () => socket.destroySoon());
}

/** Like the fetch transport: equal pieces at equal intervals, with a correct content-length. */
function sendSlowly(
  outgoing: ServerResponse,
  response: CoreResponse,
  { socket, slowBodyMs }: { socket: Socket; slowBodyMs: number },
): void {
  const body = bytesOf(response.body);
  const pieceBytes = Math.max(1, Math.ceil(body.length / slowPieces));
  let sent = 0;
  outgoing.sendDate = false;
  outgoing.writeHead(response.status, [...headOf(response), 'content-length', String(body.length)]);
  outgoing.flushHeaders();
  const timer = setInterval(() => {
    outgoing.write(body.subarray(sent, sent + pieceBytes));
    sent += pieceBytes;
    if (sent < body.length) return;
    clearInterval(timer);
    outgoing.end();
  }, slowBodyMs / slowPieces);
  whenOver(outgoing, socket, () => clearInterval(timer));
}

// The settings of sending, and the end of a streamed response.

export interface SendTiming {
  readonly slowBodyMs: number;
  /** After how long a response that never comes turns into a closed connection. */
  readonly timeoutMs: number;
  /** How often an idle event stream says that it lives. */
  readonly heartbeatMs: number;
}

/** Milliseconds, with the defaults of the socket transport. */
export const sendTiming: SendTiming = {
  slowBodyMs: 5_000,
  timeoutMs: 120_000,
  heartbeatMs: 15_000,
};

export interface Sender {
  readonly connections: Connections;
  /** Counts responses that are not sent at once. */
  readonly intake: { holdResponse(outgoing: ServerResponse, socket: Socket, bytes: number): void };
  readonly timing: SendTiming;
  readonly socket: Socket;
  /** The rest of the request, when it gets a response before all of it has come. */
  readonly unread: Promise<void> | null;
  readonly onBug: (error: unknown) => void;
}

/**
 * Calls back once, when the response is out or its client has left. A response that waits for its turn sees only the
 * socket.
 */
export function whenOver(outgoing: ServerResponse, socket: Socket, act: () => void): void {
  const over = () => {
    outgoing.off('close', over);
    socket.off('close', over);
    act();
  };
  outgoing.on('close', over);
  socket.on('close', over);
}

/**
 * A response that is kept open: `end` ends it from our side, `over` is called once when it is out or its client has
 * left.
 */
interface Hold {
  readonly socket: Socket;
  readonly connections: Connections;
  readonly end: () => void;
  readonly over: () => void;
}

// An event stream ends when the server stops, or when the client closes its side: clients that wait for events keep it
// open until they leave.
function holdOpen(outgoing: ServerResponse, { socket, connections, end, over }: Hold): void {
  const release = connections.hold(end);
  socket.on('end', end);
  whenOver(outgoing, socket, () => {
    socket.off('end', end);
    release();
    over();
  });
  if (socket.readableEnded) end();
}

// A flat list is sent unchanged; node would first convert an object.
function headOf({ headers }: CoreResponse): string[] {
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name] as string);
  return head;
}

export function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
}
