// The socket side: node:http in front of an engine.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from '../control/engine.ts';
import { bodyBytesMax, type CoreRequest, type CoreResponse } from '../http/message.ts';
import { basePath } from '../http/route.ts';

export interface NodeServer {
  readonly server: Server;
  readonly host: string;
  readonly port: number;
  /** Where the API is, such as `http://127.0.0.1:4010/api/v1`. */
  readonly baseUrl: string;
  close(): Promise<void>;
}

export async function listen(engine: Engine, { host, port }: { host: string; port: number }): Promise<NodeServer> {
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => {
    if (!hasBody(incoming)) {
      send(outgoing, engine.handle(toCore(incoming, null)));
      return;
    }
    readBody(incoming, (body) => send(outgoing, engine.handle(toCore(incoming, body))));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const bound = (server.address() as AddressInfo).port;
  const shown = host.includes(':') ? `[${host}]` : host;
  return {
    server,
    host,
    port: bound,
    baseUrl: `http://${shown}:${bound}${basePath}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeIdleConnections();
      }),
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/** Hands over the body as soon as it is whole or over the cap; the rest of a body over the cap is read and dropped. */
function readBody(incoming: IncomingMessage, done: (body: Uint8Array) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let handed = false;
  const hand = () => {
    if (handed) return;
    handed = true;
    done(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    chunks.length = 0;
  };
  incoming.on('data', (chunk: Buffer) => {
    if (handed) return;
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > bodyBytesMax) hand();
  });
  incoming.on('end', hand);
  incoming.on('error', () => {
    handed = true;
  });
}

function toCore(incoming: IncomingMessage, body: Uint8Array | null): CoreRequest {
  const url = incoming.url ?? '/';
  const split = url.indexOf('?');
  const address = incoming.socket.remoteAddress ?? '';
  return {
    method: incoming.method ?? 'GET',
    path: split === -1 ? url : url.slice(0, split),
    query: split === -1 ? '' : url.slice(split + 1),
    headers: incoming.headers as Record<string, string>,
    body,
    peer: address.startsWith('::ffff:') ? address.slice('::ffff:'.length) : address,
    origin: `http://${incoming.headers.host ?? 'localhost'}`,
  };
}

function send(outgoing: ServerResponse, { status, headers, body }: CoreResponse): void {
  const bytes = typeof body === 'string' ? Buffer.byteLength(body) : body.length;
  outgoing.sendDate = false;
  outgoing.writeHead(status, { ...headers, 'content-length': bytes });
  outgoing.end(body);
}
