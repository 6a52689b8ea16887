// A proxy between the suite and a faithful server that changes some responses, to test checks.
import type { IncomingMessage } from 'node:http';
import { startHttp } from './scripted-server.ts';

/** A request and the response of the server. */
export interface Exchanged {
  readonly method: string;
  /** Below the base URL, without the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the spoiler knows the response it spoils
  readonly body: any;
}

/** The changed response; the original status when absent. */
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

/** A response on its way back; `text` is unchanged. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly status: number;
  /** Without those of one connection. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** The parts of it that change. */
export interface Changed extends Partial<Pick<Passing, 'status' | 'headers' | 'text'>> {
  readonly statusText?: string;
  readonly isCut?: boolean;
}

/** A proxy in front of an origin, which changes what comes back. It takes whole URLs as well, as for HTTP_PROXY. */
export async function startProxy(
  origin: string,
  change: (passing: Passing) => Changed,
): Promise<{ readonly origin: string; close(): Promise<void> }> {
  return startHttp(async (request, response) => {
    const { pathname: path, search, searchParams: query } = new URL(request.url ?? '/', origin);
    const method = request.method ?? 'GET';
    const body = method === 'GET' ? {} : { body: await bytesOf(request) };
    const init = { method, headers: forwarded(request), redirect: 'manual', ...body } as const;
    const apiResponse = await fetch(`${origin}${path}${search}`, init);
    const text = await apiResponse.text();
    const kept = Object.fromEntries(
      [...apiResponse.headers].filter(([name]) => !/^(content-[le]|transfer|conn|keep)/.test(name)),
    );
    const { status } = apiResponse;
    const changed = change({ method, path, query, status, headers: kept, text });
    const { headers = kept, text: sent = text, statusText, isCut } = changed;
    response.sendDate = false;
    const length = Buffer.byteLength(sent);
    const all = { ...headers, 'content-length': length };
    if (statusText === undefined) response.writeHead(changed.status ?? status, all);
    else response.writeHead(changed.status ?? status, statusText, all);
    if (isCut) response.write(sent.slice(0, length / 2), () => response.destroy());
    else response.end(sent);
  });
}

/** `spoil` gives what goes out instead of a response, or undefined to let it pass. */
export async function startRewriting(
  target: string,
  spoil: (hasResponse: Exchanged) => Spoiled | undefined,
): Promise<RewritingProxy> {
  const { origin, close } = await startProxy(new URL(target).origin, ({ text, path, ...passing }) => {
    const spoiled = spoil({ ...passing, path: path.replace('/api/v1', ''), body: JSON.parse(text) });
    return spoiled ? { ...spoiled, text: JSON.stringify(spoiled.body) } : {};
  });
  return { baseUrl: `${origin}/api/v1`, close };
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
