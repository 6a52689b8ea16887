import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Context, through } from './context.ts';
import { Refusal, refusalAnswer } from './errors.ts';
import { BODY_CAP, readUpload, send, type Upload } from './http.ts';
import type { Seen } from './limits.ts';
import { findRoute } from './routes.ts';
import type { Answer, Org } from './types.ts';

const LIMITED: Answer = { status: 429, body: { error: 'rate_limit_exceeded' } };

/** One request on its way through: what the limiters said, and when it arrived. */
interface Passage {
  request: IncomingMessage;
  response: ServerResponse;
  at: number;
  seen: Seen;
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

/** The organization behind the bearer key; 401 for a missing, invalid or revoked one. */
function orgOf(request: IncomingMessage, context: Context): { org: Org; key: string } {
  const header = request.headers.authorization ?? '';
  const pattern = context.variant.authScheme === 'loose' ? /^\s*bearer[ \t]+(\S+)\s*$/i : /^Bearer (\S+)$/;
  const key = pattern.exec(header)?.[1];
  const name = through(context, 'auth.org', key === undefined ? undefined : context.keys.get(key));
  if (key === undefined || name === undefined) {
    throw new Refusal('unauthorized', { message: 'the API key is missing, invalid or revoked' });
  }
  return { org: context.world[name], key };
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
  return new Refusal('payload_too_large', { message: `a body may have ${BODY_CAP} bytes` });
}

function checkCap(size: number, context: Context): void {
  if (size > through(context, 'cap.bytes', BODY_CAP)) throw tooLarge();
}

/** Key, key limiter, cap, route, operation; the cap stands before the key where the variant says so. */
function answerFor(context: Context, passage: Passage, upload: Upload): Answer {
  const { variant, limiter } = context;
  const { request, at, seen } = passage;
  if (variant.capOrder === 'before-key') checkCap(upload.size, context);
  const { org, key } = orgOf(request, context);
  if (limiter !== undefined) {
    seen.key = through(context, 'limit.verdict', limiter.key(key, at));
    if (!seen.key.ok) return LIMITED;
  }
  checkCap(upload.size, context);
  const method = request.method === 'HEAD' && variant.head ? 'GET' : (request.method ?? 'GET');
  const { segments, query } = targetOf(request);
  const route = segments === undefined ? undefined : findRoute(segments);
  if (route === undefined || segments === undefined) throw new Refusal('not_found', { message: 'no such path' });
  const handler = route[method];
  if (handler === undefined) {
    const code = variant.unknownMethod === 405 ? 'method_not_allowed' : 'not_found';
    const refused = refusalAnswer(new Refusal(code, { message: `${method} is not offered here` }), variant);
    return variant.unknownMethod === 405 ? { ...refused, headers: { Allow: Object.keys(route).join(', ') } } : refused;
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

function guarded(context: Context, work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof Refusal) return refusalAnswer(error, context.variant);
    context.faults.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
    return refusalAnswer(new Refusal('transient', { message: 'try again' }), context.variant);
  }
}

function reply(context: Context, passage: Passage, result: { answer: Answer; close: boolean }): void {
  const { request, response, at, seen } = passage;
  const { answer, close } = result;
  const limits = through(context, 'rate.headers', context.limiter?.headers(seen, at) ?? {});
  const challenge =
    context.variant.challenge && answer.status === 401 ? { 'WWW-Authenticate': 'Bearer realm="api"' } : {};
  const final: Answer = {
    status: through(context, 'answer.status', answer.status),
    body: through(context, 'answer.body', answer.body),
  };
  send(request, response, {
    answer: final,
    headers: { ...answer.headers, ...limits, ...challenge },
    at,
    variant: context.variant,
    close,
  });
}

function declaredTooLarge(context: Context, request: IncomingMessage): boolean {
  const { variant } = context;
  if (variant.capAnswer !== 'early' || variant.capOrder !== 'before-key') return false;
  return Number(request.headers['content-length'] ?? '0') > through(context, 'cap.bytes', BODY_CAP);
}

/** Handles one request. The clock is read once, on arrival; a refused upload is drained before the answer. */
export async function handle(context: Context, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const passage: Passage = { request, response, at: Math.floor(context.now()), seen: {} };
  response.on('error', () => {});
  if (context.limiter !== undefined) {
    const name = addressOf(request, context.variant.trustForwarded);
    passage.seen.address = through(context, 'limit.verdict', context.limiter.address(name, passage.at));
  }
  const blocked = passage.seen.address?.ok === false;
  if (!blocked && declaredTooLarge(context, request)) {
    reply(context, passage, { answer: refusalAnswer(tooLarge(), context.variant), close: false });
    await readUpload(request);
    return;
  }
  const upload = await readUpload(request);
  if (upload.gone) return;
  const answer = blocked ? LIMITED : guarded(context, () => answerFor(context, passage, upload));
  reply(context, passage, { answer, close: upload.endless });
  if (upload.endless) response.on('finish', () => request.destroy());
}
