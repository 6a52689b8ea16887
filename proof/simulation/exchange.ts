// The exchange between a client of the simulation and the mock.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';

/** A request, and the operation that its sender means; null when the contract does not have it. */
export interface Sent {
  readonly operation: OperationId | null;
  readonly request: CoreRequest;
}

/** A request with its answer, as an invariant sees it. */
export interface Exchange extends Sent {
  readonly client: string;
  readonly response: CoreResponse;
  /** The body as JSON, or undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer may hold anything; the invariants say what it has to be.
  readonly json: any;
  /** The mock's clock when it was asked. */
  readonly nowMs: number;
}

/** undefined for anything that does not call itself JSON, or is not. */
export function parseBody(response: CoreResponse): unknown {
  if (!(response.headers['content-type'] ?? '').includes('json')) return undefined;
  try {
    return JSON.parse(bodyText(response), inOneCase);
  } catch {
    return undefined;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Ids are compared without case (rulings R9): a greased mock may show them in capitals.
function inOneCase(name: string, value: unknown): unknown {
  const isId = name === 'id' || name === 'siteId' || name === 'accountId';
  return isId && typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : value;
}

/** Whether the client never came to read the answer. */
export function isLost({ response: { network } }: Exchange): boolean {
  return network !== undefined && network !== 'slow';
}

/** Whether a limiter refused it. Cites 7.envelope.limiter. */
export function isBlocked({ response, json }: Exchange): boolean {
  return response.status === 429 && typeof json?.error === 'string';
}

/** The error that somebody ordered for this request, as the mock tells it; null for an answer of its own. */
export function forcedFault({ response }: Exchange): string | null {
  return response.headers['x-casa-fault'] ?? null;
}

/** The code of an envelope; null for a limiter's answer, which has none, and for success. */
export function codeOf({ json }: Exchange): string | null {
  const code = json?.error?.code;
  return typeof code === 'string' ? code : null;
}

/** One line, for the last steps before a failure. */
export function describeExchange({ client, request, response, nowMs }: Exchange): string {
  const { method, path, query, headers } = request;
  const address = headers['x-forwarded-for'] ?? request.peer;
  const key = headers.authorization?.slice(-4) ?? 'none';
  const fault = response.headers['x-casa-fault'] === undefined ? '' : ` [fault ${response.headers['x-casa-fault']}]`;
  const target = `${path}${query === '' ? '' : `?${query}`}`;
  return `${new Date(nowMs).toISOString()} ${client}: ${method} ${target} (key …${key}, ${address}) -> ${response.status}${fault}`;
}
