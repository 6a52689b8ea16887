// Forwards some operations to a deployment (`casa mock --upstream`). Limiters, key checks and errors on demand stay in
// the mock; validation and handling are the deployment's.
import type { OperationId } from '../contract/generated/operations.ts';
import type { Faults } from '../domain/faults.ts';
import { type CoreRequest, type CoreResponse, httpDate } from './message.ts';
import type { Draft, Forwarded } from './trace.ts';

/** The response of a deployment, or why it is missing. */
export interface Relayed {
  /** For the client. */
  readonly response: CoreResponse;
  /** The parsed body of a success that has the form of the contract; null for all else. */
  readonly output: object | null;
  /** The limiter of the deployment that rejected; null for none. */
  readonly blockedBy: 'address' | 'key' | null;
  readonly forwarded: Forwarded;
}

/** The way to a deployment. It never throws: a deployment that cannot be reached is a response as well. */
export interface Relay {
  takes(operation: OperationId): boolean;
  /** `key` is the one of the client, which this mock knows. */
  send(request: CoreRequest, key: string): Promise<Relayed>;
}

/** Whether a request is forwarded. The mock responds to forced errors itself. */
export function isRelayed({ routing, complaint, fault }: Draft, relay: Relay | undefined): relay is Relay {
  if (!relay || typeof routing === 'string' || routing.tool !== undefined) return false;
  const isForced = complaint !== null || fault?.error !== undefined || fault?.respond !== undefined;
  return !isForced && relay.takes(routing.operation.id as OperationId);
}

/**
 * The response for violations: X-RateLimit-Reset is a timestamp on the clock of the deployment, and Date gives that
 * clock to the second. Without Date that timestamp is unusable. Cites 7.retry.reset.
 */
export function inOwnTime(response: CoreResponse, nowMs: number): CoreResponse {
  const { 'x-ratelimit-reset': reset, ...headers } = response.headers;
  const aheadMs = Date.parse(headers.date ?? '') + secondMs - nowMs;
  if (reset === undefined || Number.isNaN(aheadMs)) return { ...response, headers };
  return { ...response, headers: { ...headers, 'x-ratelimit-reset': String(Number(reset) - aheadMs) } };
}

const secondMs = 1000;

/** Asks, and puts faults of the network on the response. */
export async function relay(
  request: CoreRequest,
  { key, relay, trace, faults }: { key: string; relay: Relay; trace: Draft; faults: Faults },
): Promise<Pick<Relayed, 'response' | 'output'>> {
  const { response: given, output, blockedBy, forwarded } = await relay.send(request, key);
  const date = forwarded.failure === null ? {} : { date: httpDate(trace.nowMs) };
  const response = { ...given, headers: { ...given.headers, ...date } };
  trace.forwarded = forwarded;
  trace.blockedBy = blockedBy;
  const { fault } = trace;
  if (fault === null) return { response, output };
  faults.spend(fault.source);
  const headers = { ...response.headers, 'x-casa-fault': fault.network ?? 'latency' };
  return { response: { ...response, headers, network: fault.network, latencyMs: fault.latencyMs }, output };
}
