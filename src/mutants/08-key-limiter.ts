// Limiters that count the requests of a key wrongly. Cites 8.key-window.
import { fixedCounter, keyLimiter, slidingCounter, toldAs, unheadedUnlessBlocked, without } from './hooks/limiters.ts';
import { mutantsOf } from './hooks/mutants-of.ts';

export const keyLimiterMutants = mutantsOf({
  '8.key-window': {
    'key-limit-61': [
      'A key may make 61 requests per minute, and the headers say so.',
      { options: { limits: { key: { limit: 61 } } } },
    ],
    'key-limit-61-told-as-60': [
      'A key may make 61 requests per minute, although the headers say 60.',
      toldAs(61, 60),
      { needs: 'addresses', options: { limits: { key: { limit: 61 } } } },
    ],
    'key-limit-59-told-as-60': [
      'The 60th request of a key within a minute is blocked, although the headers say 60.',
      toldAs(59, 60),
      { needs: 'addresses', options: { limits: { key: { limit: 59 } } } },
    ],
    'key-limit-600': [
      'A key may make 600 requests per minute, and the headers say so.',
      { options: { limits: { key: { limit: 600 } } } },
    ],
    'no-key-limiter': [
      'A key may make any number of requests when they come from several addresses.',
      unheadedUnlessBlocked('key'),
      { needs: 'addresses', options: without('key') },
    ],
    'key-limit-per-address': [
      'A key may make 60 requests per minute from each address.',
      keyLimiter({ counter: () => slidingCounter(60_000), bucket: (key, address) => `${key} ${address}` }),
      { needs: 'addresses', options: without('key') },
    ],
    'key-window-30s': [
      'Requests of a key are forgotten after 30 seconds: `X-RateLimit-Remaining` is full again.',
      { options: { limits: { key: { windowMs: 30_000 } } } },
      { needs: 'addresses' },
    ],
    'key-window-two-minutes': [
      'Requests of a key count for two minutes, and `X-RateLimit-Reset` says so.',
      { options: { limits: { key: { windowMs: 120_000 } } } },
    ],
    'key-window-fixed-by-clock': [
      'The window of a key is the minute of the clock, so that 120 requests pass around a full minute.',
      keyLimiter({ counter: () => fixedCounter(60_000, 'clock') }),
      { options: without('key') },
    ],
    'key-window-fixed-from-first': [
      'The window of a key begins with its first request and is emptied at once a minute later.',
      keyLimiter({ counter: () => fixedCounter(60_000, 'first-request') }),
      { options: without('key') },
    ],
  },
});
