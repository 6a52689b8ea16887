// Sixty requests a minute for a key, in a sliding window, as bursts from several addresses show it (interpretation
// R48). limits/key-remaining reads the headers of a whole run.
import { addressWindow, keyWindow } from '../../../src/contract/generated/limits.ts';
import { count } from '../../../src/terminal/count.ts';
import * as limiter from '../../exchange/bursts.ts';
import { type Exchange, hasResponse, isLimiterRejection, isUnusable, isWebPage } from '../../exchange/exchange.ts';
import { type History, labelled, ofKey } from '../../exchange/history.ts';
import { addTo } from '../../exchange/shown.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { headersNamingClient } from '../../scenarios/limits/requests.ts';

const { limit, windowMs } = keyWindow;
/** A log of ten-second parts may forget a part early. */
const sureSpanMs = 0.8 * windowMs;

export const keyWindowOf: Judged = {
  id: 'limits/key-window',
  title: 'The key limit admits 60 requests in any minute',
  clauses: ['8.key-window', '8.blocked-429'],
  scenarios: ['limits/key-window'],
  *judge(history) {
    const bursts = limiter.keyBurstsIn(history);
    const unclear = bursts.map(limiter.whyUnclear).find((why) => why !== null);
    if (unclear) return yield unclear;
    if (bursts.length < limiter.keyBurstSizes.length) return;
    yield* ownWindows(history);
    yield* notTooMany(bursts);
    yield* sixty(bursts.slice(0, 2));
    yield* freed(history, bursts.slice(2));
  },
};

/** A full window of one organization must not block another; twice, because others may use that key (R3). */
function* ownWindows(history: History): Iterable<Judgment> {
  const sent = labelled(history, 'with the key of another organization');
  const blocked = sent.filter(isLimiterRejection);
  const isOfAddress = blocked.some((one) => limiter.statedLimit(one) === addressWindow.limit);
  if (sent.length === 0 || isOfAddress || (blocked.length > 0 && blocked.length < sent.length)) return;
  yield {
    ...about(sent.at(-1), '8.key-window', '#status'),
    isTrue: blocked.length === 0,
    expected: '200 for the key of another organization while the limit of the first key is reached',
    actual: sent.map(({ status }) => status).join(' and '),
  };
}

/** Fails if sixty-one requests are admitted in less than a minute, independent of network delays. */
function* notTooMany(bursts: readonly limiter.KeyBurst[]): Iterable<Judgment> {
  const sent = bursts.flatMap(({ exchanges }) => exchanges);
  const admitted = sent.filter(({ status }) => status === 200);
  const surely = limiter.oneTooMany(admitted, limiter.mostWithin(sureSpanMs, limit))?.later;
  const words = bursts.map((one) => `${one.admitted} of ${one.sent}`).join(', ');
  const claim = {
    clause: '8.key-window',
    expected: `at most ${limit} requests with one key in any minute`,
    actual: `a success for ${words}, ${limiter.keyBurstsApartMs / 1000} s apart`,
  } as const;
  const isTrue = surely === undefined || looksLikeTwoWindows(bursts);
  yield { ...claim, exchange: surely ?? null, isTrue };
  const roughly = limiter.oneTooMany(admitted, limiter.mostWithin(windowMs, limit))?.later;
  const message = 'an approximate rate-limit window can admit this many';
  if (isTrue && roughly) yield { ...claim, exchange: roughly, message, severity: 'warn' };
}

/** The first two, which lie within one window, hold more than it may admit. */
function* sixty(bursts: readonly limiter.KeyBurst[]): Iterable<Judgment> {
  const exchanges = bursts.flatMap((one) => one.exchanges);
  const admitted = exchanges.filter(({ status }) => status === 200).length;
  const blocked = exchanges.find(isLimiterRejection) ?? null;
  const claim = {
    ...about(blocked, '8.key-window'),
    expected: `${limit}`,
    actual: `200 for ${admitted} in one minute`,
  };
  if (blocked) yield { ...claim, clause: '8.blocked-429', isTrue: true };
  const left = exchanges.flatMap(({ status, headers }) =>
    status === 200 ? (readWhole(headers['x-ratelimit-remaining']) ?? []) : [],
  );
  // Others who use the key can explain fewer (R3), unless the headers of the responses exclude them.
  const isAlone = left.includes(limit - 1) && Math.min(...left) >= limit - admitted;
  if (admitted >= limit || isAlone) yield { ...claim, isTrue: admitted >= limit };
  else yield { doubt: 'interference', message: `only ${admitted} were admitted: other users might share the key` };
}

/** An exact window lets thirty of the last burst in; others may need silence to forget what they have counted. */
function* freed(history: History, later: readonly limiter.KeyBurst[]): Iterable<Judgment> {
  const seen = later.flatMap((one) => one.exchanges).find(({ status }) => status === 200);
  const exchange = seen ?? labelled(history, 'a minute after the key bursts')[0];
  if (exchange === undefined) return;
  // Only our own requests have filled the window.
  const own = ofKey(history).filter(({ status }) => status === 200).length;
  const isShared = own < limit || history.exchanges.some(limiter.isDisturbed);
  if (isLimiterRejection(exchange) && isShared)
    return yield { doubt: 'interference', message: 'other users might share the key' };
  if (!hasResponse(exchange))
    return yield { doubt: 'timing', message: `a request after the bursts got no response: ${exchange.problem}` };
  yield {
    ...about(exchange, '8.key-window'),
    isTrue: !isLimiterRejection(exchange),
    expected: 'a success, because the earlier requests are more than a minute old',
    actual: `${exchange.status} two minutes after the first burst`,
  };
}

// Which sliding windows the bursts may have met. An exact log holds sixty requests of any minute. Approximations
// are about as common: coarser logs, and two fixed windows weighted by their overlap (interpretation R3, R44).

const phaseStepMs = 500;
/** Rounding, and the time that a burst takes. */
const tolerance = 3;

/** Whether two fixed windows, with any start, would admit about as many of each burst. */
function looksLikeTwoWindows(bursts: readonly limiter.KeyBurst[]): boolean {
  const phases = Array.from({ length: windowMs / phaseStepMs }, (_, i) => i * phaseStepMs);
  return phases.some((phaseMs) =>
    [false, true].some((countsBlocked) => {
      const admitted = admittedByTwoWindows(bursts, phaseMs, countsBlocked);
      return bursts.every((one, i) => Math.abs(one.admitted - (admitted[i] ?? 0)) <= tolerance);
    }),
  );
}

function admittedByTwoWindows(bursts: readonly limiter.KeyBurst[], phaseMs: number, countsBlocked: boolean): number[] {
  let index = Number.NEGATIVE_INFINITY;
  let [before, current] = [0, 0];
  return bursts.map(({ atMs, sent }) => {
    const place = (atMs - phaseMs) / windowMs;
    const now = Math.floor(place);
    if (now !== index) [index, before, current] = [now, now === index + 1 ? current : 0, 0];
    const free = Math.floor(limit - before * (1 - (place - now)) - current);
    const admitted = Math.min(sent, Math.max(0, free));
    current += countsBlocked ? sent : admitted;
    return admitted;
  });
}

// Limiters of other kinds than windows: a bucket that refills too fast, a window that is too short, one for each path,
// key or connection. However it came about, more requests than all windows of a span can hold are too many
// (interpretation R44, R58). Everything that the run has sent is counted.

/**
 * Of an address: a span of so many windows, and a part of another at each end, is the most that fixed ones bear;
 * sliding ones and buckets bear less.
 */
const windowsIn = (spanMs: number) => Math.floor(spanMs / addressWindow.windowMs) + 2;
const mostOfAddress = (spanMs: number) => windowsIn(spanMs) * addressWindow.limit;
const mostOfKey = limiter.mostWithin(keyWindow.windowMs, keyWindow.limit);

const anyWindow: Judged = {
  id: 'limits/any-window',
  title: 'The rate limits hold for all requests of the run',
  clauses: ['8.address-window', '8.key-window'],
  scenarios: ['limits/address-rounds', 'limits/any-window'],
  *judge({ exchanges, isRecorded }) {
    // Recorded traffic may come from several addresses. A run without bursts does not test the limits.
    if (isRecorded || !exchanges.some(({ burst }) => burst)) return;
    // limits/address-burst knows why those pass that try one header. A page is from a firewall in front of the limiter.
    const passed = exchanges.filter(
      (one) =>
        one.mcpEndpoint === undefined &&
        limiter.isAdmitted(one) &&
        !isWebPage(one) &&
        headersNamingClient(one).length !== 1,
    );
    // Where the suite can be at the place of the own proxy, requests that name a client count for that one.
    const groups = new Map<string, Exchange[]>();
    for (const one of passed) addTo(groups, `${one.address} ${headersNamingClient(one).length > 0}`, one);
    for (const admitted of groups.values()) yield judgeAddress(admitted);
    // Several addresses are the business of limits/key-window, which bears with an approximation.
    const own = exchanges.find(({ mcpEndpoint }) => mcpEndpoint === undefined)?.address;
    const keyed = passed.filter(({ address, key, status }) => address === own && key === 'good' && status === 200);
    yield {
      ...about(limiter.oneTooMany(keyed, mostOfKey)?.later, '8.key-window'),
      proves: [],
      expected: `at most ${keyWindow.limit} requests with one key in any minute`,
      actual: `200 for request ${keyWindow.limit + 1} within a minute`,
      isTrue: limiter.oneTooMany(keyed, mostOfKey) === null,
    };
  },
};

function judgeAddress(admitted: readonly Exchange[]): Judgment {
  const found = limiter.oneTooMany(admitted, mostOfAddress);
  const windows = windowsIn(found?.spanMs ?? 0);
  const seconds = ((windows - 1) * addressWindow.windowMs) / 1000;
  return {
    ...about(found?.later, '8.address-window'),
    // Fewer could not be too many.
    proves: admitted.length > mostOfAddress(0) ? ['8.address-window'] : [],
    expected: `at most ${windows * addressWindow.limit} requests from one IP address in any ${seconds} seconds`,
    actual: `request ${windows * addressWindow.limit + 1} admitted within ${seconds} seconds`,
    isTrue: found === null,
  };
}

export const keyLimiter: readonly Judged[] = [keyWindowOf, anyWindow];

// X-RateLimit-Remaining is compared with all that was sent: a number can contradict what a sliding window of 60
// requests a minute has counted. Other users of the key make it smaller, never larger.

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
    if (left === null || limiter.statedLimit(exchange) !== limit) continue;
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

type Sample = { readonly exchange: Exchange; readonly used: number; readonly sent: readonly Exchange[] };

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
    if (!isComparable || remaining === null || limiter.statedLimit(exchange) !== limit) return [];
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
