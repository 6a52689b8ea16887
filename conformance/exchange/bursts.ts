// Requests that were sent at once, as a history shows them, and how long a rejected client has to wait.
import { addressWindow, keyWindow } from '../../src/contract/generated/limits.ts';
import {
  type Exchange,
  hasResponse,
  isLimiterRejection,
  isPlatformTrouble,
  isUnusable,
  rejectsNamedClient,
} from './exchange.ts';
import type { History } from './history.ts';
import { longestWait, readServiceClock, readWhole, serverNowMs } from './stated-limits.ts';

const { limit, windowMs } = addressWindow;
/** In longer a time a bucket gives back one. */
export const likelySpanMs = 900;

export interface Burst {
  readonly admitted: readonly Exchange[];
  readonly blocked: readonly Exchange[];
  /** Responses that never came, or came from a proxy: each may have been admitted. */
  readonly lost: number;
  /** A platform in trouble has responded to it. */
  readonly troubled: Exchange | undefined;
  readonly spanMs: number;
}

/** The limit that a response states, whose window it counts. */
export function statedLimit({ headers }: Exchange): number | null {
  return readWhole(headers['x-ratelimit-limit']);
}

/** Any 429 without a valid key is the limiter's. With one, the window of the key can be the cause. */
export function isBlocked(exchange: Exchange): boolean {
  const isOfAddress = isLimiterRejection(exchange) && statedLimit(exchange) !== keyWindow.limit;
  return exchange.status === 429 && (exchange.key !== 'good' || isOfAddress);
}

/** Passed the limiter of the address. */
export function isAdmitted(exchange: Exchange): boolean {
  return !isBlocked(exchange) && !isUnusable(exchange);
}

/** A rate limit that our own pace does not explain: others use the window. */
export function isDisturbed(exchange: Exchange): boolean {
  return !exchange.burst && isLimiterRejection(exchange);
}

/** In a burst, where nothing is repeated by itself. */
export function isLostIn(exchange: Exchange): boolean {
  return isUnusable(exchange) || rejectsNamedClient(exchange);
}

/** The label of a burst that is sent once more, because some of its responses were lost. */
export const secondAttempt = (name: string) => `${name}, once more`;

/** The burst whose requests have this label; null if none was sent. */
export function burstOf({ exchanges }: History, name: string): Burst | null {
  const attempts = [secondAttempt(name), name].map((label) => exchanges.filter((one) => one.label === label));
  const all = attempts.find(({ length }) => length > 0);
  if (all === undefined) return null;
  const usable = all.filter((one) => !isLostIn(one));
  return {
    admitted: usable.filter((one) => !isBlocked(one)),
    blocked: usable.filter(isBlocked),
    lost: all.length - usable.length,
    troubled: usable.find((one) => isPlatformTrouble(one) && !isBlocked(one)),
    spanMs: Math.max(...usable.map((one) => one.receivedAt)) - Math.min(...usable.map((one) => one.sentAt)),
  };
}

/** Whether its responses show how many are admitted at once. */
export function isReadable(burst: Burst | null): burst is Burst {
  return burst !== null && burst.troubled === undefined && burst.admitted.length + burst.blocked.length > 0;
}

/** The rejected requests of a burst, and none of the requests after it. */
export function blockedIn({ exchanges }: Pick<History, 'exchanges'>): readonly Exchange[] {
  return exchanges.filter((one) => one.burst && isBlocked(one));
}

/** By time and address, because a run may have sent several. */
export function areOfOneBurst(one: Exchange, other: Exchange): boolean {
  return one.address === other.address && Math.abs(one.sentAt - other.sentAt) < likelySpanMs;
}

/** Half as long again as the window: an approximate one has forgotten enough by then to admit a single request. */
export const waitMsMax = 1.5 * windowMs;

/** How long a client waits that was rejected. */
export interface Waiting {
  readonly blocked: Exchange;
  readonly waitMs: number;
  readonly words: string;
}

/**
 * Cites 7.retry.retry-after, 7.retry.reset. `Date` may be another's: with a clock the wait is as long as any can
 * make it (interpretation R43).
 */
export function waitingFor(blocked: Exchange, clock: ReturnType<typeof readServiceClock> = null): Waiting {
  const seconds = readWhole(blocked.headers['retry-after']);
  if (seconds !== null) return { blocked, waitMs: seconds * 1000 + marginMs, words: `Retry-After: ${seconds}` };
  const reset = readWhole(blocked.headers['x-ratelimit-reset']);
  if (reset === null) return { blocked, waitMs: waitMsMax, words: 'one window and a half' };
  const byDate = Math.max(0, reset - (serverNowMs(blocked) ?? blocked.receivedAt));
  const waitMs = Math.max(byDate, clock === null ? 0 : longestWait(blocked, clock)) + marginMs;
  return { blocked, waitMs, words: `X-RateLimit-Reset ${reset}` };
}

const marginMs = 20;

/** Not every rejection has it (interpretation R46). */
export function hasRetryAfter({ headers }: Exchange): boolean {
  return readWhole(headers['retry-after']) !== null;
}

/** The names of the requests that follow the waits of `limits/wait-as-told`. */
export const afterWait = ['after the stated wait time', 'after the second stated wait time'] as const;

/** After the last rejection; of those at once, one that states a wait. The second wait is the longest possible. */
export function waitingAfter(exchanges: readonly Exchange[], name: (typeof afterWait)[number]): Waiting | null {
  const rejections = blockedIn({ exchanges });
  const last = rejections.at(-1);
  if (last === undefined) return null;
  const stating = rejections.findLast((other) => areOfOneBurst(other, last) && hasRetryAfter(other));
  return waitingFor(stating ?? last, name === afterWait[1] ? readServiceClock(exchanges) : null);
}

/** Nearly every pair of responses, in the order in which they came: some overtake each other on the way. */
const risingShare = 0.85;
const countedMin = 6;

/** Responses that state the window of the address. */
export function countedIn({ admitted }: Burst): readonly Exchange[] {
  return admitted.filter((one) => statedLimit(one) === limit);
}

/** Whether the later of two responses has the larger number; of a countdown, the smaller one. */
export function risesIn(burst: Burst): boolean {
  const inOrder = [...countedIn(burst)].sort((a, b) => a.receivedAt - b.receivedAt);
  const counts = inOrder.map(({ headers }) => readWhole(headers['x-ratelimit-remaining']) ?? 0);
  const pairs = counts.flatMap((count, at) => counts.slice(at + 1).map((later) => later - count));
  return counts.length >= countedMin && pairs.filter((by) => by > 0).length >= risingShare * pairs.length;
}

/** The first request that is one too many for the span from an earlier one. */
export function oneTooMany(admitted: readonly Exchange[], mostIn: (spanMs: number) => number) {
  const inOrder = [...admitted].sort((a, b) => a.sentAt - b.sentAt);
  const least = mostIn(0);
  for (const [index, later] of inOrder.entries()) {
    for (let place = index - least; place >= 0; place -= 1) {
      const spanMs = later.receivedAt - (inOrder[place]?.sentAt ?? 0);
      if (index - place + 1 > mostIn(spanMs)) return { later, spanMs };
    }
  }
  return null;
}

/** No more in any span that is shorter. */
export function mostWithin(windowMs: number, most: number) {
  return (spanMs: number) => (spanMs < windowMs ? most : Number.POSITIVE_INFINITY);
}

// Four bursts with one key from several addresses, as a history shows them.

/** At most nine from each of four addresses; the second exceeds the limit, the others detect a fixed window. */
export const keyBurstSizes = [30, 36, 32, 32] as const;
/** Two windows of an address and half a second. */
export const keyBurstsApartMs = 2 * addressWindow.windowMs + 500;
export const keyBurstLabel = (index: number) => `key burst ${index + 1}`;

export interface KeyBurst {
  readonly exchanges: readonly Exchange[];
  readonly atMs: number;
  readonly sent: number;
  readonly admitted: number;
}

export function keyBurstsIn({ exchanges }: History): readonly KeyBurst[] {
  const all = keyBurstSizes.map((_, index) => exchanges.filter(({ label }) => label === keyBurstLabel(index)));
  return all.flatMap((own) => {
    const atMs = Math.min(...own.map(({ sentAt }) => sentAt));
    const admitted = own.filter(({ status }) => status === 200).length;
    return own.length === 0 ? [] : [{ exchanges: own, atMs, sent: own.length, admitted }];
  });
}

/** A server that sees all our addresses as one blocks by address, which says nothing about the key. */
export function whyUnclear({ exchanges, sent }: KeyBurst) {
  const silent = exchanges.find((one) => !hasResponse(one));
  if (silent) return { doubt: 'timing', message: `a request of the burst got no response: ${silent.problem}` } as const;
  const unexpected = exchanges.find((one) => one.status !== 200 && !isLimiterRejection(one));
  if (unexpected) return { doubt: 'platform', message: `a request of the burst got ${unexpected.status}` } as const;
  const limits = exchanges.filter(isLimiterRejection).map(statedLimit);
  const isNarrow = sent - limits.length <= addressWindow.limit && !limits.includes(keyWindow.limit);
  const isFirst = sent === keyBurstSizes[0];
  if (!limits.includes(addressWindow.limit) && !(isFirst && isNarrow)) return null;
  return { doubt: 'unreachable', message: 'the target does not distinguish our source addresses' } as const;
}
