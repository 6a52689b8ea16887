// The way of a request: address limiter, key, key limiter, cap, route, operation. Cites 5.limiter-before-key.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { Rejection, rejectionResponse } from './errors.ts';
import { bodyCap, type Outgoing, readUpload, rendered, send } from './http.ts';
import { limitedAtMcpEndpoint, mcpEndpointCap, rejectedAtMcpEndpoint, respondAtMcpEndpoint } from './mcp.ts';
import { findRoute } from './routes.ts';
import type { Context, Head, HttpResponse, Org, PlainReply, PlainRequest, Seen, Upload } from './types.ts';

const limitedResponse: HttpResponse = { status: 429, body: { error: 'rate_limit_exceeded' } };

/** The state of one request: the results of the limiters, and its arrival. */
interface RequestState {
  request: Head;
  at: number;
  seen: Seen;
  address: string;
  /** The bearer key as sent. */
  key: string | undefined;
  isMcpEndpoint: boolean;
}

/** The client's address; forwarded addresses count only if the variant trusts proxies, and only from this machine. */
function addressOf(request: Head, trust: boolean): string {
  const direct = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  const forwarded = request.headers['x-forwarded-for'];
  const local = direct.startsWith('127.') || direct === '::1';
  if (!trust || !local || forwarded === undefined) return direct;
  // The entry that the proxy has added: the others may be the client's own.
  return String(forwarded).split(',').at(-1)?.trim() || direct;
}

/** The scheme's case is open (R51). */
function bearerOf(request: Head, context: Context): string | undefined {
  const header = request.headers.authorization ?? '';
  const pattern = context.variant.authScheme === 'loose' ? /^\s*bearer[ \t]+(\S+)\s*$/i : /^Bearer (\S+)$/;
  const sent = pattern.exec(header)?.[1];
  if (sent === undefined || context.variant.keyCase === 'exact') return sent;
  return [...context.keys.keys()].find((key) => hexFolded(key) === hexFolded(sent)) ?? sent;
}

/** Only the digits after the prefix are hexadecimal. */
function hexFolded(key: string): string {
  return key.replace(/(?<=_)[\da-f]+$/i, (digits) => digits.toLowerCase());
}

/** The organization of the bearer key; 401 for a missing, invalid or revoked one. */
function orgOf(context: Context, key = ''): Org {
  const name = context.keys.get(key);
  if (name !== undefined) return context.world[name];
  throw new Rejection('unauthorized', { message: 'the API key is missing, invalid or revoked' });
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Path segments below the base address, each decoded on its own; undefined when the path is not below it. */
function targetOf(request: Head): { segments: string[] | undefined; query: URLSearchParams } {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '');
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
  if (!path.startsWith('/api/v1/')) return { segments: undefined, query };
  const segments = path.slice('/api/v1/'.length).split('/').map(decode);
  return { segments: segments.some((part) => part === undefined) ? undefined : (segments as string[]), query };
}

/** The first value, the last, or a rejection: repeated parameters are open (R5). */
function singled(query: URLSearchParams, context: Context): URLSearchParams {
  const result = new URLSearchParams();
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1 && context.variant.duplicates === 'reject') {
      const issues = [{ path: name, message: 'given more than once' }];
      throw new Rejection('invalid_input', { message: 'repeated parameter', issues });
    }
    result.set(name, (context.variant.duplicates === 'last' ? values.at(-1) : values[0]) ?? '');
  }
  return result;
}

function tooLarge(): Rejection {
  return new Rejection('payload_too_large', { message: 'the body is too large' });
}

/** By the bytes that came, not by the length that was announced. */
function checkCap({ isMcpEndpoint }: RequestState, size: number): void {
  if (size > (isMcpEndpoint ? mcpEndpointCap : bodyCap)) throw tooLarge();
}

function count(context: Context, state: RequestState, which: 'address' | 'key'): void {
  const name = state[which];
  if (context.limiter && name !== undefined) state.seen[which] = context.limiter.take(which, name, state.at);
}

/** Each endpoint has a separate form. Cites 7.envelope.limiter, 7.envelope.mcp. */
function limited({ isMcpEndpoint }: RequestState): HttpResponse {
  return isMcpEndpoint ? limitedAtMcpEndpoint() : limitedResponse;
}

function rejected(context: Context, { isMcpEndpoint }: RequestState, rejection: Rejection): HttpResponse {
  return isMcpEndpoint ? rejectedAtMcpEndpoint(context, rejection) : rejectionResponse(rejection, context.variant);
}

/** Key, key limiter, cap, route, operation; some variants test the cap before the key. */
function respondFor(context: Context, passage: RequestState, upload: Upload): HttpResponse {
  const { variant } = context;
  const { request, at, seen } = passage;
  if (variant.capOrder === 'before-key') checkCap(passage, upload.size);
  const org = orgOf(context, passage.key);
  count(context, passage, 'key');
  if (seen.key?.ok === false) return limited(passage);
  checkCap(passage, upload.size);
  if (passage.isMcpEndpoint) return respondAtMcpEndpoint(context, { org, at, request, body: upload.bytes });
  const method = request.method === 'HEAD' && variant.head ? 'GET' : (request.method ?? 'GET');
  const { segments, query } = targetOf(request);
  const route = segments === undefined ? undefined : findRoute(segments);
  if (route === undefined || segments === undefined) throw new Rejection('not_found', { message: 'no such path' });
  const handler = route[method];
  if (handler === undefined) {
    const code = variant.unknownMethod === 405 ? 'method_not_allowed' : 'not_found';
    const apiResponse = rejected(context, passage, new Rejection(code, { message: `${method} is not offered here` }));
    const headers = variant.unknownMethod === 405 ? { Allow: Object.keys(route).join(', ') } : {};
    return { ...apiResponse, headers };
  }
  const contentType = request.headers['content-type'] ?? '';
  return handler(context, { org, at, segments, query: singled(query, context), body: upload.bytes, contentType });
}

/** A throw that is not a rejection is a bug of this server; tests read it from `faults`. */
function guarded(context: Context, passage: RequestState, work: () => HttpResponse): HttpResponse {
  try {
    return work();
  } catch (error) {
    if (error instanceof Rejection) return rejected(context, passage, error);
    context.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return rejectionResponse(new Rejection('transient', { message: 'try again' }), context.variant);
  }
}

/** Limits and challenge are put on every response at one place. */
function finished(context: Context, { at, seen }: RequestState, apiResponse: HttpResponse, close = false): Outgoing {
  const limits = context.limiter?.headers(seen, at) ?? {};
  const challenge =
    context.variant.challenge && apiResponse.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="api"' } : {};
  const headers = { ...apiResponse.headers, ...limits, ...challenge };
  return { response: apiResponse, headers, at, variant: context.variant, close };
}

/** A server may reject by the announced length alone, before the body comes. */
function declaredTooLarge(context: Context, { request, isMcpEndpoint }: RequestState): boolean {
  const { variant } = context;
  if (variant.capResponse !== 'early' || variant.capOrder !== 'before-key') return false;
  return Number(request.headers['content-length'] ?? '0') > (isMcpEndpoint ? mcpEndpointCap : bodyCap);
}

/** Everything that is known before any decision. */
function stateOf(context: Context, request: Head): RequestState {
  const isMcpEndpoint = /^\/mcp\/?(?:\?|$)/.test(request.url ?? '');
  const address = addressOf(request, context.variant.trustForwarded);
  return { request, at: Math.floor(context.now()), seen: {}, address, key: bearerOf(request, context), isMcpEndpoint };
}

/** Counts the request for its address; the rest of the way unless that limiter blocks it. */
function respondUnlessLimited(context: Context, passage: RequestState, upload: Upload): HttpResponse {
  if (passage.seen.address?.ok === false) return limited(passage);
  return guarded(context, passage, () => respondFor(context, passage, upload));
}

/** The whole server as a function of a request that has arrived. */
export function replyTo(context: Context, { body, address, ...head }: PlainRequest): PlainReply {
  const request = { ...head, socket: { remoteAddress: address } };
  const passage = stateOf(context, request);
  count(context, passage, 'address');
  const upload = { bytes: body, size: body.length, gone: false, endless: false };
  return rendered(request, finished(context, passage, respondUnlessLimited(context, passage, upload)));
}

/** A request with a hook in front of this server. Of a body over the cap only its size counts. */
async function handleAround(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { around } = context;
  const upload = await readUpload(request, bodyCap);
  if (upload.gone || around === undefined) return;
  const { method = 'GET', url = '/', headers } = request;
  const body = upload.size > bodyCap ? Buffer.alloc(bodyCap + 1) : upload.bytes;
  const address = request.socket.remoteAddress ?? '';
  const failed = (error: unknown): PlainReply => {
    context.faults.push(String(error));
    return { status: 500, headers: {}, bytes: new Uint8Array() };
  };
  const respond = async () => around({ method, url, headers, body, address });
  const { status, headers: all, bytes } = await respond().catch(failed);
  response.sendDate = false;
  response.writeHead(status, { ...all, 'Content-Length': bytes.length });
  response.end(bytes);
}

/** Handles one request. The clock is read once, on arrival; a rejected upload is drained before the response. */
export async function handle(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  response.on('error', () => {});
  if (context.around !== undefined) return handleAround(context, request, response);
  const passage = stateOf(context, request);
  context.live?.(passage.at);
  if (context.variant.invalidUrl === 'page' && decode(request.url ?? '') === undefined) {
    response.writeHead(400, { 'content-type': 'text/html' }).end('<!doctype html><title>400 Bad Request</title>');
    return;
  }
  count(context, passage, 'address');
  if (passage.seen.address?.ok !== false && declaredTooLarge(context, passage)) {
    send(request, response, finished(context, passage, rejected(context, passage, tooLarge())));
    await readUpload(request, 0);
    return;
  }
  const upload = await readUpload(request, bodyCap);
  if (upload.gone) return;
  const apiResponse = respondUnlessLimited(context, passage, upload);
  send(request, response, finished(context, passage, apiResponse, upload.endless));
  if (upload.endless) response.on('finish', () => request.destroy());
}
