// A 401 `provider_auth` concerns the connected account: the way out is reconnecting it, not another key.
// Cites 5.provider-auth-remedy.
import type { RequestLogEntry } from '../request-log-record.ts';
import {
  errorCode,
  type Finding,
  type Heard,
  isDelivered,
  keyMark,
  type Recent,
  type Remembered,
  remember,
  waitedMs,
} from './heard.ts';
import { shorten, windows } from './violation.ts';

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

export interface RotationMemory {
  rejections: Rejection[];
  /** Keys with the address that they came from. A known key is not new, but another client's. */
  readonly pairs: Recent<true>;
}

/** To be reported every exchange, after it was checked. */
export function meetKey({ pairs }: RotationMemory, entry: RequestLogEntry): void {
  pairs.set(pairOf(keyMark(entry), entry.trace.address), true);
  pairs.limit(pairsMax);
}

/** The same request with a new key from the same address within a minute after a `provider_auth`. */
export function judgeRotation(memory: RotationMemory, heard: Heard): Finding | null {
  const { entry } = heard;
  const { request, trace } = entry;
  const asked: Rejection = {
    ...remember(heard),
    key: keyMark(entry),
    address: trace.address,
    method: shorten(request.method),
    path: shorten(request.path),
    organizationId: trace.organizationId,
  };
  const known = memory.rejections.filter((rejection) => waitedMs(rejection, heard) < windows.rotationMs);
  const isNew = asked.key !== null && !memory.pairs.has(pairOf(asked.key, asked.address));
  const earlier = isNew ? known.find((rejection) => isSameWithOtherKey(rejection, asked)) : undefined;
  const isRejected = entry.response.status === 401 && isDelivered(entry) && errorCode(entry) === 'provider_auth';
  memory.rejections = isRejected ? [...known, asked].slice(-rejectionsMax) : known;
  const message = 'Sent the request with another key after provider_auth. Keep the key, and reconnect the account.';
  return earlier ? { rule: 'key-rotated', message, earlier } : null;
}

/** Pairs a key with an address: a key of many clients is new at each address once. */
const pairOf = (key: string | null, address: string) => `${key} ${address}`;

// The path names the account. A key of another organization cannot mean the same account, so it is another client's.
function isSameWithOtherKey(rejected: Rejection, other: Rejection): boolean {
  return (
    rejected.key !== other.key &&
    (['address', 'method', 'path'] as const).every((name) => rejected[name] === other[name]) &&
    (other.organizationId === null || other.organizationId === rejected.organizationId)
  );
}
