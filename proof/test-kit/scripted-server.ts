// A server with scripted responses, on the clock of the test.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';

/** One response: 200 with an empty list by default. */
export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text unchanged, anything else as JSON. */
  readonly body?: unknown;
}

/** Its URL and its received requests. */
export interface ScriptedServer {
  readonly baseUrl: string;
  /** `METHOD path` of every request, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** `count` is the number of the request, from 1 on. */
export type Script = (path: string, request: IncomingMessage, count: number) => Scripted;

/** A server on a free port. */
export interface LocalServer {
  readonly origin: string;
  readonly port: number;
  close(): Promise<void>;
}

/** Starts a server, which closes open connections when it is closed. */
export async function startHttp(listener: RequestListener): Promise<LocalServer> {
  const server = createServer(listener);
  return startLocal(server, () => server.closeAllConnections());
}

async function startLocal(server: Server, disconnect: () => void): Promise<LocalServer> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    disconnect();
    await new Promise((resolve) => server.close(resolve));
  };
  return { origin: `http://127.0.0.1:${port}`, port, close };
}

/** No Date is added by default. */
export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: string[] = [];
  const { origin, close } = await startHttp((request, response) => {
    const path = (request.url ?? '').replace('/api/v1', '');
    requests.push(`${request.method} ${path}`);
    const { status = 200, headers = {}, body = { data: [] } } = script(path, request, requests.length);
    request.resume();
    response.sendDate = false;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { baseUrl: `${origin}/api/v1`, requests, close };
}

/** Its port and its number of connections. */
export interface TcpServer extends LocalServer {
  readonly connections: () => number;
}

/** `onRequest` is called once for each connection, with the first bytes that arrived on it. */
export async function startTcpServer(onRequest: (socket: Socket, head: string) => void): Promise<TcpServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createTcpServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (chunk) => onRequest(socket, chunk.toString('latin1')));
  });
  const local = await startLocal(server, () => {
    for (const socket of sockets) socket.destroy();
  });
  return { ...local, connections: () => connections };
}
