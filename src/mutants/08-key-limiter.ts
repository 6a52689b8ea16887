// Limiters that count the requests of a key wrongly. Cites 8.key-window.
import { fixedCounter, keyLimiter, slidingCounter, without } from './hooks/limiters.ts';
import { mutantsOf } from './hooks/mutants-of.ts';

export const keyLimiterMutants = mutantsOf({
  '8.key-window': {
    'key-limit-61': [
      'A key may make 61 requests per minute, and the headers say so.',
      { options: { limits: { key: { limit: 61 } } } },
    ],
    'key-limit-600': [
      'A key may make 600 requests per minute, and the headers say so.',
      { options: { limits: { key: { limit: 600 } } } },
    ],
    'key-posts-not-counted': [
      'A POST takes nothing from the window of its key: `X-RateLimit-Remaining` stays as it was.',
      keyLimiter({ counter: () => slidingCounter(60_000), exempt: ({ method }) => method === 'POST' }),
      { options: without('key') },
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
