// A server that answers what a test tells it to, request by request, on the clock of the test.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Scripted {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Text as it is, anything else as JSON. */
  readonly body?: unknown;
}

export interface ScriptedServer {
  readonly baseUrl: string;
  /** `METHOD path` of every request, in order. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

export type Script = (path: string, request: IncomingMessage, count: number) => Scripted;

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace('/api/v1', '');
    requests.push(`${request.method} ${path}`);
    const { status = 200, headers = {}, body = { data: [] } } = script(path, request, requests.length);
    request.resume();
    response.sendDate = false;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    requests,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
