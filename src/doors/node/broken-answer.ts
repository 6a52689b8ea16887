// Faults of the network, on demand.
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { CoreResponse } from '../../http/message.ts';
import { bytesOf, headOf, holdOpen, type Sender, whenOver } from './sender.ts';

const slowPieces = 20;

/**
 * Acts out one fault. `reset` and `empty` differ in what the client's system reports: a reset, or an end before any
 * byte.
 */
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

/** As the fetch door does it: equal pieces at equal gaps, with a true content-length. */
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
