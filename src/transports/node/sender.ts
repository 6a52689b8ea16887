// The settings of sending, and the end of a streamed response.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreResponse } from '../../http/message.ts';
import type { Connections } from './connection.ts';

/** Times of responses that take long on purpose. */
export interface SendTiming {
  /** How long a slow body takes in all. */
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

/** Dependencies of sending a response. */
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
export interface Hold {
  readonly socket: Socket;
  readonly connections: Connections;
  readonly end: () => void;
  readonly over: () => void;
}

// An event stream ends when the server stops, or when the client closes its side: clients that wait for events keep it
// open until they leave.
export function holdOpen(outgoing: ServerResponse, { socket, connections, end, over }: Hold): void {
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
export function headOf({ headers }: CoreResponse): string[] {
  const head: string[] = [];
  for (const name in headers) head.push(name, headers[name] as string);
  return head;
}

export function byteLength(body: string | Uint8Array): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.length;
}

export function bytesOf(body: string | Uint8Array): Buffer {
  return typeof body === 'string' ? Buffer.from(body) : Buffer.from(body);
}
