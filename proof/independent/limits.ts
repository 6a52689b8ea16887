// Limiters of five kinds. R44 leaves the kind of the address window open, so a kit has to accept each; the key's
// window slides.
import type { Kind, Limiter, Seen, Size, Violation } from './types.ts';
import type { Variant } from './variants.ts';

/** One counted allowance, called once for each request, at the server's own time. */
export type Bucket = (at: number) => Violation;

/** An exact log of the last window. */
function slidingLog({ limit, window }: Size, countBlocked: boolean): Bucket {
  let log: number[] = [];
  return (at) => {
    log = log.filter((time) => at - time < window);
    const ok = log.length < limit;
    if (ok || countBlocked) log = [...log, at].slice(-limit);
    const [oldest = at] = log;
    const full = (log.at(-1) ?? at) + window;
    return { ok, limit, remaining: ok ? limit - log.length : 0, next: oldest + window, full };
  };
}

/** A fixed window, counted from multiples of its length or from the first request. */
function fixedWindow({ limit, window }: Size, aligned: boolean): Bucket {
  let start = Number.NEGATIVE_INFINITY;
  let used = 0;
  return (at) => {
    if (at - start >= window) {
      start = aligned ? Math.floor(at / window) * window : at;
      used = 0;
    }
    const ok = used < limit;
    if (ok) used += 1;
    return { ok, limit, remaining: limit - used, next: start + window, full: start + window };
  };
}

/** Tokens that refill one by one, up to the limit. */
function tokenBucket({ limit, window }: Size): Bucket {
  const cost = window / limit;
  let credit = window;
  let last: number | undefined;
  return (at) => {
    credit = Math.min(window, credit + Math.max(0, at - (last ?? at)));
    last = Math.max(at, last ?? at);
    const ok = credit >= cost;
    if (ok) credit -= cost;
    const part = cost - (credit % cost);
    return { ok, limit, remaining: Math.floor(credit / cost), next: at + part, full: at + window - credit };
  };
}

/** The two-window approximation of a sliding window. */
function slidingCounter({ limit, window }: Size): Bucket {
  let start = 0;
  let before = 0;
  let current = 0;
  const roll = (at: number): void => {
    const begin = Math.floor(at / window) * window;
    if (begin === start) return;
    before = begin - start === window ? current : 0;
    current = 0;
    start = begin;
  };
  const free = (): number => {
    if (before === 0 && current < limit) return start;
    if (current < limit) return start + Math.ceil(window * Math.max(0, 1 - (limit - 1 - current) / before));
    return start + window + Math.ceil(window * Math.max(0, 1 - (limit - 1) / current));
  };
  return (at) => {
    roll(at);
    const ok = free() <= at;
    if (ok) current += 1;
    const weighted = before * (1 - (at - start) / window) + current;
    const remaining = ok ? Math.max(0, Math.floor(limit - weighted)) : 0;
    const next = Math.max(free(), at + 1);
    return { ok, limit, remaining, next, full: Math.max(next, start + window) };
  };
}

export function bucketOf(kind: Kind, size: Size, countBlocked: boolean): Bucket {
  if (kind === 'aligned' || kind === 'from-first') return fixedWindow(size, kind === 'aligned');
  if (kind === 'sliding') return slidingLog(size, countBlocked);
  return kind === 'tokens' ? tokenBucket(size) : slidingCounter(size);
}

const addressSize: Size = { limit: 10, window: 10_000 };
const keySize: Size = { limit: 60, window: 60_000 };

/** Other allowances than those of the contract. */
export type Sizes = { readonly [Which in 'address' | 'key']?: Partial<Pick<Size, 'limit' | 'window'>> };

/** The bucket that blocked; else the one that the variant shows (R43), or none (R42). */
function described(seen: Seen, variant: Variant): Violation | undefined {
  if (seen.address?.ok === false) return seen.address;
  if (seen.key?.ok === false) return seen.key;
  if (variant.rateHeaders === 'blocked') return undefined;
  if (variant.rateBucket === 'address') return seen.address;
  if (variant.rateBucket === 'key' || seen.address === undefined) return seen.key;
  return seen.key !== undefined && seen.key.remaining < seen.address.remaining ? seen.key : seen.address;
}

/** One bucket for each address and each key. Retry-After is left out of every fourth block, or of all. */
export function makeLimiter(variant: Variant, sizes: Sizes = {}): Limiter {
  const size = { address: { ...addressSize, ...sizes.address }, key: { ...keySize, ...sizes.key } };
  const buckets = new Map<string, Bucket>();
  let blocks = 0;
  const take = (which: 'address' | 'key', name: string, at: number): Violation => {
    const kind = which === 'key' ? variant.keyWindow : variant.addressWindow;
    const bucket = buckets.get(`${which} ${name}`) ?? bucketOf(kind, size[which], variant.countBlocked);
    buckets.set(`${which} ${name}`, bucket);
    return bucket(at);
  };
  return {
    take,
    headers: (seen, at) => {
      const shown = described(seen, variant);
      if (shown === undefined) return {};
      const reset = Math.ceil(variant.resetMeans === 'full' ? shown.full : shown.next);
      const headers: Record<string, string> = {
        'X-RateLimit-Limit': String(shown.limit),
        'X-RateLimit-Remaining': String(shown.remaining),
        'X-RateLimit-Reset': String(reset),
      };
      if (shown.ok) return headers;
      blocks += 1;
      const silent = variant.retryAfter === 'never' || (variant.retryAfter === 'usually' && blocks % 4 === 0);
      if (!silent)
        headers['Retry-After'] = String(Math.max(1, variant.retryAfterMinS, Math.ceil((shown.next - at) / 1000)));
      return headers;
    },
  };
}
