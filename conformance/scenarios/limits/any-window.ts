// Requests for limiters of other kinds than windows: they come so early that only such a limiter lets them pass.
import { isAdmitted, isBlocked, waitingFor } from '../../exchange/bursts.ts';
import { type Exchange, isUnusable } from '../../exchange/exchange.ts';
import { announce, burst, type Scenario, scenario, wait } from '../scenario.ts';
import {
  clientNamedIn,
  headersNamingClient,
  invalidMax,
  invalidRequests,
  limit,
  quietMs,
  windowMs,
} from './requests.ts';

/** So late that hardly anything has been forgotten, and so early that all is still within ten seconds. */
const lateMs = windowMs - 700;
/** Ten at the end of one fixed window and ten at the beginning of the next. */
const mostInWindow = 2 * limit;

const namesClient = (exchange: Exchange) => headersNamingClient(exchange).length > 0;

/**
 * As many more as would be too many, where so many have passed since a burst that only the edge of a fixed
 * window explains it.
 */
const press = scenario(
  'limits/any-window',
  { after: 'limits/address-burst', needs: ['burst'], most: 0, odd: invalidMax, seconds: 10 },
  function* ({ history, now }) {
    const isRecent = ({ sentAt, mcpEndpoint }: Exchange) => sentAt > now() - lateMs && mcpEndpoint === undefined;
    const recent = history().exchanges.filter((one) => isRecent(one) && isAdmitted(one));
    const first = recent.find((one) => one.burst);
    if (first === undefined) return;
    const { address, sentAt: startMs } = first;
    const isLike = (one: Exchange) =>
      one.sentAt >= startMs && one.address === address && namesClient(one) === namesClient(first);
    const admitted = recent.filter(isLike).length;
    const missing = mostInWindow + 1 - admitted;
    // A bucket of the contract gives back one a second, and a window all ten at once.
    const isFast = admitted - limit > 3 + (0.9 * (now() - startMs)) / 1000;
    if (missing < 1 || missing > invalidMax || !isFast) return;
    yield* wait(Math.max(0, startMs + lateMs - now()));
    const own = { headers: clientNamedIn(first), ...(address === null ? {} : { address }) };
    const specs = invalidRequests(history()).slice(0, missing);
    yield* burst(
      specs.map((spec) => ({ ...spec, ...own })),
      'none',
    );
  },
);

const roundsMax = 8;
const roundRequests = limit + 1;
const grainMs = 50;
/** Long enough for seven windows of eight seconds and a half. */
const longestMs = 60_000;

/**
 * Again and again as soon as a rejection says; where that takes the whole window, twice within it, when a bucket that
 * refills too fast is full again.
 */
const rounds = scenario(
  'limits/address-rounds',
  { needs: ['burst'], least: roundRequests, most: roundsMax * roundRequests, seconds: 75 },
  function* ({ history, now }) {
    yield* wait(quietMs);
    yield* announce(`Sending ${roundRequests} requests at once, and again each time the rate-limit window is open.`);
    const startMs = now();
    for (let round = 0; round < roundsMax; round += 1) {
      const responses = yield* burst(invalidRequests(history(), 'known').slice(0, roundRequests), 'none');
      const blocked = responses.find(isBlocked);
      if (blocked === undefined || responses.some(isUnusable)) break;
      const { waitMs } = waitingFor(blocked);
      const isWhole = waitMs > windowMs - grainMs;
      if (now() - startMs > (isWhole ? lateMs - grainMs : longestMs - waitMs)) break;
      yield* wait(isWhole ? lateMs / 2 : waitMs + grainMs);
    }
  },
);

export const anyWindowScenarios: readonly Scenario[] = [rounds, press];
