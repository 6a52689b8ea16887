// The limits that a response states, parsed leniently; the rules check their format.

import { addressWindow, keyWindow } from '../../src/contract/generated/limits.ts';
import type { Exchange } from './exchange.ts';

const waitMsMax = 65_000;
/** Waits before each repetition without a stated time: a moment, the window of an address, that of a key. */
const backOffMs = [2000, 11_000, 61_000];
/** A `Date` header is cut to whole seconds. */
const dateGrainMs = 1000;
const marginMs = 50;

/** Null unless both headers are whole numbers that agree. `limit` says whose window it is. Cites 8.headers.limit. */
export function readRate(exchange: Exchange) {
  const limit = readWhole(exchange.headers['x-ratelimit-limit']);
  const remaining = readWhole(exchange.headers['x-ratelimit-remaining']);
  return limit === null || remaining === null || remaining > limit ? null : { limit, remaining };
}

/** `Retry-After`, else `X-RateLimit-Reset`, else back-off. Cites 7.retry.retry-after, 7.retry.reset. */
export function waitAsStated(exchange: Exchange, repeats: number): number {
  const retryAfterS = readWhole(exchange.headers['retry-after']);
  if (retryAfterS !== null) return bounded(retryAfterS * 1000 + marginMs);
  const resetMs = readWhole(exchange.headers['x-ratelimit-reset']);
  if (resetMs !== null) {
    const now = serverNowMs(exchange) ?? exchange.receivedAt;
    const waitMs = resetMs - now + marginMs;
    // Rejected again after that: `Date` may come from another clock (interpretation R43).
    const atLeast = repeats === 0 ? 0 : (backOffMs[repeats] ?? waitMsMax);
    if (waitMs <= waitMsMax) return bounded(Math.max(waitMs, atLeast));
  }
  return backOffMs[repeats] ?? waitMsMax;
}

/** The server's own time when it responded, at its earliest; null without a readable `Date`. */
export function serverNowMs(exchange: Exchange): number | null {
  const date = Date.parse(exchange.headers.date ?? '');
  return Number.isNaN(date) ? null : date;
}

/** Up to fifteen digits, so the number is exact. */
export function readWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}

/** At least a second, since a stated time can be cut to whole seconds; at most the longest window and a little. */
function bounded(ms: number): number {
  return Math.min(waitMsMax, Math.max(dateGrainMs, ms));
}

// The service's clock, from its responses. A proxy can write `Date`. `X-RateLimit-Reset` is within a window of the
// service's clock, and bounds its difference to our clock (interpretation R43).

/** How far the service's clock is ahead of ours, in milliseconds: somewhere between the two. */
export interface Ahead {
  readonly atLeast: number;
  readonly atMost: number;
}

/** Below this a number of milliseconds would be in 1973: it counts seconds. */
export const secondsBelow = 100_000_000_000;
/** Numbers from here on would be in the year 5138: they count microseconds. */
export const microsecondsFrom = 100_000_000_000_000;
const toleranceMs = 2000;
/** No clock that a service is run with is further from the time of day. */
const clockErrorMsMax = 12 * 3_600_000;

/** Bounds of the clock from one `Reset`: it is at most the stated time, and at least one window before it. */
export function aheadByReset(exchange: Exchange): Ahead | null {
  const reset = readWhole(exchange.headers['x-ratelimit-reset']);
  if (reset === null || reset < secondsBelow || reset >= microsecondsFrom) return null;
  // A response that names neither limit counts as the longer window: the wider bound never fails a correct server.
  const isAddress = readWhole(exchange.headers['x-ratelimit-limit']) === addressWindow.limit;
  const windowMs = isAddress ? addressWindow.windowMs : keyWindow.windowMs;
  return {
    atLeast: reset - windowMs - exchange.receivedAt - toleranceMs,
    atMost: reset - exchange.sentAt + toleranceMs,
  };
}

/** The longest wait that a `Reset` can mean, for any plausible clock. */
export function longestWait(exchange: Exchange, clock: Ahead | null): number {
  const reset = readWhole(exchange.headers['x-ratelimit-reset']) ?? 0;
  const own = aheadByReset(exchange);
  const ahead = own !== null && clock !== null ? (both(own, clock) ?? own) : own;
  return ahead === null ? 0 : Math.max(0, reset - ahead.atLeast - exchange.receivedAt);
}

/** Bounds from `Date`, of the service or a proxy: whole seconds, from any time of the exchange. */
export function aheadByDate(exchange: Exchange): Ahead | null {
  const date = serverNowMs(exchange);
  if (date === null) return null;
  return { atLeast: date - exchange.receivedAt, atMost: date + dateGrainMs - exchange.sentAt };
}

/** Any clock that can be meant as the time of day; without a `Date` the day is unknown. */
export function plausible(exchange: Exchange): Ahead {
  const date = aheadByDate(exchange);
  if (date === null) return { atLeast: Number.NEGATIVE_INFINITY, atMost: Number.POSITIVE_INFINITY };
  return { atLeast: Math.min(0, date.atLeast) - clockErrorMsMax, atMost: Math.max(0, date.atMost) + clockErrorMsMax };
}

/** Null when no clock is both. */
export function both(left: Ahead, right: Ahead): Ahead | null {
  const ahead = { atLeast: Math.max(left.atLeast, right.atLeast), atMost: Math.min(left.atMost, right.atMost) };
  return ahead.atLeast <= ahead.atMost ? ahead : null;
}

/** Combines all bounds; contradictory ones are skipped. */
export function readServiceClock(exchanges: readonly Exchange[]): Ahead | null {
  let known: Ahead | null = null;
  for (const exchange of exchanges) {
    const ahead = aheadByReset(exchange);
    if (ahead !== null) known = known === null ? ahead : (both(known, ahead) ?? known);
  }
  return known;
}
