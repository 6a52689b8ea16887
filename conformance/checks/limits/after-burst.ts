// After a burst the window of the address is full. A client cannot bypass it with a valid key or another user agent,
// and one that waits as stated is admitted. limits/address-burst tests other addresses in headers.
import { addressWindow } from '../../../src/contract/generated/limits.ts';
import {
  afterWait,
  areOfOneBurst,
  blockedIn,
  hasRetryAfter,
  isAdmitted,
  isBlocked,
  type Waiting,
  waitingAfter,
  waitMsMax,
} from '../../exchange/bursts.ts';
import { type Exchange, isLimiterRejection, isUnusable, nameOfResponse } from '../../exchange/exchange.ts';
import { type History, labelled } from '../../exchange/history.ts';
import { isLoopback } from '../../exchange/request.ts';
import { readWhole, serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/expect.ts';
import type { Judged, Judgment } from '../../judge/judge.ts';
import { isValidKeyAgain } from '../../judge/same-record.ts';

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
  if (again === undefined || !keyed.every(isAdmitted) || plain.length < 2 || !plain.every(isBlocked)) return null;
  const { exchanges } = history;
  const last = blockedIn({ exchanges: exchanges.slice(0, exchanges.indexOf(first)) }).at(-1) ?? first;
  const since = exchanges.slice(exchanges.indexOf(last) + 1, exchanges.indexOf(again) + 1);
  const passed = since.filter((one) => one.address === last.address && isAdmitted(one)).length;
  return passed > 1 + (refillsPerS * (again.receivedAt - last.sentAt)) / 1000 ? again : null;
}

const waitAsStated: Judged = {
  id: 'limits/wait-as-told',
  title: 'After the stated wait time, requests succeed again',
  clauses: ['8.retry-after', '8.headers.reset', '8.address-window', '7.code.unauthorized'],
  scenarios: ['limits/wait-as-told'],
  *judge(history) {
    const [first, second] = afterWait.map((name) => waitedIn(history, name));
    if (!first) return;
    yield* contradiction(first.blocked);
    const unusable = [first, second].find((one) => one && isUnusable(one.response));
    if (unusable)
      return yield { doubt: 'platform', message: `no response after the wait time: ${unusable.response.problem}` };
    if (!isBlocked(first.response)) return yield* isLetIn(first);
    if (isShared(history, first.blocked)) {
      const actual = nameOfResponse(first.response);
      return yield { doubt: 'interference', message: `${actual} after ${first.words}: other users share this address` };
    }
    // Another user of the address may have come between; twice in a row is not chance (R46).
    const isNear = isLoopback(new URL(first.response.url).hostname);
    if (first.waitMs > waitMsMax && isNear) return yield { ...claimOf(first), isTrue: false };
    if (!second) return;
    if (isBlocked(second.response)) return yield { ...claimOf(second), isTrue: false };
    yield { ...claimOf(first), severity: 'warn', message: 'a second attempt was admitted' };
    yield* isLetIn(second);
  },
};

interface Waited extends Waiting {
  readonly response: Exchange;
}

function waitedIn(history: History, name: (typeof afterWait)[number]): Waited | null {
  const [response] = labelled(history, name);
  const before = history.exchanges.slice(0, response && history.exchanges.indexOf(response));
  const waiting = waitingAfter(before, name);
  return response === undefined || waiting === null ? null : { ...waiting, response };
}

/** Whether others took some of the ten in the burst that this one was blocked in. */
function isShared({ exchanges }: History, blocked: Exchange): boolean {
  const concurrent = exchanges.filter((other) => other.burst && areOfOneBurst(other, blocked));
  return concurrent.filter((other) => !isBlocked(other)).length < addressWindow.limit;
}

function* isLetIn(waited: Waited): Iterable<Judgment> {
  yield { ...claimOf(waited), isTrue: true };
  yield* isValidKeyAgain(waited.response);
}

function claimOf({ blocked, waitMs, words, response }: Waited) {
  const clause = hasRetryAfter(blocked) ? '8.retry-after' : '8.headers.reset';
  const isTooLong = waitMs > waitMsMax;
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
