// The pipeline: one screen, straight down, early returns. Its order is the contract's (assumption C1): the gate
// (address limiter before the key is read, key, key limiter, body cap), route, input, handler; then the response is
// varied and checked, and only then the change is made that it speaks of. Cites 5.limiter-before-key.

import { describeBasis } from '../contract/basis.ts';
import type { BehaviorId } from '../contract/generated/behaviors.ts';
import { errorStatus } from '../contract/generated/errors.ts';
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { OperationId } from '../contract/generated/operations.ts';
import { inputBehavior } from '../contract/input-classes.ts';
import { applyWorldChange, type WorldChange } from '../domain/change.ts';
import { type Fault, type Faults, isGatewayError } from '../domain/faults.ts';
import type { Grant } from '../domain/sliding-window.ts';
import { asksForBasis, basisOfResponse } from './basis.ts';
import type { Writer } from './calibrated/writer.ts';
import { type GateDecision, type Pipeline, passGate, type ServiceOptions } from './gate.ts';
import type { AnyHandler } from './handler.ts';
import { handlers } from './handlers.ts';
import { readInput } from './input.ts';
import { type CoreRequest, type CoreResponse, httpDate } from './message.ts';
import { type Decision, operate, rejection } from './operate.ts';
import { readQuery } from './query.ts';
import { isRelayed, relay } from './relay.ts';
import { rateHeaders, renderUnknown } from './render.ts';
import { type Match, type Routing, route } from './route.ts';
import { assertConforms, findViolation } from './strict.ts';
import { type Draft, isSuffered, startTrace, type Trace } from './trace.ts';

export type { Trace } from './trace.ts';

/** A fault that slows a response down wins. */
function slowed(response: CoreResponse, writer: Writer | null): CoreResponse {
  const latencyMs = response.latencyMs ?? writer?.latencyMs?.();
  return latencyMs === undefined ? response : { ...response, latencyMs };
}

/** One request with everything that request log and violations need of it. */
export interface Served {
  readonly response: CoreResponse;
  readonly trace: Trace;
  /** The handler's response before it was written as JSON; null for a rejection. */
  readonly output: object | null;
  /** The change that the request made; null for none. */
  readonly change: WorldChange | null;
  /** For a forwarded request: all of the above, once known. */
  readonly later?: (() => Promise<Served>) | undefined;
}

/** REST and MCP have the same `limits` and `world`, so they share windows and state. Cites 8.key-window-shared. */
export function preparePipeline(options: ServiceOptions, bodyMax: number): Pipeline {
  const { world, writer = () => null } = options;
  const change = options.change ?? ((made: WorldChange) => applyWorldChange(world, made));
  return { ...options, writer, change, bodyMax };
}

/** The REST API. Synchronous: two requests never see each other half done. */
export function createService(options: ServiceOptions): (request: CoreRequest) => Served {
  const pipeline = preparePipeline(options, bodyBytesMax);
  return (request) => {
    const trace = startTrace(request, route(request.method, request.path), pipeline);
    const gate = passGate(request, trace, pipeline);
    if (gate.admitted && isRelayed(trace, options.relay)) {
      return relayLater(request, { key: gate.caller.key, relay: options.relay, trace, faults: pipeline.faults });
    }
    const decision = decide(gate, { request, trace, pipeline });
    trace.basis = basisHeader(request, trace, { near: pipeline.world.near, status: decision.response.status });
    const response = writeAndCheck(decision.response, trace, pipeline);
    // Only now: a response that could not be given must not have changed anything.
    if (decision.change) pipeline.change(decision.change);
    const { output, change } = decision;
    const finished = finish(response, { request, trace, gate, faults: pipeline.faults });
    return { response: slowed(finished, pipeline.writer()), trace, output, change };
  };
}

/** An input that a profile lacks is always marked; the basis of the fields is shown on request. */
function basisHeader(
  request: CoreRequest,
  trace: Trace,
  { near, status }: { near: Pipeline['world']['near']; status: number },
): string | null {
  const { routing } = trace;
  const mark = nearInput(routing, request.query, near);
  const isAsked = typeof routing !== 'string' && asksForBasis(request);
  const table = isAsked ? describeBasis(basisOfResponse(routing.operation.id, status, trace)) : null;
  return mark === null ? table : table === null ? mark : `${mark}; ${table}`;
}

/** Responds later, because waiting would block other responses. */
function relayLater(request: CoreRequest, relayed: Parameters<typeof relay>[1]): Served {
  const rest = { trace: relayed.trace, change: null };
  const later = async (): Promise<Served> => ({ ...rest, ...(await relay(request, relayed)) });
  return { ...rest, response: { status: errorStatus.provider_error, headers: {}, body: '' }, output: null, later };
}

interface Circumstances {
  readonly request: CoreRequest;
  readonly trace: Draft;
  readonly pipeline: Pipeline;
}

function decide(gate: GateDecision, { request, trace, pipeline }: Circumstances): Decision {
  if (!gate.admitted) return rejection(gate.response);
  const { routing } = trace;
  const { world } = pipeline;
  if (typeof routing === 'string') return rejection(renderUnknown(routing, request, world.behavior));
  // Found by its path, as every request outside the MCP endpoint.
  const match = routing as Match;
  const stages = {
    operation: match.operation,
    readInput: () => readInput(match, request, world.behavior),
    // readInput checks the value against this operation's own schema, which the compiler cannot see.
    handler: handlers[match.operation.id] as AnyHandler,
  };
  const { organization } = gate.caller;
  return operate(stages, { world, organization, nowMs: trace.nowMs, origin: request.origin }, trace);
}

/** A response as it leaves: written in the behaviors of the mock, held against the contract where that is wished. */
export function writeAndCheck(
  response: CoreResponse,
  { routing, fired, fault, complaint }: Trace,
  { writer, strict }: Pipeline,
): CoreResponse {
  if (fired && (fault?.respond || isGatewayError(fault?.error))) return response;
  const forced = fired || complaint !== null;
  if (strict) assertConforms(response, routing, { forced });
  const written = writer()?.write(response, routing);
  if (written === undefined) return response;
  if (strict) assertConforms(written, routing, { forced, inBehaviors: true });
  return written;
}

/** Besides the response, what its last headers depend on. */
export interface Finish {
  readonly request: CoreRequest;
  readonly trace: Draft;
  /** The window that the headers describe. */
  readonly gate: { readonly shownGrant: Grant | null };
  readonly faults: Faults;
}

/** Adds the parts of a response that do not depend on its body: rate limits, diagnostics, Date, network faults. */
export function finish(response: CoreResponse, { request, trace, gate, faults }: Finish): CoreResponse {
  const { fault, complaint } = trace;
  // A copy in either case, which the caller can extend. Assumption C42: every response has the headers.
  const headers = gate.shownGrant ? rateHeaders(gate.shownGrant, response.headers) : { ...response.headers };
  const suffered = fault !== null && isSuffered(trace);
  if (suffered) {
    faults.spend(fault.source);
    if (response.status === errorStatus.rate_limited) Object.assign(headers, waitHeaders(fault, trace.nowMs));
    if (fault.retryAfterS === null) delete headers['retry-after'];
    if (fault.respond) Object.assign(headers, response.headers);
    const kind = fault.error ?? (fault.respond && 'respond') ?? fault.network ?? 'latency';
    headers['x-casa-fault'] = visible(kind);
    if (fault.respond && typeof trace.routing !== 'string') {
      // As sent: the headers that the mock adds count too.
      trace.violates = findViolation({ ...response, headers }, trace.routing.operation, { forced: false }) ?? undefined;
      if (trace.violates !== undefined) headers['x-casa-violates'] = visible(trace.violates);
    }
  }
  if (trace.basis != null) headers['x-casa-basis'] = trace.basis;
  if (complaint !== null) headers['x-casa-complaint'] = visible(complaint);
  headers.date = httpDate(trace.nowMs);
  // HEAD is outside the contract and gets no body.
  const body = request.method === 'HEAD' ? '' : response.body;
  const { status } = response;
  if (suffered) return { status, headers, body, network: fault.network, latencyMs: fault.latencyMs };
  return { status, headers, body };
}

/** The wait time that a 429 on demand states. Cites 7.retry.retry-after, 7.retry.reset. */
function waitHeaders({ retryAfterS, resetS = retryAfterS ?? undefined }: Fault, nowMs: number): Record<string, string> {
  return {
    ...(typeof retryAfterS === 'number' && { 'retry-after': String(retryAfterS) }),
    ...(resetS !== undefined && { 'x-ratelimit-reset': String(nowMs + resetS * 1000) }),
  };
}

// A complaint quotes the request, and a header holds visible ASCII only.
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 300);
}

// Marks the response to an input that a profile does not cover: the mock treats it like the nearest one.

/** Returns `emptySince=assumed as badSince` for such an input of a request; null for all others. */
function nearInput(routing: Routing, query: string, near: ReadonlyMap<BehaviorId, BehaviorId>): string | null {
  if (near.size === 0 || query === '' || typeof routing === 'string') return null;
  const { operation } = routing;
  for (const [name, text] of Object.entries(readQuery(query))) {
    const id = inputBehavior(operation.id as OperationId, name, text);
    const other = id === null ? undefined : near.get(id);
    if (other !== undefined) return `${id}=assumed as ${other}`;
  }
  return null;
}
