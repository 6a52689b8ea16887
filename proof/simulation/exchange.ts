// The exchange between a client of the simulation and the mock, and the invariants by name.
import type { OperationId } from '../../src/contract/generated/operations.ts';
import { bodyText, type CoreRequest, type CoreResponse } from '../../src/http/message.ts';

export type InvariantName =
  | ('limits' | 'answers' | 'isolation' | 'records' | 'accounts' | 'calls')
  | ('writes' | 'rejections' | 'time' | 'violations');

/** A violated invariant. It ends the run at that step. */
export class Violation extends Error {
  override readonly name = 'Violation';
  readonly invariant: InvariantName;

  constructor(invariant: InvariantName, message: string) {
    super(message);
    this.invariant = invariant;
  }
}

/** Throws a `Violation` unless the condition holds. The message shows the observation. */
export function hold(invariant: InvariantName, condition: boolean, message: string | (() => string)): void {
  if (!condition) throw new Violation(invariant, typeof message === 'string' ? message : message());
}

/** A request, and the operation that its sender means; null when the contract does not have it. */
export interface Sent {
  readonly operation: OperationId | null;
  readonly request: CoreRequest;
}

/** A request with its response, as an invariant sees it. */
export interface Exchange extends Sent {
  readonly client: string;
  readonly response: CoreResponse;
  /** The body as JSON; undefined where it is not JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: a response can hold anything; the invariants say what it has to be.
  readonly json: any;
  /** The mock's clock at the time of the request. */
  readonly nowMs: number;
}

/** Returns undefined for anything that is not JSON, also by its content type. */
export function parseBody(response: CoreResponse): unknown {
  if (!(response.headers['content-type'] ?? '').includes('json')) return undefined;
  try {
    return JSON.parse(bodyText(response), inOneCase);
  } catch {
    return undefined;
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

// Ids are compared without case (interpretation R9): a greased mock can show them in capitals.
function inOneCase(name: string, value: unknown): unknown {
  const isId = name === 'id' || name === 'siteId' || name === 'accountId';
  return isId && typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : value;
}

/** Whether the client never received the whole response. */
export const isLost = ({ response: { network } }: Exchange): boolean => network !== undefined && network !== 'slow';

/** Whether a limiter rejected it. Cites 7.envelope.limiter. */
export const isBlocked = ({ response, json }: Exchange): boolean =>
  response.status === 429 && typeof json?.error === 'string';

/** The error that an operator ordered for this request; null for a response of the mock's own. */
export const forcedFault = ({ response }: Exchange): string | null => response.headers['x-casa-fault'] ?? null;

/** Lost, blocked or ordered: the response says nothing about the mock. */
export const saysNothing = (apiResponse: Exchange): boolean =>
  isLost(apiResponse) || isBlocked(apiResponse) || forcedFault(apiResponse) !== null;

/** The code of an envelope; null for a limiter's response, which has none, and for success. */
export function codeOf({ json }: Exchange): string | null {
  const code = json?.error?.code;
  return typeof code === 'string' ? code : null;
}

/** The key of the request, without the scheme; empty without one. */
export const keyOf = ({ request }: Sent): string => request.headers.authorization?.replace(/^Bearer /, '') ?? '';

/** The address that the mock counts. */
export const addressOf = ({ request }: Sent): string => request.headers['x-forwarded-for'] ?? request.peer;

/** One line, for the last steps before a failure. */
export function describeExchange(exchange: Exchange): string {
  const { client, request, response, nowMs } = exchange;
  const fault = forcedFault(exchange) === null ? '' : ` [fault ${forcedFault(exchange)}]`;
  const target = `${request.method} ${request.path}${request.query === '' ? '' : `?${request.query}`}`;
  const from = `key …${keyOf(exchange).slice(-4)}, ${addressOf(exchange)}`;
  return `${new Date(nowMs).toISOString()} ${client}: ${target} (${from}) -> ${response.status}${fault}`;
}
