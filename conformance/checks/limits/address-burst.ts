// Ten requests in ten seconds for an address, counted before the key is read. One burst shows both: more requests than
// that without a valid key, each on another operation and bad in another way. It is the authentication matrix as well.
// A window may be fixed or slide (interpretation R44), so what one burst shows must be shown twice to count.

import { count } from '../../../src/terminal/count.ts';
import {
  type Burst,
  burstMax,
  fire,
  fireAll,
  isDisturbed,
  likelySpanMs,
  limit,
  phaseMs,
  quietMs,
  sparedMax,
  sureSpanMs,
  windowMs,
} from '../../assertions/address-bursts.ts';
import { believedMax, findBelieved, withNamedClients } from '../../assertions/named-clients.ts';
import { expectValidKey } from '../../assertions/valid-again.ts';
import { readWhole } from '../../exchange/stated-limits.ts';
import { about } from '../../judge/claims.ts';
import { type Claim, show } from '../../judge/ledger.ts';
import { type CheckRow, defineChecks } from '../../probe/check.ts';
import type { Probe } from '../../probe/probe.ts';

const burst: CheckRow = {
  id: 'limits/address-burst',
  title: 'The IP limit admits 10 of 13 simultaneous requests',
  // Other checks test the responses without a valid key.
  cites: [
    '8.address-window',
    '5.limiter-before-key',
    '8.blocked-429',
    '8.headers.remaining',
    '7.code.unauthorized',
    '4.articles.list.statuses',
  ],
  needs: ['burst'],
  cost: {
    requests: burstMax,
    optional: sparedMax,
    least: burstMax - sparedMax,
    confirms: 2 * burstMax + 1 + believedMax,
    ownPace: true,
    seconds: 12,
    leastSeconds: 10,
    gives: [
      'responses without a key',
      'responses to an unknown key',
      'responses to an unknown key and invalid parameters',
      'articles without limit',
    ],
  },
  async run(probe) {
    const first = await fire(probe, { change: (specs) => withNamedClients(probe, specs) });
    await checkValid(probe, first);
    // Each client that a header names may have its own countdown.
    if (first.admitted.length <= limit) checkCountdown(probe, first);
    if (first.admitted.length === limit && first.blocked.length > 0) {
      const proves = ['8.address-window', '8.blocked-429'] as const;
      probe.holds(true, { clause: '8.address-window', proves, expected: `${limit} admitted`, actual: String(limit) });
      probe.holds(true, beforeTheKey);
      if (risesIn(first)) checkRise(probe, await fire(probe));
      return;
    }
    if (first.lost > 0) return doubtLost(probe, first);
    // Twice as many: a limit that is a little too high blocks some of them, and none at all blocks none.
    const own = first.admitted.length < limit ? quietAddress(first) : undefined;
    const second = await fire(probe, { times: 2, ...(own === undefined ? {} : { address: own }) });
    if (second.lost > 0) return doubtLost(probe, second);
    await checkValid(probe, second);
    const isFull = second.blocked.length > 0 && second.admitted.length <= limit;
    // The requests of the second burst name no other client.
    if (first.admitted.length > limit && isFull && (await findBelieved(probe))) return;
    checkCount(probe, { first, second, isAlone: own !== undefined });
  },
};

function doubtLost(probe: Probe, { admitted, blocked, lost }: Burst): void {
  const all = admitted.length + blocked.length + lost;
  probe.doubt(
    'platform',
    `${lost} of ${all} requests at once got no response, so the number of admitted requests is unknown`,
  );
}

/** A local address that other processes are unlikely to use. */
function quietAddress({ blocked }: Burst): string | undefined {
  const isNear = blocked.every(({ url }) => new URL(url).hostname === '127.0.0.1');
  return isNear ? '127.84.2.91' : undefined;
}

/** Two bursts over which one result is spoken. */
interface TwoBursts {
  readonly first: Burst;
  readonly second: Burst;
  /** Whether only our requests came from the second address. */
  readonly isAlone: boolean;
}

/** A request with a valid key that passes the limiter succeeds, next to any other requests. */
async function checkValid(probe: Probe, { admitted }: Burst): Promise<void> {
  for (const exchange of admitted) if (exchange.key === 'good') await expectValidKey(probe, exchange);
}

/** In one burst, each admitted request must decrease the remaining count (R43). */
function checkCountdown(probe: Probe, { admitted }: Burst): void {
  const withLimit = admitted.filter(({ headers }) => readWhole(headers['x-ratelimit-limit']) === limit);
  const remaining = withLimit.map(({ headers }) => headers['x-ratelimit-remaining']);
  if (withLimit.length < 4) return;
  probe.holds(new Set(remaining).size > 1, {
    ...about(withLimit.at(-1), '8.headers.remaining', '#header/x-ratelimit-remaining'),
    expected: 'a number that decreases with each request',
    actual: `${show(remaining[0])} ${count(withLimit.length, 'time')}`,
  });
}

/** Nearly every pair of responses, in the order in which they came: some overtake each other on the way. */
const risingShare = 0.85;
const countedMin = 6;

/** Whether the later of two responses has the larger number; of a countdown, the smaller one. */
function risesIn({ admitted }: Burst): boolean {
  const withLimit = admitted.filter(({ headers }) => readWhole(headers['x-ratelimit-limit']) === limit);
  const inOrder = withLimit.sort((a, b) => a.receivedAt - b.receivedAt);
  const counts = inOrder.map(({ headers }) => readWhole(headers['x-ratelimit-remaining']) ?? 0);
  const pairs = counts.flatMap((count, at) => counts.slice(at + 1).map((later) => later - count));
  return counts.length >= countedMin && pairs.filter((by) => by > 0).length >= risingShare * pairs.length;
}

/** Once may be the order of the responses. */
function checkRise(probe: Probe, second: Burst): void {
  const exchange = second.admitted.at(-1) ?? null;
  probe.holds(!risesIn(second), {
    ...about(exchange, '8.headers.remaining', '#header/x-ratelimit-remaining'),
    expected: 'a number that decreases with each request',
    actual: `a number that increases to ${show(exchange?.headers['x-ratelimit-remaining'])}`,
  });
}

/** Two bursts together: the admitted requests, and the time of the slower one. */
interface Seen extends TwoBursts {
  readonly spanMs: number;
  readonly words: string;
  readonly claim: Claim;
}

const beforeTheKey = {
  clause: '5.limiter-before-key',
  expected: 'blocked without a valid key',
  actual: 'blocked',
} as const;

/** One miss can be chance or another user; a limit that both bursts miss to the same side is the server's. */
function checkCount(probe: Probe, { first, second, isAlone }: TwoBursts): void {
  const [before, after] = [first.admitted.length, second.admitted.length];
  const spanMs = Math.max(first.spanMs, second.spanMs);
  const words = `${before} and ${after} admitted requests in two bursts of ${Math.round(spanMs)} ms`;
  const place = about(second.admitted.at(-1), '8.address-window');
  const claim = { ...place, expected: `${limit} in each burst`, actual: words };
  const seen = { first, second, isAlone, spanMs, words, claim };
  if (before < limit && after === limit) {
    // An approximate window had not forgotten what came before the first burst, and has followed the limit since (R44).
    probe.holds(true, claim);
    probe.holds(true, beforeTheKey);
    return;
  }
  if (before > limit && after > limit) checkTooMany(probe, seen);
  else if (after === limit) probe.doubt('interference', `${words}: one burst followed the limit and one did not`);
  else checkTooFew(probe, seen);
}

/**
 * Only a fast pair is sure: over a slow line the window may have moved between the first request and the last. A fixed
 * window cannot do so in both bursts, and a bucket gives back one a second; one more is left to doubt.
 */
function checkTooMany(probe: Probe, { first, second, spanMs, words, claim }: Seen): void {
  // More than two windows can hold are too many, however long they took (interpretation R58).
  const isBeyond = second.admitted.length > 2 * limit && second.spanMs < windowMs;
  const isSure = isBeyond || [first, second].every(isMoreThanRefilled);
  if (spanMs > likelySpanMs && !isSure) probe.stop('timing', `${words}: too slow to decide`);
  if (spanMs > sureSpanMs && !isSure) {
    probe.warn(claim);
    return;
  }
  probe.holds(false, claim);
  if (second.blocked.length > 0) return;
  probe.holds(false, {
    ...about(second.admitted.at(-1), '5.limiter-before-key'),
    expected: 'status 429 after the limit, also without a valid key',
    actual: `status 401 ${count(second.admitted.length, 'time')} in one burst`,
  });
}

/** More than a full bucket admits and one second refills; the rest allows for clock errors. */
function isMoreThanRefilled({ admitted, spanMs }: Burst): boolean {
  return spanMs < phaseMs - 500 && admitted.length > limit + 1 + Math.floor(spanMs / 1000);
}

/** Others can share the address, unless it is loopback and both bursts have the same number. */
function checkTooFew(probe: Probe, { first, second, isAlone, words, claim }: Seen): void {
  const count = first.admitted.length;
  const isQuiet = probe.settings.isLoopback && count > 0 && (isAlone || !probe.history().some(isDisturbed));
  const isSure = count === second.admitted.length && (isQuiet || statesSmallerLimit(second));
  if (isSure) probe.holds(false, claim);
  else probe.doubt('interference', `${words}: other users might share this address`);
}

function statesSmallerLimit({ admitted, blocked }: Burst): boolean {
  return [...admitted, ...blocked].some(({ headers }) => {
    const stated = readWhole(headers['x-ratelimit-limit']);
    return stated !== null && stated < limit;
  });
}

/** The limiter of the address runs before the key is read, so a valid key must not help. */
const keyedBurst: CheckRow = {
  id: 'limits/address-burst-keyed',
  title: 'The IP limit applies to requests with a valid key',
  cites: ['8.address-window'],
  needs: ['burst', 'extended'],
  after: ['limits/address-burst'],
  cost: { requests: limit + 1, least: limit + 1, confirms: limit + 1, ownPace: true, seconds: 12, leastSeconds: 10 },
  async run(probe) {
    const specs = Array.from({ length: limit + 1 }, () => ({ operation: 'listSites' as const }));
    const manner = { quietMs: quietMs, words: 'all with the valid key' };
    const first = await fireAll(probe, specs, manner);
    const isOpen = first.blocked.length === 0;
    const second = isOpen ? await fireAll(probe, specs, manner) : first;
    const open = [first, second].find(({ lost, blocked }) => lost > 0 && blocked.length === 0);
    if (open) return doubtLost(probe, open);
    const spanMs = Math.max(first.spanMs, second.spanMs);
    const actual = `${first.admitted.length} and ${second.admitted.length} admitted requests in two bursts of ${Math.round(spanMs)} ms`;
    const isReset = isOpen && second.blocked.length === 0;
    if (isOpen !== isReset) return probe.doubt('interference', `${actual}: one burst was blocked and one was not`);
    if (isReset && spanMs > likelySpanMs) return probe.stop('timing', `${actual}: too slow to decide`);
    const exchange = second.admitted.at(-1) ?? null;
    const claim = { ...about(exchange, '8.address-window'), expected: `${limit} in each burst`, actual };
    if (isReset && spanMs > sureSpanMs) probe.warn(claim);
    else probe.holds(!isReset, claim);
  },
};

const usual = { phase: 'bursts' } as const;
export const addressBurst = defineChecks(usual, [burst]);
export const keyedBursts = defineChecks(usual, [keyedBurst]);
