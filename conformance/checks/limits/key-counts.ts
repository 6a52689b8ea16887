// X-RateLimit-Remaining is compared with all that was sent: a number can contradict what a sliding window of 60
// requests a minute has counted. Other users of the key make it smaller, never larger.
import { keyWindow } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import { statedLimit } from '../../exchange/bursts.ts';
import { type Exchange, hasResponse, isUnusable } from '../../exchange/exchange.ts';
import { type History, ofKey } from '../../exchange/history.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';

const { limit, windowMs } = keyWindow;
const phaseStepMs = 500;
/** A longer recording takes too long: each response is compared with all before it. */
const judgedMax = 2000;
/** Fewer requests than this in a minute say little. */
const countedMin = 10;
/** An approximate window may forget a little early; one that forgets this share of a minute does not slide. */
const forgottenShare = 0.25;

export const remaining: Judged = {
  id: 'limits/key-remaining',
  title: 'X-RateLimit-Remaining counts the requests of the last minute',
  clauses: ['8.key-window', '8.headers.remaining'],
  *judge(history) {
    const each = [...enoughInEach(history)];
    yield* each;
    // Numbers that are too large for every window are one finding.
    const all = each.every(({ isTrue }) => isTrue) ? countsAll(history) : null;
    if (all !== null) yield all;
    if (each.length > 0 || all !== null) return;
    const why = 'responses do not report the key’s window, and one address cannot send 61 requests a minute';
    yield { doubt: 'unreachable', message: `${why}; name four with --source-address` };
  },
};

const unusableIn = ({ exchanges }: History) =>
  exchanges.filter((one) => one.mcpEndpoint === undefined && isUnusable(one));

function* enoughInEach(history: History) {
  const keyed = ofKey(history).filter(hasResponse).slice(-judgedMax);
  const taken = keyed.filter((exchange) => exchange.status === 200);
  const unusable = unusableIn(history);
  for (const exchange of keyed) {
    const left = readWhole(exchange.headers['x-ratelimit-remaining']);
    if (left === null || statedLimit(exchange) !== limit) continue;
    const timestamps = timestampsBefore(exchange, taken, unusable);
    const counted = timestamps.filter((at) => at > exchange.receivedAt - windowMs).length;
    if (counted < countedMin) continue;
    yield {
      ...about(exchange, '8.key-window', '#header/x-ratelimit-remaining'),
      isTrue: isEnough(limit - left, timestamps, exchange.receivedAt),
      expected: `about ${limit - counted} after ${count(counted, 'request')} in the last minute`,
      actual: String(left),
    };
  }
}

/**
 * Requests that were surely taken before a response, its own included: the order within a burst is not known. A service
 * that was restarted behind a proxy can have lost its counts (R57, R60).
 */
function timestampsBefore(response: Exchange, taken: readonly Exchange[], unusable: readonly Exchange[]): number[] {
  const losses = unusable.filter(({ sentAt }) => sentAt < response.receivedAt).map(({ receivedAt }) => receivedAt);
  const isBefore = (other: Exchange) => other === response || other.receivedAt < response.sentAt;
  const isCounted = (other: Exchange) => isBefore(other) && losses.every((lostAt) => lostAt <= other.sentAt);
  return taken.filter(isCounted).map(({ sentAt }) => sentAt);
}

const requestKinds = {
  'requests that are no GET': ({ method }: Exchange) => method !== 'GET',
  'rejected requests': ({ status }: Exchange) => status >= 400,
  'requests rejected with 400 or 404': ({ status }: Exchange) => status === 400 || status === 404,
} as const;

/** Fewer could be chance, or an approximation of the window. */
const samplesMin = 10;
/** So many requests of the kind must lie within the window, so to pass over them shows. */
const apartMin = 4;
/** The order is unknown at the edge of the window, and of two concurrent requests. */
const slack = 1;
const keyShare = 0.95;

interface Sample {
  readonly exchange: Exchange;
  readonly used: number;
  readonly sent: readonly Exchange[];
}

/** Whether requests of each kind count; null where too few responses report the window of the key. */
function countsAll(history: History): Judgment | null {
  const all = [...history.exchanges].sort((a, b) => a.sentAt - b.sentAt);
  // Requests that the limiter of the address rejected do not reach the key's window.
  const counted = all.filter((one) => one.key === 'good' && hasResponse(one) && one.status !== 429).slice(-judgedMax);
  const samples = samplesOf(counted);
  const kinds = Object.entries(requestKinds).map(([name, isOfKind]) => ({ name, ...compare(samples, isOfKind) }));
  const comparable = kinds.filter(({ apart }) => apart >= samplesMin);
  if (comparable.length === 0) return null;
  const uncounted = comparable.find(
    ({ apart, passedOver, whole }) => passedOver >= keyShare * apart && whole < keyShare * apart,
  );
  const few = uncounted === undefined ? fewCounted(history, samples, counted) : null;
  if (few !== null) return few;
  const claim = about(uncounted?.last ?? samples.at(-1)?.exchange, '8.key-window', '#header/x-ratelimit-remaining');
  const expected = 'a number that decreases with each request of the key';
  if (uncounted === undefined) return { ...claim, expected, actual: 'as expected', isTrue: true };
  const message = `seen in ${uncounted.passedOver} of ${uncounted.apart} responses`;
  return { ...claim, expected, actual: `a number that ignores ${uncounted.name}`, message, isTrue: false };
}

/** No approximate window counts so few of all requests. */
function fewCounted(history: History, samples: readonly Sample[], counted: readonly Exchange[]): Judgment | null {
  const unusable = unusableIn(history);
  const few = samples.filter(({ exchange, used }) => {
    const timestamps = timestampsBefore(exchange, counted, unusable);
    return exchange.status === 200 && !isEnough(used, timestamps, exchange.receivedAt);
  });
  const last = few.at(-1);
  if (last === undefined || few.length < samplesMin) return null;
  return {
    isTrue: false,
    ...about(last.exchange, '8.key-window', '#header/x-ratelimit-remaining'),
    expected: `about ${limit - last.sent.length} after ${count(last.sent.length, 'request')} in the last minute`,
    actual: String(limit - last.used),
    message: `seen in ${few.length} of ${samples.length} responses`,
  };
}

function samplesOf(counted: readonly Exchange[]): Sample[] {
  return counted.flatMap((exchange, index) => {
    const { headers, sentAt, burst } = exchange;
    const remaining = readWhole(headers['x-ratelimit-remaining']);
    // A recording may have no times.
    const isComparable = exchange.mcpEndpoint === undefined && !burst && sentAt !== 0;
    if (!isComparable || remaining === null || statedLimit(exchange) !== limit) return [];
    const sent = counted.slice(0, index + 1).filter((one) => one.sentAt > sentAt - windowMs);
    return [{ exchange, used: limit - remaining, sent }];
  });
}

/** Among the responses in which it makes a difference: how many count all, and how many all but those of the kind. */
function compare(samples: readonly Sample[], isOfKind: (exchange: Exchange) => boolean) {
  // Requests that are not counted can have other headers.
  const others = samples.filter(({ exchange }) => !isOfKind(exchange));
  const apart = others.filter(({ sent }) => sent.filter(isOfKind).length >= apartMin);
  const isNear = (used: number, count: number) => Math.abs(used - count) <= slack;
  return {
    apart: apart.length,
    whole: apart.filter(({ used, sent }) => used >= sent.length - slack).length,
    passedOver: apart.filter(({ used, sent }) => isNear(used, sent.filter((one) => !isOfKind(one)).length)).length,
    last: apart.at(-1)?.exchange,
  };
}

/** Whether some window of a limiter may have counted so few. The last minute is one, and fast to count. */
function isEnough(used: number, timestampsMs: readonly number[], nowMs: number): boolean {
  const allowed = (counted: number) => used >= Math.floor(counted * (1 - forgottenShare));
  const lastMinute = timestampsMs.filter((at) => at >= nowMs - windowMs).length;
  return allowed(lastMinute) || allowed(leastCounted(timestampsMs, nowMs));
}

/** The minimum count of two fixed windows, with any start, for requests at these timestamps. */
function leastCounted(timestampsMs: readonly number[], nowMs: number): number {
  const phases = Array.from({ length: windowMs / phaseStepMs }, (_, i) => nowMs - i * phaseStepMs);
  const recent = timestampsMs.filter((at) => at >= nowMs - 2 * windowMs);
  const counts = phases.map((startMs) => {
    const weight = 1 - (nowMs - startMs) / windowMs;
    let [before, within] = [0, 0];
    for (const at of recent) {
      if (at >= startMs) within += 1;
      else if (at >= startMs - windowMs) before += 1;
    }
    return within + weight * before;
  });
  return Math.min(...counts);
}
