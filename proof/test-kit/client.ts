// For tests: a client that puts exact bytes on a socket and reads what comes back, and an engine that responds as
// stated.
import { connect, type Socket } from 'node:net';
import type { CoreRequest, CoreResponse } from '../../src/http/message.ts';
import { type ListenOptions, listen, type NodeServer } from '../../src/transports/node.ts';

/** A response of HTTP, its headers in lower case. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** One connection, without a library, so tests control every byte. */
export interface RawClient {
  readonly socket: Socket;
  write(bytes: string | Uint8Array): void;
  /** The next whole response. Rejects when the connection ends before. */
  response(options?: { bodiless?: boolean }): Promise<RawResponse>;
  /** Everything received so far that no response has taken. */
  rest(): string;
  /** Resolves when this text has been received. */
  received(text: string): Promise<void>;
  /** How the connection ended: `closed`, or the code of its error. */
  readonly ended: Promise<string>;
}

/** Its own side stays open when the server closes (half-open), so a test sees who closed first. */
export async function openClient(port: number): Promise<RawClient> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  let buffered = Buffer.alloc(0);
  let failure = 'closed';
  let over = false;
  let wake = () => {};
  socket.on('data', (chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    wake();
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    failure = error.code ?? error.message;
  });
  const finish = () => {
    over = true;
    socket.end();
    wake();
  };
  socket.on('end', finish);
  const ended = new Promise<string>((resolve) => {
    socket.on('close', () => {
      finish();
      resolve(failure);
    });
  });
  // A connection that fails ends, and rejects the first response.
  await Promise.race([new Promise((resolve) => socket.once('connect', resolve)), ended]);

  const until = async <T>(read: () => T | null): Promise<T> => {
    for (;;) {
      const found = read();
      if (found !== null) return found;
      if (over) throw new Error(`The connection ended after: ${buffered.toString('latin1').slice(0, 300)}`);
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  return {
    socket,
    write: (bytes) => socket.write(bytes),
    response: ({ bodiless = false } = {}) =>
      until(() => {
        const found = parseResponse(buffered, bodiless);
        if (found) buffered = buffered.subarray(found.bytes);
        return found?.response ?? null;
      }),
    rest: () => buffered.toString('latin1'),
    received: (text) => until(() => (buffered.includes(text) ? undefined : null)) as Promise<void>,
    ended,
  };
}

/** null until the complete response has arrived, by content-length: the server uses chunks only for streams. */
function parseResponse(buffered: Buffer, bodiless: boolean): { response: RawResponse; bytes: number } | null {
  const split = buffered.indexOf('\r\n\r\n');
  if (split === -1) return null;
  const [first = '', ...lines] = buffered.toString('latin1', 0, split).split('\r\n');
  const status = Number(first.split(' ')[1]);
  const headers = Object.fromEntries(lines.map((line) => splitHeader(line)));
  const start = split + 4;
  if (status === 100 || status === 204 || bodiless) return { response: { status, headers, body: '' }, bytes: start };
  const length = Number(headers['content-length'] ?? 0);
  if (buffered.length < start + length) return null;
  return {
    response: {
      status,
      headers,
      body: buffered.toString('utf8', start, start + length),
    },
    bytes: start + length,
  };
}

function splitHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
}

/** The response of a fake engine. */
export type Responder = (request: CoreRequest) => Partial<CoreResponse>;

/** The clock of the fake engine, and so its Date header. */
export const frozenMs = Date.UTC(2026, 0, 2, 3, 4, 5);

/** Echoes path and length by default. */
export function fakeEngine(response: Responder) {
  return {
    world: { clock: { now: () => frozenMs } },
    handle: (request: CoreRequest): CoreResponse => ({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        path: request.path,
        bytes: request.body?.length ?? null,
      }),
      ...response(request),
    }),
  };
}

/** The real socket server in front of the fake engine. */
export function serveFake(response: Responder, options: Partial<ListenOptions> = {}): Promise<NodeServer> {
  return listen(fakeEngine(response), { host: '127.0.0.1', port: 0, ...options });
}

export function get(path: string, ...headers: string[]): string {
  return `${[`GET ${path} HTTP/1.1`, 'Host: mock.example', ...headers].join('\r\n')}\r\n\r\n`;
}

export function post(path: string, ...headers: string[]): string {
  return `${[`POST ${path} HTTP/1.1`, 'Host: mock.example', ...headers].join('\r\n')}\r\n\r\n`;
}
