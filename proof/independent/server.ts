// The way of a request: address limiter, key, key limiter, cap, route, operation. Cites 5.limiter-before-key.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { through } from './context.ts';
import { Refusal, refusalAnswer } from './errors.ts';
import { BODY_CAP, readUpload, send } from './http.ts';
import { answerAtDoor, DOOR_CAP, limitedAtDoor, refusedAtDoor } from './mcp.ts';
import { findRoute } from './routes.ts';
import type { Context, Visit } from './seams.ts';
import type { Answer, Org, Seen, Upload } from './types.ts';

const LIMITED: Answer = { status: 429, body: { error: 'rate_limit_exceeded' } };

/** One request on its way through: what the limiters said, and when it arrived. */
interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  at: number;
  seen: Seen;
  address: string;
  visit: Visit;
}

interface Target {
  segments: string[] | undefined;
  query: URLSearchParams;
}

/** The client's address; a proxy's word is taken only where the variant says so, and only from this machine. */
function addressOf(request: IncomingMessage, trust: boolean): string {
  const direct = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:/, '');
  const forwarded = request.headers['x-forwarded-for'];
  const local = direct.startsWith('127.') || direct === '::1';
  if (!trust || !local || forwarded === undefined) return direct;
  return String(forwarded).split(',')[0]?.trim() || direct;
}

/** The scheme's case is open (R51). */
function bearerOf(request: IncomingMessage, context: Context): string | undefined {
  const header = request.headers.authorization ?? '';
  const pattern = context.variant.authScheme === 'loose' ? /^\s*bearer[ \t]+(\S+)\s*$/i : /^Bearer (\S+)$/;
  return pattern.exec(header)?.[1];
}

/** The organization behind the bearer key; 401 for a missing, invalid or revoked one. */
function orgOf(context: Context, visit: Visit): Org {
  const { key } = visit;
  const about = { context, visit };
  const name = through(context, 'key.org', key === undefined ? undefined : context.keys.get(key), about);
  if (name !== undefined) return context.world[name];
  const refusal = new Refusal('unauthorized', { message: 'the API key is missing, invalid or revoked' });
  throw through(context, 'key.refusal', refusal, about);
}

function decode(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** Path segments below the base address, each decoded on its own; undefined when the path is not below it. */
function targetOf(request: IncomingMessage): Target {
  const url = (request.url ?? '/').replace(/^https?:\/\/[^/?#]*/i, '');
  const cut = url.indexOf('?');
  const path = cut < 0 ? url : url.slice(0, cut);
  const query = new URLSearchParams(cut < 0 ? '' : url.slice(cut + 1));
  if (!path.startsWith('/api/v1/')) return { segments: undefined, query };
  const segments = path.slice('/api/v1/'.length).split('/').map(decode);
  return { segments: segments.some((part) => part === undefined) ? undefined : (segments as string[]), query };
}

/** The first value, the last, or a refusal: repeated parameters are open (R5). */
function singled(query: URLSearchParams, context: Context): URLSearchParams {
  const result = new URLSearchParams();
  for (const name of new Set(query.keys())) {
    const values = query.getAll(name);
    if (values.length > 1 && context.variant.duplicates === 'refuse') {
      throw new Refusal('invalid_input', {
        message: 'repeated parameter',
        issues: [{ path: name, message: 'given more than once' }],
      });
    }
    result.set(name, (context.variant.duplicates === 'last' ? values.at(-1) : values[0]) ?? '');
  }
  return result;
}

function tooLarge(): Refusal {
  return new Refusal('payload_too_large', { message: 'the body is too large' });
}

function capOf(context: Context, visit: Visit): number {
  return visit.door ? through(context, 'door.cap', DOOR_CAP) : through(context, 'cap.bytes', BODY_CAP);
}

/** By the bytes that came, not by the length that was announced. */
function checkCap(context: Context, passage: Passage, upload: Upload): void {
  const declared = passage.request.headers['content-length'];
  const size = through(context, 'cap.size', upload.size, { upload, declared });
  if (size > capOf(context, passage.visit)) throw tooLarge();
}

/** Counts the request for its address or its key, unless a wrongness leaves it out. */
function count(context: Context, passage: Passage, which: 'address' | 'key'): void {
  const { limiter } = context;
  if (limiter === undefined) return;
  const { address, at, seen, visit } = passage;
  const name = through(context, 'limit.name', which === 'key' ? visit.key : address, { which, address, visit });
  if (name !== undefined) seen[which] = through(context, 'limit.verdict', limiter[which](name, at), which);
}

/** Each door has its own form. Cites 7.envelope.limiter, 7.envelope.mcp. */
function limited(context: Context, visit: Visit): Answer {
  return visit.door ? limitedAtDoor(context) : LIMITED;
}

function refused(context: Context, visit: Visit, refusal: Refusal): Answer {
  if (visit.door) return refusedAtDoor(context, refusal);
  return through(context, 'error.answer', refusalAnswer(refusal, context.variant), { context, refusal, visit });
}

/** Key, key limiter, cap, route, operation; the cap stands before the key where the variant says so. */
function answerFor(context: Context, passage: Passage, upload: Upload): Answer {
  const { variant } = context;
  const { request, at, seen, visit } = passage;
  if (variant.capOrder === 'before-key') checkCap(context, passage, upload);
  const org = orgOf(context, visit);
  count(context, passage, 'key');
  if (seen.key?.ok === false) return through(context, 'limit.answer', limited(context, visit), { which: 'key', visit });
  checkCap(context, passage, upload);
  if (visit.door) return answerAtDoor(context, { org, at, request, body: upload.bytes });
  const method = request.method === 'HEAD' && variant.head ? 'GET' : (request.method ?? 'GET');
  const { segments, query } = targetOf(request);
  const route = segments === undefined ? undefined : findRoute(segments);
  if (route === undefined || segments === undefined) throw new Refusal('not_found', { message: 'no such path' });
  const handler = route[method];
  if (handler === undefined) {
    const code = variant.unknownMethod === 405 ? 'method_not_allowed' : 'not_found';
    const answer = refused(context, visit, new Refusal(code, { message: `${method} is not offered here` }));
    return variant.unknownMethod === 405 ? { ...answer, headers: { Allow: Object.keys(route).join(', ') } } : answer;
  }
  const contentType = request.headers['content-type'] ?? '';
  return handler(context, {
    org,
    at,
    method,
    segments,
    query: singled(query, context),
    body: upload.bytes,
    contentType,
  });
}

/**
 * A throw that is not a refusal is a bug of this server: it is answered and remembered in `faults`, which tests look
 * at.
 */
function guarded(context: Context, visit: Visit, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return refused(context, visit, error);
    const usual = refusalAnswer(new Refusal('transient', { message: 'try again' }), context.variant);
    const answer = through(context, 'crash.answer', usual, { visit });
    if (answer === usual) context.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return answer;
  }
}

/** Limits and challenge are put on every answer at one place. */
function reply(context: Context, passage: Passage, result: { answer: Answer; close: boolean }): void {
  const { request, response, at, seen, visit } = passage;
  const { close } = result;
  const answer = through(context, 'answer', result.answer, { context, visit });
  const limits = context.limiter?.headers(seen, at) ?? {};
  const challenge =
    context.variant.challenge && answer.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="api"' } : {};
  send(request, response, {
    answer,
    headers: { ...answer.headers, ...limits, ...challenge },
    at,
    variant: context.variant,
    close,
  });
}

/** A server may refuse by the announced length alone, before the body comes. */
function declaredTooLarge(context: Context, request: IncomingMessage, visit: Visit): boolean {
  const { variant } = context;
  if (variant.capAnswer !== 'early' || variant.capOrder !== 'before-key') return false;
  return Number(request.headers['content-length'] ?? '0') > capOf(context, visit);
}

/** Everything that is known before any decision. */
function passageOf(context: Context, request: IncomingMessage, response: ServerResponse): Passage {
  const key = bearerOf(request, context);
  const { segments = [], query } = targetOf(request);
  const known = key !== undefined && context.keys.has(key);
  const door = /^\/mcp\/?(?:\?|$)/.test(request.url ?? '');
  const address = addressOf(request, context.variant.trustForwarded);
  const connection = request.socket;
  const method = request.method ?? 'GET';
  const agent = request.headers['user-agent'] ?? '';
  const visit: Visit = { method, segments, query, door, key, known, address, agent, connection };
  return { request, response, at: Math.floor(context.now()), seen: {}, address, visit };
}

/** Handles one request. The clock is read once, on arrival; a refused upload is drained before the answer. */
export async function handle(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const passage = passageOf(context, request, response);
  const { visit } = passage;
  response.on('error', () => {});
  context.live?.(passage.at);
  count(context, passage, 'address');
  const blocked = passage.seen.address?.ok === false;
  if (!blocked && declaredTooLarge(context, request, visit)) {
    reply(context, passage, { answer: refused(context, visit, tooLarge()), close: false });
    await readUpload(request, 0);
    return;
  }
  const upload = await readUpload(request, through(context, 'cap.keep', BODY_CAP));
  if (upload.gone) return;
  const answer = blocked
    ? through(context, 'limit.answer', limited(context, visit), { which: 'address', visit })
    : guarded(context, visit, () => answerFor(context, passage, upload));
  reply(context, passage, { answer, close: upload.endless });
  if (upload.endless) response.on('finish', () => request.destroy());
}
