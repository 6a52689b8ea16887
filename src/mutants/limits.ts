// Limiters that let too many through, too few, or the wrong ones. Cites 8.key-window, 8.address-window,
// 5.limiter-before-key, 8.blocked-429.
import { route } from '../http/route.ts';
import type { Mutant, Wrap } from './hooks/mutant.ts';
import { onBlock, onEvery, ownerOf } from './hooks/recipes.ts';
import { isBlock, onHeader, withStatus } from './hooks/rewrite.ts';
import {
  addressLimiter,
  fixedCounter,
  keyLimiter,
  slidingCounter,
  unheadedUnlessBlocked,
  without,
} from './limiters.ts';

/** Headers that tell one request more or less than the limiter admits. */
const toldAs = (actual: number, told: number): Wrap =>
  onEvery((response) => {
    if (response.headers['x-ratelimit-limit'] !== String(actual)) return response;
    const limited = onHeader(response, 'x-ratelimit-limit', () => String(told));
    return isBlock(limited)
      ? limited
      : onHeader(limited, 'x-ratelimit-remaining', (left) => String(Math.max(0, Number(left) + told - actual)));
  });

const addresses: readonly Mutant[] = [
  {
    name: 'address-limit-11',
    breaks: '8.address-window',
    shows: 'An address may make 11 requests per 10 seconds, and the headers say so.',
    options: { limits: { address: { limit: 11 } } },
  },
  {
    name: 'address-limit-11-told-as-10',
    breaks: '8.address-window',
    shows: 'An address may make 11 requests per 10 seconds, although the headers say 10.',
    options: { limits: { address: { limit: 11 } } },
    wrap: toldAs(11, 10),
  },
  {
    name: 'address-limit-9-told-as-10',
    breaks: '8.address-window',
    shows: 'The tenth request of an address within 10 seconds is blocked, although the headers say 10.',
    options: { limits: { address: { limit: 9 } } },
    wrap: toldAs(9, 10),
  },
  {
    name: 'address-limit-20',
    breaks: '8.address-window',
    shows: 'An address may make 20 requests per 10 seconds.',
    options: { limits: { address: { limit: 20 } } },
  },
  {
    name: 'address-window-3s',
    breaks: '8.address-window',
    shows: 'An address may make 10 requests per 3 seconds.',
    options: { limits: { address: { windowMs: 3000 } } },
  },
  {
    name: 'address-window-20s',
    breaks: '8.address-window',
    shows: 'An address is blocked for up to 20 seconds after 10 requests.',
    options: { limits: { address: { windowMs: 20_000 } } },
  },
  {
    name: 'no-address-limiter',
    breaks: '8.address-window',
    shows: 'An address may make any number of requests while their keys are bad.',
    options: without('address'),
    wrap: unheadedUnlessBlocked('address'),
  },
  {
    name: 'address-limit-per-key',
    breaks: '8.address-window',
    shows: 'Eleven requests at once pass when their Authorization headers differ.',
    options: without('address'),
    wrap: addressLimiter({ bucket: ({ headers }) => headers.authorization ?? '' }),
  },
  {
    name: 'address-limit-per-path',
    breaks: '8.address-window',
    shows: 'Eleven requests at once pass when they go to different paths.',
    options: without('address'),
    wrap: addressLimiter({ bucket: ({ path }, address) => `${address} ${path}` }),
  },
  {
    name: 'address-limit-counts-successes',
    breaks: '8.address-window',
    shows: 'Requests that are refused do not count for the address limiter.',
    options: without('address'),
    wrap: addressLimiter({ counts: ({ status }) => status < 400 }),
  },
  {
    name: 'address-limit-spares-posts',
    breaks: '8.address-window',
    shows: 'Eleven POST requests at once pass; eleven GET requests do not.',
    options: without('address'),
    wrap: addressLimiter({ exempt: ({ method }) => method === 'POST' }),
  },
  {
    name: 'address-limit-spares-call-log',
    breaks: '8.address-window',
    shows: 'The call log is never blocked by the address limiter.',
    options: without('address'),
    wrap: addressLimiter({
      exempt: ({ method, path }) => {
        const match = route(method, path);
        return typeof match !== 'string' && match.operation.id === 'listCalls';
      },
    }),
  },
  {
    name: 'address-limit-spares-good-keys',
    breaks: '8.address-window',
    shows: 'The address limiter blocks requests with bad keys only.',
    options: without('address'),
    wrap: addressLimiter({ exempt: (request, context) => ownerOf(request, context) !== null }),
  },
  {
    name: 'address-limit-after-key',
    breaks: '5.limiter-before-key',
    shows:
      'Requests with a bad key answer 401 however many come, because the address limiter runs after the key is read.',
    options: without('address'),
    wrap: addressLimiter({ exempt: (request, context) => ownerOf(request, context) === null }),
  },
];

const keys: readonly Mutant[] = [
  {
    name: 'key-limit-61',
    breaks: '8.key-window',
    shows: 'A key may make 61 requests per minute, and the headers say so.',
    options: { limits: { key: { limit: 61 } } },
  },
  {
    name: 'key-limit-61-told-as-60',
    breaks: '8.key-window',
    shows: 'A key may make 61 requests per minute, although the headers say 60.',
    needs: 'addresses',
    options: { limits: { key: { limit: 61 } } },
    wrap: toldAs(61, 60),
  },
  {
    name: 'key-limit-59-told-as-60',
    breaks: '8.key-window',
    shows: 'The 60th request of a key within a minute is blocked, although the headers say 60.',
    needs: 'addresses',
    options: { limits: { key: { limit: 59 } } },
    wrap: toldAs(59, 60),
  },
  {
    name: 'key-limit-600',
    breaks: '8.key-window',
    shows: 'A key may make 600 requests per minute, and the headers say so.',
    options: { limits: { key: { limit: 600 } } },
  },
  {
    name: 'no-key-limiter',
    breaks: '8.key-window',
    shows: 'A key may make any number of requests when they come from several addresses.',
    needs: 'addresses',
    options: without('key'),
    wrap: unheadedUnlessBlocked('key'),
  },
  {
    name: 'key-limit-per-address',
    breaks: '8.key-window',
    shows: 'A key may make 60 requests per minute from each address.',
    needs: 'addresses',
    options: without('key'),
    wrap: keyLimiter({ counter: () => slidingCounter(60_000), bucket: (key, address) => `${key} ${address}` }),
  },
  {
    name: 'key-window-30s',
    breaks: '8.key-window',
    shows: 'Requests of a key are forgotten after 30 seconds: `X-RateLimit-Remaining` is full again.',
    options: { limits: { key: { windowMs: 30_000 } } },
  },
  {
    name: 'key-window-two-minutes',
    breaks: '8.key-window',
    shows: 'Requests of a key count for two minutes, and `X-RateLimit-Reset` says so.',
    options: { limits: { key: { windowMs: 120_000 } } },
  },
  {
    name: 'key-window-fixed-by-clock',
    breaks: '8.key-window',
    shows: 'The window of a key is the minute of the clock, so that 120 requests pass around a full minute.',
    options: without('key'),
    wrap: keyLimiter({ counter: () => fixedCounter(60_000, 'clock') }),
  },
  {
    name: 'key-window-fixed-from-first',
    breaks: '8.key-window',
    shows: 'The window of a key begins with its first request and is emptied at once a minute later.',
    options: without('key'),
    wrap: keyLimiter({ counter: () => fixedCounter(60_000, 'first-request') }),
  },
];

const blocks: readonly Mutant[] = [
  {
    name: 'blocked-403',
    breaks: '8.blocked-429',
    shows: 'A blocked request answers 403 with the limiter’s body.',
    wrap: onBlock((response) => withStatus(response, 403)),
  },
  {
    name: 'blocked-503',
    breaks: '8.blocked-429',
    shows: 'A blocked request answers 503 with the limiter’s body.',
    wrap: onBlock((response) => withStatus(response, 503)),
  },
  {
    name: 'blocked-200',
    breaks: '8.blocked-429',
    shows: 'A blocked request answers 200 with the limiter’s body.',
    wrap: onBlock((response) => withStatus(response, 200)),
  },
];

const seenInBursts = [...addresses, ...blocks].map((mutant): Mutant => ({ ...mutant, needs: 'bursts' }));

export const limitMutants: readonly Mutant[] = [...seenInBursts, ...keys];
