// Ten requests in ten seconds for an address, counted before the key is read. A window may be fixed or slide
// (interpretation R44), so what one burst shows must be shown twice to count.
import { addressWindow } from '../../../src/contract/generated/limits.ts';
import { words } from '../../../src/contract/words.ts';
import { count } from '../../../src/terminal/count.ts';
import * as limiter from '../../exchange/bursts.ts';
import { type Exchange, isLimiterRejection, isUnusable, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { isLoopback } from '../../exchange/request.ts';
import { readWhole, serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/expect.ts';
import type { Doubt, Judged, Judgment } from '../../judge/judge.ts';
import { type Claim, show } from '../../judge/ledger.ts';
import { isValidKeyAgain } from '../../judge/same-record.ts';
import { clientHeaders, headersNamingClient } from '../../scenarios/limits/requests.ts';

const { limit, windowMs } = addressWindow;
/** In so short a time a refill cannot explain an eleventh request, and the edge of a window hardly can (R44). */
const sureSpanMs = 100;

const burst: Judged = {
  id: 'limits/address-burst',
  title: 'The IP limit admits 10 of 13 simultaneous requests',
  // Other checks test the responses without a valid key.
  clauses: [
    ...words('8.address-window 5.limiter-before-key 8.blocked-429 8.headers.remaining 7.code.unauthorized'),
    '4.articles.list.statuses',
  ],
  scenarios: ['limits/address-burst'],
  *judge(history) {
    const first = yield* readBurst(history, 'burst');
    const second = yield* readBurst(history, 'second burst');
    // A request with a valid key that passes the limiter succeeds, next to any other requests.
    for (const exchange of [first, second].flatMap((one) => one?.admitted ?? []))
      if (exchange.key === 'good') yield* isValidKeyAgain(exchange);
    if (first === null) return;
    // Each client that a header names may have its own countdown.
    if (first.admitted.length <= limit) yield* countsDown(first);
    if (first.admitted.length === limit && first.blocked.length > 0) {
      const proves = ['8.address-window', '8.blocked-429'] as const;
      yield { isTrue: true, clause: '8.address-window', proves, expected: `${limit} admitted`, actual: String(limit) };
      yield beforeTheKey;
      if (second !== null) yield hasCountdown(second, !limiter.risesIn(second));
      return;
    }
    const lost = doubtLost(first) ?? doubtLost(second);
    if (lost !== null) return yield lost;
    if (second === null) return;
    const isFull = second.blocked.length > 0 && second.admitted.length <= limit;
    // The requests of the second burst do not name other clients.
    if (first.admitted.length > limit && isFull && (yield* isClientBelieved(history))) return;
    yield* judgeCount(history, [first, second]);
  },
};

const sizeOf = ({ admitted, blocked, lost }: limiter.Burst) => admitted.length + blocked.length + lost;

function* readBurst(history: History, name: string): Generator<Judgment, limiter.Burst | null> {
  const one = limiter.burstOf(history, name);
  if (one === null) return null;
  const { troubled } = one;
  const all = `${sizeOf(one)} simultaneous requests`;
  if (limiter.isReadable(one)) return one;
  const message = troubled ? `one of ${all} got ${troubled.status}` : `none of ${all} got a response`;
  yield { doubt: 'platform', message };
  return null;
}

function doubtLost(one: limiter.Burst | null): Doubt | null {
  if (one === null || one.lost === 0) return null;
  const lost = `${one.lost} of ${sizeOf(one)} requests at once got no response`;
  return { doubt: 'platform', message: `${lost}, so the number of admitted requests is unknown` };
}

const beforeTheKey = {
  isTrue: true,
  clause: '5.limiter-before-key',
  expected: 'blocked without a valid key',
  actual: 'blocked',
} as const;

/** In one burst, each admitted request must decrease the remaining count (R43). */
function* countsDown(one: limiter.Burst): Iterable<Judgment> {
  const counted = limiter.countedIn(one);
  const remaining = counted.map(({ headers }) => headers['x-ratelimit-remaining']);
  const actual = `${show(remaining[0])} ${count(counted.length, 'time')}`;
  if (counted.length >= 4) yield { ...hasCountdown(one, new Set(remaining).size > 1), actual };
}

function hasCountdown(one: limiter.Burst, isTrue: boolean) {
  const exchange = limiter.countedIn(one).at(-1);
  const actual = `a number that increases to ${show(exchange?.headers['x-ratelimit-remaining'])}`;
  const expected = 'a number that decreases with each request';
  return { ...about(exchange, '8.headers.remaining', '#header/x-ratelimit-remaining'), expected, actual, isTrue };
}

/** While the window is full, requests pass that name other clients in one of the headers. */
function* isClientBelieved(history: History): Generator<Judgment, boolean> {
  const sent = labelled(history, 'a client named in one header');
  const tries = clientHeaders.map((header) => sent.filter((one) => headersNamingClient(one).includes(header)));
  const believed = clientHeaders.filter((_, index) => tries[index]?.length && tries[index].every(limiter.isAdmitted));
  const exchange = sent.find((one) => believed[0] && headersNamingClient(one).includes(believed[0]));
  const isOpen = sent.some((one) => headersNamingClient(one).length === 0 && limiter.isAdmitted(one));
  if (exchange === undefined || isOpen) return false;
  const names = believed.map(({ name }) => spell(name)).join(', ');
  const fix = 'use the address of the connection, or the entry that your own proxy adds';
  yield {
    ...about(exchange, '8.address-window', '#status'),
    ...{ expected: `429 with another ${names}, as without it`, actual: nameOfResponse(exchange), isTrue: false },
    message: `a client avoids the limit by naming another address: ${fix}. Test through a proxy that replaces it`,
  };
  return true;
}

const spell = (name: string): string => name.replace(/(^|-)(ip$|cf(?=-)|[a-z])/g, (part) => part.toUpperCase());

type TwoBursts = readonly [limiter.Burst, limiter.Burst];

/** One miss can be chance or another user; a limit that both bursts miss to the same side is the server's. */
function* judgeCount(history: History, bursts: TwoBursts): Iterable<Judgment> {
  const [before, after] = [bursts[0].admitted.length, bursts[1].admitted.length];
  const claim = claimOf(bursts);
  if (before < limit && after === limit) {
    // An approximate window had not forgotten what came before the first burst, and has followed the limit since (R44).
    yield { ...claim, isTrue: true };
    yield beforeTheKey;
  } else if (before > limit && after > limit) yield* tooMany(bursts, bursts.every(isMoreThanRefilled));
  else if (after === limit)
    yield { doubt: 'interference', message: `${claim.actual}: one burst followed the limit and one did not` };
  else if (before === after && (isAlone(history, bursts) || statesSmallerLimit(bursts[1])))
    yield { ...claim, isTrue: false };
  else yield { doubt: 'interference', message: `${claim.actual}: other users might share this address` };
}

const spanOf = (bursts: TwoBursts) => Math.max(...bursts.map(({ spanMs }) => spanMs));

function claimOf(bursts: TwoBursts): Claim {
  const [before, after] = bursts.map(({ admitted }) => admitted.length);
  const actual = `${before} and ${after} admitted requests in two bursts of ${Math.round(spanOf(bursts))} ms`;
  return { ...about(bursts[1].admitted.at(-1), '8.address-window'), expected: `${limit} in each burst`, actual };
}

/**
 * Only a fast pair is sure: over a slow line the window may have moved between the first request and the last. A fixed
 * window cannot do so in both bursts, and a bucket gives back one a second; one more is left to doubt.
 */
function* tooMany(bursts: TwoBursts, isRefilled: boolean): Iterable<Judgment> {
  const [{ admitted, blocked, spanMs }, claim] = [bursts[1], claimOf(bursts)];
  // More than two windows can hold are too many, however long they took (interpretation R58).
  const isSure = isRefilled || (admitted.length > 2 * limit && spanMs < windowMs);
  if (spanOf(bursts) > limiter.likelySpanMs && !isSure)
    return yield { doubt: 'timing', message: `${claim.actual}: too slow to decide` };
  if (spanOf(bursts) > sureSpanMs && !isSure) return yield { ...claim, severity: 'warn' };
  yield { ...claim, isTrue: false };
  const withoutKey = admitted.filter(({ key }) => key !== 'good').length;
  if (blocked.length > 0 || withoutKey === 0) return;
  yield {
    ...about(admitted.at(-1), '5.limiter-before-key'),
    ...{ isTrue: false, expected: 'status 429 after the limit, also without a valid key' },
    actual: `status 401 ${count(admitted.length, 'time')} in one burst`,
  };
}

/** The rest between two bursts, which is longer than bursts take, without the errors of clocks. */
const phaseMs = 3000;

/** More than a full bucket admits and one second refills. */
function isMoreThanRefilled({ admitted, spanMs }: limiter.Burst): boolean {
  return spanMs < phaseMs && admitted.length > limit + 1 + Math.floor(spanMs / 1000);
}

/** Others can share an address unless it is loopback, and is undisturbed or used by the second burst only. */
function isAlone({ exchanges }: History, [first, second]: TwoBursts): boolean {
  const [one, other] = [first, second].map(({ admitted }) => admitted[0]);
  if (one === undefined || other === undefined || !isLoopback(new URL(other.url).hostname)) return false;
  return one.address !== other.address || !exchanges.some(limiter.isDisturbed);
}

function statesSmallerLimit({ admitted, blocked }: limiter.Burst): boolean {
  return [...admitted, ...blocked].some((one) => (limiter.statedLimit(one) ?? limit) < limit);
}

/** The limiter of the address runs before the key is read, so a valid key must not help. */
const keyedBurst: Judged = {
  id: 'limits/address-burst-keyed',
  title: 'The IP limit applies to requests with a valid key',
  clauses: ['8.address-window'],
  scenarios: ['limits/address-burst-keyed'],
  *judge(history) {
    const first = yield* readBurst(history, 'burst with the valid key');
    const second = yield* readBurst(history, 'second burst with the valid key');
    if (first === null) return;
    const claim = claimOf([first, second ?? first]);
    if (first.blocked.length > 0) return yield { ...claim, isTrue: true };
    const lost = doubtLost(first) ?? (second?.blocked.length === 0 ? doubtLost(second) : null);
    if (lost !== null) return yield lost;
    if (second === null) return;
    if (second.blocked.length > 0)
      yield { doubt: 'interference', message: `${claim.actual}: one burst was blocked and one was not` };
    else yield* tooMany([first, second], false);
  },
};

export const addressBurst: readonly Judged[] = [burst, keyedBurst];

// After a burst the window of the address is full. A client cannot bypass it with a valid key or another user agent,
// and one that waits as stated is admitted. limits/address-burst tests other addresses in headers.

const noEscape: Judged = {
  id: 'limits/address-escape',
  title: 'A valid key and another User-Agent cannot bypass the IP limit',
  clauses: ['8.address-window', '5.limiter-before-key', '7.envelope.limiter'],
  scenarios: ['limits/address-escape'],
  *judge(history) {
    const [first] = labelled(history, 'with a valid key and another User-Agent');
    if (first === undefined) return;
    if (isUnusable(first))
      return yield { doubt: 'platform', message: `the request after the burst got ${nameOfResponse(first)}` };
    if (first.status === 429) return yield* isOfLimiter(history, first);
    for (const words of ['with a valid key', 'under another User-Agent']) {
      const passed = passedAlone(history, words, first);
      if (passed === null) continue;
      const claim = { ...about(passed, '8.address-window', '#status'), actual: nameOfResponse(passed) };
      return yield { ...claim, isTrue: false, expected: `429 ${words}, as without a key` };
    }
    yield { doubt: 'timing', message: 'the window of the address has moved on' };
  },
};

/** Sites need no platform, so a 429 for them is always the limiter's. One in another form comes twice. */
function* isOfLimiter(history: History, first: Exchange): Iterable<Judgment> {
  const proves = ['8.address-window', '5.limiter-before-key'] as const;
  yield { ...about(first, '8.address-window', '#status'), proves, expected: '429', actual: '429', isTrue: true };
  const [again] = isLimiterRejection(first) ? [first] : labelled(history, 'with a valid key');
  if (again?.status !== 429) return yield { doubt: 'timing', message: 'the window of the address has moved on' };
  const isTrue = isLimiterRejection(again);
  const claim = { ...about(again, '7.envelope.limiter', '/error'), expected: '"rate_limit_exceeded"' };
  yield { ...claim, isTrue, actual: isTrue ? 'a plain string' : 'an object' };
}

/** A bucket gives back one a second, and a window that counts what it blocks may forget two. */
const refillsPerS = 2;

/**
 * Passes twice, each time before one without a key that is blocked: the edge of a window does not do that, and a refill
 * explains only some of all that have passed.
 */
function passedAlone(history: History, words: string, first: Exchange): Exchange | null {
  const sent = labelled(history, words);
  const [keyed, plain] = [sent.filter(({ key }) => key === 'good'), sent.filter(({ key }) => key === 'none')];
  const again = keyed[1];
  if (again === undefined || !keyed.every(limiter.isAdmitted) || plain.length < 2 || !plain.every(limiter.isBlocked))
    return null;
  const { exchanges } = history;
  const last = limiter.blockedIn({ exchanges: exchanges.slice(0, exchanges.indexOf(first)) }).at(-1) ?? first;
  const since = exchanges.slice(exchanges.indexOf(last) + 1, exchanges.indexOf(again) + 1);
  const passed = since.filter((one) => one.address === last.address && limiter.isAdmitted(one)).length;
  return passed > 1 + (refillsPerS * (again.receivedAt - last.sentAt)) / 1000 ? again : null;
}

const waitAsStated: Judged = {
  id: 'limits/wait-as-told',
  title: 'After the stated wait time, requests succeed again',
  clauses: ['8.retry-after', '8.headers.reset', '8.address-window', '7.code.unauthorized'],
  scenarios: ['limits/wait-as-told'],
  *judge(history) {
    const [first, second] = limiter.afterWait.map((name) => waitedIn(history, name));
    if (!first) return;
    yield* contradiction(first.blocked);
    const unusable = [first, second].find((one) => one && isUnusable(one.response));
    if (unusable)
      return yield { doubt: 'platform', message: `no response after the wait time: ${unusable.response.problem}` };
    if (!limiter.isBlocked(first.response)) return yield* isLetIn(first);
    if (isShared(history, first.blocked)) {
      const actual = nameOfResponse(first.response);
      return yield { doubt: 'interference', message: `${actual} after ${first.words}: other users share this address` };
    }
    // Another user of the address may have come between; twice in a row is not chance (R46).
    const isNear = isLoopback(new URL(first.response.url).hostname);
    if (first.waitMs > limiter.waitMsMax && isNear) return yield { ...waitClaim(first), isTrue: false };
    if (!second) return;
    if (limiter.isBlocked(second.response)) return yield { ...waitClaim(second), isTrue: false };
    yield { ...waitClaim(first), severity: 'warn', message: 'a second attempt was admitted' };
    yield* isLetIn(second);
  },
};

type Waited = limiter.Waiting & { readonly response: Exchange };

function waitedIn(history: History, name: (typeof limiter.afterWait)[number]): Waited | null {
  const [response] = labelled(history, name);
  const before = history.exchanges.slice(0, response && history.exchanges.indexOf(response));
  const waiting = limiter.waitingAfter(before, name);
  return response === undefined || waiting === null ? null : { ...waiting, response };
}

/** Whether others took some of the ten in the burst that this one was blocked in. */
function isShared({ exchanges }: History, blocked: Exchange): boolean {
  const concurrent = exchanges.filter((other) => other.burst && limiter.areOfOneBurst(other, blocked));
  return concurrent.filter((other) => !limiter.isBlocked(other)).length < addressWindow.limit;
}

function* isLetIn(waited: Waited): Iterable<Judgment> {
  yield { ...waitClaim(waited), isTrue: true };
  yield* isValidKeyAgain(waited.response);
}

function waitClaim({ blocked, waitMs, words, response }: Waited) {
  const clause = limiter.hasRetryAfter(blocked) ? '8.retry-after' : '8.headers.reset';
  const isTooLong = waitMs > limiter.waitMsMax;
  const expected = isTooLong ? 'a success after 1.5 windows' : `a success after ${words}`;
  return { ...about(response, isTooLong ? '8.address-window' : clause), expected, actual: nameOfResponse(response) };
}

/** Both are rounded, one of them to seconds. */
const apartMs = 2000;

/** `Reset` may be the time at which the whole window is free, and a longer wait is legal (interpretation R62). */
function* contradiction(blocked: Exchange): Iterable<Judgment> {
  const [seconds, reset] = [blocked.headers['retry-after'], blocked.headers['x-ratelimit-reset']].map(readWhole);
  const nowMs = serverNowMs(blocked);
  if (seconds == null || reset == null || nowMs === null || Math.abs(reset - nowMs - seconds * 1000) <= apartMs) return;
  const expected = `about ${Math.round((reset - nowMs) / 1000)}, as in X-RateLimit-Reset`;
  const claim = about(blocked, '8.retry-after', '#header/retry-after');
  yield { ...claim, expected, actual: String(seconds), severity: 'note' };
}

export const afterBurst: readonly Judged[] = [noEscape, waitAsStated];
