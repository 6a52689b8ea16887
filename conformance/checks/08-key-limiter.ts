// Sixty requests a minute for a key, in a sliding window. From one address the sixty-first can hardly be sent (rulings
// R48), so the first check reads what the answers of the whole run said, and the second (08-key-window.ts) needs
// several addresses.

import { count } from '../../src/terminal/count.ts';
import { type Exchange, isAnswered, isUntold } from '../exchange/exchange.ts';
import { readWhole } from '../exchange/told-limits.ts';
import { contractWindows } from '../pace/lanes.ts';
import { type Check, defineChecks } from '../probe/check.ts';
import { keyWindow } from './08-key-window.ts';
import { about } from './claims.ts';
import { leastCounted } from './key-window-model.ts';

const { limit, windowMs } = contractWindows.key;
/** Fewer requests than this in a minute say little. */
const COUNTED_MIN = 10;
/** An approximate window may forget a little early; one that forgets this share of a minute does not slide. */
const FORGOTTEN_SHARE = 0.25;

/** Judges what the answers of the whole run said, and so costs nothing. */
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
    const untold = probe.history().filter(isUntold);
    let judged = 0;
    for (const exchange of keyed) {
      const left = readWhole(exchange.headers['x-ratelimit-remaining']);
      if (left === null || readWhole(exchange.headers['x-ratelimit-limit']) !== limit) continue;
      const instants = instantsBefore(sinceLastLoss(taken, untold, exchange), exchange);
      const counted = instants.filter((at) => at > exchange.receivedAt - windowMs).length;
      if (counted < COUNTED_MIN) continue;
      judged += 1;
      const most = limit - Math.floor(leastCounted(instants, exchange.receivedAt) * (1 - FORGOTTEN_SHARE));
      probe.holds(left <= most, {
        ...about(exchange, '8.key-window', '#header/x-ratelimit-remaining'),
        expected: `about ${limit - counted}, because ${count(counted, 'request')} were taken within the last minute`,
        actual: String(left),
      });
    }
    if (judged === 0) {
      const why = 'answers do not tell of the key’s window, and one address cannot send 61 requests a minute';
      probe.stop('unreachable', `${why}; name several with --source-address`);
    }
  },
};

/** A service that was started anew while a proxy answered for it may have forgotten what it had counted (R57, R60). */
function sinceLastLoss(taken: readonly Exchange[], untold: readonly Exchange[], answer: Exchange): readonly Exchange[] {
  const losses = untold.filter(({ sentAt }) => sentAt < answer.receivedAt).map(({ receivedAt }) => receivedAt);
  return taken.filter(({ sentAt }) => losses.every((lostAt) => lostAt <= sentAt));
}

/** Requests that were surely taken before this one, itself included: the order within a burst is not known. */
function instantsBefore(taken: readonly Exchange[], answer: Exchange): number[] {
  const isBefore = (other: Exchange) => other === answer || other.receivedAt < answer.sentAt;
  return taken.filter(isBefore).map(({ sentAt }) => sentAt);
}

export const keyLimiter = defineChecks([remaining, keyWindow]);
