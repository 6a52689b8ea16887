// The way of one request through the pipeline, for the request log and the log.
import type { LearntFrom } from '../contract/profile.ts';
import type { Fault, FaultError, Faults } from '../domain/faults.ts';
import type { World } from '../domain/world.ts';
import type { EngineSettings } from '../options/mock-options.ts';
import type { Writer } from './calibrated/writer.ts';
import { bearerKey, clientAddress } from './caller.ts';
import type { CoreRequest } from './message.ts';
import { askedFault } from './prefer.ts';
import type { Routing } from './route.ts';

/** The course of a request, stage by stage, for the request log, violations and near misses. */
export interface Trace {
  readonly routing: Routing;
  readonly address: string;
  readonly key: string | null;
  readonly organizationId: string | null;
  readonly nowMs: number;
  /** The real time of the request, for readers of the request log. */
  readonly arrivedMs?: number;
  /** The fault that was matched when the request came in. */
  readonly fault: Fault | null;
  /** Whether its error got a response; false where an earlier stage responded first. */
  readonly fired: boolean;
  /** The limiter that blocked the request, if one did. */
  readonly blockedBy: 'address' | 'key' | null;
  /** A wish for a fault that could not be granted, in one sentence: the request is rejected with it. */
  readonly complaint: string | null;
  /** Where an input is treated like another one, because a profile lacks it. */
  readonly basis?: string | null;
  /** How a custom response violates the contract; absent when it does not. */
  readonly violates?: string | undefined;
  /** The source of the behaviors of the mock. */
  readonly learnt?: LearntFrom | undefined;
  /** Set when a deployment responded, or should have. */
  readonly forwarded?: Forwarded | undefined;
}

export interface Forwarded {
  /** The requested URL. */
  readonly url: string;
  readonly ms: number;
  /** In one sentence, why the deployment gave no response; null when it did. */
  readonly failure: string | null;
  /** Where the response breaks the contract. */
  readonly findings: readonly ForwardedFinding[];
}

/** A rule of the contract that a response of the deployment breaks. */
export interface ForwardedFinding {
  readonly rule: string;
  readonly clause: string;
  /** `fail`, or `warn` where the contract is not plain. */
  readonly severity: string;
  /** In the body, or `#status` and `#header/NAME`. */
  readonly pointer: string;
  readonly expected: string;
  readonly actual: string;
}

/** The same while the request is under way. */
export type Draft = { -readonly [Name in keyof Trace]: Trace[Name] };

/** Lets the request suffer the error on demand if it is this one, and notes that it did. */
export function applyFault(error: FaultError, trace: Draft): boolean {
  if (trace.fault?.error !== error) return false;
  trace.fired = true;
  return true;
}

/** Whether the request suffers its fault. An earlier stage can respond before an error or a custom response does. */
export function isSuffered({ fault, fired }: Pick<Trace, 'fault' | 'fired'>): boolean {
  return fault !== null && (fired || (fault.error === undefined && fault.respond === undefined));
}

/** Data that decides on a request before the first stage. */
export interface TraceContext extends EngineSettings {
  readonly world: World;
  readonly faults: Faults;
  readonly writer: () => Writer | null;
}

/** A fault is matched here, once, and fires at the stage that owns its error. */
export function startTrace(request: CoreRequest, met: Routing, context: TraceContext): Draft {
  const { world, faults, trustProxy, writer } = context;
  const routing = readBack(met, writer());
  const address = clientAddress(request, trustProxy);
  const key = bearerKey(request.headers);
  const requested = askedFault(request);
  return {
    routing,
    address,
    key,
    organizationId: null,
    nowMs: world.clock.now(),
    arrivedMs: world.clock.source(),
    learnt: world.learnt,
    fault:
      typeof requested === 'object' && requested !== null ? requested : strike(faults, routing, { key, ip: address }),
    fired: false,
    blockedBy: null,
    complaint: typeof requested === 'string' ? requested : null,
  };
}

/** Before the key is checked: a fault may be meant for a key that is not valid. */
function strike(faults: Faults, routing: Routing, caller: { key: string | null; ip: string }): Fault | null {
  if (faults.empty) return null;
  const match = typeof routing === 'string' ? null : routing;
  return faults.strike({
    operation: match?.operation.id ?? null,
    tool: match?.tool ?? null,
    accountId: match?.path.accountId ?? null,
    ...caller,
  });
}

/** A review id in other signs is read back before anything compares it. */
function readBack(routing: Routing, writer: Writer | null): Routing {
  if (!writer || typeof routing === 'string' || routing.path.reviewId === undefined) return routing;
  return { ...routing, path: { ...routing.path, reviewId: writer.readReviewId(routing.path.reviewId) } };
}
