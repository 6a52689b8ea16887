// node's server as we want it: its timeouts, how it gets a port, and how it stops.
import type { Server } from 'node:http';
import { RunError } from '../../terminal/usage-error.ts';
import { createServer } from './bad-http.ts';
import type { Connections } from './connection.ts';
import { type SendTiming, sendTiming } from './outgoing.ts';

export interface ServerTiming extends SendTiming {
  /** How long a client may take for the head of a request, and for all of it. */
  readonly headersMs: number;
  readonly requestMs: number;
  readonly keepAliveMs: number;
  /** How often the two limits above are looked at. */
  readonly checkMs: number;
  /** How long a stop waits for pending responses. */
  readonly graceMs: number;
}

/**
 * Milliseconds. `keepAliveMs` is above the 60 seconds after which common proxies close an idle connection: the side
 * that sends requests should be the one that closes.
 */
export const defaultTiming: ServerTiming = {
  ...sendTiming,
  headersMs: 15_000,
  requestMs: 60_000,
  keepAliveMs: 65_000,
  checkMs: 5_000,
  graceMs: 3_000,
};

/** The server before it has a port. Its settings are given at once because node reads some of them only then. */
export function createHttpServer({ headersMs, requestMs, keepAliveMs, checkMs }: ServerTiming): Server {
  if (!createServer) {
    throw new RangeError('A server needs Node, Bun or Deno; in a page there are createMock and casa-kit/msw.');
  }
  const server = createServer({
    keepAliveTimeout: keepAliveMs,
    headersTimeout: headersMs,
    requestTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
    // A request without Host gets a response in the contract's form, which node's own would not be.
    requireHostHeader: false,
    noDelay: true,
  });
  // A client that closes its side after the request still wants the response.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}

/** Rejects with a {@link ListenError}, whose message says what to do. */
export function bind(server: Server, { host, port }: { host: string; port: number }): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (error: Error) => reject(new ListenError(error, { host, port }));
    server.once('error', fail);
    server.listen(port, host, () => {
      server.off('error', fail);
      resolve();
    });
  });
}

/** Resolves when every connection is closed, which takes at most about `graceMs`. */
export function stop(server: Server, connections: Connections, graceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => connections.destroy(), graceMs);
    server.close(() => {
      clearTimeout(timer);
      resolve();
    });
    connections.stop();
  });
}

export interface ListenTarget {
  readonly host: string;
  readonly port: number;
}

/**
 * A server that could not start: mostly a taken port, which is the user's to mend and so gets a sentence, not a stack.
 */
export class ListenError extends RunError {
  /** The system's name of the failure, such as `EADDRINUSE`. */
  readonly code: string;

  constructor(cause: NodeJS.ErrnoException, target: ListenTarget) {
    const code = cause.code ?? 'UNKNOWN';
    super(describe(code, cause.message, target), { cause });
    this.name = 'ListenError';
    this.code = code;
  }
}

function describe(code: string, message: string, { host, port }: ListenTarget): string {
  switch (code) {
    case 'EADDRINUSE':
      return `Port ${port} on ${host} is in use; choose another port, or 0 for a free one.`;
    case 'EACCES':
      return `Port ${port} needs more rights than this user has; choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `${host} is not an address of this machine; choose 127.0.0.1, or 0.0.0.0 for all of its addresses.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${message}.`;
  }
}
