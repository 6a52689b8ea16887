// From outcomes to bytes. Every status and code leaves through the table generated from the spec. Cites 7.envelope.*.
import { errorStatus } from '../contract/generated/errors.ts';
import type { Operation } from '../contract/generated/operations.ts';
import {
  type CustomResponse,
  errorsOnDemand,
  type FaultError,
  gatewayErrors,
  isGatewayError,
} from '../domain/faults.ts';
import type { Bucket, Limits } from '../domain/limits.ts';
import type { Rejection } from '../domain/outcome.ts';
import type { Grant } from '../domain/sliding-window.ts';
import type { World } from '../domain/world.ts';
import type { WorldBehavior } from '../domain/world-behavior.ts';
import type { CoreRequest, CoreResponse } from './message.ts';
import { findNearMisses } from './near-miss.ts';
import { allowedMethods, type Routing } from './route.ts';

const jsonType = 'application/json; charset=utf-8';

/** Cites 4.json. */
export function renderJson(status: number, body: string | Uint8Array): CoreResponse {
  return { status, headers: { 'content-type': jsonType }, body };
}

/** The envelope of both families of endpoints: an `error` object with code and message. */
export function renderRejection({ code, message, issues, reason }: Rejection): CoreResponse {
  const error = { code, message, ...(issues ? { issues } : {}), ...(reason === undefined ? {} : { reason }) };
  return withChallenge(renderJson(errorStatus[code], JSON.stringify({ error })), code);
}

// Assumption C126: HTTP asks for a challenge where the key is rejected; `provider_auth` is not about the key.
function withChallenge(response: CoreResponse, code: string): CoreResponse {
  if (code !== 'unauthorized') return response;
  return { ...response, headers: { ...response.headers, 'www-authenticate': 'Bearer' } };
}

/** The limiter's own body, in which `error` is a plain string. Cites 7.envelope.limiter. */
export function renderBlocked(grant: Grant, tellsRetryAfter: boolean): CoreResponse {
  const { status, headers, body } = renderJson(errorStatus.rate_limited, '{"error":"rate_limit_exceeded"}');
  const retryAfter = tellsRetryAfter ? { 'retry-after': String(grant.retryAfterS) } : {};
  return { status, headers: { ...rateHeaders(grant, headers), ...retryAfter }, body };
}

/** Cites 8.headers.limit, 8.headers.remaining, 8.headers.reset. */
export function rateHeaders(
  { limit, remaining, resetMs }: Grant,
  others: CoreResponse['headers'] = {},
): Record<string, string> {
  // One spread, and it first: engines copy that at once, and any further one field by field.
  return {
    ...others,
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(resetMs),
  };
}

/** An error on demand, exactly as the spec's example shows it: both envelopes are an object with code and message. */
export function renderFault(name: FaultError): CoreResponse {
  if (isGatewayError(name)) return renderCustom(gatewayErrors[name]);
  const { status, body } = errorsOnDemand[name];
  return withChallenge(renderJson(status, JSON.stringify(body)), name);
}

/** A response by hand: a text is sent as is, anything else as JSON. */
export function renderCustom({ status = 200, body = '', headers = {} }: CustomResponse): CoreResponse {
  const isText = typeof body === 'string';
  const own = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const type = { 'content-type': isText ? 'text/plain; charset=utf-8' : jsonType };
  return { status, headers: { ...type, ...own }, body: isText ? body : JSON.stringify(body) };
}

/** `invalid_input` on demand: the spec's example, reported an input that the operation has. */
export function renderInvalidInput({ query, body, segments }: Omit<Operation, 'id'>): CoreResponse {
  const parameter = query[0]?.name ?? segments.find((segment) => segment.startsWith('{'))?.slice(1, -1);
  const name = body === null ? parameter : body === 'ConnectAccountInput' ? 'label' : 'text';
  if (name === 'text') return renderFault('invalid_input');
  const message = name === undefined ? 'The request is not valid.' : `${name} is not valid.`;
  const issues = [{ path: name === undefined ? '' : `/${name}`, message, rule: 'on-demand' }];
  return renderRejection({ code: 'invalid_input', message, issues });
}

/** Rejects a request for an error or a delay that is unavailable, to make the mistake visible. */
export function renderComplaint(message: string): CoreResponse {
  return renderRejection({ code: 'invalid_input', message, issues: [{ path: '', message, rule: 'on-demand' }] });
}

/**
 * Assumption C59: a header and a field `unmatched`, because a client that reads `not_found` as a missing record would
 * never show that its URL is wrong. `text` says what there is instead.
 */
export function renderUnmatched({ method, path }: Pick<CoreRequest, 'method' | 'path'>, text?: string): CoreResponse {
  const [near] = findNearMisses(method, path);
  const nearest = near && `${near.method} ${near.path}`;
  const hint = near ? ` Did you mean ${nearest}? ${near.why}` : '';
  const message = `${text ?? `There is no operation ${method} ${path} in this API.`}${hint}`;
  const { headers, ...response } = renderJson(
    404,
    JSON.stringify({ error: { code: 'not_found', message }, unmatched: `${method} ${path}` }),
  );
  return { ...response, headers: { ...headers, 'x-casa-unmatched': nearest ?? 'no similar path' } };
}

/** Assumption C5. */
export function renderUnknown(
  routing: Extract<Routing, string>,
  { method, path }: CoreRequest,
  { otherMethod }: WorldBehavior,
): CoreResponse {
  if (routing === 'unknown_path') return renderUnmatched({ method, path });
  if (routing !== 'unknown_method' || otherMethod === 'not_found') {
    return renderRejection({ code: 'not_found', message: `There is no operation ${method} ${path} in this API.` });
  }
  const allow = allowedMethods(path).join(', ');
  const error = { code: 'method_not_allowed', message: `${method} is not supported here; use ${allow}.` };
  const { headers, ...response } = renderJson(405, JSON.stringify({ error }));
  return { ...response, headers: { ...headers, allow } };
}

// The response of a limiter, with its wait time. Cites 8.blocked-429, 7.envelope.limiter.

/** The input of a limiter's response. It has both grants, because waiting for one window must not end in the other. */
export interface Block {
  readonly world: World;
  readonly limits: Limits;
  readonly nowMs: number;
  /** The word of each limiter; null for one that was not asked, or is off. */
  readonly grants: { readonly address: Grant | null; readonly key: Grant | null };
}

/** Counts the block, since every fifth one carries no Retry-After (assumption C46). */
export function renderBlock(bucket: Bucket, { world, limits, nowMs, grants }: Block): CoreResponse {
  const own = grants[bucket];
  const blocking = own && !own.allowed ? own : fullWindow(limits, bucket, nowMs);
  return renderBlocked(untilFree(blocking, grants.address), limits.tellsRetryAfter(world.behavior.retryAfter));
}

// A forced block has no real window: it reports one that is full at this time.
function fullWindow(limits: Limits, bucket: Bucket, nowMs: number): Grant {
  const { limit, windowMs } = limits[bucket];
  const retryAfterS = Math.ceil(windowMs / 1000);
  return { allowed: false, limit, remaining: 0, resetMs: nowMs + windowMs, retryAfterS };
}

// This request might be the last that its address had left. A client that waits as stated must pass, so this reports
// the later of the two timestamps (assumption C132).
function untilFree(blocking: Grant, address: Grant | null): Grant {
  if (!address || address.remaining > 0 || address.resetMs <= blocking.resetMs) return blocking;
  return { ...blocking, resetMs: address.resetMs, retryAfterS: address.retryAfterS };
}
