// The limits that an answer states, read leniently here; the rules judge whether it states them rightly.
import type { Exchange } from './exchange.ts';

/** Whose window it is follows from `limit`. Cites 8.headers.limit, 8.headers.remaining. */
export interface Rate {
  readonly limit: number;
  readonly remaining: number;
}

const WAIT_MS_MAX = 65_000;
/** Before each repeat, when nothing is told: past a hiccup, past the window of an address, past that of a key. */
const BACK_OFF_MS = [2000, 11_000, 61_000];
/** A `Date` header is cut to whole seconds. */
const DATE_GRAIN_MS = 1000;
const MARGIN_MS = 50;

/** Null unless both headers are whole numbers that agree. */
export function readRate(exchange: Exchange): Rate | null {
  const limit = readWhole(exchange.headers['x-ratelimit-limit']);
  const remaining = readWhole(exchange.headers['x-ratelimit-remaining']);
  return limit === null || remaining === null || remaining > limit ? null : { limit, remaining };
}

/**
 * `Retry-After` when present, else until `X-RateLimit-Reset`, else back-off. Cites 7.retry.retry-after, 7.retry.reset.
 */
export function waitAsTold(exchange: Exchange, repeats: number): number {
  const retryAfterS = readWhole(exchange.headers['retry-after']);
  if (retryAfterS !== null) return bounded(retryAfterS * 1000 + MARGIN_MS);
  const resetMs = readWhole(exchange.headers['x-ratelimit-reset']);
  if (resetMs !== null) {
    const now = serverNowMs(exchange) ?? exchange.receivedAt;
    const waitMs = resetMs - now + MARGIN_MS;
    // Refused again after that: `Date` may come from another clock (rulings R43).
    const atLeast = repeats === 0 ? 0 : (BACK_OFF_MS[repeats] ?? WAIT_MS_MAX);
    if (waitMs <= WAIT_MS_MAX) return bounded(Math.max(waitMs, atLeast));
  }
  return BACK_OFF_MS[repeats] ?? WAIT_MS_MAX;
}

/** The server's own time when it answered, at its earliest; null without a readable `Date`. */
export function serverNowMs(exchange: Exchange): number | null {
  const date = Date.parse(exchange.headers.date ?? '');
  return Number.isNaN(date) ? null : date;
}

/** Up to fifteen digits, so that the number is exact. */
export function readWhole(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,15}$/.test(text.trim()) ? Number(text) : null;
}

/** At least a second, since a told time may be cut to whole seconds; at most the longest window and a little. */
function bounded(ms: number): number {
  return Math.min(WAIT_MS_MAX, Math.max(DATE_GRAIN_MS, ms));
}
