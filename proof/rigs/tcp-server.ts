// A server that answers with raw bytes: what no HTTP library would send.

import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';

/** Where it listens, and how often somebody came. */
export interface TcpServer {
  readonly origin: string;
  readonly connections: () => number;
  close(): Promise<void>;
}

/** `onRequest` is called once for each connection, with the first bytes that arrived on it. */
export async function startTcpServer(onRequest: (socket: Socket, head: string) => void): Promise<TcpServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', (chunk) => onRequest(socket, chunk.toString('latin1')));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    connections: () => connections,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
