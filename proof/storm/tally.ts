// The outcomes of the requests of one attack.
import type { Answer } from './line.ts';

export interface Told {
  readonly requests: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** 5xx that nobody wished for, and answers behind which an error of the mock stands. */
  readonly unwanted: number;
  readonly resets: number;
  /** Ended or silent without an answer. */
  readonly unanswered: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

/** Bounds of latency buckets: each a tenth above the one before, from 10 microseconds up. */
const bucketOf = (ms: number) => Math.max(0, Math.ceil(Math.log(Math.max(ms, 0.01) / 0.01) / Math.log(1.1)));
const boundOf = (bucket: number) => 0.01 * 1.1 ** bucket;

/** Latencies are counted in buckets, so that a million requests take no more memory than a thousand. */
export class Tally {
  #requests = 0;
  #unwanted = 0;
  #resets = 0;
  #unanswered = 0;
  #maxMs = 0;
  readonly #statuses = new Map<string, number>();
  readonly #latencies = new Map<number, number>();

  note(
    { outcome, isBug }: Answer,
    { ms, wishes5xx = false }: { readonly ms: number; readonly wishes5xx?: boolean },
  ): void {
    this.#requests += 1;
    this.#statuses.set(String(outcome), (this.#statuses.get(String(outcome)) ?? 0) + 1);
    if (isBug || (typeof outcome === 'number' && outcome >= 500 && !wishes5xx)) this.#unwanted += 1;
    if (outcome === 'reset') this.#resets += 1;
    else if (typeof outcome === 'string') this.#unanswered += 1;
    this.#maxMs = Math.max(this.#maxMs, ms);
    this.#latencies.set(bucketOf(ms), (this.#latencies.get(bucketOf(ms)) ?? 0) + 1);
  }

  /** Sent on purpose so that no answer can come. */
  noteUnanswerable(): void {
    this.#requests += 1;
    this.#statuses.set('none wanted', (this.#statuses.get('none wanted') ?? 0) + 1);
  }

  /** For the row of all attacks. */
  add(other: Tally): void {
    this.#requests += other.#requests;
    this.#unwanted += other.#unwanted;
    this.#resets += other.#resets;
    this.#unanswered += other.#unanswered;
    this.#maxMs = Math.max(this.#maxMs, other.#maxMs);
    for (const [status, count] of other.#statuses)
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + count);
    for (const [bucket, count] of other.#latencies) {
      this.#latencies.set(bucket, (this.#latencies.get(bucket) ?? 0) + count);
    }
  }

  get requests(): number {
    return this.#requests;
  }

  told(): Told {
    return {
      requests: this.#requests,
      statuses: Object.fromEntries([...this.#statuses].sort(([a], [b]) => a.localeCompare(b))),
      unwanted: this.#unwanted,
      resets: this.#resets,
      unanswered: this.#unanswered,
      latencyMs: { p50: this.#quantile(0.5), p99: this.#quantile(0.99), max: this.#maxMs },
    };
  }

  /** The upper bound of the bucket, so never less than the truth. */
  #quantile(share: number): number {
    const buckets = [...this.#latencies].sort(([a], [b]) => a - b);
    let left = share * buckets.reduce((sum, [, count]) => sum + count, 0);
    for (const [bucket, count] of buckets) {
      left -= count;
      if (left <= 0) return Math.min(boundOf(bucket), this.#maxMs);
    }
    return 0;
  }
}
