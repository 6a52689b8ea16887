// The answer of a limiter, and the wait that it tells the client. Cites 8.blocked-429, 7.envelope.limiter.
import type { Bucket, Limits } from '../domain/limits.ts';
import type { Grant } from '../domain/sliding-window.ts';
import type { World } from '../domain/world.ts';
import type { CoreResponse } from './message.ts';
import { renderBlocked } from './render.ts';

/**
 * What a limiter's answer is made of. Both grants are known, because waiting for one window must not run into the
 * other.
 */
export interface Block {
  readonly world: World;
  readonly limits: Limits;
  readonly nowMs: number;
  /** The word of each limiter; null for one that was not asked, or is off. */
  readonly grants: { readonly address: Grant | null; readonly key: Grant | null };
}

/** Counts the block, since every fifth one carries no Retry-After (choice C46). */
export function renderBlock(bucket: Bucket, { world, limits, nowMs, grants }: Block): CoreResponse {
  const own = grants[bucket];
  const told = own && !own.allowed ? own : fullWindow(limits, bucket, nowMs);
  return renderBlocked(untilFree(told, grants.address), limits.tellsRetryAfter(world.choices.retryAfter));
}

// A forced block has no window behind it: it says what one would that filled up this very instant.
function fullWindow(limits: Limits, bucket: Bucket, nowMs: number): Grant {
  const { limit, windowMs } = limits[bucket];
  const retryAfterS = Math.ceil(windowMs / 1000);
  return { allowed: false, limit, remaining: 0, resetMs: nowMs + windowMs, retryAfterS };
}

// This request may have been the last that its address had left. A client that waits as told must get through, so the
// later of the two instants is told (choice C132).
function untilFree(told: Grant, address: Grant | null): Grant {
  if (!address || address.remaining > 0 || address.resetMs <= told.resetMs) return told;
  return { ...told, resetMs: address.resetMs, retryAfterS: address.retryAfterS };
}
