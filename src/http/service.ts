// The pipeline: one screen, straight down, early returns. Its order is the contract's (choice C1): address limiter before
// the key is read, key, key limiter, body cap, route, input, handler. Cites 5.limiter-before-key.
import { type ErrorExampleName, errorExamples } from '../contract/generated/errors.ts';
import type { Fault, Faults } from '../domain/faults.ts';
import type { Limits } from '../domain/limits.ts';
import { type Outcome, refuse } from '../domain/outcome.ts';
import type { Grant } from '../domain/sliding-window.ts';
import type { World } from '../domain/world.ts';
import type { Call } from './call.ts';
import { authenticate, bearerKey, type Caller, clientAddress } from './caller.ts';
import { type AnyInput, readInput } from './input.ts';
import { bodyBytesMax, type CoreRequest, type CoreResponse } from './message.ts';
import { askedFault } from './prefer.ts';
import { renderBlocked, renderFault, renderRefusal, renderUnknown, withRateHeaders } from './render.ts';
import { type Match, type Routing, route } from './route.ts';
import { handlers } from './routes/index.ts';
import { serialize } from './serialize.ts';

export interface ServiceOptions {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
  readonly trustProxy?: boolean;
}

/** What one request went through, for the journal and the log. */
export interface Trace {
  readonly routing: Routing;
  readonly address: string;
  readonly key: string | null;
  readonly organizationId: string | null;
  readonly nowMs: number;
  readonly fault: Fault | null;
  /** The limiter that blocked the request, if one did. */
  readonly blockedBy: 'address' | 'key' | null;
  /** A wish for a fault that could not be granted, in one sentence. */
  readonly complaint: string | null;
  /** Whether the answer came from a handler that changed the world. */
  readonly mutated: boolean;
}

export interface Served {
  readonly response: CoreResponse;
  readonly trace: Trace;
}

type Draft = { -readonly [Name in keyof Trace]: Trace[Name] };

export function createService(options: ServiceOptions): (request: CoreRequest) => Served {
  return (request) => {
    const trace = startTrace(request, options);
    const response = decide(request, trace, options);
    const { fault } = trace;
    const shaped =
      fault?.network || fault?.latencyMs
        ? { ...response, network: fault.network, latencyMs: fault.latencyMs }
        : response;
    return { response: shaped, trace };
  };
}

function decide(request: CoreRequest, trace: Draft, { world, limits }: ServiceOptions): CoreResponse {
  const { nowMs, fault, routing } = trace;
  const addressGrant = limits.take('address', trace.address, nowMs);
  if (addressGrant && !addressGrant.allowed) return block('address', addressGrant, trace, { world, limits });
  if (fault?.error === 'limiter_address') return block('address', null, trace, { world, limits });

  if (world.choices.bodyCap === 'before-key' && isTooLarge(request)) return withRateHeaders(tooLarge(), addressGrant);
  const caller = fault?.error === 'unauthorized' ? fail(fault.error) : authenticate(trace.key, world);
  if (!caller.ok) return withRateHeaders(renderRefusal(caller.refusal), addressGrant);
  trace.organizationId = caller.value.organization.id;

  const keyGrant = limits.take('key', caller.value.key, nowMs);
  if (keyGrant && !keyGrant.allowed) return block('key', keyGrant, trace, { world, limits });
  if (fault?.error === 'limiter_key') return block('key', null, trace, { world, limits });

  if (isTooLarge(request) || fault?.error === 'payload_too_large') return withRateHeaders(tooLarge(), keyGrant);
  if (typeof routing === 'string') return withRateHeaders(renderUnknown(routing, request), keyGrant);
  if (fault?.error) return withRateHeaders(renderFault(fault.error, routing.operation.envelope), keyGrant);
  return withRateHeaders(operate(routing, caller.value, { request, world, trace }), keyGrant);
}

function operate(
  match: Match,
  { organization }: Caller,
  { request, world, trace }: { request: CoreRequest; world: World; trace: Draft },
): CoreResponse {
  const input = readInput(match, request, world.choices);
  if (!input.ok) return renderRefusal(input.refusal);
  // readInput has checked the value against this operation's own schema, which the compiler cannot see.
  const handler = handlers[match.operation.id] as unknown as (input: AnyInput, call: Call) => Outcome<object>;
  const outcome = handler(input.value, { world, organization, nowMs: trace.nowMs, origin: request.origin });
  if (!outcome.ok) return renderRefusal(outcome.refusal);
  trace.mutated = match.operation.method !== 'GET';
  return serialize(match.operation.id, outcome.value);
}

function startTrace(request: CoreRequest, { world, faults, trustProxy = false }: ServiceOptions): Draft {
  const routing = route(request.method, request.path);
  const address = clientAddress(request, trustProxy);
  const key = bearerKey(request.headers);
  const asked = askedFault(request);
  const match = typeof routing === 'string' ? null : routing;
  const subject = {
    operation: match?.operation.id ?? null,
    accountId: match?.path.accountId ?? null,
    key,
    ip: address,
  };
  return {
    routing,
    address,
    key,
    organizationId: null,
    nowMs: world.clock.now(),
    fault: typeof asked === 'object' && asked !== null ? asked : faults.empty ? null : faults.strike(subject),
    blockedBy: null,
    complaint: typeof asked === 'string' ? asked : null,
    mutated: false,
  };
}

function isTooLarge(request: CoreRequest): boolean {
  return request.body !== null && request.body.length > bodyBytesMax;
}

// Cites 8.body-rest, 7.code.payload-too-large.
function tooLarge(): CoreResponse {
  const message = `The request body is over ${bodyBytesMax.toLocaleString('en')} bytes.`;
  return renderRefusal({ code: 'payload_too_large', message });
}

function fail(name: ErrorExampleName): Outcome<never> {
  const { code } = errorExamples[name];
  if (code === null) throw new Error(`The example ${name} is no refusal.`);
  return refuse({ code, message: 'The API key is not valid.' });
}

function block(
  bucket: 'address' | 'key',
  grant: Grant | null,
  trace: Draft,
  { world, limits }: Pick<ServiceOptions, 'world' | 'limits'>,
): CoreResponse {
  trace.blockedBy = bucket;
  const { limit, windowMs } = limits[bucket];
  const { nowMs } = trace;
  // A forced block has no window behind it: it says what a full one would.
  const told = grant ?? {
    allowed: false,
    limit,
    remaining: 0,
    resetMs: nowMs + windowMs,
    retryAfterS: Math.ceil(windowMs / 1000),
  };
  return renderBlocked(told, limits.tellsRetryAfter(world.choices.retryAfter));
}
