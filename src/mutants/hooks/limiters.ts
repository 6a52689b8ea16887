// Limiters that count incorrectly. Each wraps a mock whose own limiter of that kind is set so high that it never
// blocks, and sends its own headers.
import type { Grant } from '../../domain/sliding-window.ts';
import { bearerKey, clientAddress } from '../../http/caller.ts';
import type { CoreRequest, CoreResponse } from '../../http/message.ts';
import { rateHeaders, renderBlocked } from '../../http/render.ts';
import { basePath } from '../../http/route.ts';
import { readMessage, toRpcError } from '../../mcp/message.ts';
import type { Mutant, MutantContext, MutantOptions, Wrap } from './mutant.ts';
import { onEvery, ownerOf } from './recipes.ts';
import { isBlock, onHeader, withoutHeader, withRequestHeader } from './rewrite.ts';

const unlimited = 1_000_000_000;
const headerNames = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'] as const;

/** The mock's own limiter of one kind taken out of the way. */
export function without(bucket: 'address' | 'key'): MutantOptions {
  return { limits: { [bucket]: { limit: unlimited } } };
}

export interface Counter {
  count(bucket: string, nowMs: number): number;
  admit(bucket: string, nowMs: number): void;
  /** When a full bucket lets the next one through. */
  freeAtMs(bucket: string, nowMs: number): number;
}

/** Exact, with a list of timestamps: a mutant must be wrong in its bucket or its window, not in its arithmetic. */
export function slidingCounter(windowMs: number): Counter {
  const buckets = new Map<string, number[]>();
  const recent = (bucket: string, nowMs: number) => {
    const kept = (buckets.get(bucket) ?? []).filter((atMs) => atMs > nowMs - windowMs);
    buckets.set(bucket, kept);
    return kept;
  };
  return {
    count: (bucket, nowMs) => recent(bucket, nowMs).length,
    admit: (bucket, nowMs) => void recent(bucket, nowMs).push(nowMs),
    freeAtMs: (bucket, nowMs) => (recent(bucket, nowMs)[0] ?? nowMs) + windowMs,
  };
}

/** Counts per window of fixed length, from the full minute of the clock or from the first request of a window. */
export function fixedCounter(windowMs: number, start: 'clock' | 'first-request'): Counter {
  const windows = new Map<string, { startMs: number; count: number }>();
  const current = (bucket: string, nowMs: number) => {
    const known = windows.get(bucket);
    if (known && nowMs < known.startMs + windowMs) return known;
    const fresh = { startMs: start === 'clock' ? nowMs - (nowMs % windowMs) : nowMs, count: 0 };
    windows.set(bucket, fresh);
    return fresh;
  };
  return {
    count: (bucket, nowMs) => current(bucket, nowMs).count,
    admit: (bucket, nowMs) => {
      current(bucket, nowMs).count += 1;
    },
    freeAtMs: (bucket, nowMs) => current(bucket, nowMs).startMs + windowMs,
  };
}

/** In what an address limiter is wrong; all that is absent is right. */
export interface AddressLimiter {
  /** Which requests share a window; those of one address when absent. */
  readonly bucket?: (request: CoreRequest, address: string) => string;
  /** Which requests pass without being looked at. */
  readonly exempt?: (request: CoreRequest, context: MutantContext) => boolean;
  /** Which admitted requests count; all when absent. */
  readonly counts?: (response: CoreResponse) => boolean;
}

/** Ten requests per ten seconds, counted in another way. Goes with `without('address')`. */
export function addressLimiter({ bucket, exempt, counts }: AddressLimiter): Wrap {
  return (next, context) => {
    const counter = slidingCounter(10_000);
    return (request) => {
      if (!isLimited(request, context)) return next(request);
      if (exempt?.(request, context)) return unheadedUnlessKeyed(next(request), request, context);
      const nowMs = context.nowMs();
      const address = clientAddress(request, false);
      const name = bucket?.(request, address) ?? address;
      if (counter.count(name, nowMs) >= 10) return block(grantOf(counter, { name, nowMs, limit: 10 }), nowMs);
      const response = next(request);
      if (!isBlock(response) && (counts?.(response) ?? true)) counter.admit(name, nowMs);
      if (ownerOf(request, context)) return response;
      return withGrant(response, grantOf(counter, { name, nowMs, limit: 10 }));
    };
  };
}

export interface KeyLimiter {
  readonly counter: () => Counter;
  /** Which requests of the REST API take nothing from the window. */
  readonly exempt?: (request: CoreRequest, response: CoreResponse) => boolean;
}

/** Sixty requests per minute and key, counted in another way. The MCP endpoint shares the window. */
export function keyLimiter({ counter: makeCounter, exempt }: KeyLimiter): Pick<Mutant, 'wrap' | 'wrapMcp' | 'options'> {
  const counters = new WeakMap<MutantContext, Counter>();
  const counterOf = (context: MutantContext) => {
    const counter = counters.get(context) ?? makeCounter();
    counters.set(context, counter);
    return counter;
  };
  return {
    options: without('key'),
    wrap: (next, context) => (request) => {
      if (!isLimited(request, context) || !ownerOf(request, context)) return next(request);
      const window = windowOf(counterOf(context), request, context);
      const isFull = window.isFull();
      // The address limiter comes first and counts the request; without a key nothing more happens to it.
      const response = next(isFull ? withRequestHeader(request, 'authorization', undefined) : request);
      if (isBlock(response)) return response;
      return isFull ? window.block() : window.admit(response, exempt?.(request, response) ?? false);
    },
    wrapMcp: (next, context) => async (request) => {
      if (!context.limits.enforced || !ownerOf(request, context)) return next(request);
      const window = windowOf(counterOf(context), request, context);
      const isFull = window.isFull();
      const response = await next(isFull ? withRequestHeader(request, 'authorization', undefined) : request);
      if (response.status === 429) return response;
      return isFull ? toRpcError(window.block(), readMessage(request).id) : window.admit(response, false);
    },
  };
}

function windowOf(counter: Counter, { headers }: CoreRequest, context: MutantContext) {
  const [name, nowMs] = [bearerKey(headers) ?? '', context.nowMs()];
  const grant = () => grantOf(counter, { name, nowMs, limit: 60 });
  return {
    isFull: () => counter.count(name, nowMs) >= 60,
    block: () => block(grant(), nowMs),
    admit: (response: CoreResponse, isExempt: boolean) => {
      if (!isExempt) counter.admit(name, nowMs);
      return withGrant(response, grant());
    },
  };
}

/** A request with a valid key is notified of the key's window, so its headers stay. */
function unheadedUnlessKeyed(response: CoreResponse, request: CoreRequest, context: MutantContext): CoreResponse {
  return ownerOf(request, context) ? response : withoutHeader(response, ...headerNames);
}

/** The admin API and the consent pages have no limits. */
function isLimited({ path }: CoreRequest, { limits }: MutantContext): boolean {
  return limits.enforced && path.startsWith(`${basePath}/`);
}

/** In the mock's own form, so headers and bodies are made by the mock's own code. */
function grantOf(counter: Counter, { name, nowMs, limit }: { name: string; nowMs: number; limit: number }): Grant {
  const remaining = Math.max(0, limit - counter.count(name, nowMs));
  const resetMs = counter.freeAtMs(name, nowMs);
  const retryAfterS = Math.max(1, Math.ceil((resetMs - nowMs) / 1000));
  return { allowed: remaining > 0, limit, remaining, resetMs, retryAfterS };
}

function withGrant(response: CoreResponse, grant: Grant): CoreResponse {
  return { ...response, headers: { ...response.headers, ...rateHeaders(grant) } };
}

function block(grant: Grant, nowMs: number): CoreResponse {
  const response = renderBlocked(grant, true);
  return { ...response, headers: { ...response.headers, date: new Date(nowMs).toUTCString() } };
}

/** Headers that differ from the limiter by one request. */
export function statedAs(actual: number, stated: number): Wrap {
  return onEvery((response) => {
    if (response.headers['x-ratelimit-limit'] !== String(actual)) return response;
    const limited = onHeader(response, 'x-ratelimit-limit', () => String(stated));
    return isBlock(limited)
      ? limited
      : onHeader(limited, 'x-ratelimit-remaining', (left) => String(Math.max(0, Number(left) + stated - actual)));
  });
}
