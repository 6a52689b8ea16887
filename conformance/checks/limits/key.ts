// Sixty requests a minute for a key, in a sliding window, as bursts from several addresses show it (interpretation
// R48). limits/key-remaining reads the headers of a whole run.
import { addressWindow, keyWindow } from '../../../src/contract/generated/limits.ts';
import {
  isAdmitted,
  isDisturbed,
  type KeyBurst,
  keyBurstSizes,
  keyBurstsApartMs,
  keyBurstsIn,
  mostWithin,
  oneTooMany,
  statedLimit,
  whyUnclear,
} from '../../exchange/bursts.ts';
import { type Exchange, hasResponse, isLimiterRejection, isWebPage } from '../../exchange/exchange.ts';
import { type History, labelled, ofKey } from '../../exchange/history.ts';
import { addTo } from '../../exchange/shown.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { headersNamingClient } from '../../scenarios/limits/requests.ts';

const { limit, windowMs } = keyWindow;
/** A log of ten-second parts may forget a part early. */
const sureSpanMs = 0.8 * windowMs;

const keyWindowOf: Judged = {
  id: 'limits/key-window',
  title: 'The key limit admits 60 requests in any minute',
  clauses: ['8.key-window', '8.blocked-429'],
  scenarios: ['limits/key-window'],
  *judge(history) {
    const bursts = keyBurstsIn(history);
    const unclear = bursts.map(whyUnclear).find((why) => why !== null);
    if (unclear) return yield unclear;
    if (bursts.length < keyBurstSizes.length) return;
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
  const isOfAddress = blocked.some((one) => statedLimit(one) === addressWindow.limit);
  if (sent.length === 0 || isOfAddress || (blocked.length > 0 && blocked.length < sent.length)) return;
  yield {
    ...about(sent.at(-1), '8.key-window', '#status'),
    isTrue: blocked.length === 0,
    expected: '200 for the key of another organization while the limit of the first key is reached',
    actual: sent.map(({ status }) => status).join(' and '),
  };
}

/** Fails if sixty-one requests are admitted in less than a minute, independent of network delays. */
function* notTooMany(bursts: readonly KeyBurst[]): Iterable<Judgment> {
  const sent = bursts.flatMap(({ exchanges }) => exchanges);
  const admitted = sent.filter(({ status }) => status === 200);
  const surely = oneTooMany(admitted, mostWithin(sureSpanMs, limit))?.later;
  const words = bursts.map((one) => `${one.admitted} of ${one.sent}`).join(', ');
  const claim = {
    clause: '8.key-window',
    expected: `at most ${limit} requests with one key in any minute`,
    actual: `a success for ${words}, ${keyBurstsApartMs / 1000} s apart`,
  } as const;
  const isTrue = surely === undefined || looksLikeTwoWindows(bursts);
  yield { ...claim, exchange: surely ?? null, isTrue };
  const roughly = oneTooMany(admitted, mostWithin(windowMs, limit))?.later;
  const message = 'an approximate rate-limit window can admit this many';
  if (isTrue && roughly) yield { ...claim, exchange: roughly, message, severity: 'warn' };
}

/** The first two, which lie within one window, hold more than it may admit. */
function* sixty(bursts: readonly KeyBurst[]): Iterable<Judgment> {
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
function* freed(history: History, later: readonly KeyBurst[]): Iterable<Judgment> {
  const seen = later.flatMap((one) => one.exchanges).find(({ status }) => status === 200);
  const exchange = seen ?? labelled(history, 'a minute after the key bursts')[0];
  if (exchange === undefined) return;
  // Only our own requests have filled the window.
  const own = ofKey(history).filter(({ status }) => status === 200).length;
  const isShared = own < limit || history.exchanges.some(isDisturbed);
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
function looksLikeTwoWindows(bursts: readonly KeyBurst[]): boolean {
  const phases = Array.from({ length: windowMs / phaseStepMs }, (_, i) => i * phaseStepMs);
  return phases.some((phaseMs) =>
    [false, true].some((countsBlocked) => {
      const admitted = admittedByTwoWindows(bursts, phaseMs, countsBlocked);
      return bursts.every((one, i) => Math.abs(one.admitted - (admitted[i] ?? 0)) <= tolerance);
    }),
  );
}

function admittedByTwoWindows(bursts: readonly KeyBurst[], phaseMs: number, countsBlocked: boolean): number[] {
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
const mostOfKey = mostWithin(keyWindow.windowMs, keyWindow.limit);

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
        one.mcpEndpoint === undefined && isAdmitted(one) && !isWebPage(one) && headersNamingClient(one).length !== 1,
    );
    // Where the suite can be at the place of the own proxy, requests that name a client count for that one.
    const groups = new Map<string, Exchange[]>();
    for (const one of passed) addTo(groups, `${one.address} ${headersNamingClient(one).length > 0}`, one);
    for (const admitted of groups.values()) yield judgeAddress(admitted);
    // Several addresses are the business of limits/key-window, which bears with an approximation.
    const own = exchanges.find(({ mcpEndpoint }) => mcpEndpoint === undefined)?.address;
    const keyed = passed.filter(({ address, key, status }) => address === own && key === 'good' && status === 200);
    yield {
      ...about(oneTooMany(keyed, mostOfKey)?.later, '8.key-window'),
      proves: [],
      expected: `at most ${keyWindow.limit} requests with one key in any minute`,
      actual: `200 for request ${keyWindow.limit + 1} within a minute`,
      isTrue: oneTooMany(keyed, mostOfKey) === null,
    };
  },
};

function judgeAddress(admitted: readonly Exchange[]): Judgment {
  const found = oneTooMany(admitted, mostOfAddress);
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
