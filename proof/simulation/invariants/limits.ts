// Both limiters, recomputed from what was admitted: never more than the limit in any window, never a refusal below it,
// and what a refusal tells the client to wait for is the truth. Cites 8.key-window, 8.address-window, 8.headers.*.
import { bodyBytesMax } from '../../../src/contract/generated/limits.ts';
import { codeOf, type Exchange, forcedFault, isBlocked } from '../exchange.ts';
import type { Ledger } from '../ledger.ts';
import { hold } from '../violation.ts';

/**
 * The plainest sliding window there is: all instants in a list, counted anew each time. The mock's own is fast and
 * could be wrong in ways that this one cannot.
 */
class Window {
  readonly limit: number;
  readonly windowMs: number;
  readonly #instants = new Map<string, number[]>();

  constructor(limit: number, windowMs: number) {
    this.limit = limit;
    this.windowMs = windowMs;
  }

  /** How many count at an instant. */
  count(bucket: string, atMs: number): number {
    return (this.#instants.get(bucket) ?? []).filter((ms) => ms > atMs - this.windowMs).length;
  }

  /** Forgets what has left the window, so that long runs stay small. */
  push(bucket: string, nowMs: number): void {
    const recent = (this.#instants.get(bucket) ?? []).filter((ms) => ms > nowMs - this.windowMs);
    this.#instants.set(bucket, [...recent, nowMs]);
  }

  /** The first instant at which one more is admitted if nobody else asks. */
  freeAtMs(bucket: string, nowMs: number): number {
    const recent = (this.#instants.get(bucket) ?? []).filter((ms) => ms > nowMs - this.windowMs);
    if (recent.length < this.limit) return nowMs;
    return (recent.at(-this.limit) as number) + this.windowMs;
  }
}

/**
 * Goes through address, key check and key limiter in the mock's order, because each one decides whether the next is
 * asked at all.
 */
export function watchLimits({ byKey, choices, greased }: Ledger): (exchange: Exchange) => void {
  const addresses = new Window(10, 10_000);
  const keys = new Window(60, 60_000);
  const countsBlocked = choices.blockedCount === 'yes';

  /** Asks a window as the mock should have; says whether it is full. */
  const isFull = (window: Window, bucket: string, nowMs: number): boolean => {
    const full = window.count(bucket, nowMs) >= window.limit;
    if (!full || countsBlocked) window.push(bucket, nowMs);
    return full;
  };

  return (exchange) => {
    const { request, response, nowMs, client } = exchange;
    if (!request.path.startsWith('/api/v1/')) return;
    const fault = forcedFault(exchange);
    const blocked = isBlocked(exchange);
    const address = request.headers['x-forwarded-for'] ?? request.peer;
    const key = request.headers.authorization?.replace(/^Bearer /, '') ?? '';
    const told = (what: string) => () => `${client} at ${nowMs}: ${what}, but the answer was ${response.status}`;

    if (isFull(addresses, address, nowMs)) {
      hold('limits', blocked, told(`10 requests of the address ${address} in 10 s`));
      return holdTold(exchange, { limit: 10, freeAtMs: addresses.freeAtMs(address, nowMs), fault: fault !== null });
    }
    if (fault === 'limiter_address') return hold('limits', blocked, told('a block was ordered'));
    const early = choices.bodyCap === 'before-key' && (request.body?.length ?? 0) > bodyBytesMax;
    if (early || fault === 'unauthorized' || !byKey.has(key)) {
      hold('limits', !blocked, told(`the address ${address} was below its limit`));
      if (!early) hold('refusals', codeOf(exchange) === 'unauthorized', told('the key is not good'));
      return;
    }
    if (isFull(keys, key, nowMs)) {
      hold('limits', blocked, told(`60 requests of the key …${key.slice(-4)} in a minute`));
      const freeAtMs = Math.max(keys.freeAtMs(key, nowMs), addresses.freeAtMs(address, nowMs));
      return holdTold(exchange, { limit: 60, freeAtMs, fault: fault !== null });
    }
    hold('limits', blocked === (fault === 'limiter_key'), told('address and key were below their limits'));
    if (!blocked && !greased) holdCount(exchange, keys.limit - keys.count(key, nowMs));
  };

  /**
   * The headers of a refusal: whose limit, nothing left, and an instant at which the client gets through and not
   * before.
   */
  function holdTold(
    { response: { headers }, nowMs }: Exchange,
    wish: { limit: number; freeAtMs: number; fault: boolean },
  ) {
    const seen = () => `the refusal at ${nowMs} says ${JSON.stringify(headers)}; free at ${wish.freeAtMs}`;
    hold(
      'limits',
      Number(headers['x-ratelimit-limit']) === wish.limit && headers['x-ratelimit-remaining'] === '0',
      seen,
    );
    hold('limits', Number(headers['x-ratelimit-reset']) === wish.freeAtMs, seen);
    const retryAfter = headers['retry-after'];
    const seconds = Math.max(1, Math.ceil((wish.freeAtMs - nowMs) / 1000));
    hold('limits', retryAfter === undefined || Number(retryAfter) === seconds, seen);
    hold('limits', retryAfter !== undefined || choices.retryAfter !== 'always' || greased, seen);
    hold('limits', retryAfter === undefined || choices.retryAfter !== 'never', seen);
  }

  /** Of the key's window: an admitted request shows no other. */
  function holdCount({ response: { headers }, nowMs }: Exchange, remaining: number) {
    const seen = () => `at ${nowMs} ${remaining} of 60 are left, the headers say ${JSON.stringify(headers)}`;
    hold(
      'limits',
      headers['x-ratelimit-limit'] === '60' && Number(headers['x-ratelimit-remaining']) === remaining,
      seen,
    );
  }
}
