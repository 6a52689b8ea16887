// After a burst the window of the address is full. A client cannot bypass it with a valid key or another user agent.
// One request changes both at once. Only if it passes, single changes are tested. A client that waits as stated is
// admitted. limits/address-burst tests other addresses in headers, which the requests here repeat.
import {
  burstMax,
  fire,
  invalidRequests,
  invalidRequestsMax,
  isBlocked,
  likelySpanMs,
  limit,
  nextRead,
  sparedMax,
  windowMs,
} from '../../assertions/address-bursts.ts';
import { clientNamedIn } from '../../assertions/named-clients.ts';
import { expectValidKey } from '../../assertions/valid-again.ts';
import { type Exchange, isLimiterRejection, isUnusable, nameOfResponse } from '../../exchange/exchange.ts';
import type { RequestSpec } from '../../exchange/request.ts';
import { type Ahead, longestWait, readServiceClock, readWhole, serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import type { Claim } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** A plain read, with which no platform has to do. */
const read = { operation: 'listSites' } as const satisfies RequestSpec;

interface Change {
  readonly words: string;
  readonly headers: Readonly<Record<string, string>>;
}

const unknownKey: Change = { words: 'with a valid key', headers: {} };
const agent: Change = { words: 'under another User-Agent', headers: { 'user-agent': 'casa-conformance-b' } };
const changes = [unknownKey, agent];

/** The address that a blocked request came from, as the service might count it. */
function placeOf(blocked: Exchange): Pick<RequestSpec, 'address' | 'headers'> {
  const { address } = blocked;
  return { headers: clientNamedIn(blocked), ...(address === null ? {} : { address }) };
}
/** The window of an address may be a sixth open by then. */
const freshMs = 1500;

/** A valid request and the bad one next to it. */
async function sendChanged(probe: Probe, { headers }: Change, last: Exchange): Promise<Exchange> {
  const place = placeOf(last);
  return probe.sendNow({ ...read, ...place, headers: { ...place.headers, ...headers } });
}

/** One that no key opens: whether the window is still full. */
async function isFull(probe: Probe, last: Exchange): Promise<boolean> {
  return isBlocked(await probe.sendNow({ ...read, key: 'none', ...placeOf(last) }));
}

/** Passes twice, with one between them that is blocked: the edge of a window does not do that. */
async function passesAlone(probe: Probe, change: Change, last: Exchange): Promise<Exchange | null> {
  if (isBlocked(await sendChanged(probe, change, last)) || !(await isFull(probe, last))) return null;
  const again = await sendChanged(probe, change, last);
  if (isBlocked(again) || isUnusable(again) || isRefilled(probe, last, again)) return null;
  return (await isFull(probe, last)) ? again : null;
}

/** A bucket gives back one a second, and a window that counts what it blocks may forget two. */
const refillsPerS = 2;

/** Whether a refill explains all that has passed from a request that was blocked to a later one. */
function isRefilled(probe: Probe, last: Exchange, until: Exchange): boolean {
  const later = probe.history().slice(probe.history().indexOf(last) + 1);
  const isPassed = (one: Exchange) => one.sentAt >= last.receivedAt && !isBlocked(one) && !isUnusable(one);
  const passed = later.filter((one) => one.address === last.address && isPassed(one)).length;
  return passed <= 1 + (refillsPerS * (until.receivedAt - last.sentAt)) / 1000;
}

/** At most four requests for each of the changes, to find the one that passed. */
const confirms = 4 * changes.length;

const noEscape: CheckRow = {
  id: 'limits/address-escape',
  title: 'A valid key and another User-Agent cannot bypass the IP limit',
  cites: ['8.address-window', '5.limiter-before-key', '7.envelope.limiter'],
  after: ['limits/address-burst'],
  cost: { requests: 1, confirms: confirms, ownPace: true, seconds: 1 },
  async run(probe) {
    const last = probe.history().findLast((exchange) => exchange.burst && isBlocked(exchange));
    if (last === undefined) return probe.stop('precondition', 'no request of the burst was blocked');
    if (probe.now() - last.receivedAt > freshMs) return probe.stop('timing', 'too much time passed since the burst');
    // The valid key comes with each change.
    const first = await sendChanged(probe, agent, last);
    if (isUnusable(first)) return probe.stop('platform', `the request after the burst got ${nameOfResponse(first)}`);
    if (first.status === 429) return checkWords(probe, first, last);
    for (const change of changes) {
      const passed = await passesAlone(probe, change, last);
      if (passed === null) continue;
      const claim = { ...about(passed, '8.address-window', '#status'), actual: nameOfResponse(passed) };
      probe.holds(false, { ...claim, expected: `429 ${change.words}, as without a key` });
      return;
    }
    probe.stop('timing', 'the window of the address has moved on');
  },
};

/** Sites need no platform, so a 429 for them is always the limiter's. */
async function checkWords(probe: Probe, first: Exchange, last: Exchange): Promise<void> {
  const proves = ['8.address-window', '5.limiter-before-key'] as const;
  probe.holds(true, { ...about(first, '8.address-window', '#status'), proves, expected: '429', actual: '429' });
  const again = isLimiterRejection(first) ? first : await sendChanged(probe, unknownKey, last);
  if (again.status !== 429) return probe.stop('timing', 'the window of the address has moved on');
  const claim = { ...about(again, '7.envelope.limiter', '/error'), expected: '"rate_limit_exceeded"' };
  probe.holds(isLimiterRejection(again), {
    ...claim,
    actual: isLimiterRejection(again) ? 'a plain string' : 'an object',
  });
}

const blockedMax = burstMax - limit;

const waitAsStated: CheckRow = {
  id: 'limits/wait-as-told',
  title: 'After the stated wait time, requests succeed again',
  cites: ['8.retry-after', '8.headers.reset', '8.address-window', '7.code.unauthorized'],
  // The valid request, and the blocked ones again; where the first came too early, a second burst and a good one more.
  cost: {
    requests: 1 + blockedMax + 1,
    // The burst omits some operations if the plan has no requests left; the last request distinguishes a bucket from a
    // window.
    optional: sparedMax + 1,
    confirms: invalidRequestsMax + 5,
    gives: ['insights without range'],
    ownPace: true,
    opensWindow: true,
    seconds: 16,
  },
  async run(probe) {
    const rejections = probe.history().filter((exchange) => exchange.burst && isBlocked(exchange));
    const last = rejections.at(-1) ?? probe.stop('precondition', 'no request of the burst was blocked');
    const blocked = rejections.findLast((other) => areOfOneBurst(other, last) && hasRetryAfter(other)) ?? last;
    noteContradiction(probe, blocked);
    const othersCame = isShared(probe, blocked);
    const first = await waitAndRetry(probe, blocked);
    if (!isBlocked(first.response)) return checkLetIn(probe, first, blocked);
    // Another user that took a place in the burst may have taken this one.
    if (othersCame)
      return probe.doubt('interference', `${first.claim.actual} after ${first.words}: other users share this address`);
    if (first.isTooLong && probe.settings.isLoopback) return void probe.holds(false, first.claim);
    // Another user of the address may have come between; twice in a row is not chance (R46).
    const again = first.isTooLong
      ? await blockAgain(probe, first.response)
      : await retryForTime(probe, blocked, first.response);
    // `Date` may be another's: the second wait is as long as any clock can make it (interpretation R43).
    const second = await waitAndRetry(probe, again, readServiceClock(probe.history()));
    if (isBlocked(second.response)) return void probe.holds(false, second.claim);
    probe.warn({ ...first.claim, message: 'a second attempt was admitted' });
    await checkLetIn(probe, second, again);
  },
};

/** A wait for the time that a blocked response stated, and its result. */
interface Wait {
  readonly waitMs: number;
  readonly words: string;
  /** Longer than the kit has waited. */
  readonly isTooLong: boolean;
  readonly response: Exchange;
  readonly claim: Claim;
}

/** Waits as long as a blocked response states, up to a maximum, and retries. */
async function waitAndRetry(probe: Probe, blocked: Exchange, clock: Ahead | null = null): Promise<Wait> {
  const { waitMs, words } = statedWait(blocked, clock);
  const isTooLong = waitMs > waitMsMax;
  await sleepSince(probe, blocked, Math.min(waitMs, waitMsMax));
  // With a valid key, because a rejection can have a lasting effect on the rejected key.
  const response = await probe.sendNow({ ...nextRead(probe), ...placeOf(blocked) });
  if (isUnusable(response)) probe.stop('platform', `no response after the stated wait time: ${response.problem}`);
  const expected = isTooLong ? 'a success after 1.5 windows' : `a success after ${words}`;
  const claim = { ...about(response, clauseFor(blocked, waitMs)), expected, actual: nameOfResponse(response) };
  return { waitMs, words, isTooLong, response, claim };
}

async function checkLetIn(probe: Probe, { claim, response }: Wait, blocked: Exchange): Promise<void> {
  probe.holds(true, claim);
  await expectValidKey(probe, response);
  // The very requests that were blocked: so the checks of the key see each of the burst rejected.
  const again = probe
    .history()
    .filter((other) => other.burst && isBlocked(other) && areOfOneBurst(other, blocked) && other.key !== 'good');
  const others = again.map((other) => specOf(probe, other));
  // The remaining requests can leave at once, as far as the window is open.
  if (response.address === null) probe.hurry(await requestsAfter(probe, { response, blocked, others }));
  for (const spec of others) {
    if (probe.requestsLeft() < 1) return;
    await probe.send(spec);
  }
}

/** The longest wait of a bucket, which refills one request a second. */
const bucketWaitMs = 2000;

interface Waited {
  readonly response: Exchange;
  readonly blocked: Exchange;
  readonly others: RequestSpec[];
}

/**
 * How many more requests the address admits at once: the number in the responses, or after a long wait likely the rest.
 * A bucket admits no second request at once, and a window that opens early does (R44). The first repeated request
 * decides, and counts as admitted if it passes.
 */
async function requestsAfter(probe: Probe, { response, blocked, others }: Waited): Promise<number> {
  const isLong = response.sentAt - blocked.receivedAt > bucketWaitMs;
  const remaining = remainingOf(response) ?? (isLong ? limit - 1 : null);
  const [next] = others;
  if (remaining !== null || next === undefined || probe.requestsLeft() < 1) return Math.min(limit - 1, remaining ?? 0);
  const second = await probe.sendNow(next);
  if (isBlocked(second)) return 0;
  others.shift();
  return Math.min(limit - 2, remainingOf(second) ?? limit - 2);
}

/** The remaining requests of the address's window, as the response states. */
function remainingOf({ headers }: Exchange): number | null {
  const isOfAddress = readWhole(headers['x-ratelimit-limit']) === limit;
  return isOfAddress ? readWhole(headers['x-ratelimit-remaining']) : null;
}

/** By time and address, because a run may have fired several. */
function areOfOneBurst(one: Exchange, other: Exchange): boolean {
  return one.address === other.address && Math.abs(one.sentAt - other.sentAt) < likelySpanMs;
}

/** Not every blocked response has it (R46). */
function hasRetryAfter({ headers }: Exchange): boolean {
  return readWhole(headers['retry-after']) !== null;
}

/** Both are rounded, one of them to seconds. */
const apartMs = 2000;

/** `Reset` may be the time at which the whole window is free, and a longer wait is legal (interpretation R62). */
function noteContradiction(probe: Probe, blocked: Exchange): void {
  const [seconds, reset] = [blocked.headers['retry-after'], blocked.headers['x-ratelimit-reset']].map(readWhole);
  const nowMs = serverNowMs(blocked);
  if (seconds == null || reset == null || nowMs === null || Math.abs(reset - nowMs - seconds * 1000) <= apartMs) return;
  const claim = about(blocked, '8.retry-after', '#header/retry-after');
  const expected = `about ${Math.round((reset - nowMs) / 1000)}, as in X-RateLimit-Reset`;
  probe.note({ ...claim, expected, actual: String(seconds) });
}

/** Whether others took some of the ten in the burst that this one was blocked in. */
function isShared(probe: Probe, blocked: Exchange): boolean {
  const concurrent = probe.history().filter((other) => other.burst && areOfOneBurst(other, blocked));
  return concurrent.filter((other) => !isBlocked(other)).length < limit;
}

/** The request of the burst that the response belongs to, with the same address. */
function specOf(probe: Probe, { operation, address }: Exchange): RequestSpec {
  const specs = invalidRequests(probe);
  const spec = specs.find((candidate) => candidate.operation === operation) ?? { key: 'none', operation: 'listSites' };
  return address === null ? spec : { ...spec, address };
}

/** If the requested wait was cut short, the second try begins with another burst. */
async function blockAgain(probe: Probe, blocked: Exchange): Promise<Exchange> {
  await sleepSince(probe, blocked, Math.min(statedWait(blocked).waitMs, 2 * windowMs));
  const again = (await fire(probe)).blocked.at(-1);
  return again ?? probe.stop('interference', 'a second burst was not blocked');
}

/** Not every blocked response has `Retry-After` (R46), and the sentence about it is checked by those that have it. */
async function retryForTime(probe: Probe, first: Exchange, second: Exchange): Promise<Exchange> {
  let last = second;
  if (!hasRetryAfter(first)) return last;
  for (let tries = 0; tries < triesMax && !hasRetryAfter(last); tries += 1) {
    const response = await probe.sendNow({ ...nextRead(probe), ...placeOf(last) });
    if (!isBlocked(response)) return last;
    last = response;
  }
  return last;
}

const triesMax = 2;

/** Half as long again as the window: an approximate one has forgotten enough by then to admit a single request. */
const waitMsMax = 1.5 * windowMs;

/** Counted from the arrival of the response, which includes the time of the check since then. */
async function sleepSince(probe: Probe, exchange: Exchange, ms: number): Promise<void> {
  await probe.sleep(Math.max(0, exchange.receivedAt + ms - probe.now()));
}

function clauseFor(blocked: Exchange, waitMs: number): '8.retry-after' | '8.headers.reset' | '8.address-window' {
  if (waitMs > waitMsMax) return '8.address-window';
  return readWhole(blocked.headers['retry-after']) === null ? '8.headers.reset' : '8.retry-after';
}

/** Cites 7.retry.retry-after, 7.retry.reset. */
function statedWait(blocked: Exchange, clock: Ahead | null = null): { waitMs: number; words: string } {
  const seconds = readWhole(blocked.headers['retry-after']);
  if (seconds !== null) return { waitMs: seconds * 1000 + 20, words: `Retry-After: ${seconds}` };
  const reset = readWhole(blocked.headers['x-ratelimit-reset']);
  if (reset === null) return { waitMs: waitMsMax, words: 'one window and a half' };
  const byDate = Math.max(0, reset - (serverNowMs(blocked) ?? blocked.receivedAt));
  const waitMs = Math.max(byDate, clock === null ? 0 : longestWait(blocked, clock)) + 20;
  return { waitMs, words: `X-RateLimit-Reset ${reset}` };
}

export const afterBurst = defineChecks({ phase: 'bursts', needs: ['burst'] }, [noEscape, waitAsStated]);
