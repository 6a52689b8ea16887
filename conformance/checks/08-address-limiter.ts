// Ten requests in ten seconds for an address, counted before the key is read. One burst shows both: more requests than that
// without a good key, each on another operation and bad in another way. It is the authentication matrix as well. A window may be fixed
// or slide (rulings R44), so what one burst shows must be shown twice to count.

import { type Exchange, isAnswered, isLimiterRefusal, isPlatformTrouble } from '../exchange/exchange.ts';
import type { RequestSpec } from '../exchange/request.ts';
import { readWhole, serverNowMs } from '../exchange/told-limits.ts';
import { show } from '../judge/ledger.ts';
import { contractWindows } from '../pace/lanes.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import type { Probe } from '../probe/probe.ts';
import { expectUnauthorized } from './05-authentication.ts';
import { about } from './claims.ts';
import { thorough } from './thorough.ts';

const { limit, windowMs } = contractWindows.address;
const QUIET_MS = windowMs + 500;
/** A server that keeps an approximate window needs two of them to forget. */
const LONG_QUIET_MS = 2 * windowMs + 500;
/** Under this, no refill and hardly a window's edge can explain an eleventh request (R44). */
const SURE_SPAN_MS = 100;
const LIKELY_SPAN_MS = 900;

/** One for each operation. */
const badRequestsMax = 12;

const NOBODY = 'casa-conformance-no-such-review';

/**
 * Twelve requests that no key opens, one for each operation. Those without any key are wrong in their input too: the key comes
 * first. The spoilt ones are the good key with one thing changed; another scheme is none of them (R51).
 */
function badRequests(id: string): RequestSpec[] {
  const review = { accountId: id, reviewId: NOBODY };
  return [
    { key: 'none', operation: 'listKeywords' },
    { key: 'none', operation: 'listAccounts' },
    { key: 'none', operation: 'listCalls', params: { limit: 1 } },
    { key: 'none', operation: 'getInsights', params: { accountId: id, range: '5d' } },
    { key: 'none', operation: 'createPost', params: { accountId: id }, body: {} },
    { spoilt: 'digit', operation: 'listSites' },
    { spoilt: 'short', operation: 'getArticle', params: { id } },
    { spoilt: 'no-prefix', operation: 'replyToReview', params: review, body: {} },
    { spoilt: 'other-prefix', operation: 'createConnectLink', body: {} },
    { key: 'none', operation: 'getSite', params: { id } },
    // Last, because the last are likely the blocked ones: one of each family of endpoints.
    { key: 'wrong', operation: 'listArticles', params: { limit: 1 } },
    { spoilt: 'long', operation: 'listReviews', params: { accountId: id } },
  ];
}

interface Burst {
  readonly admitted: readonly Exchange[];
  readonly blocked: readonly Exchange[];
  readonly spanMs: number;
}

/** No platform answers a request without a good key: whatever body it has, its 429 is the limiter's. */
function isBlocked({ status }: Exchange): boolean {
  return status === 429;
}

/** Eleven will do; the twelfth asks the twelfth operation, where the run has a request to spare. */
async function fire(probe: Probe, times = 1, address?: string): Promise<Burst> {
  const all = badRequests(probe.facts.unknownId).map((spec) => (address === undefined ? spec : { ...spec, address }));
  const each = probe.requestsLeft() >= badRequestsMax ? all : all.filter(({ operation }) => operation !== 'getSite');
  const specs = Array.from({ length: times }, () => each).flat();
  return fireAll(probe, specs, { quietMs: times === 1 ? QUIET_MS : LONG_QUIET_MS, words: 'none with a good key' });
}

interface Manner {
  readonly quietMs: number;
  readonly words: string;
}

async function fireAll(probe: Probe, specs: readonly RequestSpec[], { quietMs, words }: Manner): Promise<Burst> {
  await probe.sleep(quietMs);
  probe.announce(`Sending ${specs.length} requests at once, ${words}.`);
  const exchanges = await probe.burst(specs);
  const silent = exchanges.find((exchange) => !isAnswered(exchange));
  if (silent) probe.stop('timing', `one of ${specs.length} requests at once got no answer: ${silent.problem}`);
  const troubled = exchanges.find((exchange) => isPlatformTrouble(exchange) && !isBlocked(exchange));
  if (troubled) probe.stop('platform', `one of ${specs.length} requests at once got ${troubled.status}`);
  return {
    admitted: exchanges.filter((exchange) => !isBlocked(exchange)),
    blocked: exchanges.filter(isBlocked),
    spanMs: Math.max(...exchanges.map((e) => e.receivedAt)) - Math.min(...exchanges.map((e) => e.sentAt)),
  };
}

const burst: Check = {
  id: 'limits/address-burst',
  title: 'Of twelve requests at once ten are admitted, before the key is read, and answer 401',
  cites: [
    '8.address-window',
    '5.limiter-before-key',
    '5.missing-key',
    '5.invalid-key',
    '5.provider-auth',
    '4.bearer',
    '4.calls.statuses',
    '8.blocked-429',
    '8.headers.remaining',
  ],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  cost: {
    requests: 12,
    optional: 1,
    least: 11,
    confirms: 24,
    ownPace: true,
    seconds: 12,
    leastSeconds: 10,
    gives: ['answers without a key', 'answers to a wrong key', 'answers to a wrong key and wrong parameters'],
  },
  async run(probe) {
    const first = await fire(probe);
    judgeRefusals(probe, first);
    judgeCountdown(probe, first);
    if (first.admitted.length === limit) {
      const proves = ['8.address-window', '8.blocked-429'] as const;
      probe.holds(true, { clause: '8.address-window', proves, expected: '10 admitted', actual: '10' });
      probe.holds(true, { clause: '5.limiter-before-key', expected: 'blocked without a good key', actual: 'blocked' });
      return;
    }
    // Twice as many: a limit that is a little too high blocks some of them, and none at all blocks none.
    const own = first.admitted.length < limit ? quietAddress(first) : undefined;
    const second = await fire(probe, 2, own);
    judgeRefusals(probe, second);
    judgeCount(probe, { first, second, isAlone: own !== undefined });
  },
};

/** On this machine, an address that nobody else is likely to send from. */
function quietAddress({ blocked }: Burst): string | undefined {
  const isNear = blocked.every(({ url }) => new URL(url).hostname === '127.0.0.1');
  return isNear ? '127.84.2.91' : undefined;
}

interface TwoBursts {
  readonly first: Burst;
  readonly second: Burst;
  /** Whether the second came from an address that nobody else sends from. */
  readonly isAlone: boolean;
}

/** Whoever got past the limiter without a good key must be refused as unauthorized. */
function judgeRefusals(probe: Probe, { admitted }: Burst): void {
  for (const exchange of admitted) expectUnauthorized(probe, exchange);
}

/** In one burst each admitted request must leave fewer behind (R43). */
function judgeCountdown(probe: Probe, { admitted }: Burst): void {
  const told = admitted.filter(({ headers }) => readWhole(headers['x-ratelimit-limit']) === limit);
  const remaining = told.map(({ headers }) => headers['x-ratelimit-remaining']);
  if (told.length < 4) return;
  probe.holds(new Set(remaining).size > 1, {
    ...about(told.at(-1), '8.headers.remaining', '#header/x-ratelimit-remaining'),
    expected: 'a number that goes down while requests of one bucket arrive',
    actual: `${show(remaining[0])} ${told.length} times`,
  });
}

function judgeCount(probe: Probe, { first, second, isAlone }: TwoBursts): void {
  const counts = [first.admitted.length, second.admitted.length] as const;
  const spanMs = Math.max(first.spanMs, second.spanMs);
  const actual = `${counts[0]} and ${counts[1]} admitted, in ${Math.round(spanMs)} ms`;
  const claim = {
    ...about(second.admitted.at(-1), '8.address-window'),
    expected: `no more and no fewer than ${limit} admitted`,
    actual,
  };
  if (counts[0] < limit && counts[1] === limit) {
    // An approximate window had not forgotten what came before the first burst, and has kept to the limit since (R44).
    probe.holds(true, claim);
    probe.holds(true, { clause: '5.limiter-before-key', expected: 'blocked without a good key', actual: 'blocked' });
    return;
  }
  if (counts.some((count) => count === limit)) {
    probe.doubt('interference', `${actual}: one burst kept to the limit and one did not`);
    return;
  }
  if (counts.every((count) => count > limit)) {
    if (spanMs > LIKELY_SPAN_MS) probe.stop('timing', `${actual}: too slow to tell`);
    if (spanMs > SURE_SPAN_MS) probe.warn(claim);
    else probe.holds(false, claim);
    const keyless = {
      clause: '5.limiter-before-key',
      expected: 'a burst without a good key turns from 401 into 429',
    } as const;
    const isKeyless = second.blocked.length === 0 && spanMs <= SURE_SPAN_MS;
    const last = second.admitted.at(-1) ?? null;
    if (isKeyless) probe.holds(false, { ...keyless, actual: `${second.admitted.length} times 401`, exchange: last });
    return;
  }
  // Fewer than ten: somebody else behind the same address, unless it is our own loopback and the same number twice.
  const isQuiet = probe.settings.isLoopback && counts[0] > 0 && (isAlone || !probe.history().some(isDisturbed));
  const isSure = counts[0] === counts[1] && (isQuiet || tellsSmallerLimit(second));
  if (isSure) probe.holds(false, claim);
  else probe.doubt('interference', `${actual}: others may use this address`);
}

/** A limiter's refusal of a request that kept the pace: somebody else was there. */
export function isDisturbed(exchange: Exchange): boolean {
  return !exchange.burst && isLimiterRefusal(exchange);
}

/** The very first answer of the burst says that less than ten were free although the address was quiet. */
function tellsSmallerLimit({ admitted, blocked }: Burst): boolean {
  return [...admitted, ...blocked].some(({ headers }) => {
    const told = readWhole(headers['x-ratelimit-limit']);
    return told !== null && told < limit;
  });
}

const waitAsTold: Check = {
  id: 'limits/wait-as-told',
  title: 'Who waits as long as a blocked answer says gets through, and no 21 requests pass within ten seconds',
  cites: [
    '8.retry-after',
    '8.headers.reset',
    '8.address-window',
    '5.missing-key',
    '5.invalid-key',
    '5.provider-auth',
    '4.bearer',
  ],
  level: 'must',
  phase: 'bursts',
  needs: ['burst'],
  cost: { requests: 13, optional: 12, confirms: 13, ownPace: true, seconds: 16 },
  async run(probe) {
    const refusals = probe.history().filter((exchange) => exchange.burst && isBlocked(exchange));
    let blocked: Exchange = refusals.at(-1) ?? probe.stop('precondition', 'no request of the burst was blocked');
    const othersCame = isShared(probe, blocked);
    for (const isLast of [false, true]) {
      const { waitMs, words } = told(blocked);
      const isTooLong = waitMs > PATIENCE_MS;
      await sleepSince(probe, blocked, Math.min(waitMs, PATIENCE_MS));
      // The very request that was blocked: so each of the burst is seen to be refused for their key.
      const next = await probe.sendNow(specOf(probe, blocked));
      const actual = String(next.status);
      const expected = isTooLong ? 'admitted after one window and a half' : `admitted after ${words}`;
      const claim = { ...about(next, clauseFor(blocked, waitMs)), expected, actual };
      if (!isBlocked(next)) {
        probe.holds(true, claim);
        if (isAnswered(next) && !isPlatformTrouble(next)) expectUnauthorized(probe, next);
        // Twelve requests more, and one to wait for: an hourly audit may have none to spare.
        if (waitMs < SHORT_WAIT_MS && probe.requestsLeft() > badRequestsMax)
          await expectNoMoreThanTwice(probe, next.address);
        return;
      }
      // Who took a place in the burst may have taken this one.
      if (othersCame) return probe.doubt('interference', `${actual} after ${words}: others use this address`);
      // Another user of the address may have come between; twice in a row is no chance (R46).
      if (isLast || (isTooLong && probe.settings.isLoopback)) return void probe.holds(false, claim);
      probe.warn({ ...claim, message: 'tried once more' });
      blocked = isTooLong ? await blockAnew(probe, next) : next;
    }
  },
};

/** Whether others took some of the ten in the burst that this one was blocked in. */
function isShared(probe: Probe, blocked: Exchange): boolean {
  const isBeside = (other: Exchange) => other.burst && Math.abs(other.sentAt - blocked.sentAt) < LIKELY_SPAN_MS;
  return probe.history().filter((other) => isBeside(other) && !isBlocked(other)).length < limit;
}

function specOf(probe: Probe, { operation, address }: Exchange): RequestSpec {
  const specs = badRequests(probe.facts.unknownId);
  const spec = specs.find((candidate) => candidate.operation === operation) ?? { key: 'none', operation: 'listSites' };
  return address === null ? spec : { ...spec, address };
}

/** Where the wait that the server asks for was cut short, the second try begins with a burst of its own. */
async function blockAnew(probe: Probe, blocked: Exchange): Promise<Exchange> {
  await sleepSince(probe, blocked, Math.min(told(blocked).waitMs, 2 * windowMs));
  const again = (await fire(probe)).blocked.at(-1);
  return again ?? probe.stop('interference', 'a second burst was not blocked');
}

/** Half as long again as the window: an approximate one has forgotten enough by then to admit a single request. */
const PATIENCE_MS = 1.5 * windowMs;
const SHORT_WAIT_MS = 0.45 * windowMs;

async function sleepSince(probe: Probe, exchange: Exchange, ms: number): Promise<void> {
  await probe.sleep(Math.max(0, exchange.receivedAt + ms - probe.now()));
}

/**
 * A short wait is right where a fixed window was about to end. Then the next window is full after ten more, and twenty is
 * the most that any ten seconds can hold (R44); a window that is too short lets the twenty-first pass.
 */
async function expectNoMoreThanTwice(probe: Probe, address: string | null): Promise<void> {
  const specs = badRequests(probe.facts.unknownId).map((spec) => (address === null ? spec : { ...spec, address }));
  const again = await Promise.all(specs.map((spec) => probe.sendNow(spec)));
  const blocked = again.filter(isBlocked).at(-1);
  if (blocked) await expectLetIn(probe, blocked);
  const bursts = probe.history().filter((exchange) => exchange.burst && exchange.address === address);
  const admitted = bursts.filter((exchange) => !isBlocked(exchange) && isAnswered(exchange));
  const last = admitted.at(-1) as Exchange;
  const recent = admitted.filter(({ sentAt }) => last.receivedAt - sentAt < windowMs);
  probe.holds(recent.length <= 2 * limit, {
    ...about(last, '8.address-window'),
    expected: `at most ${2 * limit} within ten seconds, under any kind of window`,
    actual: `${recent.length} admitted`,
  });
}

/** Again as told, as long as that is not long. */
async function expectLetIn(probe: Probe, first: Exchange): Promise<void> {
  let blocked = first;
  for (const isLast of [false, true]) {
    const { waitMs, words } = told(blocked);
    if (waitMs >= SHORT_WAIT_MS) return;
    await sleepSince(probe, blocked, waitMs);
    const next = await probe.sendNow({
      operation: 'listSites',
      ...(blocked.address === null ? {} : { address: blocked.address }),
    });
    if (!isBlocked(next)) return;
    const clause = clauseFor(blocked, waitMs);
    const claim = { ...about(next, clause), expected: `admitted after ${words}`, actual: String(next.status) };
    if (isLast) probe.holds(false, claim);
    else probe.warn({ ...claim, message: 'tried once more' });
    blocked = next;
  }
}

function clauseFor(blocked: Exchange, waitMs: number): '8.retry-after' | '8.headers.reset' | '8.address-window' {
  if (waitMs > PATIENCE_MS) return '8.address-window';
  return readWhole(blocked.headers['retry-after']) === null ? '8.headers.reset' : '8.retry-after';
}

/** Cites 7.retry.retry-after, 7.retry.reset. */
function told(blocked: Exchange): { waitMs: number; words: string } {
  const seconds = readWhole(blocked.headers['retry-after']);
  if (seconds !== null) return { waitMs: seconds * 1000 + 20, words: `Retry-After: ${seconds}` };
  const reset = readWhole(blocked.headers['x-ratelimit-reset']);
  if (reset === null) return { waitMs: PATIENCE_MS, words: 'one window and a half' };
  const waitMs = Math.max(0, reset - (serverNowMs(blocked) ?? blocked.receivedAt)) + 20;
  return { waitMs, words: `X-RateLimit-Reset ${reset}` };
}

const keyedBurst: Check = {
  id: 'limits/address-burst-keyed',
  title: 'Of eleven requests at once with a good key one is blocked, too',
  cites: ['8.address-window'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst', ...thorough],
  after: ['limits/address-burst'],
  cost: { requests: 11, least: 11, confirms: 11, ownPace: true, seconds: 12, leastSeconds: 10 },
  async run(probe) {
    const specs = Array.from({ length: limit + 1 }, () => ({ operation: 'listSites' as const }));
    const manner = { quietMs: QUIET_MS, words: 'all with the good key' };
    const first = await fireAll(probe, specs, manner);
    const isOpen = first.blocked.length === 0;
    const second = isOpen ? await fireAll(probe, specs, manner) : first;
    const spanMs = Math.max(first.spanMs, second.spanMs);
    const actual = `${first.admitted.length} and ${second.admitted.length} admitted, in ${Math.round(spanMs)} ms`;
    const isBroken = isOpen && second.blocked.length === 0;
    if (isOpen !== isBroken) return probe.doubt('interference', `${actual}: one burst was blocked and one was not`);
    if (isBroken && spanMs > LIKELY_SPAN_MS) return probe.stop('timing', `${actual}: too slow to tell`);
    const exchange = second.admitted.at(-1) ?? null;
    const claim = { ...about(exchange, '8.address-window'), expected: `${limit} of 11 admitted`, actual };
    if (isBroken && spanMs > SURE_SPAN_MS) probe.warn(claim);
    else probe.holds(!isBroken, claim);
  },
};

export const addressLimiter = defineChecks([burst, waitAsTold, keyedBurst]);
