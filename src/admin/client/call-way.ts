// Where a call is on its way to pollers, at a time of the mock's clock.
import type { CallWay } from './responses.ts';

/** `visible` is the call that a poller could have, `delivered` one that some poller has. */
export type Phase = 'in progress' | 'settling' | 'visible' | 'delivered';

/** In the order of time. */
export const phases: readonly Phase[] = ['in progress', 'settling', 'visible', 'delivered'];

/** Where a call is in its phase. */
export interface Place {
  readonly phase: Phase;
  /** Until the next phase, which comes by itself; null where a poller has to come. */
  readonly leftMs: number | null;
}

/** By the mock's clock alone, so a frozen clock stops the way as well. */
export function placeOf(call: CallWay, nowMs: number): Place {
  const endMs = Date.parse(call.endsAt);
  const visibleMs = Date.parse(call.visibleAt);
  if (nowMs < endMs) return { phase: 'in progress', leftMs: endMs - nowMs };
  if (nowMs < visibleMs) return { phase: 'settling', leftMs: visibleMs - nowMs };
  return { phase: call.deliveredAt === null ? 'visible' : 'delivered', leftMs: null };
}

/** `4:07`, and `2:00:00` from an hour on. */
export function countdown(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] === 0 ? parts.slice(1) : parts;
  return shown.map((part, i) => (i === 0 ? String(part) : String(part).padStart(2, '0'))).join(':');
}
