// Server-sent events over a socket.
import type { ServerResponse } from 'node:http';
import type { CoreResponse } from '../../http/message.ts';
import { headOf, holdOpen, type Sender } from './sender.ts';

/** A reader of events that falls this far behind is cut off. */
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
