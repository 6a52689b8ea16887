// One line for each request and its response; a rejection adds its reason and the way out. Any web page can send
// requests to a mock on this machine, so no text of a request reaches the terminal as it came.

import { parseJson } from '../contract/json.ts';
import { redactKeys } from '../engine/redaction.ts';
import { type RequestLogEntry, sufferedFault } from '../engine/request-log-record.ts';
import { bodyText } from '../http/message.ts';
import { findNearMisses } from '../http/near-miss.ts';
import type { Paint, Style } from '../terminal/paint.ts';
import { clip, visible } from '../terminal/visible.ts';

export interface LineOptions {
  readonly paint: Paint;
  /** Whether a deployment responds to other requests: lines then also name responses of the mock. */
  readonly isForwarding?: boolean;
}

const textCharactersShown = 600;

/** Reasons follow the request, because developers look for them. */
export function requestLine(entry: RequestLogEntry, { paint, isForwarding = false }: LineOptions): string {
  const { request, response, trace } = entry;
  const time = new Date(trace.nowMs).toISOString().slice(11, 19);
  const status = paint(styleOf(response.status), String(response.status));
  const target = request.query === '' ? request.path : `${request.path}?${request.query}`;
  const operation = typeof trace.routing === 'string' ? 'no operation' : trace.routing.operation.id;
  const key = trace.key === null ? 'no key' : `…${shown(trace.key.slice(-4))}`;
  const reasons = [...(isForwarding ? responderOf(entry) : []), ...rejectionReasons(entry), ...faultReasons(entry)];
  const head = `${paint('dim', time)} ${status} ${shown(request.method).padEnd(4)} ${shown(target)}  ${paint('dim', `${operation} ${key}`)}`;
  const tail = reasons.map((reason) => `\n         ${paint('yellow', shown(reason))}`).join('');
  return `${head}${tail}\n`;
}

/** A text from outside: on one line, every control character spelled out, keys cut to their ends. */
function shown(text: string): string {
  return clip(visible(redactKeys(text)), textCharactersShown);
}

function styleOf(status: number): Style {
  if (status < 300) return 'green';
  return status < 500 ? 'yellow' : 'red';
}

/** The server of a forwarded request, and the violations in its response. */
function responderOf({ trace: { forwarded, routing } }: RequestLogEntry): string[] {
  if (!forwarded) return typeof routing === 'string' ? [] : ['response of the mock'];
  const { url, ms, failure, findings } = forwarded;
  const broken = findings.map(
    ({ pointer, expected, actual, rule, clause }) =>
      `deployment: ${pointer || 'the body'}: expected ${expected}, got ${actual} (${rule}, ${clause})`,
  );
  return [failure === null ? `response of ${url} in ${ms} ms` : `request to ${url} failed after ${ms} ms`, ...broken];
}

/** The code and the message of the response; for a limiter, what is spent and how long to wait. */
function rejectionReasons(entry: RequestLogEntry): string[] {
  const { response, trace } = entry;
  if (trace.blockedBy && trace.forwarded) return ['blocked by a rate limit of the deployment'];
  if (trace.blockedBy) return [blockReason(trace.blockedBy, response.headers, trace)];
  if (response.status < 400) return [];
  const error = readError(response.body);
  const hint = typeof trace.routing === 'string' ? describeNearMiss(entry) : null;
  return [...(error === null ? [] : [`${error.code}: ${error.message}`]), ...(hint === null ? [] : [hint])];
}

/** The operation that a request without one can have meant. */
function describeNearMiss({ request, trace }: RequestLogEntry): string | null {
  if (trace.routing === 'protocol') return null;
  const [nearest] = findNearMisses(request.method, request.path);
  return nearest ? `nearest: ${nearest.method} ${nearest.path}. ${nearest.why}` : null;
}

/** Names the way out (`--no-limits`), since the limits of a mock are there on purpose. */
function blockReason(
  bucket: 'address' | 'key',
  headers: Readonly<Record<string, string>>,
  { nowMs, address }: RequestLogEntry['trace'],
): string {
  // A requested error does not apply to a request that a full window blocks.
  if (headers['x-casa-fault']?.startsWith('limiter_')) return `${bucket} rate limit, caused by a fault`;
  const limit = headers['x-ratelimit-limit'];
  const whose =
    bucket === 'address'
      ? `${limit} requests in 10 s from ${address} are used up`
      : `${limit} requests per minute are used up`;
  const waitS = Math.max(0, (Number(headers['x-ratelimit-reset']) - nowMs) / 1000).toFixed(1);
  const told = headers['retry-after'] === undefined ? 'X-RateLimit-Reset, without Retry-After' : 'Retry-After';
  return `${bucket} rate limit: ${whose}. Wait ${waitS} s (${told}), or start the mock with --no-limits.`;
}

function faultReasons({ trace }: RequestLogEntry): string[] {
  const reasons: string[] = [];
  // A limiter or an invalid key rejects the request before a fault applies.
  if (trace.fault && sufferedFault(trace) !== null) {
    const { error, respond, network, latencyMs, source } = trace.fault;
    const effects = [
      error,
      respond && 'custom response',
      network && `network ${network}`,
      latencyMs && `${latencyMs} ms late`,
    ].filter(Boolean);
    reasons.push(`fault from ${source}: ${effects.join(', ')}`);
  }
  if (trace.complaint) reasons.push(trace.complaint);
  if (trace.violates) reasons.push(`it violates the contract: ${trace.violates}`);
  return reasons;
}

/** Null for a body that is not an envelope. */
function readError(body: string | Uint8Array): { code: string; message: string } | null {
  const read = parseJson(bodyText({ body })) as { error?: { code: string; message: string } | null } | null | undefined;
  return typeof read?.error?.code === 'string' ? read.error : null;
}
