// The same request again, after a response that says when and whether to come back. Cites 7.retry.never-unchanged,
// 7.retry.back-off, 7.retry.retry-after, 7.retry.reset. At the end, the same request with another key.
import type { RequestLogEntry } from '../request-log-record.ts';
import {
  errorCode,
  type Finding,
  fingerprint,
  formatWait,
  type Heard,
  isDelivered,
  keepsConnections,
  keyMark,
  knewResponse,
  type Recent,
  type Remembered,
  remember,
  waitedMs,
} from './heard.ts';
import { shorten, type Windows, windows } from './violation.ts';

/** So many short waits in a row must not grow: jitter can shrink one wait, but not two in a row. */
const shortGapsJudged = 3;
/** The same for longer waits: an exponential delay with a minimum starts with three equal waits of 4 s. */
const gapsJudged = 5;
/** Requests under way together are not retries; more of them than this are. */
const togetherMax = 2;
/** The same where each came after the response to the one before. */
const oneByOneMax = 1;
const seriesMax = 1000;
/** Instead of Infinity, which JSON cannot hold. */
const longest = Number.MAX_SAFE_INTEGER;
/** Longer than any rule looks back, but for the wait time of a 429. */
const forgottenAfterMs = 120_000;

/** Three rules about retries: never unchanged, not before the stated wait time, with growing delays. */
type Kind = 'rejected' | 'limited' | 'failing' | 'lost';

/** A request with its repetitions so far; a change of the outcome starts a new one. */
interface Series {
  readonly kind: Kind;
  readonly last: Remembered;
  /** The wait time of a 429, and its header. Retry-After wins over Reset. Cites 7.retry.retry-after, 7.retry.reset. */
  readonly told: { readonly waitMs: number; readonly by: 'Retry-After' | 'X-RateLimit-Reset' };
  /** The last gaps between repetitions, and the shortest of all. */
  readonly gaps: readonly number[];
  readonly leastMs: number;
  /** Concurrent repetitions: the client might not have had the response yet. */
  readonly together: number;
}

/** By fingerprint: who asked, what, and with which body; in the order of the last exchange. */
export type RetriesMemory = Recent<Series>;

/** The exchange checks the series of its fingerprint, and then opens or continues one. */
export function judgeRetries(memory: RetriesMemory, heard: Heard): Finding | null {
  const kind = kindOf(heard);
  if (kind === null && memory.size === 0) return null;
  for (const [print, { last, told }] of memory) {
    if (waitedMs(last, heard) < Math.max(forgottenAfterMs, told.waitMs)) break;
    memory.delete(print);
  }
  const print = fingerprint(heard.entry);
  const known = memory.get(print);
  const series = known && !isOfOtherRun(known, heard) ? known : undefined;
  const retried = series && isRepetition(series, heard) ? series : undefined;
  memory.delete(print);
  if (kind !== null) {
    memory.set(print, {
      ...{ kind, last: remember(heard), told: toldToWait(heard), ...gapsAfter(retried, kind, heard) },
      together: retried || !series ? 0 : series.together + 1,
    });
    memory.limit(seriesMax);
  }
  return retried ? judgeRetry(retried, heard) : null;
}

/** Called after the world changed: rejected requests can be tried again. Failures and limits remain. */
export function forgetRejected(memory: RetriesMemory): void {
  for (const [print, { kind }] of memory) if (kind === 'rejected') memory.delete(print);
}

/** Gaps are kept as long as the server keeps failing and the client keeps trying in a row. */
function gapsAfter(before: Series | undefined, kind: Kind, heard: Heard): Pick<Series, 'gaps' | 'leastMs'> {
  const gap = before ? waitedMs(before.last, heard) : 0;
  const isInRow = before?.kind === kind && (kind === 'failing' || kind === 'lost') && !isAsTold(before, gap);
  if (!isInRow) return { gaps: [], leastMs: longest };
  const kept = kind === 'lost' ? heard.windows.lostMin - 1 : gapsJudged;
  const gaps = gap < windows.backOffEndsMs ? [...before.gaps.slice(1 - kept), gap] : [];
  return { gaps, leastMs: Math.min(before.leastMs, gap) };
}

const neverRetried: ReadonlySet<number> = new Set([400, 401, 402, 403, 404]);

/** A 429 of a platform without Retry-After is trouble like 502 and 503: a client backs off, or waits until Reset. */
function kindOf({ entry, windows }: Heard): Kind | null {
  const { status, headers } = entry.response;
  // Retries of a lost response are legal. Only their number can be a mistake.
  if (!isDelivered(entry)) return Number.isFinite(windows.lostMin) ? 'lost' : null;
  if (neverRetried.has(status)) return 'rejected';
  if (status === 429) return entry.trace.blockedBy || headers['retry-after'] !== undefined ? 'limited' : 'failing';
  return status === 502 || status === 503 ? 'failing' : null;
}

function toldToWait({ entry: { response }, atMs }: Heard): Series['told'] {
  const headers: Readonly<Record<string, string | undefined>> = response.status === 429 ? response.headers : {};
  const { 'retry-after': retryAfter, 'x-ratelimit-reset': reset } = headers;
  if (retryAfter !== undefined) return { waitMs: Number(retryAfter) * 1000, by: 'Retry-After' };
  return { waitMs: reset === undefined ? 0 : Math.max(0, Number(reset) - atMs), by: 'X-RateLimit-Reset' };
}

/** Requests under way together are not a retry; more of them than a page sends at once are. */
function isRepetition({ last, together }: Series, heard: Heard): boolean {
  const knew = knewResponse(last, heard);
  return knew === 'yes' || together >= (knew === 'likely' ? oneByOneMax : togetherMax);
}

/** Another run or client does not know the response. The wait time of a 429 is for all clients of the key. */
function isOfOtherRun({ kind, last }: Series, heard: Heard): boolean {
  const isProgram = kind !== 'limited' && keepsConnections(heard.entry.request);
  const isLater = isProgram && waitedMs(last, heard) >= windows.newRunMs && heard.runs.isOnNew(last, heard);
  return isLater || heard.runs.startsAgain(last, heard);
}

const remedies: Readonly<Record<number, string>> = {
  400: 'Correct the request',
  401: 'Correct the key (unauthorized), reconnect the account (provider_auth),',
  402: 'Resolve the payment',
  403: 'Get the permission',
  404: 'Correct the id',
};

const limitRetries = 'Wait longer before each retry, and limit the number of retries.';

/** Each kind has one rule; at most one finding comes of it. */
function judgeRetry(series: Series, heard: Heard): Finding | null {
  const { kind, last, told } = series;
  const { windows } = heard;
  const [gap, retried] = [waitedMs(last, heard), `Retried ${last.what} after a ${last.status}`];
  if (kind === 'rejected') {
    const message = `${retried} without a change. ${remedies[last.status]} or show the error to the user.`;
    return gap < windows.rejectionStandsMs ? { rule: 'unchanged-retry', message, earlier: last } : null;
  }
  if (kind === 'lost') {
    const isMany = series.gaps.length >= windows.lostMin - 2;
    if (!isMany || gap >= windows.backOffEndsMs || hasBackedOff(gap, series.leastMs)) return null;
    const message = `Retried ${last.what} without an end after lost responses, the last time after ${formatWait(gap)}.`;
    return { rule: 'no-back-off', message: `${message} ${limitRetries}`, earlier: last };
  }
  if (kind === 'failing') {
    const how = whyNoBackOff(series, gap, windows);
    return how === null ? null : { rule: 'no-back-off', message: `${retried} with ${how}.`, earlier: last };
  }
  if (gap >= told.waitMs - windows.earlyToleranceMs) return null;
  return {
    ...{ rule: 'early-retry', clause: told.by === 'Retry-After' ? '7.retry.retry-after' : '7.retry.reset' },
    message: `${retried} with a wait of ${formatWait(gap)}. Wait until ${told.by} has passed (${formatWait(told.waitMs)}).`,
    earlier: last,
  };
}

/** The wait of a client that obeys the Reset of a platform's 429, however near that is. Cites 7.retry.reset. */
const isAsTold = ({ told: { waitMs } }: Series, gap: number) =>
  waitMs > 0 && gap >= waitMs - Math.min(windows.earlyToleranceMs, waitMs / 2);

/** A wait that is nearly none, or several short ones that never grew. Cites 7.retry.back-off. */
function whyNoBackOff(series: Series, gap: number, { noiseMs }: Windows): string | null {
  if (isAsTold(series, gap)) return null;
  if (gap < windows.backOffMinMs) return `a wait of ${formatWait(gap)}. Use back-off: wait longer before each retry`;
  if (gap >= windows.backOffEndsMs || (gap >= noiseMs && hasBackedOff(gap, series.leastMs))) return null;
  const judged = gap < windows.shortGapMs ? shortGapsJudged : gapsJudged;
  const all = [...series.gaps, gap].slice(-judged);
  // One wait that is longer by a tenth will do: clients add jitter.
  if (all.length < judged || all.some((gap, i) => i > 0 && gap >= noiseMs && gap > (all[i - 1] as number) * 1.1))
    return null;
  const waits = all.map((ms) => formatWait(ms)).join(', ');
  return `waits of ${waits}. Make each wait longer than the previous one, up to a maximum`;
}

/** Growth and then a plateau: an exponential delay with a maximum. Cites 7.retry.back-off. */
function hasBackedOff(lastMs: number, leastMs: number): boolean {
  return lastMs >= leastMs * 1.5;
}

// A 401 `provider_auth` concerns the connected account: the way out is reconnecting it, not another key.
// Cites 5.provider-auth-remedy.

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
