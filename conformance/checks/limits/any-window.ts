// Limiters of other kinds than windows: a bucket that refills too fast, a window that is too short, one for each path,
// key or connection. However it came about, more than 20 requests of an address in ten seconds, or more than 60 of a
// key in a minute, are too many (interpretation R44, R58). Everything that the run has sent is counted; at the end a
// few requests come so early that only a limiter of another kind lets them pass.

import { count } from '../../../src/terminal/count.ts';
import {
  burstMax,
  fire,
  invalidRequests,
  invalidRequestsMax,
  isBlocked,
  limit,
  quietMs,
  windowMs,
} from '../../assertions/address-bursts.ts';
import { clientNamedIn, triesOneHeader } from '../../assertions/named-clients.ts';
import { type Exchange, isUnusable } from '../../exchange/exchange.ts';
import { readWhole, serverNowMs } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { contractWindows, type WindowKind } from '../../pace/lanes.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

/** Ten at the end of one fixed window and ten at the beginning of the next. */
const mostInWindows = { address: 2 * limit, key: contractWindows.key.limit } as const;

/** Where the suite can be at the place of the own proxy, requests that name a client count for that one. */
const namesClient = (exchange: Exchange) => Object.keys(clientNamedIn(exchange)).length > 0;

/** Requests that passed the limiter of the address, in the order of sending. */
function admittedOf(probe: Probe, address: string | null): Exchange[] {
  const isOne = (exchange: Exchange) => exchange.address === address && !isUnusable(exchange) && !isBlocked(exchange);
  // limits/address-burst knows why those pass that try a header.
  return probe.history().filter((exchange) => isOne(exchange) && !triesOneHeader(exchange));
}

/** The first request that is one too many within any span as long as the window. */
function oneTooMany(admitted: readonly Exchange[], kind: WindowKind): Exchange | undefined {
  const inOrder = [...admitted].sort((a, b) => a.sentAt - b.sentAt);
  return inOrder.find((later, index) => {
    const first = inOrder[index - mostInWindows[kind]];
    return first !== undefined && later.receivedAt - first.sentAt < contractWindows[kind].windowMs;
  });
}

function checkAll(probe: Probe): void {
  const addresses = new Set(probe.history().map(({ address }) => address));
  const groups = [...addresses].flatMap((address) => {
    const all = admittedOf(probe, address);
    return [all.filter(namesClient), all.filter((exchange) => !namesClient(exchange))];
  });
  for (const admitted of groups) {
    const last = oneTooMany(admitted, 'address');
    probe.holds(last === undefined, {
      ...about(last, '8.address-window'),
      // Fewer could not be too many.
      proves: admitted.length > mostInWindows.address ? ['8.address-window'] : [],
      expected: `at most ${mostInWindows.address} requests from one IP address in any 10 seconds`,
      actual: last === undefined ? 'as expected' : `200 for request ${mostInWindows.address + 1} within 10 seconds`,
    });
  }
  // Several addresses are the business of limits/key-window, which bears with an approximation.
  const own = probe.history()[0]?.address ?? null;
  const keyed = admittedOf(probe, own).filter(({ key, status }) => key === 'good' && status === 200);
  const last = oneTooMany(keyed, 'key');
  probe.holds(last === undefined, {
    ...about(last, '8.key-window'),
    proves: [],
    expected: `at most ${mostInWindows.key} requests with one key in any minute`,
    actual: last === undefined ? 'as expected' : `200 for request ${mostInWindows.key + 1} within a minute`,
  });
}

/** So late that hardly anything has been forgotten, and so early that all is still within ten seconds. */
const lateMs = windowMs - 700;

const anyWindow: CheckRow = {
  id: 'limits/any-window',
  title: 'The rate limits hold for all requests of the run',
  cites: ['8.address-window', '8.key-window'],
  phase: 'after bursts',
  // Without bursts a run follows the limits itself, or its user disabled them.
  needs: ['burst'],
  // Confirms that so many requests in so short a time are not a coincidence.
  cost: { requests: 0, confirms: invalidRequestsMax, ownPace: true, seconds: 10 },
  async run(probe) {
    await press(probe);
    checkAll(probe);
  },
};

/**
 * As many more as would be too many, where so many have passed since the last burst that only the edge of a fixed
 * window explains it.
 */
async function press(probe: Probe): Promise<void> {
  const before = probe.history().findLast(({ burst }) => burst);
  if (before === undefined) return;
  const { address } = before;
  const isLike = (exchange: Exchange) => namesClient(exchange) === namesClient(before);
  const recent = admittedOf(probe, address).filter((one) => one.sentAt > probe.now() - lateMs && isLike(one));
  const startMs = recent.find(({ burst }) => burst)?.sentAt;
  if (startMs === undefined) return;
  const sinceMs = probe.now() - startMs;
  const admitted = recent.filter(({ sentAt }) => sentAt >= startMs);
  const missing = mostInWindows.address + 1 - admitted.length;
  // A bucket of the contract gives back one a second, and a window all ten at once.
  const isFast = admitted.length - limit > 3 + (0.9 * sinceMs) / 1000;
  if (missing < 1 || missing > invalidRequestsMax || !isFast) return;
  await probe.sleep(startMs + lateMs - probe.now());
  await sendInvalid(probe, { count: missing, address, headers: clientNamedIn(before) });
}

interface Lump {
  readonly count: number;
  readonly address: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

function sendInvalid(probe: Probe, { count, address, headers = {} }: Lump): Promise<Exchange[]> {
  const specs = invalidRequests(probe)
    .slice(0, count)
    .map((spec) => ({ ...spec, headers: { ...spec.headers, ...headers } }));
  return probe.burst(
    specs.map((spec) => (address === null ? spec : { ...spec, address })),
    'none',
  );
}

/** Times of the lumps after the burst: a bucket that refills too fast is full again at the first. */
const lumpsMs = [windowMs / 2, lateMs] as const;

const drip: CheckRow = {
  id: 'limits/address-drip',
  title: 'Three bursts in 10 seconds get at most 20 success responses',
  cites: ['8.address-window'],
  after: ['limits/address-burst'],
  cost: { requests: burstMax + 2 * invalidRequestsMax, ownPace: true, seconds: 22, leastSeconds: 19 },
  async run(probe) {
    const { admitted, blocked, lost } = await fire(probe);
    const all = [...admitted, ...blocked];
    const startMs = Math.min(...all.map(({ sentAt }) => sentAt));
    if (lost > 0) return probe.stop('platform', `${count(lost, 'simultaneous request')} got no response`);
    for (const atMs of lumpsMs) {
      await probe.sleep(Math.max(0, startMs + atMs - probe.now()));
      all.push(...(await sendInvalid(probe, { count: invalidRequestsMax, address: null })));
    }
    const passed = all.filter((exchange) => !isBlocked(exchange) && !isUnusable(exchange));
    const last = oneTooMany(passed, 'address');
    probe.holds(last === undefined, {
      ...about(last ?? passed.at(-1), '8.address-window'),
      expected: `at most ${mostInWindows.address} in 10 seconds`,
      actual: `${passed.length} admitted requests in three bursts`,
    });
  },
};

/** Long enough for seven windows of eight seconds and a half. */
const longestMs = 60_000;
const roundsMax = 8;
const roundRequests = limit + 1;

const rounds: CheckRow = {
  id: 'limits/address-rounds',
  title: 'The IP limit admits 10 requests in each 10 seconds',
  cites: ['8.address-window'],
  after: ['limits/address-burst'],
  // One round if the stated window is as long as it should be; more if it ends earlier.
  cost: { requests: roundsMax * roundRequests, least: roundRequests, ownPace: true, seconds: 75, leastSeconds: 10 },
  async run(probe) {
    await probe.sleep(quietMs);
    probe.announce(`Sending ${roundRequests} requests at once, and again each time the rate-limit window is open.`);
    const startMs = probe.now();
    const passed: Exchange[] = [];
    for (let round = 0; round < roundsMax; round += 1) {
      const responses = await sendInvalid(probe, { count: roundRequests, address: null });
      if (responses.some(isUnusable)) return probe.stop('platform', 'a simultaneous request got no response');
      const admitted = responses.filter((one) => !isBlocked(one));
      passed.push(...admitted);
      const waitMs = waitOf(responses.find(isBlocked));
      // limits/address-drip checks buckets; clients wait as long as stated.
      if (admitted.length < limit || waitMs === null || waitMs > windowMs - grainMs) break;
      if (probe.now() + waitMs - startMs > longestMs) break;
      await probe.sleep(waitMs + grainMs);
    }
    const last = beyondWindows(passed);
    probe.holds(last === undefined, {
      ...about(last ?? passed.at(-1), '8.address-window'),
      expected: `at most ${limit} in each 10 seconds`,
      actual: `${passed.length} admitted requests in ${Math.round((probe.now() - startMs) / 1000)} seconds`,
    });
  },
};

const grainMs = 50;

/** The wait that a blocked response states; null without one. */
function waitOf(blocked: Exchange | undefined): number | null {
  if (blocked === undefined) return null;
  const [seconds, reset] = ['retry-after', 'x-ratelimit-reset'].map((name) => readWhole(blocked.headers[name]));
  if (seconds != null) return seconds * 1000;
  return reset == null ? null : Math.max(0, reset - (serverNowMs(blocked) ?? blocked.receivedAt));
}

/**
 * The first request that no windows of ten seconds explain: a span of so many of them, and a part of another at each
 * end, is the most that fixed ones bear; sliding ones and buckets bear less (interpretation R44).
 */
function beyondWindows(passed: readonly Exchange[]): Exchange | undefined {
  const inOrder = [...passed].sort((a, b) => a.sentAt - b.sentAt);
  return inOrder.find((later, index) =>
    inOrder.slice(0, index).some((first, place) => {
      const windows = Math.floor((later.receivedAt - first.sentAt) / windowMs) + 2;
      return index - place + 1 > windows * limit;
    }),
  );
}

export const anyWindows = defineChecks({ phase: 'bursts', needs: ['burst', 'extended'] }, [drip, rounds, anyWindow]);
