// Stands between the kit and a faithful server and spoils some of its answers: how a check is shown a wrong server.
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the server answered to which request. */
export interface Answered {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the spoiler knows the answer it spoils
  readonly body: any;
}

/** What goes out in its place; the status of the answer when absent. */
export interface Spoiled {
  readonly status?: number;
  readonly body: unknown;
  /** The connection ends in the middle of the body. */
  readonly isCut?: boolean;
}

/** Where the spoiled server seems to be. */
export interface RewritingProxy {
  readonly baseUrl: string;
  close(): Promise<void>;
}

/** `spoil` gives what goes out in place of an answer, or undefined to let it pass. */
export async function startRewriting(
  target: string,
  spoil: (answered: Answered) => Spoiled | undefined,
): Promise<RewritingProxy> {
  const server = createServer(async (request, response) => {
    const { pathname, search, searchParams } = new URL(request.url ?? '/', 'http://proxy');
    const method = request.method ?? 'GET';
    const below = pathname.replace('/api/v1', '');
    const body = method === 'GET' ? undefined : await bytesOf(request);
    const headers = forwarded(request);
    const answer = await fetch(`${target}${below}${search}`, { method, headers, ...(body ? { body } : {}) });
    const text = await answer.text();
    const answered = { method, path: below, query: searchParams, status: answer.status, body: JSON.parse(text) };
    const spoiled = spoil(answered);
    response.sendDate = false;
    const kept = [...answer.headers].filter(
      ([name]) => !/^(content-(length|encoding)|transfer-|connection|keep)/.test(name),
    );
    const sent = spoiled ? JSON.stringify(spoiled.body) : text;
    const length = Buffer.byteLength(sent);
    response.writeHead(spoiled?.status ?? answer.status, { ...Object.fromEntries(kept), 'content-length': length });
    if (spoiled?.isCut) response.write(sent.slice(0, length / 2), () => response.destroy());
    else response.end(sent);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v1`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Only what the API reads. */
function forwarded(request: IncomingMessage): Record<string, string> {
  const names = ['authorization', 'content-type', 'accept'];
  return Object.fromEntries(
    names.flatMap((name) => (request.headers[name] ? [[name, String(request.headers[name])]] : [])),
  );
}

async function bytesOf(request: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return new Uint8Array(Buffer.concat(chunks));
}
