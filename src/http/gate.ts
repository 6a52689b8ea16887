// The checks before every REST and MCP request: address limiter, key, key limiter, body cap, in this order (assumption
// C1). Requests are counted here only. Cites 5.limiter-before-key, 8.key-window-shared.
import type { WorldChange } from '../domain/change.ts';
import { type Faults, isGatewayError } from '../domain/faults.ts';
import type { Bucket, Limits } from '../domain/limits.ts';
import type { Grant } from '../domain/sliding-window.ts';
import type { World } from '../domain/world.ts';
import type { EngineSettings } from '../options/mock-options.ts';
import type { Writer } from './calibrated/writer.ts';
import { addressBucket, authenticate, type Caller } from './caller.ts';
import type { CoreRequest, CoreResponse } from './message.ts';
import type { Relay } from './relay.ts';
import { renderBlock, renderFault, renderRejection } from './render.ts';
import { applyFault, type Draft } from './trace.ts';

export interface ServiceOptions extends EngineSettings {
  readonly world: World;
  readonly limits: Limits;
  readonly faults: Faults;
  /** Writes responses with other behaviors; null when all are default. */
  readonly writer?: (() => Writer | null) | undefined;
  /**
   * Makes a change. If it throws, the request is rejected and the world stays unchanged. When absent, only makes it.
   */
  readonly change?: ((change: WorldChange) => void) | undefined;
  /** Responds to some operations instead of the handlers. */
  readonly relay?: Relay | undefined;
}

/** The options with all defaults, for REST or MCP. */
export interface Pipeline extends ServiceOptions {
  readonly writer: () => Writer | null;
  readonly change: (change: WorldChange) => void;
  /** The body cap of REST or MCP. */
  readonly bodyMax: number;
}

/** In or not. `shownGrant` is the window that the headers of the response describe; null for none. */
export type GateDecision = Admitted | TurnedAway;

/** A request that every stage of the gate let pass. */
interface Admitted {
  readonly admitted: true;
  readonly caller: Caller;
  readonly shownGrant: Grant | null;
}

/** A request with its response; `blockedBy` distinguishes a limiter's block from other rejections. */
interface TurnedAway {
  readonly admitted: false;
  readonly response: CoreResponse;
  /** Null where the key was not reached, or not accepted. */
  readonly caller: Caller | null;
  readonly blockedBy: Bucket | null;
  readonly shownGrant: Grant | null;
}

/** Lets a request in or turns it away, and notes in its trace who called and which limiter blocked. */
export function passGate(request: CoreRequest, trace: Draft, options: Pipeline): GateDecision {
  const decision = decide(request, trace, options);
  trace.organizationId = decision.caller?.organization.id ?? null;
  if (!decision.admitted) trace.blockedBy = decision.blockedBy;
  return decision;
}

/** A rejection counts in every window that was checked before it, as section 8 puts the limiters first. */
function decide(request: CoreRequest, trace: Draft, options: Pipeline): GateDecision {
  const { world, limits } = options;
  const { nowMs, fault } = trace;
  // It comes from a proxy, so the request reaches no limiter.
  if (isGatewayError(fault?.error) && applyFault(fault.error, trace))
    return turnedAway(renderFault(fault.error), null, null);
  const address = limits.take('address', addressBucket(request, trace.address), nowMs);
  if (address?.allowed === false || applyFault('limiter_address', trace)) {
    return blocked('address', null, renderBlock('address', { world, limits, nowMs, grants: { address, key: null } }));
  }
  // Assumption C43: the key's window, or the address's where no key was accepted.
  const early = shown(options, address, null);
  if (world.behavior.bodyCap === 'before-key' && isTooLarge(request, options)) {
    return turnedAway(tooLarge(options), null, early);
  }
  if (applyFault('unauthorized', trace)) return turnedAway(renderFault('unauthorized'), null, early);
  const authenticated = authenticate(trace.key, world);
  if (!authenticated.ok) return turnedAway(renderRejection(authenticated.rejection), null, early);
  const caller = authenticated.value;

  const key = limits.take('key', caller.key, nowMs);
  if (key?.allowed === false || applyFault('limiter_key', trace)) {
    return blocked('key', caller, renderBlock('key', { world, limits, nowMs, grants: { address, key } }));
  }
  const shownGrant = shown(options, address, key);
  if (applyFault('payload_too_large', trace)) return turnedAway(renderFault('payload_too_large'), caller, shownGrant);
  if (isTooLarge(request, options)) return turnedAway(tooLarge(options), caller, shownGrant);
  return { admitted: true, caller, shownGrant };
}

/** A rejection that is not a limiter's still shows what is left of a window. */
function turnedAway(response: CoreResponse, caller: Caller | null, shownGrant: Grant | null): TurnedAway {
  return { admitted: false, response, caller, blockedBy: null, shownGrant };
}

// A block describes its own window itself.
function blocked(bucket: Bucket, caller: Caller | null, response: CoreResponse): TurnedAway {
  return { admitted: false, response, caller, blockedBy: bucket, shownGrant: null };
}

function shown({ writer }: Pipeline, address: Grant | null, key: Grant | null): Grant | null {
  const own = writer();
  return own ? own.shownGrant(address, key) : (key ?? address);
}

/** At the cap itself a body is taken. Cites 8.body-rest. */
function isTooLarge({ body }: CoreRequest, { bodyMax }: Pipeline): boolean {
  return body !== null && body.length > bodyMax;
}

// Cites 8.body-rest, 8.body-mcp, 7.code.payload-too-large.
function tooLarge({ bodyMax }: Pipeline): CoreResponse {
  const message = `The request body is over ${bodyMax.toLocaleString('en')} bytes.`;
  return renderRejection({ code: 'payload_too_large', message });
}
