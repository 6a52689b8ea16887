// From a plain response to the socket, in the order of the requests: node keeps answers back until it is their turn.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreResponse } from '../../http/message.ts';
import type { Connections } from './connection.ts';

export interface SendTiming {
  /** How long a slow body takes in all. */
  readonly slowBodyMs: number;
  /** After how long an answer that never comes turns into a closed connection. */
  readonly timeoutMs: number;
  /** How often an idle event stream says that it lives. */
  readonly heartbeatMs: number;
}

export const sendTiming: SendTiming = {
  slowBodyMs: 5_000,
  timeoutMs: 120_000,
  heartbeatMs: 15_000,
};

const slowPieces = 20;
/** A reader of events that falls this far behind is cut off. */
const streamBytesMax = 1024 * 1024;

export interface Sender {
  readonly connections: Connections;
  readonly timing: SendTiming;
  readonly socket: Socket;
  /** The request, when it is answered before all of it has come. */
  readonly unread: IncomingMessage | null;
}

export function send(outgoing: ServerResponse, response: CoreResponse, sender: Sender): void {
  if (response.latencyMs) {
    const timer = setTimeout(() => sendNow(outgoing, response, sender), response.latencyMs);
    whenOver(outgoing, sender.socket, () => clearTimeout(timer));
  } else sendNow(outgoing, response, sender);
}

function sendNow(outgoing: ServerResponse, response: CoreResponse, sender: Sender): void {
  if (response.network) inTurn(outgoing, () => sendBroken(outgoing, response, sender));
  else if (response.stream) inTurn(outgoing, () => sendStream(outgoing, response, sender));
  else sendWhole(outgoing, response, sender);
}

function sendWhole(outgoing: ServerResponse, response: CoreResponse, { connections, unread }: Sender): void {
  const { status, body } = response;
  const head = headOf(response);
  if (status !== 204) head.push('content-length', String(byteLength(body)));
  if (connections.stopping) head.push('connection', 'close');
  outgoing.sendDate = false;
  outgoing.writeHead(status, head);
  if (unread) endWhenRead(outgoing, body, unread);
  else outgoing.end(body);
}

// All bytes of the answer leave at once, but its end, which may close the connection, waits for the rest of the request:
// closing on unread bytes would reset the connection and could take the answer along.
function endWhenRead(outgoing: ServerResponse, body: string | Uint8Array, unread: IncomingMessage): void {
  if (body.length === 0) outgoing.flushHeaders();
  else outgoing.write(body);
  unread.on('close', () => outgoing.end());
}

// A flat list goes out as it is; an object would be taken apart again by node.
function headOf({ headers }: CoreResponse): string[] {
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name] as string);
  return head;
}

function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
}

/** Calls back when all earlier answers of the connection are out; never, when the client leaves before. */
function inTurn(outgoing: ServerResponse, act: () => void): void {
  if (outgoing.socket) act();
  else outgoing.once('socket', act);
}

/** Calls back once, when the answer is out or its client has left. An answer that waits for its turn sees only the socket. */
function whenOver(outgoing: ServerResponse, socket: Socket, act: () => void): void {
  const over = () => {
    outgoing.off('close', over);
    socket.off('close', over);
    act();
  };
  outgoing.on('close', over);
  socket.on('close', over);
}

function sendBroken(outgoing: ServerResponse, response: CoreResponse, { socket, connections, timing }: Sender): void {
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

/** Server-sent events, until the client leaves or the server stops. */
function sendStream(outgoing: ServerResponse, response: CoreResponse, { connections, timing, socket }: Sender): void {
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
  const stop = response.stream?.(push);
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

interface Hold {
  readonly socket: Socket;
  readonly connections: Connections;
  readonly end: () => void;
  readonly over: () => void;
}

// An answer without an end of its own ends when the server stops, or when the client closes its side: whoever waits for
// events does not do that before it leaves.
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
