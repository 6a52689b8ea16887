// Section 8, the sentence below the table. They must be present on a limiter's 429 only (interpretation R42), and have
// their form whenever present.
import type { ClauseId } from '../../../src/contract/generated/clauses.ts';
import { type Exchange, hasResponse, isLimiterRejection, isPlatformTrouble } from '../../exchange/exchange.ts';
import { contractWindows } from '../../exchange/lanes.ts';
import * as stated from '../../exchange/stated-limits.ts';
import type { Rule } from '../../judge/judge.ts';
import { type Claim, type Ledger, show } from '../../judge/ledger.ts';

const limits: readonly number[] = [contractWindows.address.limit, contractWindows.key.limit];

const clauseOf = {
  'x-ratelimit-limit': '8.headers.limit',
  'x-ratelimit-remaining': '8.headers.remaining',
  'x-ratelimit-reset': '8.headers.reset',
} as const satisfies Record<string, ClauseId>;

/** Validates each response separately, except for the clock. Checks test the effect on later requests. */
export const rateHeaders: Rule = {
  id: 'rule/rate-headers',
  title: 'X-RateLimit headers are valid',
  cites: ['8.headers.limit', '8.headers.remaining', '8.headers.reset', '8.headers.when'],
  level: 'must',
  isForMcp: true,
  check(exchange, ledger) {
    if (!hasResponse(exchange) || (exchange.status === 429 && isPlatformTrouble(exchange))) return;
    const isBlocked = isLimiterRejection(exchange);
    for (const name of names) {
      const { value, claim } = headerOf(exchange, name);
      if (value === undefined && !isBlocked) continue;
      ledger.holds(stated.readWhole(value) !== null, { ...claim, actual: show(value), expected: 'a whole number' });
    }
    checkCounts(exchange, ledger);
    checkReset(exchange, ledger);
  },
};

type Name = keyof typeof clauseOf;
const names = Object.keys(clauseOf) as Name[];

function headerOf(exchange: Exchange, name: Name) {
  const value = exchange.headers[name];
  const whole = stated.readWhole(value);
  return {
    value,
    whole,
    claim: { clause: clauseOf[name], pointer: `#header/${name}`, actual: String(whole), exchange },
  };
}

/** One of the two limits of the contract (R43). Above the limit, the remaining count could not be a rest of it. */
function checkCounts(exchange: Exchange, ledger: Ledger): void {
  const limit = headerOf(exchange, 'x-ratelimit-limit');
  const { whole: remaining, claim } = headerOf(exchange, 'x-ratelimit-remaining');
  if (limit.whole !== null)
    ledger.holds(limits.includes(limit.whole), { ...limit.claim, expected: limits.join(' or ') });
  if (remaining === null) return;
  if (isLimiterRejection(exchange)) ledger.holds(remaining === 0, { ...claim, expected: '0 in a rate-limit error' });
  if (limit.whole !== null)
    ledger.holds(remaining <= limit.whole, { ...claim, expected: `at most the limit ${limit.whole}` });
}

/** Seconds and microseconds are distinguished by their size, without a clock. */
function checkReset(exchange: Exchange, ledger: Ledger): void {
  const { whole: reset, claim } = headerOf(exchange, 'x-ratelimit-reset');
  if (reset === null) return;
  const expected = 'milliseconds since the epoch';
  if (!ledger.holds(reset >= stated.secondsBelow, { ...claim, expected: `${expected}, not seconds` })) return;
  const isMilliseconds = reset < stated.microsecondsFrom;
  if (!ledger.holds(isMilliseconds, { ...claim, expected: `${expected}, not microseconds` })) return;
  checkClock(exchange, ledger, claim);
}

/** Bounds of the service's clock from the responses so far, for each run. */
const clocks = new WeakMap<Ledger, stated.Ahead>();
/** Runs in which a Reset did not fit the Date next to it: there Date is not the clock of the service. */
const strays = new WeakSet<Ledger>();

/** Fails only if no clock explains it: `Date` can come from a proxy, and clocks can be wrong (R43). */
function checkClock(exchange: Exchange, ledger: Ledger, claim: Omit<Claim, 'expected'>): void {
  const bounds = stated.aheadByReset(exchange);
  if (bounds === null) return;
  const known = clocks.get(ledger) ?? stated.plausible(exchange);
  const clock = stated.both(known, bounds);
  const expected = 'a timestamp within the rate-limit window, by the clock of other responses';
  const message = `that clock is ${(known.atLeast / 1000).toFixed(1)} to ${(known.atMost / 1000).toFixed(1)} s ahead of the local clock`;
  const date = stated.aheadByDate(exchange);
  const fitsDate = date !== null && stated.both(date, bounds) !== null;
  // Another server of the service with another clock, as its Date shows.
  if (clock === null && fitsDate && !strays.has(ledger)) {
    ledger.record('note', { ...claim, expected, message });
    return;
  }
  if (!fitsDate) strays.add(ledger);
  ledger.holds(clock !== null, { ...claim, expected, message });
  if (clock === null) return;
  clocks.set(ledger, clock);
  if (date === null || fitsDate) return;
  ledger.record('note', {
    ...claim,
    expected: 'a timestamp within the rate-limit window after the Date header',
    message: `the Date header is ${exchange.headers.date}, and might come from a proxy or another clock`,
  });
}

const longestWaitS = 3600;
/** A quota of a platform can last days, and a timestamp in seconds is longer than any. */
const longestPlatformWaitS = 31 * 86_400;

/** Its absence is never checked here: "usually, not always" (interpretation R46). */
export const retryAfter: Rule = {
  id: 'rule/retry-after',
  title: 'Retry-After is a whole number of seconds',
  cites: ['7.retry.whole-seconds', '8.retry-after'],
  level: 'must',
  isForMcp: true,
  check(exchange, ledger) {
    const value = exchange.headers['retry-after'];
    if (exchange.status !== 429 || value === undefined) return;
    const claim = { pointer: '#header/retry-after', expected: 'whole seconds', actual: show(value), exchange };
    const number = stated.readWhole(value);
    if (!ledger.holds(number !== null, { ...claim, clause: '7.retry.whole-seconds' }) || number === null) return;
    // A client that waits longer than needed still gets a response (interpretation R62).
    const mostS = isPlatformTrouble(exchange) ? longestPlatformWaitS : longestWaitS;
    const expected = `seconds, at most ${mostS} (milliseconds or a timestamp are longer)`;
    ledger.holds(number <= mostS, { ...claim, clause: '7.retry.whole-seconds', expected });
  },
};
