// A 401 `provider_auth` concerns the connected account: the way out is reconnecting it, not another key.
// Cites 5.provider-auth-remedy.
import { errorCode, type Heard, isDelivered, waitedMs } from './heard.ts';
import type { Finding } from './verdict.ts';

/** After this long another key has other reasons. */
const rotationWindowMs = 60_000;
const refusalsMax = 50;
const addressesMax = 1000;
const keysMax = 1000;

export class KeyRotation {
  #refusals: Heard[] = [];
  /** Keys that came from each address. A key that was in use before is not new, but another client's. */
  readonly #keys = new Map<string, Set<string>>();
  #latest: readonly [key: string | null, address: string] = [null, ''];

  isIdle(status: number): boolean {
    return status !== 401 && this.#refusals.length === 0;
  }

  /** To be told of every exchange, after it was judged. */
  meet(key: string | null, address: string): void {
    if (key === null) return;
    if (key === this.#latest[0] && address === this.#latest[1]) return;
    this.#latest = [key, address];
    const known = this.#keys.get(address);
    if (known && known.size < keysMax) known.add(key);
    else this.#keys.set(address, new Set([key]));
    if (this.#keys.size > addressesMax) this.#keys.delete(this.#keys.keys().next().value as string);
  }

  hear(heard: Heard): Finding | null {
    const { entry } = heard;
    const { key, address } = entry.trace;
    this.#refusals = this.#refusals.filter((refusal) => waitedMs(refusal, heard) < rotationWindowMs);
    const isNew = key !== null && !this.#keys.get(address)?.has(key);
    const refusal = isNew ? this.#refusals.find((other) => isSameWithOtherKey(other, heard)) : undefined;
    if (entry.response.status === 401 && isDelivered(entry) && errorCode(entry) === 'provider_auth') {
      this.#refusals = [...this.#refusals, heard].slice(-refusalsMax);
    }
    return refusal ? rotated(refusal) : null;
  }

  clear(): void {
    this.#refusals = [];
    this.#keys.clear();
    this.#latest = [null, ''];
  }

  /** The world has changed: the account may have been reconnected meanwhile. */
  forgetRefusals(): void {
    this.#refusals = [];
  }
}

// The path names the account. A key of another organization cannot mean the same account, so it is another client's.
function isSameWithOtherKey({ entry: refused }: Heard, { entry }: Heard): boolean {
  return (
    refused.trace.address === entry.trace.address &&
    refused.trace.key !== entry.trace.key &&
    refused.request.method === entry.request.method &&
    refused.request.path === entry.request.path &&
    (entry.trace.organizationId === null || entry.trace.organizationId === refused.trace.organizationId)
  );
}

function rotated({ entry }: Heard): Finding {
  return {
    rule: 'key-rotated',
    clause: '5.provider-auth-remedy',
    message:
      'After provider_auth the request was sent with another key; the key was fine: have the account reconnected.',
    because: [entry],
  };
}
