// Sixty requests a minute for a key, in a sliding window. From one address the sixty-first can hardly be sent (rulings R48),
// so the first check reads what the answers of the whole run said, and the second needs several source addresses.
import { type Check, defineChecks } from '../check.ts';
import { type Exchange, isAnswered, isLimiterRefusal } from '../exchange.ts';
import { readWhole } from '../limiter-words.ts';
import { contractWindows } from '../pacer.ts';
import type { Probe } from '../probe.ts';

const { limit, windowMs } = contractWindows.key;
/** Fewer requests than this in a minute say little. */
const COUNTED_MIN = 10;
/** An approximate window may forget a little early; one that forgets this share of a minute does not slide. */
const FORGOTTEN_SHARE = 0.4;

const remaining: Check = {
  id: 'limits/key-remaining',
  title: 'X-RateLimit-Remaining of the key counts the requests of the last minute',
  cites: ['8.key-window', '8.headers.remaining'],
  level: 'must',
  phase: 'bursts',
  cost: { requests: 0 },
  async run(probe) {
    const keyed = probe.history().filter((exchange) => exchange.key === 'good' && isAnswered(exchange));
    const taken = keyed.filter((exchange) => exchange.status === 200);
    let judged = 0;
    for (const exchange of keyed) {
      const left = readWhole(exchange.headers['x-ratelimit-remaining']);
      if (left === null || readWhole(exchange.headers['x-ratelimit-limit']) !== limit) continue;
      const counted = countWithin(taken, exchange);
      if (counted < COUNTED_MIN) continue;
      judged += 1;
      const most = limit - Math.ceil(counted * (1 - FORGOTTEN_SHARE));
      probe.holds(left <= most, {
        clause: '8.key-window',
        pointer: '#header/x-ratelimit-remaining',
        expected: `about ${limit - counted}, because ${counted} requests were taken within the last minute`,
        actual: String(left),
        exchange,
      });
    }
    if (judged === 0) {
      const why = 'answers do not tell of the key’s window, and one address can send no 61 requests a minute';
      probe.stop('unreachable', `${why}; name several with --source-address`);
    }
  },
};

/** Requests that were surely taken before this one, within one window of its answer: of a burst nobody knows which came first. */
function countWithin(taken: readonly Exchange[], answer: Exchange): number {
  const isBefore = (other: Exchange) => other === answer || other.receivedAt < answer.sentAt;
  return taken.filter((other) => isBefore(other) && other.sentAt > answer.receivedAt - windowMs).length;
}

const ADDRESSES_MIN = 4;
const HALF_MS = 30_000;
const LUMPS = [30, 31, 31] as const;

const window: Check = {
  id: 'limits/key-window',
  title: 'From several addresses, no 61 requests of a key are admitted within any minute, and 60 are',
  cites: ['8.key-window', '8.blocked-429'],
  level: 'must',
  phase: 'bursts',
  needs: ['burst', 'source-addresses'],
  cost: { requests: LUMPS[0] + LUMPS[1] + LUMPS[2], least: LUMPS[0] + LUMPS[1], seconds: 125 },
  async run(probe) {
    const { sourceAddresses } = probe.settings;
    if (sourceAddresses.length < ADDRESSES_MIN) {
      probe.stop('unreachable', `it takes ${ADDRESSES_MIN} source addresses to send 31 requests at once`);
    }
    probe.announce(
      'Sending 30, then 31, then 31 requests with one key from several addresses; this takes two minutes.',
    );
    const first = await lump(probe, LUMPS[0], 'key');
    const startedAt = Math.min(...first.map(({ sentAt }) => sentAt));
    await probe.sleep(Math.max(0, startedAt + HALF_MS - probe.now()));
    const second = await lump(probe, LUMPS[1], 'address');
    stopUnlessApart(probe, [...first, ...second]);
    await probe.sleep(
      Math.max(0, Math.max(...first.map(({ receivedAt }) => receivedAt)) + windowMs + 50 - probe.now()),
    );
    const third = await lump(probe, LUMPS[2], 'address');
    judgeWindow(probe, [...first, ...second, ...third]);
    judgeCapacity(probe, first, second);
  },
};

async function lump(probe: Probe, size: number, quiet: 'key' | 'address'): Promise<Exchange[]> {
  const { sourceAddresses } = probe.settings;
  const specs = Array.from({ length: size }, (_, i) => ({
    operation: 'listSites' as const,
    address: sourceAddresses[i % sourceAddresses.length] as string,
  }));
  return probe.burst(specs, quiet);
}

/** A server that sees one address behind all of ours blocks by the address, which says nothing of the key. */
function stopUnlessApart(probe: Probe, exchanges: readonly Exchange[]): void {
  const silent = exchanges.find((exchange) => !isAnswered(exchange));
  if (silent) probe.stop('timing', `a request of the burst got no answer: ${silent.problem}`);
  const blocked = exchanges.filter(isLimiterRefusal);
  const byAddress = blocked.some(
    ({ headers }) => readWhole(headers['x-ratelimit-limit']) === contractWindows.address.limit,
  );
  if (byAddress) probe.stop('unreachable', 'the target does not tell our source addresses apart');
}

/** Sixty-one admitted in less than a minute, whatever the network did in between. */
function judgeWindow(probe: Probe, exchanges: readonly Exchange[]): void {
  const admitted = exchanges.filter((exchange) => exchange.status === 200).sort((a, b) => a.sentAt - b.sentAt);
  const tooMany = admitted.findIndex((exchange, index) => {
    const later = admitted[index + limit];
    return later !== undefined && later.receivedAt - exchange.sentAt < windowMs;
  });
  probe.holds(tooMany === -1, {
    clause: '8.key-window',
    expected: `at most ${limit} of a key admitted within any minute`,
    actual: tooMany === -1 ? 'no more' : `${limit + 1} within a minute`,
    exchange: admitted[tooMany + limit] ?? null,
  });
}

function judgeCapacity(probe: Probe, first: readonly Exchange[], second: readonly Exchange[]): void {
  const both = [...first, ...second];
  const admitted = both.filter((exchange) => exchange.status === 200).length;
  const blocked = both.find(isLimiterRefusal);
  if (admitted >= limit || !blocked) return;
  const isAlone = first.some(({ headers }) => headers['x-ratelimit-remaining'] === String(limit - 1));
  if (!isAlone && !probe.settings.isLoopback)
    probe.stop('interference', `only ${admitted} were admitted; others may use the key`);
  const claim = {
    clause: '8.key-window',
    expected: `${limit} admitted`,
    actual: `${admitted} admitted`,
    exchange: blocked,
  } as const;
  probe.holds(false, claim);
}

export const keyLimiter = defineChecks([remaining, window]);
