// Input that is not HTTP, or not in time: a response in the contract's own form where one can still be sent, then the
// end.
import type * as Http from 'node:http';
import type { Duplex } from 'node:stream';
import { rejectionBody } from '../transport.ts';

/** By node's error code; every other one is 400. */
const statuses: Readonly<Record<string, readonly [status: number, message: string]>> = {
  HPE_HEADER_OVERFLOW: [431, 'The request headers are too large.'],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'The chunk extensions are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'The request did not arrive in time.'],
};

/**
 * `code` is node's; `date` is the Date header, which no server object adds to a bare socket. Nothing is written to a
 * client that has gone.
 */
export function respondBadHttp(socket: Duplex, code: string | undefined, date: string): void {
  if (!socket.writable || code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const [status, message] = statuses[code ?? ''] ?? [400, 'The request is not valid HTTP.'];
  const body = rejectionBody(message);
  endGently(
    socket,
    `HTTP/1.1 ${status} ${statusCodes[status]}\r\ncontent-type: application/json; charset=utf-8\r\ndate: ${date}\r\n` +
      `content-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
  );
}

/**
 * Ends our side and drops what the client still sends until it closes its own, so no reset overtakes the response.
 */
export function endGently(socket: Duplex, last = ''): void {
  socket.end(last);
  socket.resume();
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.on('close', () => clearTimeout(timer));
}

/** How long a client that has been rejected may keep its side open. */
const lingerMs = 2_000;

// Loads node:http like `require` does. An import would read every export, some of which load node's whole HTTP client
// first: that alone took 40 ms of 150. It is loaded by name, so a page can import the package for `createMock`.
const loaded = globalThis.process?.getBuiltinModule?.('node:http') as typeof Http | undefined;

/** Undefined in a page. */
export const createServer = loaded?.createServer;
export const statusCodes = loaded?.STATUS_CODES ?? {};
