// From a plain response to the socket.
import type { ServerResponse } from 'node:http';
import type { CoreResponse } from '../../http/message.ts';
import { sendBroken } from './broken-answer.ts';
import { sendStream } from './event-stream.ts';
import { byteLength, headOf, type Sender, whenOver } from './sender.ts';

/**
 * Any client may ask for a late answer, without a key too. So many are held back at once; further ones leave at once,
 * or thousands of them would fill the memory.
 */
export const lateAnswersMax = 500;

/** `latencyMs` holds back this answer alone; later ones of the same connection still leave after it. */
export function send(outgoing: ServerResponse, response: CoreResponse, sender: Sender): void {
  const { connections, socket } = sender;
  if (response.latencyMs && connections.late < lateAnswersMax) {
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
    // A response that node refuses to write is a bug of ours, and one connection's end, not the server's.
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
  // As many bytes as characters: ASCII, which node writes in one copy where it is not told of UTF-8.
  else if (typeof body === 'string' && bytes === body.length) outgoing.end(body, 'latin1');
  else outgoing.end(body);
  // The bytes of a page of articles are shared by all who ask for it.
  if (typeof body === 'string' && socket.writableLength > 0) intake.holdAnswer(outgoing, socket, bytes);
}

// All bytes of the answer leave at once, but its end, which may close the connection, waits for the rest of the
// request: closing on unread bytes would reset the connection and could take the answer along.
function endWhenRead(outgoing: ServerResponse, body: string | Uint8Array, unread: Promise<void>): void {
  if (body.length === 0) outgoing.flushHeaders();
  else outgoing.write(body);
  unread.then(() => outgoing.end());
}
