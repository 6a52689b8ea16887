// The pipeline: one screen, straight down, early returns. Its order is the contract's (choice C1): address limiter before
// the key is read, key, key limiter, body cap, route, input, handler. A fault on demand fires at the stage that owns its
// error. Cites 5.limiter-before-key.
import type { ErrorExampleName } from '../contract/generated/errors.ts';
import { bodyBytesMax } from '../contract/generated/limits.ts';
import type { Faults } from '../domain/faults.ts';
import type { Limits } from '../domain/limits.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Grant } from '../domain/sliding-window.ts';
import type { World } from '../domain/world.ts';
import { renderBlock } from './block.ts';
import type { Call } from './call.ts';
import { authenticate, type Caller } from './caller.ts';
import { createGrease, type Grease } from './grease/grease.ts';
import { type AnyInput, readInput } from './input.ts';
import type { CoreRequest, CoreResponse } from './message.ts';
import { renderFault, renderInvalidInput, renderRefusal, renderUnknown, withRateHeaders } from './render.ts';
import { type Match, route } from './route.ts';
import { handlers } from './routes/index.ts';
import { serialize } from './serialize.ts';
import { assertConforms } from './strict.ts';
import { type Draft, startTrace, type Trace } from './trace.ts';

export type { Trace } from './trace.ts';

export interface ServiceOptions {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly trustProxy?: boolean;
  /** Holds each answer against the contract; a violation is thrown. */
  readonly strict?: boolean | undefined;
  /** A seed, or a grease whose position a snapshot keeps; null for none. */
  readonly grease?: Grease | number | null | undefined;
}

export interface Served {
  readonly response: CoreResponse;
  readonly trace: Trace;
}

export interface Pipeline {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly trustProxy: boolean;
  readonly strict: boolean;
  readonly grease: Grease | null;
  /** The body cap of the door. */
  readonly bodyMax: number;
}

export function preparePipeline(options: ServiceOptions, bodyMax: number): Pipeline {
  const { trustProxy = false, strict = false } = options;
  const grease = typeof options.grease === 'number' ? createGrease(options.grease) : (options.grease ?? null);
  return { ...options, trustProxy, strict, grease, bodyMax };
}

export function createService(options: ServiceOptions): (request: CoreRequest) => Served {
  const pipeline = preparePipeline(options, bodyBytesMax);
  return (request) => {
    const trace = startTrace(request, route(request.method, request.path), pipeline);
    const said = say(decide(request, trace, pipeline), trace, pipeline);
    return { response: finish(said, { request, trace, faults: pipeline.faults }), trace };
  };
}

/** A decision as it leaves: varied where the contract leaves room, held against the contract where that is wished. */
export function say(decided: CoreResponse, { routing, fired }: Trace, { grease, strict }: Pipeline): CoreResponse {
  const said = grease ? grease.vary(decided, routing) : decided;
  if (strict) assertConforms(said, routing, fired);
  return said;
}

function decide(request: CoreRequest, trace: Draft, pipeline: Pipeline): CoreResponse {
  const admission = admit(request, trace, pipeline);
  if (!admission.ok) return admission.refusal;
  const { caller, dress } = admission;
  const { routing } = trace;
  if (typeof routing === 'string') return dress(renderUnknown(routing, request));
  // Found by its path, as every request outside the MCP door.
  return dress(operate(routing as Match, caller, { request, world: pipeline.world, trace }));
}

export type Admission =
  | { readonly ok: false; readonly refusal: CoreResponse }
  | {
      readonly ok: true;
      readonly caller: Caller;
      /** Puts the headers on the answer that tell of the limits. */
      readonly dress: (response: CoreResponse) => CoreResponse;
    };

/** What a request passes at either door: the limiters, the key, the body cap. It is counted here, and only here. */
export function admit(request: CoreRequest, trace: Draft, pipeline: Pipeline): Admission {
  const { world, limits, grease } = pipeline;
  const { nowMs } = trace;
  const addressGrant = limits.take('address', trace.address, nowMs);
  if (addressGrant?.allowed === false || fires('limiter_address', trace)) {
    return refused(renderBlock('address', { world, limits, trace, grants: { address: addressGrant, key: null } }));
  }
  const early = (response: CoreResponse) => refused(withRateHeaders(response, shown(grease, addressGrant, null)));
  if (world.choices.bodyCap === 'before-key' && isTooLarge(request, pipeline)) return early(tooLarge(pipeline));
  if (fires('unauthorized', trace)) return early(renderFault('unauthorized'));
  const caller = authenticate(trace.key, world);
  if (!caller.ok) return early(renderRefusal(caller.refusal));
  trace.organizationId = caller.value.organization.id;

  const keyGrant = limits.take('key', caller.value.key, nowMs);
  if (keyGrant?.allowed === false || fires('limiter_key', trace)) {
    return refused(renderBlock('key', { world, limits, trace, grants: { address: addressGrant, key: keyGrant } }));
  }
  const dress = (response: CoreResponse) => withRateHeaders(response, shown(grease, addressGrant, keyGrant));
  if (fires('payload_too_large', trace)) return refused(dress(renderFault('payload_too_large')));
  if (isTooLarge(request, pipeline)) return refused(dress(tooLarge(pipeline)));
  return { ok: true, caller: caller.value, dress };
}

function refused(refusal: CoreResponse): Admission {
  return { ok: false, refusal };
}

function operate(
  match: Match,
  { organization }: Caller,
  { request, world, trace }: { request: CoreRequest; world: World; trace: Draft },
): CoreResponse {
  if (fires('invalid_input', trace)) return renderInvalidInput(match.operation);
  const input = readInput(match, request, world.choices);
  if (!input.ok) return renderRefusal(input.refusal);
  // What is left belongs to the stages behind the validation: existence, state of the account, the platform.
  const late = trace.fault?.error;
  if (late && fires(late, trace)) return renderFault(late);
  // readInput has checked the value against this operation's own schema, which the compiler cannot see.
  const { id, method } = match.operation;
  const handler = handlers[id] as unknown as (input: AnyInput, call: Call) => Outcome<object>;
  const outcome = handler(input.value, { world, organization, nowMs: trace.nowMs, origin: request.origin });
  if (!outcome.ok) return renderRefusal(outcome.refusal);
  trace.mutated = method !== 'GET';
  return serialize(id, outcome.value);
}

/** Whether the request is to suffer this error, and now does. */
export function fires(error: ErrorExampleName, trace: Draft): boolean {
  if (trace.fault?.error !== error) return false;
  trace.fired = true;
  return true;
}

// Choice C43: the key's window, or the address's where no key was accepted.
function shown(grease: Grease | null, address: Grant | null, key: Grant | null): Grant | null {
  return grease ? grease.shownGrant(address, key) : (key ?? address);
}

/** What is not part of the contract: diagnostics in headers, faults of the network, no body for HEAD. */
export function finish(
  response: CoreResponse,
  { request, trace, faults }: { request: CoreRequest; trace: Draft; faults: Faults },
): CoreResponse {
  const { fault, fired, complaint } = trace;
  const suffered = fault !== null && (fired || fault.error === undefined);
  if (suffered) faults.spend(fault.source);
  if (!suffered && complaint === null && request.method !== 'HEAD') return response;
  const headers: Record<string, string> = { ...response.headers };
  if (suffered) headers['x-casa-fault'] = visible(fault.error ?? fault.network ?? 'latency');
  if (complaint !== null) headers['x-casa-complaint'] = visible(complaint);
  return {
    ...response,
    headers,
    body: request.method === 'HEAD' ? '' : response.body,
    ...(suffered ? { network: fault.network, latencyMs: fault.latencyMs } : {}),
  };
}

// A complaint quotes the request, and a header holds visible ASCII only.
function visible(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?').slice(0, 300);
}

function isTooLarge({ body }: CoreRequest, { bodyMax }: Pipeline): boolean {
  return body !== null && body.length > bodyMax;
}

// Cites 8.body-rest, 8.body-mcp, 7.code.payload-too-large.
function tooLarge({ bodyMax }: Pipeline): CoreResponse {
  const message = `The request body is over ${bodyMax.toLocaleString('en')} bytes.`;
  return renderRefusal({ code: 'payload_too_large', message });
}
