// An exact sliding log: each bucket keeps the timestamps of the requests it admitted, and forgets each when it is a
// whole window old. A request is admitted if and only if fewer than `limit` timestamps are left, which says the same
// as: the one `limit` admissions ago is a window old. Rejected requests are not counted (assumption C45). Cites
// 8.key-window, 8.address-window.

export interface Grant {
  readonly allowed: boolean;
  readonly limit: number;
  /** How many more requests would be admitted at this very time. */
  readonly remaining: number;
  /** Epoch milliseconds at which the oldest counted request leaves the window: a blocked client gets through then. */
  readonly resetMs: number;
  /** Whole seconds after which a request gets through; waiting this long always suffices. */
  readonly retryAfterS: number;
}

export interface SlidingWindowState {
  readonly buckets: Readonly<Record<string, readonly number[]>>;
}

/** A bucket with the timestamps of the requests that it counts, the oldest first. */
export interface Filling {
  readonly bucket: string;
  readonly timestamps: readonly number[];
}

/** A bucket takes about half a kilobyte, so all of them stay below 4 MiB. */
export const bucketsMax = 8_000;

export interface WindowOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** Whether rejected requests spend the window too: one of the two behaviors of R45. */
  readonly countBlocked?: boolean;
  /** An exact log, a window that begins at multiples of its length, or tokens that come back one by one (R44). */
  readonly kind?: 'sliding' | 'aligned' | 'tokens';
  /** Whether `resetMs` is when one more request passes, or when the window is whole again (R43). */
  readonly resetMeans?: 'next' | 'full';
}

export class SlidingWindow {
  limit: number;
  windowMs: number;
  countBlocked: boolean;
  readonly #buckets = new Map<string, TimestampQueue>();
  #sweepAtMs = 0;
  /** How many buckets were forgotten before their window was over, because there were too many. */
  dropped = 0;

  kind: 'sliding' | 'aligned' | 'tokens';
  resetMeans: 'next' | 'full';

  constructor(options: WindowOptions) {
    const { limit, windowMs, countBlocked = false, kind = 'sliding', resetMeans = 'next' } = options;
    this.limit = limit;
    this.windowMs = windowMs;
    this.countBlocked = countBlocked;
    this.kind = kind;
    this.resetMeans = resetMeans;
  }

  /** Asks for one admission from a bucket and counts it when granted. */
  take(bucket: string, nowMs: number): Grant {
    if (nowMs >= this.#sweepAtMs) this.#sweep(nowMs);
    let queue = this.#buckets.get(bucket);
    if (!queue) {
      queue = new TimestampQueue();
      this.#buckets.set(bucket, queue);
      if (this.#buckets.size > bucketsMax) this.#dropOldest();
    }
    if (this.kind === 'tokens') return this.#takeToken(queue, nowMs);
    const aligned = this.kind === 'aligned' ? Math.floor(nowMs / this.windowMs) * this.windowMs : null;
    queue.dropThrough(aligned === null ? nowMs - this.windowMs : aligned - 1);
    const allowed = queue.size < this.limit;
    if (allowed || this.countBlocked) queue.push(nowMs);
    // Only the newest `limit` timestamps decide; there are more when rejected requests count, or the limit was lowered.
    while (queue.size > this.limit) queue.dropOldest();
    const oldestMs = queue.size > 0 ? queue.oldest() : nowMs;
    const nextMs = (aligned ?? oldestMs) + this.windowMs;
    const fullMs = (aligned ?? (queue.size > 0 ? queue.newest() : nowMs)) + this.windowMs;
    const resetMs = this.resetMeans === 'full' ? fullMs : nextMs;
    return {
      allowed,
      limit: this.limit,
      remaining: Math.max(0, this.limit - queue.size),
      resetMs,
      retryAfterS: Math.max(1, Math.ceil(((allowed ? resetMs : nextMs) - nowMs) / 1000)),
    };
  }

  /** The queue holds one timestamp: when the bucket will be full again. */
  #takeToken(queue: TimestampQueue, nowMs: number): Grant {
    const costMs = this.windowMs / this.limit;
    const fullMs = Math.max(queue.size > 0 ? queue.oldest() : nowMs, nowMs);
    const allowed = fullMs + costMs - nowMs <= this.windowMs;
    const laterMs = allowed ? fullMs + costMs : fullMs;
    if (queue.size > 0) queue.dropOldest();
    queue.push(laterMs);
    const remaining = Math.max(0, Math.floor((this.windowMs - (laterMs - nowMs)) / costMs));
    const nextMs = Math.max(nowMs, Math.ceil(laterMs + costMs - this.windowMs));
    const resetMs = this.resetMeans === 'full' ? Math.ceil(laterMs) : nextMs;
    const retryAfterS = Math.max(1, Math.ceil((nextMs - nowMs) / 1000));
    return { allowed, limit: this.limit, remaining, resetMs, retryAfterS };
  }

  // Made-up addresses must not fill the memory: this drops the oldest bucket.
  #dropOldest(): void {
    this.#buckets.delete(this.#buckets.keys().next().value as string);
    this.dropped += 1;
  }

  // Deletes unused buckets, so a million addresses do not keep their memory.
  #sweep(nowMs: number): void {
    this.#sweepAtMs = nowMs + this.windowMs;
    for (const [bucket, queue] of this.#buckets) {
      queue.dropThrough(nowMs - this.windowMs);
      if (queue.size === 0) this.#buckets.delete(bucket);
    }
  }

  /** The buckets that count something at this time, the fullest first. Changes nothing. */
  fullest(nowMs: number, countMax: number): Filling[] {
    const fillings: Filling[] = [];
    for (const [bucket, queue] of this.#buckets) {
      const timestamps = queue.toArray().filter((timestamp) => timestamp > nowMs - this.windowMs);
      if (timestamps.length > 0) fillings.push({ bucket, timestamps });
    }
    return fillings.sort((a, b) => b.timestamps.length - a.timestamps.length).slice(0, countMax);
  }

  clear(): void {
    this.#buckets.clear();
  }

  state(): SlidingWindowState {
    return { buckets: Object.fromEntries([...this.#buckets].map(([bucket, queue]) => [bucket, queue.toArray()])) };
  }

  restore(state: SlidingWindowState): void {
    this.#buckets.clear();
    this.#sweepAtMs = 0;
    for (const [bucket, timestamps] of Object.entries(state.buckets))
      this.#buckets.set(bucket, new TimestampQueue(timestamps));
  }
}

/** Dropped timestamps stay until they are half of the list, so a drop moves nothing. */
class TimestampQueue {
  #list: number[];
  #first = 0;

  constructor(timestamps: readonly number[] = []) {
    this.#list = [...timestamps];
  }

  get size(): number {
    return this.#list.length - this.#first;
  }

  newest(): number {
    return this.#list.at(-1) as number;
  }

  oldest(): number {
    return this.#list[this.#first] as number;
  }

  push(timestampMs: number): void {
    this.#list.push(timestampMs);
  }

  dropOldest(): void {
    this.#first += 1;
    if (2 * this.#first <= this.#list.length) return;
    this.#list.splice(0, this.#first);
    this.#first = 0;
  }

  dropThrough(timestampMs: number): void {
    while (this.size > 0 && this.oldest() <= timestampMs) this.dropOldest();
  }

  toArray(): number[] {
    return this.#list.slice(this.#first);
  }
}
