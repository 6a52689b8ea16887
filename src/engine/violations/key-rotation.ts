// A 401 `provider_auth` concerns the connected account: the way out is reconnecting it, not another key.
// Cites 5.provider-auth-remedy.

import {
  errorCode,
  type Heard,
  isDelivered,
  keyMark,
  type Remembered,
  remember,
  type Stored,
  store,
  waitedMs,
} from './heard.ts';
import { type Finding, shorten, windows } from './violation.ts';

const rejectionsMax = 50;
/** Pairs of address and key that are remembered. Each has a bounded size, so this bounds the memory. */
const pairsMax = 20_000;

/** A `provider_auth` that a client got. Keys are kept as digests only. */
interface Rejection extends Remembered {
  readonly key: string | null;
  readonly address: string;
  readonly method: string;
  readonly path: string;
  readonly organizationId: string | null;
}

export interface KeyRotationState {
  readonly rejections: readonly Stored<Rejection>[];
  readonly pairs: readonly string[];
}

/** The same request with a new key from the same address within a minute after a `provider_auth`. */
export class KeyRotation {
  #rejections: Rejection[] = [];
  /** Keys with the address that they came from, the oldest first. A known key is not new, but another client's. */
  readonly #pairs = new Set<string>();
  #latest: readonly [key: string | null, address: string] = [null, ''];
  /** How many pairs were dropped because there were too many. */
  dropped = 0;

  /** Whether this response can neither open nor close a case; then hearing is skipped. */
  isIdle(status: number): boolean {
    return status !== 401 && this.#rejections.length === 0;
  }

  /** To be reported every exchange, after it was checked. */
  meet({ entry }: Pick<Heard, 'entry'>): void {
    const { key, address } = entry.trace;
    // Nearly always it is the last one again.
    if (key === null || (key === this.#latest[0] && address === this.#latest[1])) return;
    this.#latest = [key, address];
    this.#pairs.add(pairOf(keyMark(entry), address));
    if (this.#pairs.size <= pairsMax) return;
    this.#pairs.delete(this.#pairs.values().next().value as string);
    this.dropped += 1;
  }

  /** Finds before it remembers: an exchange is never its own reason. */
  hear(heard: Heard): Finding | null {
    const { entry } = heard;
    this.#rejections = this.#rejections.filter((rejection) => waitedMs(rejection, heard) < windows.rotationMs);
    const rejected = describeRejection(heard);
    const isNew = rejected.key !== null && !this.#pairs.has(pairOf(rejected.key, rejected.address));
    const rejection = isNew ? this.#rejections.find((other) => isSameWithOtherKey(other, rejected)) : undefined;
    if (entry.response.status === 401 && isDelivered(entry) && errorCode(entry) === 'provider_auth') {
      this.#rejections = [...this.#rejections, rejected].slice(-rejectionsMax);
    }
    return rejection ? rotated(rejection) : null;
  }

  clear(): void {
    this.#rejections = [];
    this.#pairs.clear();
    this.#latest = [null, ''];
  }

  /** The world has changed: the account may have been reconnected meanwhile. */
  forgetRejections(): void {
    this.#rejections = [];
  }

  state(): KeyRotationState {
    return { rejections: this.#rejections.map(store), pairs: [...this.#pairs] };
  }

  restore({ rejections, pairs }: KeyRotationState): void {
    this.clear();
    this.#rejections = [...rejections];
    for (const pair of pairs) this.#pairs.add(pair);
  }
}

/** Pairs a key with an address: a key of many clients is new at each address once. */
function pairOf(key: string | null, address: string): string {
  return `${key} ${address}`;
}

/** Bounded in size by `shorten`: paths come from outside. */
function describeRejection(heard: Heard): Rejection {
  const { request, trace } = heard.entry;
  return {
    ...remember(heard),
    key: keyMark(heard.entry),
    address: trace.address,
    method: shorten(request.method),
    path: shorten(request.path),
    organizationId: trace.organizationId,
  };
}

// The path names the account. A key of another organization cannot mean the same account, so it is another client's.
function isSameWithOtherKey(rejected: Rejection, other: Rejection): boolean {
  return (
    rejected.address === other.address &&
    rejected.key !== other.key &&
    rejected.method === other.method &&
    rejected.path === other.path &&
    (other.organizationId === null || other.organizationId === rejected.organizationId)
  );
}

/** Names the rejection as the reason, and the remedy. */
function rotated({ id }: Rejection): Finding {
  return {
    rule: 'key-rotated',
    clause: '5.provider-auth-remedy',
    message: 'Sent the request with another key after provider_auth. Keep the key, and reconnect the account.',
    because: [id],
  };
}
